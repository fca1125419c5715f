#!/usr/bin/env python3
"""Breaks one line of the source at a time and wants a test to notice.

usage: run.py [NUMBER ...]     default: every mutation of list.txt, in a copy of this checkout

Each mutation names a file, a line's text, what it becomes, and the tests that are run. A mutation
that no test notices, that does not compile, or whose line is not there exactly once, is an error.
The copy keeps its build, and its manifest names only what the tests need, so that each mutation
compiles little.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def mutations():
    """The blocks of list.txt as dictionaries, in order."""
    text = (HERE / "list.txt").read_text()
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            mutation = dict(line.split(": ", 1) for line in lines)
            if len(mutation) != len(lines):
                raise SystemExit("two mutations without an empty line between them: " + block)
            yield mutation


# Behind the manifest: one test target, and what it depends on.
TRIM = """
var needed: Set<String> = ["%s"]
for _ in package.targets {
    for target in package.targets where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
}
package.targets.removeAll { !needed.contains($0.name) }
package.products = []
"""


def target(mutation):
    """The test target that a mutation's tests are in, or are."""
    named, _, suite = mutation["test"].rpartition(".")
    found = [
        folder.name for folder in sorted((ROOT / "Tests").iterdir())
        if folder.name == suite or folder.name == (named or folder.name) and any(
            f"struct {suite} " in source.read_text() for source in folder.rglob("*.swift"))]
    if len(found) != 1:
        raise SystemExit(f"{mutation['test']} is in {found}: name one as TARGET.SUITE")
    return found[0]


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
        built = run(
            folder, "swift", "build", "--build-tests", "-debug-info-format", "none")
        if built.returncode != 0:
            errors = [line for line in built.stdout.splitlines() if "error:" in line]
            return "does not compile: " + (errors[0] if errors else "no reason given")
        tested = run(folder, "swift", "test", "--skip-build", "--filter", mutation["test"])
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
        manifest = (clone / "Package.swift").read_text()
        numbered = [
            (target(mutation), number, mutation)
            for number, mutation in enumerate(mutations(), start=1)
            if not chosen or number in chosen]
        # Of one target after the other, since each has a manifest of its own.
        for tests, number, mutation in sorted(numbered, key=lambda entry: entry[:2]):
            trimmed = manifest + TRIM % tests
            if (clone / "Package.swift").read_text() != trimmed:
                (clone / "Package.swift").write_text(trimmed)
            began = time.monotonic()
            outcome = test(clone, mutation)
            failures += outcome != "red"
            seconds = time.monotonic() - began
            line = f"{mutation['file']}: {mutation['to']}"
            print(f"{number:3} {outcome:6} {seconds:3.0f} s  {line}", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"{failures} not noticed or not tried" if failures else "every mutation was noticed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
