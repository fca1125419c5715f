"""Writes an S3 Inventory and an export of a DynamoDB table, as AWS lays them out in a bucket."""

import base64
import contextlib
import csv
import gzip
import hashlib
import io
import json
import os
from datetime import datetime
from urllib.parse import quote_plus

# Of when both are: behind every time that generate.py makes, and the same for the same seed.
LISTED = "2025-12-01T01:00:00Z"
TAKEN = "2025-12-01T02:00:00Z"
BUCKET = "media"
INVENTORY = "inventories/media/daily"
EXPORT = "AWSDynamoDB/01764554400000-a1b2c3d4"
TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/Song"
# Both write several files, so that whoever reads several at once may.
INVENTORY_PARTS = 4
EXPORT_PARTS = 8


def name_of_part(kind, number):
    """AWS names parts by chance; here the same data has the same names."""
    return hashlib.md5(f"{kind} {number}".encode()).hexdigest()


def md5(path):
    """The checksum of a file, which has some 20 MB."""
    with open(path, "rb") as file:
        return hashlib.md5(file.read())


def opened(stack, path):
    """Text that is packed into a file, without the time, at the level that AWS's Java takes."""
    raw = stack.enter_context(open(path, "wb"))
    packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
    buffered = io.BufferedWriter(stack.enter_context(packed), 1 << 20)
    return stack.enter_context(io.TextIOWrapper(buffered, encoding="utf-8", newline=""))


def encoded(key):
    """A key as S3 Inventory writes it: as a form sends it, but with its slashes."""
    return quote_plus(key, safe="/*")


def write_inventory(folder, rows):
    """Writes rows of key, size, time and ETag, a run of them in each part; the manifest's path
    below the folder."""
    rows = list(rows)
    data = f"{INVENTORY}/data"
    os.makedirs(os.path.join(folder, data))
    files = []
    for number in range(INVENTORY_PARTS):
        start = number * len(rows) // INVENTORY_PARTS
        end = (number + 1) * len(rows) // INVENTORY_PARTS
        key = f"{data}/{name_of_part('inventory', number)}.csv.gz"
        path = os.path.join(folder, key)
        with contextlib.ExitStack() as stack:
            writer = csv.writer(opened(stack, path), lineterminator="\n", quoting=csv.QUOTE_ALL)
            for name, size, time, etag in rows[start:end]:
                # S3 writes milliseconds, which are none here.
                writer.writerow([BUCKET, encoded(name), size, time[:-1] + ".000Z", etag])
        files.append({"key": key, "size": os.path.getsize(path),
                      "MD5checksum": md5(path).hexdigest()})
    listed = datetime.fromisoformat(LISTED.replace("Z", "+00:00"))
    manifest = {
        "sourceBucket": BUCKET, "destinationBucket": "arn:aws:s3:::reports",
        "version": "2016-11-30", "creationTimestamp": str(int(listed.timestamp()) * 1000),
        "fileFormat": "CSV", "fileSchema": "Bucket, Key, Size, LastModifiedDate, ETag",
        "files": files,
    }
    place = f"{INVENTORY}/{listed.strftime('%Y-%m-%dT%H-%MZ')}"
    os.makedirs(os.path.join(folder, place))
    text = json.dumps(manifest, indent=2).encode()
    with open(os.path.join(folder, place, "manifest.json"), "wb") as file:
        file.write(text)
    with open(os.path.join(folder, place, "manifest.checksum"), "w", encoding="ascii") as file:
        file.write(hashlib.md5(text).hexdigest())
    return f"{place}/manifest.json"


def write_summed(stem, data):
    """Writes a manifest of an export with its checksum beside it."""
    with open(stem + ".json", "wb") as file:
        file.write(data)
    with open(stem + ".checksum", "wb") as file:
        file.write(base64.b64encode(hashlib.md5(data).digest()))


def write_export(folder, rows):
    """Writes rows of id, key and time as items of table Song; which part an item lies in depends
    on its id, as it does in DynamoDB."""
    home = os.path.join(folder, EXPORT)
    os.makedirs(os.path.join(home, "data"))
    keys = [f"{EXPORT}/data/{name_of_part('export', number)}.json.gz"
            for number in range(EXPORT_PARTS)]
    counts = [0] * EXPORT_PARTS
    with contextlib.ExitStack() as stack:
        parts = [opened(stack, os.path.join(folder, key)) for key in keys]
        for identifier, key, time in rows:
            part = int(identifier[:8], 16) % EXPORT_PARTS
            counts[part] += 1
            item = {"id": {"S": identifier}, "key": {"S": key}, "updatedAt": {"S": time}}
            line = json.dumps({"Item": item}, ensure_ascii=False, separators=(",", ":"))
            parts[part].write(line + "\n")
    write_summed(os.path.join(home, "manifest-files"), b"".join(
        json.dumps({
            "itemCount": count, "dataFileS3Key": key,
            "md5Checksum": base64.b64encode(md5(os.path.join(folder, key)).digest()).decode(),
        }).encode() + b"\n" for key, count in zip(keys, counts)))
    write_summed(os.path.join(home, "manifest-summary"), json.dumps({
        "version": "2023-08-01", "exportArn": f"{TABLE}/export/{os.path.basename(EXPORT)}",
        "startTime": TAKEN, "endTime": "2025-12-01T02:30:00Z", "tableArn": TABLE,
        "exportTime": TAKEN, "s3Bucket": "reports", "s3Prefix": None,
        "manifestFilesS3Key": f"{EXPORT}/manifest-files.json", "itemCount": sum(counts),
        "outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT",
    }).encode())
    # DynamoDB writes it first, to see that it may write.
    with open(os.path.join(home, "_started"), "wb"):
        pass
