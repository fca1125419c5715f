#!/usr/bin/env python3
"""Random apps as copies: records as CSV, JSON lines and exports, buckets as listings and inventories,
hostile keys among them.

usage: apps.py FOLDER SEED…     writes native.yaml and spark.yaml, each for its engine, and what they
                                name; the same seeds write the same
"""

import json
import os
import random
import sys
import unicodedata

import exports
import inventories
import lines
import tables

LONG_AGO = "2020-01-0{}T00:00:00Z"
WORDS = [
    b"song", b"a", b"b", b"cover.jpg", b"Cover.JPG", "é.png".encode(),
    unicodedata.normalize("NFD", "é.png").encode(), b"=cmd()", b"<script>.png", b"%41.jpg",
    b"two words.jpg", b"two%20words.jpg", b"two+words.jpg", b"line\nbreak", b"deep/er/file.mp4",
    b"plain-name.jpg", b"it's.gif", b'"quoted".jpg', b"../up", b"\xff\x61", b"nul\x00byte", b"/lead",
    b"%252e", b"7", b"x" * 1024, b"y" * 1100, b"public/a", b"x//y", b"caf\xc3\xa9-menu.pdf",
    b"[1]", b"{x}", b"a,b.jpg", b"tab\tname", b"img_0001.jpg", b"IMG_0001.jpeg", b"avatar.png",
    b"ends/", b"back\\slash.jpg", b"&amp;.jpg", b"2026/11/report.pdf",
]

SHARED = [b"one.jpg", b"two.jpg", b"three.jpg", b"four.jpg", b"five.jpg"]


class App:
    """One app of a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.words = self.random.sample(WORDS, 8)
        # Without these Spark reads every line; a few apps have them.
        if not self.chance(20):
            self.words = [word for word in self.words if b"\n" not in word]
        self.people = [f"eu-central-1:{self.uuid()}".encode() for _ in range(4)]
        # One fault leaves all apps beside it without a complete run: two of three groups have none.
        self.faulty = seed // 10 % 3 == 0 and self.chance(40)
        if self.fault(10):
            self.people.append(b"with/slash")
        self.level = self.pick(["root"] * 6 + ["guest"] * 4 + ["private"] * 8 + ["any"])
        self.lists = self.chance(60)
        # One record without an identity may mean any object of its level, in every app beside it.
        self.nameless = 8 if seed // 10 % 4 == 1 and self.chance(30) else 0
        # How many of a hundred values are hostile.
        self.hostile = self.pick([0, 2, 5, 20])
        self.objects = {}
        # Keys that records name and no object has.
        self.lost = []
        # Values whose spelling in JSON is an object's.
        self.spelled = set()
        # As each of the engines reads them.
        self.listing, self.songs = {}, {}
        self.rows = []
        self.pages = []
        self.texts = []

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def fault(self, percent):
        """Whether something is to be wrong, as no store writes it."""
        return self.faulty and self.chance(percent)

    def pick(self, items):
        return items[self.random.randrange(len(items))]

    def uuid(self):
        bits = f"{self.random.getrandbits(128):032x}"
        return f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-a{bits[17:20]}-{bits[20:]}"

    def identifier(self):
        # Short numbers stand in other columns of every row: as keys they have all handed on.
        number = self.random.randrange(1000, 1040)
        return self.pick([
            self.uuid(), self.uuid(), self.uuid(), str(number), self.uuid().upper(),
            f"0{number}"]).encode()

    def value(self, identifier):
        """What a field holds, mostly of its record."""
        if self.chance(self.hostile):
            return self.pick(self.words)
        kind = self.random.randrange(8)
        if kind < 3:
            return identifier
        if kind < 6:
            return identifier + b"-" + self.uuid().encode()
        return b"covers/" + self.uuid().encode() + self.pick([b".jpg", b".png", b""])

    def key(self, value, owner):
        if self.level == "guest":
            return b"public/" + value
        if self.level in ("private", "any"):
            return b"private/" + (owner or self.pick(self.people)) + b"/" + value
        return value

    def put(self, key, size=None):
        if key and key not in self.objects:
            self.objects[key] = (0 if self.chance(4) else 17) if size is None else size

    def twin(self, key):
        """Another key that may mean the same file, or hold it."""
        text = key.decode("latin-1")
        return self.pick([
            lambda: key.upper(), lambda: key.lower(), lambda: key + b".bak",
            lambda: b"public/" + key, lambda: text.rsplit("/", 1)[-1].encode("latin-1"),
            lambda: key.replace(b"-", b"%2D"), lambda: key.rsplit(b".", 1)[0] + b".jpeg",
            lambda: b"old/" + key.rsplit(b"/", 1)[-1],
            lambda: b"protected/" + self.people[0] + b"/" + key.rsplit(b"/", 1)[-1],
        ])()

    def text(self):
        """A text that nobody mapped, which may hold a key in some form."""
        if not self.objects or self.chance(85):
            return self.pick([b""] * 30 + [b"hello", b"5", b"see the cover"] * 10 + [ "Größe".encode(), b"a & b", b"100% sure",
                              b"say \"it\"", b"x, y"])
        key = self.pick(sorted(self.objects))
        key = self.pick([key, key.rsplit(b"/", 1)[-1], self.twin(key)])
        return self.pick([
            lambda: key, lambda: b"see " + key + b" there", lambda: b"https://cdn.example/" + key,
            lambda: b"https://cdn.example/" + key.replace(b"/", b"%2F") + b"?v=1",
            lambda: key + b"7", lambda: b'{"url":"' + key + b'"}', lambda: b"media/" + key,
        ])()

    def moment(self):
        return self.pick([
            LONG_AGO.format(self.random.randrange(1, 9)).encode(), b"1577836800", b"1577836800123",
            b"2020-02-03T04:05:06.789Z", b"", b"2020-13-01T00:00:00Z", b"2020-01-01 00:00:00",
            LONG_AGO.format(1).encode(), LONG_AGO.format(2).encode(), LONG_AGO.format(3).encode()])

    def make(self):
        for _ in range(self.random.randrange(1, 25)):
            identifier = (self.pick(self.words) if self.chance(self.hostile // 2)
                          else self.identifier())
            owner = b"" if self.chance(self.nameless) else self.pick(self.people)
            value = self.value(identifier) if self.chance(90) else b""
            images = [self.value(identifier) for _ in range(self.random.randrange(4))]
            if self.chance(6) and self.rows:
                value = self.pick(self.rows)["key"]
            row = {"id": identifier, "key": value, "owner": owner, "updatedAt": self.moment(),
                   "_version": self.pick([b"1", b"2", b"", b"3"]),
                   "_deleted": self.pick([b""] * 8 + [b"0", b"1", b"true"]), "images": b""}
            if self.lists and self.chance(70):
                row["images"] = self.listed(images)
            else:
                images = []
            self.rows.append(row)
            for held in ([value] if value else []) + images:
                own = self.key(held, owner) if held == value else held
                if self.chance(85):
                    self.put(own)
                else:
                    self.lost.append(own)
                if self.chance(8):
                    self.put(self.twin(self.key(held, owner)))
            if self.chance(15):
                self.put(self.key(self.value(identifier), owner))
        self.rest()
        self.lose()
        for _ in range(self.random.randrange(4)):
            self.put(self.pick(self.words))
        for row in self.rows:
            row["title"], row["note"] = self.text(), self.text()
        for _ in range(self.random.randrange(4) if self.chance(40) else 0):
            self.pages.append({"id": self.uuid(), "file": self.pick(
                sorted(self.objects) or [b"none"]).decode("latin-1"),
                "body": self.text().decode("latin-1")})

    def rest(self):
        """Records and objects that nothing speaks of."""
        for _ in range(self.random.randrange(60)):
            identifier, owner = self.uuid().encode(), self.pick(self.people[:4])
            value = self.pick([identifier, b"covers/" + self.uuid().encode() + b".jpg"])
            self.rows.append({"id": identifier, "key": value, "owner": owner, "images": b"",
                              "updatedAt": LONG_AGO.format(2).encode(), "_version": b"1",
                              "_deleted": b""})
            if self.chance(94):
                self.put(self.key(value, owner), 17)
            else:
                self.lost.append(self.key(value, owner))
        # An object's key is what JSON may write for another.
        if self.chance(40):
            value = b"covers/" + self.uuid().encode() + b".jpg"
            self.rows.append({"id": self.uuid().encode(), "key": value, "owner": self.people[0],
                              "images": b"", "updatedAt": LONG_AGO.format(4).encode(),
                              "_version": b"1", "_deleted": b""})
            self.put(self.key(value.replace(b"/", b"\\/"), self.people[0]), 17)
            self.spelled.add(value)
        # Of other apps' buckets some hold the same key.
        for _ in range(self.random.randrange(4) if self.lists else 0):
            value = b"shared/" + self.pick(SHARED)
            self.rows.append({"id": self.uuid().encode(), "key": b"", "owner": self.people[0],
                              "images": b'["' + value + b'"]', "_deleted": b"",
                              "updatedAt": LONG_AGO.format(3).encode(), "_version": b"1"})
            if self.chance(60):
                self.put(value, 17)

    def listed(self, values):
        texts = [value.decode("utf-8", "replace") for value in values]
        if self.chance(10):
            texts.append(None)
        separators = self.pick([(",", ":"), (", ", ": ")])
        return json.dumps(texts, ensure_ascii=self.chance(50), separators=separators).encode()

    def lose(self):
        """Nearly everything below one person's prefix at once."""
        if self.level != "private" or not self.chance(40):
            return
        person, kept = self.people[1], self.random.randrange(3)
        for number in range(self.random.randrange(4, 14)):
            identifier = self.uuid().encode()
            self.rows.append({"id": identifier, "key": identifier, "owner": person,
                              "updatedAt": LONG_AGO.format(1).encode(), "_version": b"1",
                              "_deleted": b"", "images": b""})
            if number < kept:
                self.put(self.key(identifier, person))

    def field(self, value, null=True):
        """As CSV; NULL where it is empty, or quoted."""
        if not value:
            return b"" if null and self.chance(90) else b'""'
        if any(mark in value for mark in b',"\n\r') or self.chance(10):
            return b'"' + value.replace(b'"', b'""') + b'"'
        return value

    def write(self, folder):
        """Writes the files, and gives the sources and the bucket, for each engine, as YAML."""
        columns = ["id", "key", "owner", "images", "title", "note", "updatedAt", "_version",
                   "_deleted"]
        end = b"\r\n" if self.chance(15) else b"\n"
        if self.chance(25):
            self.songs = tables.write(self, folder)
        elif self.chance(30):
            self.songs = f"dynamodbExport: {{path: ./songs-{self.seed}}}"
            exports.write(self, os.path.join(folder, f"songs-{self.seed}"), "Song")
        elif self.chance(55):
            self.songs = f"jsonl: ./songs-{self.seed}.jsonl"
            lines.write(self, os.path.join(folder, f"songs-{self.seed}.jsonl"), end)
        else:
            self.songs = f"csv: ./songs-{self.seed}.csv"
            self.table(os.path.join(folder, f"songs-{self.seed}.csv"), columns, end)
        self.list(folder, end)
        with open(os.path.join(folder, f"pages-{self.seed}.jsonl"), "w", encoding="utf-8") as file:
            for page in self.pages:
                file.write(json.dumps(page) + "\n")
        if isinstance(self.songs, str):
            self.songs = dict.fromkeys(("native", "spark"), self.songs)
        template = self.template()
        return ({engine: self.sources(songs, template) for engine, songs in self.songs.items()},
                self.bucket())

    def table(self, path, columns, end):
        """Writes the records as CSV."""
        with open(path, "wb") as file:
            file.write(",".join(columns).encode() + end)
            for row in self.rows:
                file.write(b",".join(self.field(row[name]) for name in columns) + end)
            if self.fault(15):
                file.write(b"cut,off" + end)

    def list(self, folder, end):
        """Writes what lists the bucket."""
        if self.chance(60):
            for engine, path in zip(("native", "spark"), inventories.Inventory(self).write(folder)):
                self.listing[engine] = f"inventory: ./{path}"
            return
        self.listing = dict.fromkeys(("native", "spark"), f"listing: ./media-{self.seed}.csv")
        times = [LONG_AGO.format(day) for day in range(1, 9)]
        with open(os.path.join(folder, f"media-{self.seed}.csv"), "wb") as file:
            file.write(b"key,size,lastModified,etag" + end)
            for key in sorted(self.objects):
                file.write(b",".join([
                    self.field(key), str(self.objects[key]).encode(), self.pick(times).encode(),
                    b"%032x" % self.random.getrandbits(128)]) + end)
            if self.objects and self.fault(20):
                key = sorted(self.objects)[0]
                file.write(self.field(key) + b",17,2020-01-01T00:00:00Z,ab" + end)

    def template(self):
        return self.pick(['"{id}"', '"{id}"', '"{id}-{uuid}"', '"{*}"', '"covers/{uuid}"'])

    def sources(self, songs, template):
        level = "" if self.level == "root" else f", level: {self.level}"
        bucket = f", bucket: media-{self.seed}"
        images = (f"\n          - {{field: images, list: true, template: '{{id}}-{{uuid}}'{bucket}}}"
                  if self.lists else "")
        pages = f"""
  - name: web-{self.seed}
    jsonl: ./pages-{self.seed}.jsonl
    models:
      - {{model: Page, id: id, files: [{{field: file{bucket}}}]}}""" if self.pages else ""
        return f"""
  - name: app-{self.seed}
    {songs}
    models:
      - model: Song
        id: id
        version: _version
        changed: updatedAt
        deleted: _deleted
        identity: owner
        files:
          - {{field: key{level}, template: {template}{bucket}}}{images}{pages}"""

    def bucket(self):
        old = ", ignore: ['old/**']"
        ignore = self.pick(["", "", "", old, old, ", ignore: ['**/*.bak']"])
        derived = self.pick(["", "", ", derived: ['thumbs/{key}', '{key}.bak']"])
        return {
            engine: f"\n  - {{name: media-{self.seed}, {listing}{ignore}{derived}}}"
            for engine, listing in self.listing.items()}


def write(folder, seeds):
    """One configuration with the apps of these seeds beside one another."""
    os.makedirs(folder)
    parts = []
    for seed in seeds:
        app = App(seed)
        app.make()
        parts.append(app.write(folder))
    confirm = random.Random(seeds[0]).choice(["auto", "always", "always", "never"])
    for engine in ("native", "spark"):
        with open(os.path.join(folder, f"{engine}.yaml"), "w", encoding="utf-8") as file:
            file.write(f"version: 1\nledger: ./ledger\nconfirm: {confirm}\nengine: spark\nrecords:"
                       + "".join(sources[engine] for sources, _ in parts) + "\nbuckets:"
                       + "".join(bucket[engine] for _, bucket in parts) + "\n")


if __name__ == "__main__":
    write(sys.argv[1], [int(seed) for seed in sys.argv[2:]])
