#!/usr/bin/env python3
"""Audits folders by both engines, and tells where the findings or the counts differ.

usage: compare.py MOORING FOLDER…                     with a mooring.yaml in each, copies, or a
                                                      native.yaml and a spark.yaml of the same
       compare.py MOORING --apps FIRST COUNT BELOW    random apps of these seeds, made in BELOW,
                                                      ten beside one another in a configuration
The environment names spark-submit or what stands for it: SUBMIT, and MASTER. Status 1 where they
differ; the folders stay then.
"""

import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time

import apps

# What differs from run to run; so do moments to the nanosecond, which a clock told meanwhile, and
# names of runs.
TIMES = {"firstSeen", "runs"}
CLOCK = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z|20\d{6}T\d{6}Z-[a-z0-9]{6}")
# The files of an export, or of records in Parquet, are read side by side: on which of several
# records that hold one text is told first, not even two runs of one engine agree.
TOLD_FIRST = {"record", "value", "evidence"}
COUNTS = {"records": ["records", "references"], "buckets": ["objects", "bytes"],
          "fields": ["references", "held", "listed", "newestChange"]}


def is_any_first(folder, finding):
    """Whether a finding names one record of several, of a source in several files."""
    if finding["kind"] != "unmapped-reference":
        return False
    seed = finding.get("record", {}).get("source", "").rsplit("-", 1)[-1]
    return max(len(glob.glob(f"{folder}/songs-{seed}/AWSDynamoDB/*/data/*")),
               len(glob.glob(f"{folder}/rows-{seed}.parquet/*"))) > 1


def configuration(folder, engine):
    """The path of the configuration that an engine reads a folder by."""
    own = f"{folder}/{engine}.yaml"
    return own if os.path.exists(own) else f"{folder}/mooring.yaml"


def audit(mooring, folder, engine):
    """The status, the findings by id, the counts, and the notes of one engine."""
    output, ledger = f"{folder}/{engine}", f"{folder}/ledger"
    shutil.rmtree(output, ignore_errors=True)
    for name in os.listdir(folder):
        if "ledger" in name:
            os.unlink(os.path.join(folder, name))
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        [mooring, "audit", "--config", configuration(folder, engine), "--engine", engine,
         "--output", output, "--format", "json", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = (time.monotonic() - began,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    latest = os.path.join(output, "latest")
    runs = [name for name in os.listdir(output) if "T" in name] if os.path.isdir(output) else []
    if not runs:
        return result.returncode, None, result.stderr.decode("utf-8", "replace"), took, ledger
    run = latest if os.path.isdir(latest) else os.path.join(output, sorted(runs)[-1])
    with open(f"{run}/report.json", encoding="utf-8") as file:
        report = json.loads(CLOCK.sub("NOW", file.read()))
    with open(f"{run}/findings.jsonl", encoding="utf-8") as file:
        findings = {}
        for line in file:
            finding = json.loads(CLOCK.sub("NOW", line))
            left = TIMES | (TOLD_FIRST if is_any_first(folder, finding) else set())
            findings[finding["id"]] = {k: v for k, v in finding.items() if k not in left}
    counts = {name: [{k: entry.get(k) for k in keys + ["name", "source", "field"]}
                     for entry in report.get(name, [])] for name, keys in COUNTS.items()}
    counts["complete"] = [entry["complete"] for name in ("records", "buckets")
                          for entry in report[name]]
    counts["counts"], counts["guards"] = report["counts"], report["guards"]
    return result.returncode, findings, counts, took, report.get("notes", [])


def compare(mooring, folder):
    """What differs, in lines; and what Spark said that it left out."""
    native, spark = (audit(mooring, folder, engine) for engine in ("native", "spark"))
    lines = []
    if native[0] != spark[0]:
        lines.append(f"status {native[0]} and {spark[0]}")
    if native[1] is None or spark[1] is None:
        if native[1] != spark[1]:
            lines.append(f"no report: {native[2] if native[1] is None else spark[2]}")
        return lines, "", native[3], spark[3]
    for identifier in sorted(set(native[1]) | set(spark[1])):
        one, other = native[1].get(identifier), spark[1].get(identifier)
        if one != other:
            names = sorted(k for k in set(one or {}) | set(other or {})
                           if (one or {}).get(k) != (other or {}).get(k))
            lines.append(f"finding {identifier}: {names}\n  native {one}\n  spark  {other}")
    for name, value in native[2].items():
        if value != spark[2][name]:
            lines.append(f"{name}: native {value}\n  spark {spark[2][name]}")
    told = [note for note in spark[4] if note.startswith("engine spark")]
    return lines, "; ".join(told), native[3], spark[3]


def configure(folder):
    """Names how Spark is reached, where the environment does."""
    path = configuration(folder, "spark")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "\nspark:" not in text and "SUBMIT" in os.environ:
        with open(path, "a", encoding="utf-8") as file:
            master = os.environ.get("MASTER", "local[2]")
            file.write(f"spark: {{submit: '{os.environ['SUBMIT']}', master: '{master}', conf: "
                       f"{{{os.environ.get('CONF', '')}}}}}\n")


def main():
    mooring, folders = sys.argv[1], sys.argv[2:]
    if folders[0] == "--apps":
        first, count, below = int(folders[1]), int(folders[2]), folders[3]
        folders = []
        for seed in range(first, first + count, 10):
            folders.append(os.path.join(below, f"apps-{seed}"))
            shutil.rmtree(folders[-1], ignore_errors=True)
            apps.write(folders[-1], list(range(seed, min(seed + 10, first + count))))
    differing = 0
    for folder in folders:
        configure(folder)
        lines, told, native, spark = compare(mooring, folder)
        verdict = "differs" if lines else "same"
        times = ", ".join(f"{name} {wall:.1f} s ({cpu:.1f} s of a core)" for name, (wall, cpu)
                          in (("native", native), ("spark", spark)))
        print(f"{folder}: {verdict}; {times}; {told}", flush=True)
        for line in lines:
            print("  " + line, flush=True)
        differing += bool(lines)
    print(f"{len(folders)} compared, {differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
