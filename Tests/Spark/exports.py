"""Exports of DynamoDB for random apps: manifests with their sums, and files of items, a line each."""

import base64
import gzip
import hashlib
import json
import os

import lines

# A value that takes more than a look.
ODD = [b'{"M":{"a":{"S":"b"}}}', b'{"SS":["a","b"]}', b'{"B":"aGk="}', b'{"NS":["1","2"]}',
       b'{"L":[{"N":"1"}]}', b'{"L":[]}', b'{"L":[{"S":"x"},{"S":"y"}]}', b'{"NULL":true}',
       b'{"N":"1.50"}', b'{"N":"12345678901234567890"}', b'{"N":"1E+3"}', b'{"N":"0.5"}']


def typed(app, name, value):
    """A value with its type."""
    if name == "images":
        texts = json.loads(value.decode("utf-8", "replace"))
        return b'{"L":[' + b",".join(
            b'{"NULL":true}' if text is None else b'{"S":' + lines.text(app, text.encode()) + b"}"
            for text in texts) + b"]}"
    plain = value.isdigit() and str(int(value)).encode() == value
    if plain and name in ("_version", "updatedAt", "title") and app.chance(80):
        return b'{"N":"' + value + b'"}'
    return b'{"S":' + lines.text(app, value) + b"}"


def item(app, row):
    """A record as a line."""
    found = []
    for name, value in row.items():
        if name == "_deleted" and app.chance(50):
            found.append((name, b'{"BOOL":%s}' % (b"true" if value in (b"1", b"true")
                                                  else b"false")))
        elif value:
            found.append((name, typed(app, name, value)))
        elif app.chance(20):
            found.append((name, b'{"NULL":true}'))
    if app.chance(10):
        found.append(("more", app.pick(ODD)))
    if app.fault(2):
        found.append(app.pick(found))
    app.random.shuffle(found)
    blank = b" " if app.chance(3) else b""
    return (b'{"Item":{' + b",".join(b'"' + name.encode() + b'":' + blank + value
                                     for name, value in found) + b"}}")


def write(app, folder, table):
    """Writes an export of a table below a folder."""
    home = "AWSDynamoDB/01-a"
    below = os.path.join(folder, home)
    os.makedirs(os.path.join(below, "data"))
    items = [item(app, row) for row in app.rows]
    if app.fault(15):
        items.append(app.pick([b'{"Item":{"id":{"S":"x"}', b"no JSON", b'{"Item":{}}',
                               b'{"Item":{"id":{"X":"1"}}}', b'{"Other":{"id":{"S":"1"}}}']))
    total, manifest, count = len(items), b"", app.random.randrange(1, 4)
    if app.fault(10):
        total += 1
    for number in range(count):
        own = items[number * len(items) // count:(number + 1) * len(items) // count]
        data = gzip.compress(b"".join(line + b"\n" for line in own), mtime=0)
        name = f"{app.uuid().replace('-', '')}.json.gz"
        with open(os.path.join(below, "data", name), "wb") as file:
            file.write(data)
        if app.fault(5):
            data += b"x"
        manifest += json.dumps({
            "itemCount": len(own) + app.fault(5), "md5Checksum":
            base64.b64encode(hashlib.md5(data).digest()).decode(), "etag": "x-1",
            "dataFileS3Key": f"{home}/data/{name}"}).encode() + b"\n"
    summed(below, "manifest-files", manifest)
    summed(below, "manifest-summary", json.dumps({
        "version": "2020-06-30",
        "tableArn": f"arn:aws:dynamodb:eu-west-1:123456789012:table/{table}",
        "manifestFilesS3Key": f"{home}/manifest-files.json", "itemCount": total,
        "exportTime": "2026-11-20T10:00:00.000Z", "exportType": "FULL_EXPORT",
        "outputFormat": "DYNAMODB_JSON", "tableId": "t-1"}).encode())
    with open(os.path.join(below, "_started"), "wb"):
        pass


def summed(folder, name, data):
    """A manifest, and its MD5 beside it."""
    with open(os.path.join(folder, f"{name}.json"), "wb") as file:
        file.write(data)
    with open(os.path.join(folder, f"{name}.checksum"), "wb") as file:
        file.write(base64.b64encode(hashlib.md5(data).digest()))
