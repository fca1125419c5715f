"""Inventories of S3 for random apps: a manifest, and files of rows in any order of columns."""

import gzip
import hashlib
import json
import os
import string

NEEDED = ["Bucket", "Key", "Size", "LastModifiedDate"]
VERSIONS = ["VersionId", "IsLatest", "IsDeleteMarker"]
OTHERS = ["ETag", "IsMultipartUploaded", "StorageClass", "EncryptionStatus"]
# What S3 does not encode; it encodes a slash nowhere, other tools do.
PLAIN = set((string.ascii_letters + string.digits + "*-._/").encode())


def encode(app, key):
    """A key as a form sends it, in one of the ways that mean the same."""
    kept = PLAIN - set(b"/") if app.chance(5) else PLAIN
    form = app.pick(["%%%02X"] * 9 + ["%%%02x"])
    blank = app.pick(["+"] * 9 + ["%20"])
    return "".join(chr(byte) if byte in kept else blank if byte == 0x20 else form % byte
                   for byte in key)


class Inventory:
    """The inventory of an app's bucket."""

    def __init__(self, app):
        self.app = app
        self.name = f"media-{app.seed}"
        self.columns = NEEDED + [name for name in OTHERS if app.chance(60)]
        self.versioned = app.chance(60)
        if self.versioned:
            self.columns += VERSIONS
        app.random.shuffle(self.columns)
        self.quotes = app.chance(85)

    def row(self, key, **cells):
        """One line, without its end."""
        app = self.app
        known = {"Bucket": self.name, "Key": encode(app, key), "Size": "17",
                 "LastModifiedDate": app.pick(["2020-01-0{}T00:00:00.000Z",
                                               "2020-01-0{}T00:00:00Z"])
                 .format(app.random.randrange(1, 9)),
                 "ETag": f"{app.random.getrandbits(128):032x}" + app.pick([""] * 9 + ["-3"]),
                 "IsMultipartUploaded": app.pick(["false"] * 9 + ["true", ""]),
                 "StorageClass": "STANDARD", "EncryptionStatus": "a, \"\"b\"\"",
                 "VersionId": "3HL4kqtJlcpXroDTDmJ", "IsLatest": "true",
                 "IsDeleteMarker": "false"}
        known.update(cells)
        if not self.quotes:
            known["EncryptionStatus"] = "SSE"
            return ",".join(known[name] for name in self.columns)
        return ",".join(f'"{known[name]}"' for name in self.columns)

    def rows(self):
        """The lines, some of them of no object, few of them at fault."""
        app, rows, places = self.app, [], {}
        for key in sorted(app.objects):
            places[key] = len(rows)
            rows.append(self.row(key, Size=str(app.objects[key])))
            if self.versioned and app.chance(20):
                rows.append(self.row(key, IsLatest="false"))
            if self.versioned and app.chance(5):
                rows.append(self.row(key, IsLatest="false", IsDeleteMarker="true", Size=""))
        if self.versioned:
            for gone in app.lost + app.words[:2]:
                if gone in app.objects or app.chance(40):
                    continue
                # Its older version alone, or a delete marker behind it.
                rows.append(self.row(gone, IsLatest="false"))
                if app.chance(60):
                    rows.append(self.row(gone, IsDeleteMarker="true", Size="", ETag=""))
        if app.objects and app.fault(30):
            twice = app.pick(sorted(app.objects))
            rows.append(app.pick([
                lambda: self.row(twice), lambda: self.row(twice, Size="18"),
                lambda: self.row(twice, LastModifiedDate="2020-01-01T00:00:00+00:00"),
                lambda: self.row(twice, IsDeleteMarker="true")])())
        if app.objects and app.fault(35):
            key = app.pick(sorted(app.objects))
            rows[places[key]] = app.pick([
                lambda: self.row(key, Key="bad%zz"), lambda: self.row(key, Bucket="other"),
                lambda: self.row(key) + ",more", lambda: self.row(key, Size="many"),
                lambda: self.row(key, Key="blank key"), lambda: self.row(key, Key=""),
                lambda: self.row(key, LastModifiedDate="2020-13-01T00:00:00Z"), lambda: "",
                lambda: self.row(key, Key="open\"quote"),
                lambda: self.row(key, IsLatest="TRUE", IsMultipartUploaded="no")])()
        return rows

    def write(self, folder):
        """Writes it below a folder, and gives the path of its manifest from there."""
        app, rows = self.app, self.rows()
        below = f"inventory-{app.seed}"
        os.makedirs(os.path.join(folder, below, "data"))
        count = app.random.randrange(1, 4)
        files = []
        for number in range(count):
            own = rows[number * len(rows) // count:(number + 1) * len(rows) // count]
            end = "" if app.chance(5) else "\n"
            data = gzip.compress(("\n".join(own) + (end if own else "")).encode(), mtime=0)
            name = f"{app.uuid()}.csv.gz"
            with open(os.path.join(folder, below, "data", name), "wb") as file:
                file.write(data)
            files.append({"key": f"daily/data/{name}", "size": len(data),
                          "MD5checksum": hashlib.md5(data).hexdigest()})
        # One of another inventory, which this manifest does not name.
        with open(os.path.join(folder, below, "data", f"{app.uuid()}.csv.gz"), "wb") as file:
            file.write(gzip.compress(self.row(b"of/another").encode(), mtime=0))
        if app.fault(15):
            files[0]["MD5checksum"] = "0" * 32
        if app.fault(10):
            os.unlink(os.path.join(folder, below, "data", files[-1]["key"].rsplit("/", 1)[-1]))
        manifest = json.dumps({
            "sourceBucket": self.name, "destinationBucket": "arn:aws:s3:::reports",
            "version": "2016-11-30", "creationTimestamp": "1763690400250", "fileFormat": "CSV",
            "fileSchema": ", ".join(self.columns), "files": files}).encode()
        with open(os.path.join(folder, below, "manifest.json"), "wb") as file:
            file.write(manifest)
        if app.chance(80):
            with open(os.path.join(folder, below, "manifest.checksum"), "w",
                      encoding="ascii") as file:
                file.write(hashlib.md5(manifest).hexdigest() + "\n")
        return f"{below}/manifest.json"
