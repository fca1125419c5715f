#!/usr/bin/env bash
# Scans a table of a million rows with Mooring's scan, and copies the same columns with psql; prints
# seconds, CPU seconds and KiB of each round, one after the other.
#
# usage: run.sh FOLDER [ROUNDS=5]      FOLDER holds the server's data, and is removed at the end
#        ROWS=1000000 PORT=25439
#        PROGRAM=                      postgres-benchmark, where it is built already
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?usage: run.sh FOLDER [ROUNDS]}
rounds=${2:-5}
port=${PORT:-25439}
root=$(cd "$here/../.." && pwd)

program=${PROGRAM:-}
if [ -z "$program" ]; then
    MOORING_BENCHMARKS=1 swift build --package-path "$root" -c release --product postgres-benchmark
    program=$root/.build/release/postgres-benchmark
fi
"$root/Tests/Servers/install" postgres
"$root/Tests/Servers/postgres" start "$folder" "$port"
trap '"$root/Tests/Servers/postgres" stop "$folder"; rm -rf "$folder"' EXIT
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=owner PGPASSWORD=secret PGDATABASE=postgres
psql=$("$root/Tests/Servers/install" postgres-programs)/psql

# Text identifiers and keys as apps have them, a version, a time, and a list.
"$psql" -q <<SQL
CREATE TABLE song (id text PRIMARY KEY, title text, cover text, version int, changed timestamptz,
    keys text[]);
INSERT INTO song SELECT md5(n::text)::uuid::text, 'Song number ' || n,
    md5(n::text)::uuid::text || '-' || md5((-n)::text)::uuid::text || '.png', n % 7 + 1,
    timestamptz '2026-01-01' + n * interval '1 second',
    ARRAY[md5(n::text) || '-1', md5(n::text) || '-2'] FROM generate_series(1, ${ROWS:-1000000}) AS n;
VACUUM (ANALYZE, FREEZE) song;
SQL

measure() {
    local name=$1
    shift
    /usr/bin/time -f "$name: %e s, %U user, %S system, %M KiB" "$@" >/dev/null
}

for columns in "id,cover,version" "id,version,changed,cover,keys"; do
    echo "columns $columns"
    for _ in $(seq "$rounds"); do
        # shellcheck disable=SC2086 # a list of words on purpose
        measure mooring "$program" "" song ${columns//,/ }
        measure psql "$psql" -c "\\copy (SELECT $columns FROM song) TO STDOUT"
    done
done
