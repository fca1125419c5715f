#!/usr/bin/env python3
"""Counts the instructions of an audit, which do not change with what else the machine does.

usage: instructions.py PROGRAM BOUND [REFERENCES]     default: 50000 references, seed 1

Prints how many an audit takes for each reference and object, and ends with 1 where they are more
than BOUND. It needs valgrind and objcopy. The data is made anew in a temporary folder.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, bound = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    references = int(sys.argv[3]) if len(sys.argv) == 4 else 50_000
    for tool in ("valgrind", "objcopy"):
        if not shutil.which(tool):
            sys.exit(f"instructions.py: {tool} is missing: apt-get install valgrind binutils")
    with tempfile.TemporaryDirectory(prefix="mooring-instructions-") as folder:
        data, counts = os.path.join(folder, "data"), os.path.join(folder, "counts")
        subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), data, str(references),
                        "1"], check=True, stdout=subprocess.DEVNULL)
        # Valgrind reads no debug information of Swift, and complains of each piece of it.
        stripped = os.path.join(folder, "mooring")
        subprocess.run(["objcopy", "--strip-debug", program, stripped], check=True)
        audit = subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}",
             stripped, "audit", "--quiet"], cwd=data, stdin=subprocess.DEVNULL, check=False)
        if audit.returncode != 0:
            sys.exit(f"instructions.py: the audit ended with {audit.returncode}")
        with open(counts, encoding="ascii", errors="replace") as file:
            totals = [line.split()[1] for line in file if line.startswith(("totals:", "summary:"))]
    each = int(totals[-1]) // references
    print(f"{each:,} instructions for each of {references:,} references and their objects; "
          f"at most {bound:,} are allowed")
    return 1 if each > bound else 0


if __name__ == "__main__":
    sys.exit(main())
