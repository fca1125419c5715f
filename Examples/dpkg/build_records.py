#!/usr/bin/env python3
"""Builds a SQLite database of records from a Debian system's own file lists.

usage: build_records.py TREE DATABASE

One record for each package: package(id), its id being its name; for each package and path below
TREE: file(id, package, path); and for each dependency on one named package, without alternatives
after a bar: dependency(id, package, target). The path is relative to TREE, so it is the key of an object in a folder bucket on TREE. It is the place where dpkg put the
file: diversions are followed, and top-level links such as /bin -> usr/bin are resolved.
Folders are left out when they are folders on disk; the lists do not say what an entry is, so a
folder that is gone cannot be told from a file that is gone.
"""

import glob
import os
import re
import sqlite3
import subprocess
import sys


def diversions(admin):
    """Where a diverted path went, and the package that diverted it, whose own file stays."""
    found = {}
    try:
        with open(os.path.join(admin, "diversions"), "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return found
    for source, target, package in zip(lines[0::3], lines[1::3], lines[2::3]):
        found[source] = (target, package)
    return found


def top_level_links():
    """The links in / that lead to folders, as b'/bin/' -> b'/usr/bin/'."""
    links = {}
    for entry in os.scandir(b"/"):
        if entry.is_symlink() and entry.is_dir():
            links[entry.path + b"/"] = os.path.realpath(entry.path) + b"/"
    return links


def records(tree, admin="/var/lib/dpkg"):
    """Package and path of every file below the tree, in a fixed order."""
    moved = diversions(admin)
    links = top_level_links()
    is_folder = {}
    for name in sorted(glob.glob(os.path.join(admin, "info", "*.list"))):
        package = os.path.basename(name)[: -len(".list")].split(":")[0].encode()
        with open(name, "rb") as file:
            paths = file.read().split(b"\n")
        for path in paths:
            target, by = moved.get(path, (path, package))
            if by != package:
                path = target
            top = path[: path.find(b"/", 1) + 1]
            if top in links:
                path = links[top] + path[len(top):]
            if not path.startswith(tree):
                continue
            if path not in is_folder:
                is_folder[path] = os.path.isdir(path) and not os.path.islink(path)
            if not is_folder[path]:
                yield package, path[len(tree):]


def packages():
    """The name of every installed package, and the plain names that it depends on, each once."""
    found = {}
    output = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}\t${Package}\t${Pre-Depends}, ${Depends}\n"],
        check=True, stdout=subprocess.PIPE).stdout
    for line in output.splitlines():
        status, name, depends = line.split(b"\t")
        if status != b"installed":
            continue
        names = found.setdefault(name, {})
        for part in depends.split(b","):
            match = re.match(rb"\s*([a-z0-9][a-z0-9+.-]+)", part)
            if match and b"|" not in part:
                names[match[1]] = True
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tree = os.path.realpath(os.fsencode(sys.argv[1])).rstrip(b"/") + b"/"
    if os.path.exists(sys.argv[2]):
        sys.exit(f"{sys.argv[2]} exists and is left alone")
    database = sqlite3.connect(sys.argv[2])
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(
        "CREATE TABLE file (id INTEGER PRIMARY KEY, package TEXT NOT NULL, path TEXT NOT NULL)")
    # A path need not be UTF-8; as bytes with a cast it gets into a TEXT column unchanged.
    database.executemany(
        "INSERT INTO file (package, path) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))",
        records(tree))
    installed = packages()
    database.execute("CREATE TABLE package (id TEXT PRIMARY KEY)")
    database.executemany(
        "INSERT INTO package (id) VALUES (CAST(? AS TEXT))", [(name,) for name in installed])
    database.execute(
        "CREATE TABLE dependency (id INTEGER PRIMARY KEY, package TEXT NOT NULL, "
        "target TEXT NOT NULL)")
    database.executemany(
        "INSERT INTO dependency (package, target) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))",
        [(name, target) for name, targets in installed.items() for target in targets])
    database.commit()
    count, owners = database.execute(
        "SELECT count(*), count(DISTINCT package) FROM file").fetchone()
    depends = database.execute("SELECT count(*) FROM dependency").fetchone()[0]
    print(f"{count} references of {owners} packages, {depends} dependencies in {sys.argv[2]}")


if __name__ == "__main__":
    main()
