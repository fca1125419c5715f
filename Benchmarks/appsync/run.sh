#!/usr/bin/env bash
# Audits records behind an API of GraphQL that answers as late as one far away, its models one after
# the other and side by side; prints seconds, CPU seconds and KiB of each round.
#
# usage: run.sh FOLDER [ROUNDS=3]      FOLDER is for the app and the server's log
#        PORT=9189 MODELS=8 ROWS=2000 DELAY=0.1
#        PROGRAM=                      mooring, where it is built already
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?usage: run.sh FOLDER [ROUNDS]}
rounds=${2:-3}
port=${PORT:-9189}
root=$(cd "$here/../.." && pwd)
export MOORING_APPSYNC_API_KEY=da2-benchmark

program=${PROGRAM:-}
if [ -z "$program" ]; then
    swift build --package-path "$root" -c release --product mooring --static-swift-stdlib
    program=$root/.build/release/mooring
fi
mkdir -p "$folder/files/public"
"$root/Tests/Servers/install"
"$root/Tests/Servers/appsync" start "$folder/server" "$port"
trap '"$root/Tests/Servers/appsync" stop "$folder/server"' EXIT
python3 "$here/generate.py" "$folder" "$port" "${MODELS:-8}" "${ROWS:-2000}" "${DELAY:-0.1}"

for round in $(seq "$rounds"); do
    echo "round $round"
    for concurrency in 1 8; do
        rm -f "$folder"/mooring.ledger*
        /usr/bin/time -f "$concurrency at once: %e s, %U user, %S system, %M KiB" \
            "$program" audit --config "$folder/mooring-$concurrency.yaml" >"$folder/output.txt"
    done
done
