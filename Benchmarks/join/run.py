#!/usr/bin/env python3
"""Runs Mooring and its peers in turn on the same files, and prints wall, CPU, memory and ratios.

usage: run.py PROGRAM FOLDER [ROUNDS]     default: 5 rounds

Mooring audits: join, pass B, judgement, ledger and findings.jsonl. The peers join alone. Each
answer is compared with expected.json, and one that differs ends everything. Figures are medians;
the ratio to a peer is the median of the rounds' ratios.
"""

import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def measured(command, folder):
    """Runs a command to its end; wall and CPU seconds, peak MiB, and what it printed."""
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                             stdin=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"run.py: {' '.join(command)} ended with {child.returncode}")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss / 1024}, output


def mooring(program, folder):
    """Audits as if for the first time."""
    shutil.rmtree(os.path.join(folder, "Reports"), ignore_errors=True)
    for name in ("mooring.ledger", "mooring.ledger-wal", "mooring.ledger-shm"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    figures, _ = measured([program, "audit", "--quiet"], folder)
    kinds = {"orphan": [], "dangling": [], "shared": []}
    with open(os.path.join(folder, "Reports/Runs/latest/findings.jsonl"), "rb") as file:
        for line in file:
            finding = json.loads(line)
            kinds[finding["kind"]].append(finding["key"].encode() + b"\n")
    answer = {kind: {"count": len(keys),
                     "sha256": hashlib.sha256(b"".join(sorted(keys))).hexdigest()}
              for kind, keys in kinds.items()}
    return figures, answer


def peer(name, folder):
    """Joins in another program, which finds no answer of an earlier round."""
    answer = os.path.join(folder, f"answer-{name}.tsv")
    if os.path.exists(answer):
        os.remove(answer)
    figures, output = measured([sys.executable, os.path.join(HERE, "peers.py"), name, "."], folder)
    return figures, json.loads(output)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) == 4 else 5
    with open(os.path.join(folder, "expected.json"), encoding="ascii") as file:
        expected = json.load(file)
    programs = {"mooring": lambda: mooring(program, folder),
                "duckdb": lambda: peer("duckdb", folder),
                "clickhouse": lambda: peer("clickhouse", folder)}
    figures = {name: [] for name in programs}
    for _ in range(rounds):
        for name, run in programs.items():
            figure, answer = run()
            if answer != expected:
                sys.exit(f"run.py: {name} gives another answer: {answer}")
            figures[name].append(figure)

    def median(name, what):
        return statistics.median(figure[what] for figure in figures[name])

    def ratio(other, what):
        return statistics.median(
            own[what] / theirs[what] for own, theirs in zip(figures["mooring"], figures[other]))

    print(f"{os.path.basename(os.path.normpath(folder))}: {rounds} rounds, "
          f"{os.cpu_count()} cores, the same answers: "
          + ", ".join(f"{value['count']} {kind}" for kind, value in expected.items()))
    print("| program | wall s | CPU s | peak MiB | Mooring / it: wall, CPU, memory |")
    print("|---|---|---|---|---|")
    for name in programs:
        ratios = ("" if name == "mooring" else
                  ", ".join(f"{ratio(name, what):.2f}" for what in ("wall", "cpu", "memory")))
        print(f"| {name} | {median(name, 'wall'):.2f} | {median(name, 'cpu'):.2f} | "
              f"{median(name, 'memory'):.0f} | {ratios} |")


if __name__ == "__main__":
    main()
