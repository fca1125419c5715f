#!/usr/bin/env python3
"""Makes copies of an app that `mooring demo` wrote: tables as CSV, and its folder as a listing.

usage: copies.py DEMO FOLDER
Each table with file fields is a source of its own; relations stay in the demo.
"""

import csv
import os
import sqlite3
import sys
from datetime import datetime, timezone

# What the demo's own configuration says of each field.
TABLES = {
    "Song": "{field: coverArtKey, level: private, template: '{id}.png'}",
    "PhotoAlbum": "{field: imageKeys, list: true, level: protected, template: '{id}-{uuid}.png'}",
    "Post": "{field: file, complex: true, level: guest, template: '{id}-{uuid}.txt'}",
    "Contract": "{field: fileKey}",
}


def cell(value):
    """As CSV has it: NULL is nothing, and bytes are what they are."""
    if value is None:
        return ""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def main():
    demo, folder = sys.argv[1:]
    os.makedirs(folder)
    database = sqlite3.connect(f"file:{demo}/app.sqlite?mode=ro", uri=True)
    database.text_factory = bytes
    sources = []
    for table, files in TABLES.items():
        rows = database.execute(f"SELECT * FROM {table}")
        names = [entry[0] for entry in rows.description]
        with open(f"{folder}/{table}.csv", "w", newline="", encoding="latin-1") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([cell(value) for value in row] for row in rows)
        identity = ", identity: ownerIdentity" if "ownerIdentity" in names else ""
        sources.append(
            f"  - name: {table.lower()}\n    csv: ./{table}.csv\n    models:\n"
            f"      - {{model: {table}, version: _version, changed: _lastChangedAt, "
            f"deleted: _deleted{identity}, files: [{files}]}}\n")
    files = os.path.join(demo, "files")
    with open(f"{folder}/media.csv", "w", newline="", encoding="utf-8",
              errors="surrogateescape") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "size", "lastModified", "etag"])
        for below, _, names in sorted(os.walk(files)):
            for name in sorted(names):
                path = os.path.join(below, name)
                facts = os.stat(path)
                moment = datetime.fromtimestamp(int(facts.st_mtime), timezone.utc)
                writer.writerow([os.path.relpath(path, files), facts.st_size,
                                 moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "ab"])
    with open(f"{folder}/mooring.yaml", "w", encoding="utf-8") as file:
        file.write("version: 1\nconfirm: always\nrecords:\n" + "".join(sources)
                   + "buckets:\n  - {name: media, listing: ./media.csv}\n")


if __name__ == "__main__":
    main()
