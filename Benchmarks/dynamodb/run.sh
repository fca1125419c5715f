#!/usr/bin/env bash
# Reads an export of plain JSON lines on one core, and scans a table in 8 segments, in turn with 8 bare
# scan loops against the same server; prints seconds, CPU seconds and KiB of each round.
#
# usage: run.sh FOLDER [ROUNDS=3]      FOLDER holds the data; made when it is not there
#        ITEMS=1000000 ROWS=50000 PORT=9188 SEGMENTS=8
#        PROGRAM=                      dynamodb-benchmark, where it is built already
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?usage: run.sh FOLDER [ROUNDS]}
rounds=${2:-3}
port=${PORT:-9188}
segments=${SEGMENTS:-8}
root=$(cd "$here/../.." && pwd)

program=${PROGRAM:-}
if [ -z "$program" ]; then
    MOORING_BENCHMARKS=1 swift build --package-path "$root" -c release --product dynamodb-benchmark
    program=$root/.build/release/dynamodb-benchmark
fi
if [ ! -e "$folder/export" ]; then
    mkdir -p "$folder"
    python3 "$here/generate.py" export "$folder/export" "${ITEMS:-1000000}"
fi
"$root/Tests/Servers/install"
"$root/Tests/Servers/ministack" start "$folder/server" "$port"
trap '"$root/Tests/Servers/ministack" stop "$folder/server"' EXIT
python3 "$here/generate.py" table "$port" "${ROWS:-50000}"

measure() {
    local name=$1
    shift
    /usr/bin/time -f "$name: %e s, %U user, %S system, %M KiB" "$@" > "$folder/output.txt"
    tail -n 1 "$folder/output.txt" | cut -c 1-100
}

du -sb "$folder/export"
for round in $(seq "$rounds"); do
    echo "round $round"
    # On one core, so that what they take can be told from each other.
    measure export taskset -c 0 "$program" export "$folder/export" Song id key
    measure everything taskset -c 0 "$program" everything "$folder/export"
    measure md5 taskset -c 0 "$program" md5 "$folder/export"
    measure cat sh -c 'cat "$0"/export/AWSDynamoDB/01-a/data/*.json > /dev/null' "$folder"
    measure scan "$program" scan "$port" Song "$segments"
    measure load "$program" load "$port" Song "$segments"
done
