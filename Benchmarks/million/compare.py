#!/usr/bin/env python3
"""Compares an audit's findings with what was planted, key by key; ends with 1 on a difference.

usage: compare.py planted.tsv findings.jsonl
"""

import json
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
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
