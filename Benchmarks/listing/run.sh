#!/usr/bin/env bash
# Lists a million files that rclone serves as a bucket: with Mooring's listing, with a bare load of
# the same requests, and with other programs; prints seconds, CPU seconds and KiB of each round.
#
# usage: run.sh FOLDER [ROUNDS=3]      FOLDER holds the data; made when it is not there
#        RCLONE=rclone PORT=9187 CONCURRENCY=16 FILES=1000000
#        PROGRAM=                      listing-benchmark, where it is built already
#        PEERS="rclone aws s3cmd"      those of them that are not installed are left out
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?usage: run.sh FOLDER [ROUNDS]}
rounds=${2:-3}
port=${PORT:-9187}
rclone=${RCLONE:-rclone}
concurrency=${CONCURRENCY:-16}
root=$(cd "$here/../.." && pwd)
endpoint=http://127.0.0.1:$port
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testsecret AWS_DEFAULT_REGION=us-east-1

if [ ! -e "$folder/s3/million" ]; then
    python3 "$here/generate.py" "$folder/s3/million" "${FILES:-1000000}"
fi
program=${PROGRAM:-}
if [ -z "$program" ]; then
    MOORING_BENCHMARKS=1 swift build --package-path "$root" -c release --product listing-benchmark
    program=$root/.build/release/listing-benchmark
fi

: > "$folder/rclone.conf"
"$rclone" --config "$folder/rclone.conf" --cache-dir "$folder/cache" serve s3 \
    --addr "127.0.0.1:$port" --auth-key test,testsecret "$folder/s3" \
    > "$folder/rclone.log" 2>&1 < /dev/null &
server=$!
trap 'kill "$server"' EXIT
for _ in $(seq 100); do
    if curl -s -o /dev/null "$endpoint/"; then break; fi
    sleep 0.1
done

measure() {
    local name=$1
    shift
    /usr/bin/time -f "$name: %e s, %U user, %S system, %M KiB" "$@" > "$folder/output.txt"
    tail -n 1 "$folder/output.txt" | cut -c 1-100
}

# The first listing after its start fills the server's memory, whoever makes it.
"$program" list 127.0.0.1 "$port" million "$concurrency" > "$folder/output.txt"

for round in $(seq "$rounds"); do
    echo "round $round"
    measure mooring "$program" list 127.0.0.1 "$port" million "$concurrency" "$folder/requests.txt"
    measure load "$program" load 127.0.0.1 "$port" million "$concurrency" "$folder/requests.txt"
    for peer in ${PEERS:-rclone aws s3cmd}; do
        case $peer in
        rclone)
            measure rclone "$rclone" --config "$folder/rclone.conf" lsf -R --fast-list \
                ":s3,provider=Rclone,access_key_id=test,secret_access_key=testsecret,endpoint='$endpoint':million"
            ;;
        aws)
            if command -v aws > /dev/null; then
                measure aws aws --endpoint-url "$endpoint" s3 ls --recursive s3://million
            fi
            ;;
        s3cmd)
            if command -v s3cmd > /dev/null; then
                measure s3cmd s3cmd --access_key=test --secret_key=testsecret --no-ssl \
                    --host="127.0.0.1:$port" --host-bucket="127.0.0.1:$port" ls -r s3://million
            fi
            ;;
        esac
    done
done
