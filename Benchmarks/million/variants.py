#!/usr/bin/env python3
"""Writes a variant of the benchmark's data, in which one more feature is at work.

usage: variants.py FOLDER VARIANT     makes FOLDER/VARIANT, with its mooring.yaml and counts.tsv

visibility  both models say who may read them, and every level keeps to it
exposed     the same, and every object lies open to all signed-in users: a finding each
relation    a million children in a table Track, 0.5 % of them of a song that is not there
replica     a copy of all rows, 1 % of them with an earlier version
derived     a thumbnail beside each listed object: twice as many are listed
prefix      the mapping names a wrong level: every reference dangles, and every object is an orphan
common      the same, and all keys end with one of ten file names
absent      all songs name one object, which is not there
"""

import csv
import os
import sqlite3
import sys
import uuid


class Variant:
    """What the variants are made from, and what is expected of them."""

    def __init__(self, folder, name):
        self.folder = folder
        self.target = os.path.join(folder, name)
        with open(os.path.join(folder, "mooring.yaml"), encoding="ascii") as file:
            self.yaml = file.read()
        # Data that a variant has in common with the others stays where it is.
        self.yaml = self.yaml.replace("./app.sqlite", "../app.sqlite")
        self.yaml = self.yaml.replace("./listing.csv", "../listing.csv")
        self.counts = {"orphan": 0, "dangling": 0, "shared": 0}
        with open(os.path.join(folder, "planted.tsv"), encoding="ascii") as file:
            for line in file:
                self.counts[line.split("\t")[0]] += 1

    def replace(self, old, new):
        assert old in self.yaml, old
        self.yaml = self.yaml.replace(old, new)

    def path(self, name):
        return os.path.join(self.target, name)

    def copy(self, name):
        """A copy of the database, open for changes."""
        database = sqlite3.connect(self.path(name))
        original = sqlite3.connect(os.path.join(self.folder, "app.sqlite"))
        original.backup(database)
        original.close()
        database.execute("PRAGMA synchronous = OFF")
        return database

    def objects(self):
        with open(os.path.join(self.folder, "listing.csv"), newline="", encoding="ascii") as file:
            yield from csv.DictReader(file)

    def write_listing(self, objects):
        self.replace("../listing.csv", "./listing.csv")
        objects.sort(key=lambda one: one["key"])
        with open(self.path("listing.csv"), "w", newline="", encoding="ascii") as file:
            writer = csv.DictWriter(
                file, ["key", "size", "lastModified", "etag"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(objects)


def visibility(variant):
    variant.replace("        deleted: _deleted\n",
                    "        deleted: _deleted\n        visibility: owner\n")


def exposed(variant):
    visibility(variant)
    # The name of the level tells who can read what lies under it.
    variant.replace("level: private", "level: protected")
    variant.yaml += 'levels: {protected: "private/{identity}/"}\n'
    objects = sum(1 for _ in variant.objects())
    variant.counts["exposed"] = objects - variant.counts["orphan"]


def relation(variant):
    database = variant.copy("app.sqlite")
    songs = [row[0] for row in database.execute("SELECT id FROM Song ORDER BY id")]
    database.execute(
        "CREATE TABLE Track (id TEXT PRIMARY KEY NOT NULL, songID TEXT, _version INTEGER, "
        "_lastChangedAt INTEGER, _deleted INTEGER)")
    count, gone = 2 * len(songs), len(songs) // 100
    database.executemany(
        "INSERT INTO Track VALUES (?, ?, 1, 1735689600000, NULL)",
        ((f"track-{number:09}",
          f"gone-{number}" if number < gone else songs[number * 7919 % len(songs)])
         for number in range(count)))
    database.commit()
    database.close()
    variant.replace("../app.sqlite", "./app.sqlite")
    variant.replace(
        "      - model: PhotoAlbum\n",
        "      - model: Track\n        version: _version\n        changed: _lastChangedAt\n"
        "        deleted: _deleted\n        relations: [{field: songID, model: Song}]\n"
        "      - model: PhotoAlbum\n")
    variant.counts["dangling-relation"] = gone


def replica(variant):
    database = variant.copy("phone.sqlite")
    stale = 0
    for table in ("Song", "PhotoAlbum"):
        stale += database.execute(
            f"UPDATE {table} SET _version = 1 WHERE rowid % 100 = 0").rowcount
    database.commit()
    database.close()
    variant.replace(
        "buckets:\n",
        "  - name: phone\n    sqlite: ./phone.sqlite\n    replicaOf: app\nbuckets:\n")
    variant.counts["stale-copy"] = stale


def derived(variant):
    objects = list(variant.objects())
    thumbs = [dict(one, key="thumbs/" + one["key"]) for one in objects]
    variant.write_listing(objects + thumbs)
    variant.replace("listing.csv\n", 'listing.csv\n    derived: ["thumbs/{key}"]\n')
    variant.counts["orphan"] *= 2


def references(variant):
    database = sqlite3.connect(os.path.join(variant.folder, "app.sqlite"))
    songs = database.execute("SELECT count(*) FROM Song").fetchone()[0]
    albums = database.execute("SELECT sum(json_array_length(imageKeys)) FROM PhotoAlbum")
    return songs + albums.fetchone()[0]


def prefix(variant):
    variant.replace("level: private", "level: protected")
    variant.counts = {"dangling": references(variant), "mapping-error": 1,
                      "orphan": sum(1 for _ in variant.objects())}


def common(variant):
    database = variant.copy("app.sqlite")
    database.execute("DELETE FROM PhotoAlbum")
    # One identity for each song, so that keys with one name are different objects.
    database.execute(
        "UPDATE Song SET ownerIdentity = id, "
        "coverArtKey = 'photo-' || (rowid % 10) || '.jpg'")
    database.commit()
    objects = [
        {"key": f"private/{identity}/{key}", "size": 1000,
         "lastModified": "2025-01-02T00:00:00Z", "etag": uuid.uuid5(uuid.NAMESPACE_OID, key).hex}
        for identity, key in database.execute("SELECT ownerIdentity, coverArtKey FROM Song")]
    database.close()
    variant.write_listing(objects)
    variant.replace("../app.sqlite", "./app.sqlite")
    variant.replace("level: private", "level: protected")
    variant.counts = {"dangling": len(objects), "orphan": len(objects), "mapping-error": 1}


def absent(variant):
    database = variant.copy("app.sqlite")
    database.execute("DELETE FROM PhotoAlbum")
    songs = database.execute(
        "UPDATE Song SET ownerIdentity = 'none', coverArtKey = 'default'").rowcount
    database.commit()
    database.close()
    variant.write_listing([one for one in variant.objects()][:1000])
    variant.replace("../app.sqlite", "./app.sqlite")
    variant.counts = {"dangling": songs, "orphan": 1000}


def main():
    makers = [visibility, exposed, relation, replica, derived, prefix, common, absent]
    named = {maker.__name__: maker for maker in makers}
    if len(sys.argv) != 3 or sys.argv[2] not in named:
        sys.exit(__doc__)
    variant = Variant(sys.argv[1], sys.argv[2])
    os.makedirs(variant.target)
    named[sys.argv[2]](variant)
    with open(variant.path("mooring.yaml"), "w", encoding="ascii") as file:
        file.write(variant.yaml)
    with open(variant.path("counts.tsv"), "w", encoding="ascii") as file:
        file.writelines(f"{kind}\t{count}\n" for kind, count in sorted(variant.counts.items()))


if __name__ == "__main__":
    main()
