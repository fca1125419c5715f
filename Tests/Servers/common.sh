# What the start scripts share; each sets `name` and defines start and stop.
# shellcheck shell=bash disable=SC2034 # the scripts use what is set here
set -euo pipefail

# A test process spawns this while it holds connections and ends of pipes. A server that inherited
# them would keep them open for as long as it runs, and whoever waits for their end would wait, too.
for inherited in /proc/self/fd/*; do
    inherited=${inherited##*/}
    if [ "$inherited" -gt 2 ] && [ "$inherited" -ne 255 ]; then eval "exec $inherited>&-"; fi
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
access_key=${ACCESS_KEY:-test}
secret_key=${SECRET_KEY:-testsecret}

# fail WORDS: ends the script with a reason.
fail() {
    echo "$name: $1" >&2
    exit 1
}

# await SECONDS WHAT COMMAND…: waits until a command succeeds.
await() {
    local tries=$(($1 * 20)) what=$2
    shift 2
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        if [ "$tries" -le 0 ]; then fail "$what after waiting; see the logs in $data"; fi
        sleep 0.05
    done
}

# answers PORT PATH: whether an HTTP server answers there with anything at all.
answers() { python3 "$here/answers.py" "$1" "$2"; }

# is_up PORT PATH PID_FILE: the same, but at once a failure when the process is gone.
is_up() {
    kill -0 "$(cat "$3")" 2>/dev/null || {
        tail -n 5 "$data/log" >&2
        fail "it ended right after its start"
    }
    answers "$1" "$2"
}

# end PID_FILE: ends one process by its id, gently first.
end() {
    local pid tries=200
    pid=$(cat "$1" 2>/dev/null) || return 0
    rm -f "$1"
    kill "$pid" 2>/dev/null || return 0
    while kill -0 "$pid" 2>/dev/null; do
        tries=$((tries - 1))
        if [ "$tries" -le 0 ]; then
            kill -9 "$pid" 2>/dev/null || true
            return 0
        fi
        sleep 0.05
    done
}

# main ARGUMENTS…: start DATA_DIR PORT, or stop DATA_DIR.
main() {
    case ${1:-} in
    start)
        if [ $# -ne 3 ]; then fail "usage: $name start DATA_DIR PORT"; fi
        mkdir -p "$2"
        data=$(cd "$2" && pwd)
        port=$3
        start
        echo "$name: http://127.0.0.1:$port"
        ;;
    stop)
        data=${2:?usage: $name stop DATA_DIR}
        stop
        ;;
    *)
        echo "usage: $name start DATA_DIR PORT | stop DATA_DIR" >&2
        exit 64
        ;;
    esac
}
