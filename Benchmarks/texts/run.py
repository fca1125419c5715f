#!/usr/bin/env python3
"""Times audits whose records hold long texts, which pass B searches for every candidate's key.

usage: run.py PROGRAM... [--rows N] [--rounds N]     default: 50000 rows, 3 rounds

Writes two tables of N rows with some 4 KB of prose each, one without escapes and one with percent
signs, plus signs and HTML's character references, and a listing with 10,000 orphans. Each program
audits each table in turn. The data is made anew in a temporary folder, by one seed. Every program
has to find the planted orphans and dangling references, or the run ends with an error.
"""

import argparse
import csv
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ORPHANS, DANGLING = 10_000, 100
CONFIGURATION = """\
version: 1
ledger: ./mooring.ledger
confirm: always
records:
  - name: app
    csv: ./references.csv
    models:
      - model: Post
        id: id
        changed: updatedAt
        files: [{field: key, level: root}]
buckets:
  - name: media
    listing: ./listing.csv
report: {directory: Reports/Runs, formats: [json]}
"""
# What stands behind every seventeenth word.
ENDS = {"plain": [",", " (see below)", "'s", ".", ' "so"'],
        "escaped": [" &amp;", " 50%", " a+b", "'s", "."]}


def identifier(numbers):
    digits = f"{numbers.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def generate(folder, rows, ends):
    numbers = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(numbers.choice(letters) for _ in range(numbers.randint(2, 10)))
             for _ in range(5_000)]
    paragraphs = [" ".join(numbers.choice(words) + (numbers.choice(ends) if n % 17 == 0 else "")
                           for n in range(300)) for _ in range(400)]
    keys = [f"covers/{identifier(numbers)}.jpg" for _ in range(rows)]
    orphans = [f"covers/{identifier(numbers)}.jpg" for _ in range(ORPHANS)]
    with open(os.path.join(folder, "references.csv"), "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", "key", "updatedAt", "body"])
        for key in keys:
            body = " ".join(numbers.choice(paragraphs) for _ in range(2))
            table.writerow([identifier(numbers), key, "2025-03-01T00:00:00Z", body])
    with open(os.path.join(folder, "listing.csv"), "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["key", "size", "lastModified", "etag"])
        for key in keys[DANGLING:] + orphans:
            table.writerow([key, 1000, "2025-01-01T00:00:00Z", "abc"])
    with open(os.path.join(folder, "mooring.yaml"), "w", encoding="utf-8") as file:
        file.write(CONFIGURATION)


def audit(program, folder):
    """Audits as if for the first time; wall and CPU seconds."""
    shutil.rmtree(os.path.join(folder, "Reports"), ignore_errors=True)
    for name in os.listdir(folder):
        if name.startswith("mooring.ledger"):
            os.remove(os.path.join(folder, name))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program, "audit", "--quiet"], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.path.join(folder, "Reports/Runs/latest/findings.jsonl"), "rb") as file:
        kinds = [json.loads(line)["kind"] for line in file]
    found = kinds.count("orphan"), kinds.count("dangling")
    if found != (ORPHANS, DANGLING):
        sys.exit(f"run.py: {program} found {found[0]} orphans and {found[1]} dangling references")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("programs", nargs="+")
    words.add_argument("--rows", type=int, default=50_000)
    words.add_argument("--rounds", type=int, default=3)
    given = words.parse_args()
    print("| texts | program | wall s | CPU s | MB of the table a CPU second |")
    print("|---|---|---|---|---|")
    for kind, ends in ENDS.items():
        with tempfile.TemporaryDirectory(prefix="mooring-texts-") as folder:
            generate(folder, given.rows, ends)
            size = os.path.getsize(os.path.join(folder, "references.csv")) / 1e6
            times = {program: [] for program in given.programs}
            for _ in range(given.rounds):
                for program in given.programs:
                    times[program].append(audit(os.path.abspath(program), folder))
            for program, rounds in times.items():
                wall, cpu = (statistics.median(values) for values in zip(*rounds))
                print(f"| {kind} | {program} | {wall:.2f} | {cpu:.2f} | {size / cpu:.0f} |",
                      flush=True)


if __name__ == "__main__":
    main()
