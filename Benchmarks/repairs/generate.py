#!/usr/bin/env python3
"""Writes an app with orphans: app.sqlite, mooring.yaml and the files of its bucket.

Every song holds one cover and has a hundred older ones, which nothing references. Keys hold a
{uuid}, so that none is ever used again.

usage: generate.py FOLDER COUNT PORT CONCURRENCY
"""
import os
import random
import sqlite3
import sys
import time

folder, count, port, concurrency = sys.argv[1], *map(int, sys.argv[2:5])
draw = random.Random(1)
old = time.time() - 90 * 86_400


def uuid():
    text = "%032x" % draw.getrandbits(128)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def file(identity, name):
    path = os.path.join(folder, "s3", "media", "private", identity, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(name.encode())
    os.utime(path, (old, old))


database = sqlite3.connect(os.path.join(folder, "app.sqlite"))
database.execute("PRAGMA journal_mode=WAL")
database.execute(
    "CREATE TABLE Song (id TEXT PRIMARY KEY, coverArtKey TEXT, ownerIdentity TEXT,"
    " _version INTEGER, _lastChangedAt INTEGER, _deleted INTEGER)")
for number in range((count + 99) // 100):
    song, identity = uuid(), "eu-central-1:" + uuid()
    cover = f"{song}-{uuid()}.png"
    file(identity, cover)
    for _ in range(min(100, count - 100 * number)):
        file(identity, f"{song}-{uuid()}.png")
    database.execute(
        "INSERT INTO Song VALUES (?, ?, ?, 1, ?, 0)", (song, cover, identity, int(old * 1000)))
database.commit()
with open(os.path.join(folder, "mooring.yaml"), "w") as out:
    out.write(f"""\
version: 1
ledger: ./mooring.ledger
records:
  - name: app
    sqlite: ./app.sqlite
    models:
      - model: Song
        version: _version
        changed: _lastChangedAt
        deleted: _deleted
        identity: ownerIdentity
        files: [{{field: coverArtKey, level: private, template: "{{id}}-{{uuid}}.png"}}]
buckets:
  - name: media
    s3: {{bucket: media, region: us-east-1, concurrency: {concurrency}, pathStyle: true,
      endpoint: "http://127.0.0.1:{port}"}}
race: {{preset: testing}}
repair: {{orphan: quarantine, retention: 0s}}
limits: {{orphanShare: 100%, steps: {count}, bytes: 1TiB}}
report: {{directory: Reports/Runs, formats: [json]}}
""")
print(f"{count} orphans")
