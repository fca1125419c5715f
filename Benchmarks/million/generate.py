#!/usr/bin/env python3
"""Writes the benchmark's data: a SQLite database, a listing, mooring.yaml, and what was planted.

usage: generate.py FOLDER [REFERENCES [SEED]]     default: 1000000 1

Half of the references are scalar (Song.coverArtKey), half stand in lists of five
(PhotoAlbum.imageKeys). Of the references, 0.5 % dangle; 0.2 % of them share an object with another
record; orphans are 1 % as many as references, half without an owner, half dropped from a list. The
same seed writes the same data.
"""

import csv
import json
import os
import random
import sqlite3
import sys
from datetime import datetime, timedelta, timezone

LIST = 5
# Long past, so that no device in flight explains anything.
FIRST = datetime(2025, 1, 1, tzinfo=timezone.utc)
MINUTES = 300 * 24 * 60


class World:
    """Makes identifiers, times and keys from one seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.identities = ["eu-central-1:" + self.uuid() for _ in range(10_000)]

    def uuid(self):
        bits = f"{self.random.getrandbits(128):032x}"
        return f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-a{bits[17:20]}-{bits[20:]}"

    def identity(self):
        return self.identities[self.random.randrange(len(self.identities))]

    def minute(self):
        return self.random.randrange(MINUTES)


def milliseconds(minute):
    return int((FIRST + timedelta(minutes=minute)).timestamp() * 1000)


def songs(world, count, shared):
    """Rows of Song and their keys; the last `shared` of them hold the key of an earlier one."""
    rows, keys = [], []
    for number in range(count):
        identity, song = world.identity(), world.uuid()
        key = song
        if number >= count - shared:
            # The earlier song's file, so under the earlier song's identity.
            identity, key = rows[number - (count - shared)][3], rows[number - (count - shared)][2]
        minute = world.minute()
        rows.append((song, f"Song {number}", key, identity, 2, milliseconds(minute), None))
        keys.append((f"private/{identity}/{key}", minute))
    return rows, keys


def albums(world, count):
    """Rows of PhotoAlbum and their keys."""
    rows, keys = [], []
    for number in range(count):
        identity, album, minute = world.identity(), world.uuid(), world.minute()
        images = [f"{album}-{world.uuid()}" for _ in range(LIST)]
        rows.append((album, f"Album {number}", json.dumps(images, separators=(",", ":")),
                     identity, 3, milliseconds(minute), None))
        keys.extend((f"private/{identity}/{image}", minute) for image in images)
    return rows, keys


def write_database(path, song_rows, album_rows):
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA journal_mode = WAL")
    for table, column in (("Song", "coverArtKey"), ("PhotoAlbum", "imageKeys")):
        database.execute(
            f"CREATE TABLE {table} (id TEXT PRIMARY KEY NOT NULL, name TEXT, {column} TEXT, "
            "ownerIdentity TEXT, _version INTEGER, _lastChangedAt INTEGER, _deleted INTEGER)")
    # In the order of the key the index is written once from front to back.
    for table, rows in (("Song", song_rows), ("PhotoAlbum", album_rows)):
        rows.sort()
        database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    database.close()


def write_listing(path, world, objects):
    with open(path, "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "size", "lastModified", "etag"])
        for key, minute in objects:
            time = (FIRST + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")
            etag = f"{world.random.getrandbits(128):032x}"
            writer.writerow([key, world.random.randrange(1_000, 5_000_000), time, etag])


CONFIGURATION = """\
# Made by generate.py: a listing is no live store, so this is for audits only.
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
        files: [{field: coverArtKey, level: private, template: "{id}"}]
      - model: PhotoAlbum
        version: _version
        changed: _lastChangedAt
        deleted: _deleted
        identity: ownerIdentity
        files: [{field: imageKeys, list: true, level: private, template: "{id}-{uuid}"}]
buckets:
  - name: media
    listing: ./listing.csv
report: {directory: Reports/Runs, formats: [json, text]}
"""


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    folder = sys.argv[1]
    references = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    world = World(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    os.makedirs(folder)

    shared = references // 500
    song_rows, song_keys = songs(world, references // 2, shared)
    album_rows, album_keys = albums(world, references // 2 // LIST)

    unique = song_keys[:len(song_keys) - shared] + album_keys
    # A shared object is there, so that it is a shared object and not two dangling references.
    missing = set(world.random.sample(range(shared, len(unique)), references // 200))
    planted = [("shared", key) for key, _ in song_keys[:shared]]
    planted += [("dangling", unique[number][0]) for number in missing]
    objects = [item for number, item in enumerate(unique) if number not in missing]

    for number in range(references // 100):
        album = album_rows[number % len(album_rows)]
        if number % 2 == 0:
            key = f"private/{world.identity()}/{world.uuid()}"
        else:
            key = f"private/{album[3]}/{album[0]}-{world.uuid()}"
        planted.append(("orphan", key))
        objects.append((key, world.minute()))
    # S3 lists in the order of the keys' bytes.
    objects.sort()

    write_database(os.path.join(folder, "app.sqlite"), song_rows, album_rows)
    write_listing(os.path.join(folder, "listing.csv"), world, objects)
    with open(os.path.join(folder, "planted.tsv"), "w", encoding="ascii") as file:
        file.writelines(f"{kind}\t{key}\n" for kind, key in sorted(planted))
    with open(os.path.join(folder, "mooring.yaml"), "w", encoding="ascii") as file:
        file.write(CONFIGURATION)
    print(f"{len(song_keys) + len(album_keys)} references in "
          f"{len(song_rows) + len(album_rows)} records, {len(objects)} objects in {folder}")


if __name__ == "__main__":
    main()
