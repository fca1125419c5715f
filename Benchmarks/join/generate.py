#!/usr/bin/env python3
"""Writes the data of the join: references and a listing as CSV, mooring.yaml, and the answer.

usage: generate.py FOLDER [REFERENCES [SEED]]     default: 1000000 1

Keys are 60 to 140 bytes long, some of them quoted, with blanks, commas, quotes and letters beyond
ASCII. References stand in another order than the listing. Of as many objects as references, 1 %
are orphans; 0.5 % of the references dangle, and 0.2 % share an object with another record. The same
seed writes the same data. expected.json holds the counts and a SHA-256 of each sorted list of keys.
"""

import csv
import hashlib
import json
import os
import random
import sys
from datetime import datetime, timedelta, timezone

# Long past, so that no device in flight explains anything.
FIRST = datetime(2025, 1, 1, tzinfo=timezone.utc)
MINUTES = 300 * 24 * 60
FOLDERS = ["covers", "albums/Sommer 2024", "uploads/raw, unsorted", "avatars", "Bücher/Ausgabe",
           'say "hello"', "exports/2024/archive/monthly", "x"]
ENDINGS = [".jpg", ".jpeg", ".png", ".mp4", ""]

CONFIGURATION = """\
# Made by generate.py: copies are no live stores, so this is for audits only.
version: 1
ledger: ./mooring.ledger
confirm: always
records:
  - name: app
    csv: ./references.csv
    models:
      - model: Song
        id: id
        changed: updatedAt
        files: [{field: key, level: root}]
buckets:
  - name: media
    listing: ./listing.csv
report: {directory: Reports/Runs, formats: [json]}
"""


class World:
    """Makes identifiers, times and keys from one seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.identities = ["eu-central-1:" + self.uuid() for _ in range(10_000)]

    def uuid(self):
        bits = f"{self.random.getrandbits(128):032x}"
        return f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-a{bits[17:20]}-{bits[20:]}"

    def key(self):
        number = self.random.getrandbits(60)
        identity = self.identities[number % 10_000]
        # Most folders have plain names.
        folder = FOLDERS[number >> 20 & 7] if number >> 30 & 7 == 0 else "covers"
        return f"private/{identity}/{folder}/{self.uuid()}{ENDINGS[(number >> 40) % 5]}"

    def time(self):
        moment = FIRST + timedelta(minutes=self.random.randrange(MINUTES))
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def digest(keys):
    """How many keys there are, and a hash of them in the order of their bytes."""
    lines = sorted(key.encode() + b"\n" for key in keys)
    return {"count": len(lines), "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    world = World(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    os.makedirs(folder)
    shared, missing, orphaned = count // 500, count // 200, count // 100
    keys = [world.key() for _ in range(count - shared)]
    orphans = [world.key() for _ in range(orphaned)]

    references = keys + keys[:shared]
    world.random.shuffle(references)
    with open(os.path.join(folder, "references.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "key", "updatedAt"])
        for key in references:
            writer.writerow([world.uuid(), key, world.time()])
    # A shared object is there, so that it is a shared object and not two dangling references.
    objects = sorted(keys[:shared] + keys[shared + missing:] + orphans, key=str.encode)
    with open(os.path.join(folder, "listing.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "size", "lastModified", "etag"])
        for key in objects:
            etag = f"{world.random.getrandbits(128):032x}"
            writer.writerow([key, world.random.randrange(1_000, 5_000_000), world.time(), etag])
    expected = {"orphan": digest(orphans), "dangling": digest(keys[shared:shared + missing]),
                "shared": digest(keys[:shared])}
    with open(os.path.join(folder, "expected.json"), "w", encoding="ascii") as file:
        json.dump(expected, file, indent=2)
    with open(os.path.join(folder, "mooring.yaml"), "w", encoding="ascii") as file:
        file.write(CONFIGURATION)
    print(f"{len(references)} references, {len(objects)} objects in {folder}")


if __name__ == "__main__":
    main()
