#!/usr/bin/env python3
"""Compares an audit's findings with what was planted, key by key; ends with 1 on a difference.

usage: compare.py planted.tsv findings.jsonl
       compare.py counts.tsv findings.jsonl      a file of that name: only how many of each kind
"""

import collections
import json
import os
import sys


def compare_counts(expected_path, findings_path):
    """Compares how many findings of each kind there are; returns whether they are as many."""
    with open(expected_path, encoding="ascii") as file:
        pairs = [line.rstrip("\n").split("\t") for line in file]
    expected = {kind: int(count) for kind, count in pairs if count != "0"}
    with open(findings_path, encoding="utf-8") as file:
        found = collections.Counter(json.loads(line)["kind"] for line in file)
    for kind in sorted(expected.keys() | found.keys()):
        print(f"{kind}: {expected.get(kind, 0)} planted, {found[kind]} found")
    return expected == found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if os.path.basename(sys.argv[1]) == "counts.tsv":
        sys.exit(0 if compare_counts(sys.argv[1], sys.argv[2]) else 1)
    planted, found = {}, {}
    with open(sys.argv[1], encoding="ascii") as file:
        for line in file:
            kind, key = line.rstrip("\n").split("\t")
            planted.setdefault(kind, set()).add(key)
    lines = 0
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            finding = json.loads(line)
            found.setdefault(finding["kind"], set()).add(finding["key"])
            lines += 1
    wrong = 0
    for kind in sorted(planted.keys() | found.keys()):
        here, there = planted.get(kind, set()), found.get(kind, set())
        wrong += len(here ^ there)
        print(f"{kind}: {len(here)} planted, {len(there)} found, {len(here & there)} the same")
        for key in sorted(here ^ there)[:5]:
            print(f"  {'not found' if key in here else 'not planted'}: {key}")
    total = sum(map(len, planted.values()))
    if lines != total:
        print(f"{lines} findings for {total} planted ones")
        wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
