#!/usr/bin/env bash
# Audits a million references against a listing of a million objects, with the release build, and
# prints what it took. The findings have to be exactly the planted ones.
#
# usage: run.sh [FOLDER]     default: data, beside this script; made when it is not there
#        MOORING=program (default: builds the release), REFERENCES=1000000, SEED=1
#        VARIANT=NAME             with one more feature at work; see variants.py
#        WALL=60 MEMORY=2097152   the most seconds and KiB; more ends with 1
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/data}
root=$(cd "$here/../.." && pwd)

fail() {
    printf 'run.sh: %s\n' "$1" >&2
    exit 2
}

if [ ! -x /usr/bin/time ]; then fail "needs /usr/bin/time: apt-get install time"; fi
if [ ! -e "$folder" ]; then
    python3 "$here/generate.py" "$folder" "${REFERENCES:-1000000}" "${SEED:-1}"
fi
if [ ! -f "$folder/planted.tsv" ]; then
    fail "$folder holds no benchmark data; remove it, or name another folder"
fi
if [ -n "${VARIANT:-}" ] && [ ! -f "$folder/$VARIANT/counts.tsv" ]; then
    python3 "$here/variants.py" "$folder" "$VARIANT"
fi
if [ -z "${MOORING:-}" ]; then
    make -C "$root" release
    MOORING=$root/.build/release/mooring
fi
program=$(realpath "$MOORING")

cd "$folder/${VARIANT:-.}"
# Every run is a first run: what an earlier one left is not part of the data.
rm -rf Reports mooring.ledger mooring.ledger-*
status=0
/usr/bin/time -v -o time.txt "$program" audit --quiet </dev/null || status=$?
if [ "$status" -ne 0 ]; then fail "audit ended with status $status"; fi

value() {
    sed -n "s/^[[:space:]]*$1: //p" time.txt
}
wall=$(value 'Elapsed (wall clock) time (h:mm:ss or m:ss)' |
    awk -F: '{ s = 0; for (i = 1; i <= NF; i++) s = s * 60 + $i; print s }')
memory=$(value 'Maximum resident set size (kbytes)')
printf 'wall %s s, user %s s, system %s s, peak memory %s MiB\n' \
    "$wall" "$(value 'User time (seconds)')" "$(value 'System time (seconds)')" \
    "$((memory / 1024))"

planted=planted.tsv
if [ -n "${VARIANT:-}" ]; then planted=counts.tsv; fi
python3 "$here/compare.py" "$planted" Reports/Runs/latest/findings.jsonl
awk -v wall="$wall" -v memory="$memory" -v w="${WALL:-60}" -v m="${MEMORY:-2097152}" 'BEGIN {
    if (wall > w) print "over " w " s"
    if (memory > m) print "over " m " KiB"
    exit (wall > w || memory > m)
}'
