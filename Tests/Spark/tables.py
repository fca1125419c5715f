"""Records of random apps in Parquet, and the same as JSON lines for whoever does not read that."""

import datetime
import json
import os

import columns
import pyarrow
from pyarrow import parquet

TEXTS = ["id", "key", "owner", "title", "note"]


def text(value):
    """Bytes as a string of JSON, those of no UTF-8 too."""
    return b'"' + b"".join(
        b"\\" + bytes([byte]) if byte in b'"\\' else b"\\u%04x" % byte if byte < 0x20
        else bytes([byte]) for byte in value) + b'"'


def moment(value):
    """When a row was changed; None where its text tells no moment."""
    try:
        return datetime.datetime.fromisoformat(value.decode().replace("Z", "+00:00"))
    except ValueError:
        return None


def write(app, folder):
    """Writes the records of an app, and gives the sources for each engine."""
    # Nobody tells an empty text from none, but for an identifier.
    rows = [dict(row) for row in app.rows]
    typed = app.chance(50)
    lists = app.chance(70)
    for row in rows:
        row["_version"] = int(row["_version"]) if row["_version"] else None
        row["_deleted"] = {b"": None, b"0": False, b"1": True, b"true": True}[row["_deleted"]]
        if lists:
            row["images"] = json.loads(row["images"]) if row["images"] else None
        if typed:
            at = moment(row["updatedAt"])
            row["updatedAt"] = at and at.replace(tzinfo=at.tzinfo or datetime.timezone.utc)
    lines(rows, os.path.join(folder, f"rows-{app.seed}.jsonl"))
    below = f"rows-{app.seed}.parquet"
    count = app.random.randrange(1, 4)
    if count > 1:
        os.makedirs(os.path.join(folder, below))
    for number in range(count):
        part = rows[number * len(rows) // count:(number + 1) * len(rows) // count]
        path = below if count == 1 else f"{below}/part-{number}.parquet"
        parquet.write_table(table(part, typed, lists), os.path.join(folder, path),
                            row_group_size=11)
    return {"native": f"jsonl: ./rows-{app.seed}.jsonl", "spark": f"parquet: ./{below}"}


def table(rows, typed, lists):
    """Rows as columns of one type each."""
    found = {name: columns.texts([row[name] or None for row in rows]) for name in TEXTS}
    found["images"] = (
        pyarrow.array([row["images"] for row in rows], pyarrow.list_(pyarrow.string())) if lists
        else columns.texts([row["images"] or None for row in rows]))
    found["updatedAt"] = (
        pyarrow.array([row["updatedAt"] for row in rows], pyarrow.timestamp("us", tz="UTC"))
        if typed else columns.texts([row["updatedAt"] or None for row in rows]))
    found["_version"] = pyarrow.array([row["_version"] for row in rows], pyarrow.int32())
    found["_deleted"] = pyarrow.array([row["_deleted"] for row in rows], pyarrow.bool_())
    return pyarrow.table(found)


def lines(rows, path):
    """The same as JSON lines."""
    with open(path, "wb") as file:
        for row in rows:
            members = [(name, text(row[name])) for name in TEXTS if row[name]]
            images, at = row["images"], row["updatedAt"]
            if isinstance(images, list):
                members.append(("images", json.dumps(images, ensure_ascii=False).encode()))
            elif images:
                members.append(("images", text(images)))
            if isinstance(at, datetime.datetime):
                members.append(("updatedAt", b'"%s"' % at.astimezone(datetime.timezone.utc).strftime(
                    "%Y-%m-%dT%H:%M:%S.%fZ").encode()))
            elif at:
                members.append(("updatedAt", text(at)))
            for name in ("_version", "_deleted"):
                if row[name] is not None:
                    members.append((name, json.dumps(row[name]).encode()))
            file.write(b"{" + b",".join(
                b'"' + name.encode() + b'":' + value for name, value in members) + b"}\n")
