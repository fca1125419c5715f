#!/usr/bin/env bash
# Quarantines many orphans of a bucket that rclone serves, then removes them for good; prints
# seconds, CPU seconds and KiB of each command, and what it sent.
#
# usage: run.sh FOLDER [COUNT=100000]      FOLDER is made anew
#        RCLONE=rclone PORT=9188 CONCURRENCY=16 BUILD=release
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?usage: run.sh FOLDER [COUNT]}
count=${2:-100000}
port=${PORT:-9188}
rclone=${RCLONE:-rclone}
build=${BUILD:-release}
root=$(cd "$here/../.." && pwd)
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testsecret

swift build --package-path "$root" -c "$build" --product mooring
program=$root/.build/$build/mooring
if [ -e "$folder" ]; then
    echo "$folder is there already; name a folder that is not" >&2
    exit 2
fi
mkdir -p "$folder/s3"
python3 "$here/generate.py" "$folder" "$count" "$port" "${CONCURRENCY:-16}"
cd "$folder"

: > rclone.conf
"$rclone" --config rclone.conf --cache-dir cache serve s3 \
    --addr "127.0.0.1:$port" --auth-key test,testsecret s3 > rclone.log 2>&1 < /dev/null &
server=$!
trap 'kill "$server"' EXIT
for _ in $(seq 100); do
    if curl -s -o /dev/null "http://127.0.0.1:$port/"; then break; fi
    sleep 0.1
done

# Status 5 says that some steps were left undone, as rclone's own errors make of a few.
measure() {
    local name=$1
    shift
    /usr/bin/time -o time.txt -f "$name: %e s, %U user, %S system, %M KiB" \
        "$program" "$@" --quiet > output.txt 2> errors.txt || [ "$?" = 5 ]
    cat time.txt
    python3 -c '
import glob, json, os
run = max(glob.glob("Reports/Runs/2*"), key=os.path.getmtime)
for note in json.load(open(run + "/report.json"))["notes"]:
    if " requests (" in note:
        print("   ", note)'
}

measure audit audit
"$program" plan --quiet > output.txt
measure repair repair Reports/Runs/latest/plan.json --apply
# Behind two more complete runs, each in another second than what it looks at.
for _ in 1 2; do
    sleep 3
    "$program" audit --quiet > output.txt
done
sleep 3
measure sweep sweep --apply
