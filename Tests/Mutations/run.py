#!/usr/bin/env python3
"""Breaks one line of the source at a time and wants a test to notice.

usage: run.py [NUMBER ...]     default: every mutation of list.txt, in a copy of this checkout

Each mutation names a file, a line's text, what it becomes, and the tests that are run. A mutation
that no test notices, that does not compile, or whose line is not there exactly once, is an error.
The copy keeps its build, so that each mutation compiles only what it touches.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def mutations():
    """The blocks of list.txt as dictionaries, in order."""
    text = (HERE / "list.txt").read_text()
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            yield dict(line.split(": ", 1) for line in lines)


# A mutated program may wait for ever; that is no test that noticed.
PATIENCE = 900


def run(folder, *command):
    return subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", timeout=PATIENCE)


def test(folder, mutation):
    """What came of one mutation: red, green, or why it could not be tried."""
    path = folder / mutation["file"]
    original = path.read_text()
    if original.count(mutation["from"]) != 1:
        return f"the text stands {original.count(mutation['from'])} times in {mutation['file']}"
    path.write_text(original.replace(mutation["from"], mutation["to"]))
    try:
        built = run(folder, "swift", "build", "--build-tests")
        if built.returncode != 0:
            errors = [line for line in built.stdout.splitlines() if "error:" in line]
            return "does not compile: " + (errors[0] if errors else "no reason given")
        tested = run(folder, "swift", "test", "--skip-build", "--filter", mutation["test"])
        if "0 tests in 0 suites" in tested.stdout:
            return "no such test: " + mutation["test"]
        return "green" if tested.returncode == 0 else "red"
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE} s"
    finally:
        path.write_text(original)


def main():
    chosen = [int(number) for number in sys.argv[1:]]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mooring-mutations-"))
    failures = 0
    try:
        run(ROOT, "git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder / "clone"))
        clone = folder / "clone"
        for number, mutation in enumerate(mutations(), start=1):
            if chosen and number not in chosen:
                continue
            outcome = test(clone, mutation)
            failures += outcome != "red"
            print(f"{number:3} {outcome:6} {mutation['file']}: {mutation['to']}", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"{failures} not noticed or not tried" if failures else "every mutation was noticed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
