#!/usr/bin/env python3
"""Writes the data of the join: references, a listing, mooring.yaml, and the answer.

usage: generate.py [--form FORM] FOLDER [REFERENCES [SEED]]     default: csv, 1000000 1

forms:  csv         references and a listing, both as CSV
        inventory   an export of a DynamoDB table, and an S3 Inventory
        gz          references as CSV, and an S3 Inventory

Keys are 60 to 140 bytes long, some of them quoted, with blanks, commas, quotes and letters beyond
ASCII. References stand in another order than the listing. Of as many objects as references, 1 %
are orphans; 0.5 % of the references dangle, and 0.2 % share an object with another record. The same
seed writes the same records and objects in each form. expected.json holds the counts and a SHA-256
of each sorted list of keys.
"""

import argparse
import csv
import hashlib
import json
import os
import random
from datetime import datetime, timedelta, timezone

import aws

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
    {records}
    models:
      - model: Song
        id: id
        changed: updatedAt
        files: [{{field: key, level: root}}]
buckets:
  - name: media
    {objects}
report: {{directory: Reports/Runs, formats: [json]}}
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

    def object(self, key):
        etag = f"{self.random.getrandbits(128):032x}"
        return [key, self.random.randrange(1_000, 5_000_000), self.time(), etag]


def digest(keys):
    """How many keys there are, and a hash of them in the order of their bytes."""
    lines = sorted(key.encode() + b"\n" for key in keys)
    return {"count": len(lines), "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}


def write_csv(path, header, rows):
    """A table, as most programs write it."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_records(folder, form, rows):
    """Writes records of id, key and time; what mooring.yaml says of them."""
    if form == "inventory":
        aws.write_export(os.path.join(folder, "export"), rows)
        return "dynamodbExport: ./export"
    write_csv(os.path.join(folder, "references.csv"), ["id", "key", "updatedAt"], rows)
    # Beside an inventory of long ago a file of today would be a year ahead of it.
    return "csv: ./references.csv" + (f"\n    taken: {aws.TAKEN}" if form == "gz" else "")


def write_objects(folder, form, rows):
    """Writes objects of key, size, time and ETag; what mooring.yaml says of them."""
    if form == "csv":
        header = ["key", "size", "lastModified", "etag"]
        write_csv(os.path.join(folder, "listing.csv"), header, rows)
        return "listing: ./listing.csv"
    manifest = aws.write_inventory(os.path.join(folder, "inventory"), rows)
    return f"inventory: ./inventory/{manifest}"


def arguments():
    parser = argparse.ArgumentParser(
        usage=__doc__.split("usage: ")[1].split("     default")[0])
    parser.add_argument("--form", choices=["csv", "inventory", "gz"], default="csv")
    parser.add_argument("folder")
    parser.add_argument("references", type=int, nargs="?", default=1_000_000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    return parser.parse_args()


def main():
    given = arguments()
    folder, count, world = given.folder, given.references, World(given.seed)
    os.makedirs(folder)
    shared, missing, orphaned = count // 500, count // 200, count // 100
    keys = [world.key() for _ in range(count - shared)]
    orphans = [world.key() for _ in range(orphaned)]

    references = keys + keys[:shared]
    world.random.shuffle(references)
    records = write_records(
        folder, given.form, ([world.uuid(), key, world.time()] for key in references))
    # A shared object is there, so that it is a shared object and not two dangling references.
    names = sorted(keys[:shared] + keys[shared + missing:] + orphans, key=str.encode)
    objects = write_objects(folder, given.form, (world.object(key) for key in names))
    expected = {"orphan": digest(orphans), "dangling": digest(keys[shared:shared + missing]),
                "shared": digest(keys[:shared])}
    with open(os.path.join(folder, "expected.json"), "w", encoding="ascii") as file:
        json.dump(expected, file, indent=2)
    with open(os.path.join(folder, "mooring.yaml"), "w", encoding="ascii") as file:
        file.write(CONFIGURATION.format(records=records, objects=objects))
    print(f"{len(references)} references, {len(names)} objects in {folder}")


if __name__ == "__main__":
    main()
