#!/usr/bin/env python3
"""Compares an audit's findings with what other tools say, and names a class for each difference.

usage: compare.py TREE FOLDER [FINDINGS]

FOLDER holds comm-orphans, comm-dangling and dpkg-missing, one path a line, relative to TREE, and
awk-unmet, a package and the name that it depends on a line, with records.sqlite beside it.
FINDINGS is an audit's findings.jsonl; without it, only the other tools are compared with each other.
Ends with 1 when a difference has no class.
"""

import base64
import glob
import json
import os
import sqlite3
import sys


def lines(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return set(file.read().split(b"\n")) - {b""}


def findings(path):
    """The keys of orphans and of dangling references, each with its verdict; the dangling
    relations; and how many of each other kind there are."""
    orphans, dangling, relations, others = {}, {}, [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            finding = json.loads(line)
            kind, key = finding["kind"], finding.get("keyBase64")
            key = base64.b64decode(key) if key else (finding.get("key") or "").encode()
            if kind == "orphan":
                orphans[key] = finding["verdict"]
            elif kind == "dangling":
                dangling[key] = finding["verdict"]
            elif kind == "dangling-relation":
                relations.append((finding["record"], finding["value"]))
            else:
                others[kind] = others.get(kind, 0) + 1
    return orphans, dangling, relations, others


def unmet(folder, relations):
    """The dangling relations as lines of awk-unmet: a package, and the name that it depends on."""
    database = sqlite3.connect(os.path.join(folder, "records.sqlite"))
    found = set()
    for record, value in relations:
        owner = ("?",)
        if record["model"] == "Dependency":
            owner = database.execute(
                "SELECT package FROM dependency WHERE id = ?", (int(record["id"]),)).fetchone()
        found.add(f"{owner[0]} {value}".encode())
    return found


def diverted(tree, admin="/var/lib/dpkg"):
    """Both ends of every diversion, relative to the tree."""
    try:
        with open(os.path.join(admin, "diversions"), "rb") as file:
            paths = file.read().split(b"\n")
    except FileNotFoundError:
        return set()
    ends = paths[0::3] + paths[1::3]
    return {path[len(tree):] for path in ends if path.startswith(tree)}


def aliased(tree, admin="/var/lib/dpkg"):
    """The paths below the tree that the lists spell through a link in /, such as /bin/ls."""
    links = {entry.path + b"/": os.path.realpath(entry.path) + b"/"
             for entry in os.scandir(b"/") if entry.is_symlink() and entry.is_dir()}
    found = set()
    for name in glob.glob(os.path.join(admin, "info", "*.list")):
        with open(name, "rb") as file:
            for path in file.read().split(b"\n"):
                top = path[: path.find(b"/", 1) + 1]
                if top in links and (links[top] + path[len(top):]).startswith(tree):
                    found.add((links[top] + path[len(top):])[len(tree):])
    return found


def class_of(path, tree, ends, aliases, gone):
    """Why two tools may differ on a path; None when nothing explains it."""
    if path in aliases:
        return "under an alias: the lists spell it through a link in /, the records do not"
    if path in ends:
        return "diverted: the lists name the place before the diversion, the records the one after"
    full = tree + path
    parent = os.path.dirname(full)
    if os.path.realpath(parent) != parent and os.path.lexists(full):
        return "behind a link: the path crosses a linked folder, and no listing follows links"
    if any(other.startswith(path + b"/") for other in gone):
        return "a folder: other missing paths lie below it, and dpkg verifies files only"
    if not os.path.lexists(full):
        return "no checksum: the package has none for this path, so dpkg does not verify it"
    return None


# The paths that are listed of each class.
SHOWN = 3


def compare(title, left, right, classify):
    """Prints both numbers and the differences by class; the number that have none."""
    print(f"{title}: {len(left)} and {len(right)}, {len(left & right)} the same")
    classes = {}
    for path in sorted(left ^ right):
        side = "only first" if path in left else "only second"
        classes.setdefault((side, classify(path) or "UNEXPLAINED"), []).append(path)
    for (side, name), paths in sorted(classes.items()):
        print(f"  {side}, {name}: {len(paths)}")
        # A class speaks for its paths; what has none is listed whole.
        shown = paths if name == "UNEXPLAINED" else paths[:SHOWN]
        for path in shown:
            print("    " + path.decode("utf-8", "backslashreplace"))
        if len(shown) < len(paths):
            print(f"    and {len(paths) - len(shown)} more")
    return sum(len(paths) for (_, name), paths in classes.items() if name == "UNEXPLAINED")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    tree = os.path.realpath(os.fsencode(sys.argv[1])).rstrip(b"/") + b"/"
    folder = sys.argv[2]
    comm_orphans, comm_dangling = lines(folder, "comm-orphans"), lines(folder, "comm-dangling")
    missing = lines(folder, "dpkg-missing")
    ends, aliases = diverted(tree), aliased(tree)

    def classify(path):
        return class_of(path, tree, ends, aliases, comm_dangling)

    unexplained = compare(
        "dangling, comm and dpkg --verify", comm_dangling, missing, classify)
    if len(sys.argv) == 4:
        orphans, dangling, relations, others = findings(sys.argv[3])
        unexplained += compare(
            "orphans, mooring and comm", set(orphans), comm_orphans, classify)
        unexplained += compare(
            "dangling, mooring and comm", set(dangling), comm_dangling, classify)
        unexplained += compare(
            "dangling, mooring and dpkg --verify", set(dangling), missing, classify)
        unexplained += compare(
            "dependencies without a package, mooring and awk", unmet(folder, relations),
            lines(folder, "awk-unmet"), lambda path: None)
        behind = {path for path, verdict in dangling.items() if verdict != "undecided"
                  and os.path.lexists(tree + path)}
        if behind:
            print(f"WRONG: {len(behind)} dangling references to files that are there are not "
                  "undecided")
            unexplained += len(behind)
        print("other findings: " + (", ".join(
            f"{count} {kind}" for kind, count in sorted(others.items())) or "none"))
    print("every difference has a class" if unexplained == 0
          else f"{unexplained} differences have no class")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
