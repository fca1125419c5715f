"""Inventories of S3 in files of columns, Parquet and ORC."""

import datetime
import os

import pyarrow
from pyarrow import orc, parquet

NAMES = {
    "Bucket": "bucket", "Key": "key", "VersionId": "version_id", "IsLatest": "is_latest",
    "IsDeleteMarker": "is_delete_marker", "Size": "size", "ETag": "e_tag",
    "LastModifiedDate": "last_modified_date", "IsMultipartUploaded": "is_multipart_uploaded",
    "StorageClass": "storage_class", "EncryptionStatus": "encryption_status"}
# In both formats, as the manifests of S3 spell them.
KINDS = {
    "Size": ("int64 {}", "bigint"), "LastModifiedDate": ("int64 {} (TIMESTAMP(MILLIS,true))",
                                                         "timestamp")}
TRUTH = ("boolean {}", "boolean")
TEXT = ("binary {} (STRING)", "string")


def texts(values):
    """A column of strings, those of no UTF-8 too."""
    plain = pyarrow.array(values, pyarrow.binary())
    return pyarrow.Array.from_buffers(pyarrow.string(), len(plain), plain.buffers())


def column(name, values, form):
    """A column of the cells of CSV."""
    if name == "Size":
        return pyarrow.array([int(value) if value else None for value in values], pyarrow.int64())
    if name.startswith("Is"):
        return pyarrow.array([value == "true" if value else None for value in values])
    if name == "LastModifiedDate":
        moments = [datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) if value else None
                   for value in values]
        zone = "UTC" if form == "Parquet" else None
        plain = [moment and moment.replace(tzinfo=None) for moment in moments]
        return pyarrow.array(plain, pyarrow.timestamp("ms", tz=zone))
    return texts([value if isinstance(value, bytes) else value.encode() for value in values])


def schema(names, form):
    """What a manifest says of them."""
    kinds = [TRUTH if name.startswith("Is") else KINDS.get(name, TEXT) for name in names]
    if form == "ORC":
        return "struct<" + ",".join(
            f"{NAMES[name]}:{kind[1]}" for name, kind in zip(names, kinds)) + ">"
    fields = [("required " if name in ("Bucket", "Key") else "optional ")
              + kind[0].format(NAMES[name]) for name, kind in zip(names, kinds)]
    return "message s3.inventory {  " + ";  ".join(fields) + ";}"


def write(inventory, folder, parts):
    """Writes an inventory's rows below a folder, and gives the path of its manifest."""
    import inventories  # pylint: disable=import-outside-toplevel,cyclic-import
    app, form, names = inventory.app, inventory.format, inventory.columns
    below = f"columns-{app.seed}"
    os.makedirs(os.path.join(folder, below, "data"))
    files = []
    for rows in parts:
        # Columns stand in another order in a file than in its manifest, sometimes.
        own = list(names) if app.chance(80) else sorted(names)
        table = pyarrow.table({
            NAMES[name]: column(name, [row[name] for row in rows], form) for name in own})
        name = f"{app.uuid()}.{form.lower()}"
        path = os.path.join(folder, below, "data", name)
        if form == "ORC":
            orc.write_table(table, path, compression="zlib")
        else:
            parquet.write_table(table, path, compression="snappy", row_group_size=7)
        with open(path, "rb") as file:
            files.append(inventories.named(f"daily/data/{name}", file.read()))
    return inventory.manifest(folder, below, form, schema(names, form), files)
