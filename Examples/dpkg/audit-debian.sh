#!/usr/bin/env bash
# Audits a part of a Debian system: the package database's file lists are the records, the tree is
# the bucket. Then compares the findings with what find, comm and dpkg --verify say. Nothing in the
# tree is changed; everything is written to FOLDER, which must be new.
#
# usage: audit-debian.sh [--lists-only] [TREE [FOLDER]]     default: /usr/share ./debian-audit
#        MOORING=path of the program, default: the build of this clone, or `mooring`
#        --lists-only   build the records and compare the other tools, without mooring
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lists_only=no
if [ "${1:-}" = --lists-only ]; then
    lists_only=yes
    shift
fi
tree=$(realpath "${1:-/usr/share}")
folder=${2:-debian-audit}

fail() {
    printf 'audit-debian: %s\n' "$1" >&2
    exit 2
}

for tool in dpkg python3 find comm; do
    if ! command -v "$tool" >/dev/null; then fail "needs $tool; install it and run again"; fi
done
if [ ! -d "$tree" ] || [ "$tree" = / ]; then fail "$tree is not a folder below /"; fi
if [ -e "$folder" ]; then fail "$folder exists and is left alone; name another folder"; fi
if [ "$(id -u)" -ne 0 ]; then
    echo "audit-debian: not root; folders without permission make the audit incomplete" >&2
fi

program=${MOORING:-}
for place in "$here/../../.build/release/mooring" "$here/../../.build/debug/mooring"; do
    if [ -z "$program" ] && [ -x "$place" ]; then program=$(realpath "$place"); fi
done
program=$(command -v "${program:-mooring}" || true)
if [ "$lists_only" = no ] && [ -z "$program" ]; then fail "no mooring; run 'make build' first"; fi
if [ -n "$program" ]; then program=$(realpath "$program"); fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
case $folder/ in
    "$tree"/*) fail "$folder lies in $tree, which is only read" ;;
esac

echo "== records"
python3 "$here/build_records.py" "$tree" "$folder/records.sqlite"

echo "== what other tools say of $tree"
# The shell's own way to the two lists; it shares nothing with the records but the package lists.
find "$tree" -mindepth 1 -type d -printf '%P\n' | sort >"$folder/folders"
find "$tree" ! -type d -printf '%P\n' | sort >"$folder/objects"
cat /var/lib/dpkg/info/*.list | sed -n "s|^$tree/||p" | sort -u |
    comm -23 - "$folder/folders" >"$folder/references"
comm -13 "$folder/references" "$folder/objects" >"$folder/comm-orphans"
comm -23 "$folder/references" "$folder/objects" >"$folder/comm-dangling"
# dpkg ends with 1 when it has something to report.
(dpkg --verify || true) | sed -n "s|^missing  *\(c \)\{0,1\} *$tree/||p" | sort -u \
    >"$folder/dpkg-missing"
# Dependencies on a name that no installed package has. A Debian package of that name is virtual:
# another one provides it.
dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u \
    >"$folder/packages"
dpkg-query -W -f '${db:Status-Status}\t${Package}\t${Pre-Depends}, ${Depends}\n' |
    awk -F '\t' '$1 == "installed" {
        count = split($3, parts, ",")
        for (part = 1; part <= count; part++) if (parts[part] !~ /[|]/) {
            split(parts[part], words, /[ :(]+/)
            name = words[1] == "" ? words[2] : words[1]
            if (name != "") print $2 " " name
        }
    }' | sort -u >"$folder/dependencies"
awk 'NR == FNR { there[$1]; next } !($2 in there)' "$folder/packages" "$folder/dependencies" \
    >"$folder/awk-unmet"
wc -l <"$folder/references" | xargs printf '%s references, '
wc -l <"$folder/objects" | xargs printf '%s objects\n'

if [ "$lists_only" = yes ]; then
    python3 "$here/compare.py" "$tree" "$folder"
    exit
fi

cat >"$folder/mooring.yaml" <<YAML
# Debian's file lists against $tree: audit only.
version: 1
ledger: ./mooring.ledger
records:
  - name: dpkg
    sqlite: ./records.sqlite
    models:
      - model: File
        table: file
        files:
          - field: path
        relations:
          - {field: package, model: Package}
      - model: Package
        table: package
      - model: Dependency
        table: dependency
        relations:
          - {field: package, model: Package}
          - {field: target, model: Package}
buckets:
  - name: tree
    directory: $tree
repair: {orphan: keep, dangling: keep}
report: {directory: Reports/Runs, formats: [json, html, text]}
YAML

echo "== mooring audit"
cd "$folder"
"$program" audit </dev/null
echo "== comparison"
python3 "$here/compare.py" "$tree" "$folder" Reports/Runs/latest/findings.jsonl
