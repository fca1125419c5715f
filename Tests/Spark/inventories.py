"""Inventories of S3 for random apps: a manifest, and files of rows in any order of columns, as CSV or as files of
columns."""

import gzip
import hashlib
import json
import os
import string

import columns

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
        self.format = app.pick(["CSV", "CSV", "Parquet", "ORC"])

    def cells(self, key, **cells):
        """What one row holds; a key in bytes is one as it stands."""
        app = self.app
        known = {"Bucket": self.name, "Key": key, "Size": "17",
                 "LastModifiedDate": app.pick(["2020-01-0{}T00:00:00.000Z",
                                               "2020-01-0{}T00:00:00Z"])
                 .format(app.random.randrange(1, 9)),
                 "ETag": f"{app.random.getrandbits(128):032x}" + app.pick([""] * 9 + ["-3"]),
                 "IsMultipartUploaded": app.pick(["false"] * 9 + ["true", ""]),
                 "StorageClass": "STANDARD", "EncryptionStatus": "a, \"b\"",
                 "VersionId": "3HL4kqtJlcpXroDTDmJ", "IsLatest": "true",
                 "IsDeleteMarker": "false"}
        known.update(cells)
        return known

    def line(self, cells):
        """A row as CSV, without its end."""
        known = dict(cells)
        if isinstance(known["Key"], bytes):
            known["Key"] = encode(self.app, known["Key"])
        if not self.quotes:
            known["EncryptionStatus"] = "SSE"
            return ",".join(known[name] for name in self.columns)
        known["EncryptionStatus"] = known["EncryptionStatus"].replace('"', '""')
        return ",".join(f'"{known[name]}"' for name in self.columns)

    def rows(self):
        """The rows, some of them of no object, few of them at fault; a line in place of some."""
        app, rows, places = self.app, [], {}
        for key in sorted(app.objects):
            places[key] = len(rows)
            rows.append(self.cells(key, Size=str(app.objects[key])))
            if self.versioned and app.chance(20):
                rows.append(self.cells(key, IsLatest="false"))
            if self.versioned and app.chance(5):
                rows.append(self.cells(key, IsLatest="false", IsDeleteMarker="true", Size=""))
        if self.versioned:
            for gone in app.lost + app.words[:2]:
                if gone in app.objects or app.chance(40):
                    continue
                # Its older version alone, or a delete marker behind it.
                rows.append(self.cells(gone, IsLatest="false"))
                if app.chance(60):
                    rows.append(self.cells(gone, IsDeleteMarker="true", Size="", ETag=""))
        if app.objects and app.fault(30):
            twice = app.pick(sorted(app.objects))
            rows.append(app.pick([
                lambda: self.cells(twice), lambda: self.cells(twice, Size="18"),
                lambda: self.cells(twice, LastModifiedDate="2020-01-01T00:00:00+00:00"),
                lambda: self.cells(twice, IsDeleteMarker="true")])())
        if app.objects and app.fault(35):
            key = app.pick(sorted(app.objects))
            # What files of columns can hold too.
            faults = [
                lambda: self.cells(key, Bucket="other"), lambda: self.cells(key, Size=""),
                lambda: self.cells(key, Key=b""), lambda: self.cells(key, LastModifiedDate=""),
                lambda: self.cells(key, IsLatest="")]
            if self.format == "CSV":
                faults += [
                    lambda: self.cells(key, Key="bad%zz"), lambda: self.cells(key, Size="many"),
                    lambda: self.line(self.cells(key)) + ",more", lambda: "",
                    lambda: self.cells(key, Key="blank key"),
                    lambda: self.cells(key, LastModifiedDate="2020-13-01T00:00:00Z"),
                    lambda: self.cells(key, Key="open\"quote"),
                    lambda: self.cells(key, IsLatest="TRUE", IsMultipartUploaded="no")]
            rows[places[key]] = app.pick(faults)()
        return rows

    def write(self, folder):
        """Writes it below a folder, and gives the paths of its manifest from there, and of the
        same in files of columns, where it is in such."""
        rows = self.rows()
        count = self.app.random.randrange(1, 4)
        parts = [rows[number * len(rows) // count:(number + 1) * len(rows) // count]
                 for number in range(count)]
        path = self.write_lines(folder, parts)
        if self.format == "CSV":
            return path, path
        return path, columns.write(self, folder, parts)

    def write_lines(self, folder, parts):
        """Writes CSV, and gives the path of the manifest."""
        app, below = self.app, f"inventory-{self.app.seed}"
        os.makedirs(os.path.join(folder, below, "data"))
        files = []
        for part in parts:
            own = [row if isinstance(row, str) else self.line(row) for row in part]
            end = "" if app.chance(5) else "\n"
            data = gzip.compress(("\n".join(own) + (end if own else "")).encode(), mtime=0)
            name = f"{app.uuid()}.csv.gz"
            with open(os.path.join(folder, below, "data", name), "wb") as file:
                file.write(data)
            files.append(named(f"daily/data/{name}", data))
        # One of another inventory, which this manifest does not name.
        with open(os.path.join(folder, below, "data", f"{app.uuid()}.csv.gz"), "wb") as file:
            file.write(gzip.compress(self.line(self.cells(b"of/another")).encode(), mtime=0))
        # Of files of columns nothing is read then, and of these all the rest.
        if self.format == "CSV" and app.fault(15):
            files[0]["MD5checksum"] = "0" * 32
        if self.format == "CSV" and app.fault(10):
            os.unlink(os.path.join(folder, below, "data", files[-1]["key"].rsplit("/", 1)[-1]))
        return self.manifest(folder, below, "CSV", ", ".join(self.columns), files)

    def manifest(self, folder, below, form, schema, files):
        """Writes a manifest, mostly with its sum, and gives its path."""
        text = json.dumps({
            "sourceBucket": self.name, "destinationBucket": "arn:aws:s3:::reports",
            "version": "2016-11-30", "creationTimestamp": "1763690400250", "fileFormat": form,
            "fileSchema": schema, "files": files}).encode()
        with open(os.path.join(folder, below, "manifest.json"), "wb") as file:
            file.write(text)
        if self.app.chance(80):
            with open(os.path.join(folder, below, "manifest.checksum"), "w",
                      encoding="ascii") as file:
                file.write(hashlib.md5(text).hexdigest() + "\n")
        return f"{below}/manifest.json"


def named(key, data):
    """A file as a manifest names it."""
    return {"key": key, "size": len(data), "MD5checksum": hashlib.md5(data).hexdigest()}
