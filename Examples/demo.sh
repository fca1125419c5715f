#!/usr/bin/env bash
# Walks through Mooring on a made-up app: demo, audit, plan, repair, audit, undo, audit. Prints each
# command before its output, and stops at the first one that ends as it should not.
#
# usage: Examples/demo.sh [DIR]     MOORING=path of the program, default .build/debug/mooring
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${MOORING:-$root/.build/debug/mooring}
folder=${1:-demo}
runs=Reports/Runs

refuse() {
    printf 'demo: %s\n' "$1" >&2
    exit "${2:-2}"
}

# run STATUS ARGUMENT…: prints the command, runs it, and wants that exit status.
run() {
    local expected=$1 status=0
    shift
    printf '\n$ mooring'
    printf ' %s' "$@"
    printf '\n'
    "$program" "$@" </dev/null || status=$?
    if [ "$status" -ne "$expected" ]; then
        refuse "'mooring $*' ended with status $status instead of $expected" 1
    fi
}

# The identifiers of the last run's findings; they are the same in every run.
findings() {
    sed -n 's/^{"id" *: *"\([^"]*\)".*/\1/p' "$runs/latest/findings.jsonl" | sort
}

if [ ! -x "$program" ]; then
    refuse "$program is not there; run 'make build' first, or 'make demo' for both"
fi
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
if [ -e "$folder" ]; then
    refuse "$folder exists and is left alone; remove it, or choose another: make demo DEMO=DIR"
fi

run 0 demo "$folder"
printf '\n$ cd %s\n' "$folder"
cd "$folder"

run 0 audit
before=$(findings)
run 0 plan
run 0 repair "$runs/latest/plan.json" --apply
run 0 audit
repaired=$(findings)
run 0 undo latest --apply
run 0 audit
after=$(findings)

if [ -z "$before" ]; then refuse "the first audit found nothing in the demo" 1; fi
if [ "$before" = "$repaired" ]; then refuse "the repair changed no finding" 1; fi
if [ "$before" != "$after" ]; then refuse "after undo the findings are not those of before" 1; fi

key=$(sed -n 's/^{"id".*"key" *: *"\([A-Za-z0-9/:._-]*\)".*/\1/p' \
    "$runs/latest/findings.jsonl" | sed -n 1p)
printf '\n%s findings, fewer after the repair (%s), and the same %s after undo.\n' \
    "$(wc -l <<<"$before")" "$(wc -l <<<"$repaired")" "$(wc -l <<<"$after")"
printf 'The report to open in a browser: %s/%s/latest/report.html\n' "$PWD" "$runs"
printf '\nTry next, in %s (mooring is %s):\n' "$PWD" "$program"
printf '  mooring findings --verdict explained\n'
printf '  mooring explain %s\n' "${key:-Song}"
printf '  mooring check\n'
printf '  mooring audit --config mooring-wrong-prefix.yaml\n'
