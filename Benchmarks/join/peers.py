#!/usr/bin/env python3
"""Joins a folder's references with its listing in another program; prints the answer as JSON.

usage: peers.py duckdb|clickhouse FOLDER

Only the join: no checksum is compared, and nothing is confirmed, judged or kept. The answer is a
count and a SHA-256 of the sorted keys of orphans, dangling references and shared objects, as
generate.py writes it.
"""

import hashlib
import json
import os
import sys

# Where generate.py puts the parts of what AWS writes, which are read side by side. Columns are told
# everywhere, since looking for them takes longer.
INVENTORY = "inventory/**/*.csv.gz"
EXPORT = "export/**/data/*.json.gz"

DUCKDB_CSV = """(
    SELECT {key} AS key FROM read_csv(
        '{path}', header = {header}, auto_detect = false, delim = ',',
        quote = '"', escape = '"',
        columns = {{{columns}}})
)"""

# A plus is a blank to S3, and not to DuckDB.
DUCKDB_DECODED = "url_decode(replace(key, '+', '%20'))"

DUCKDB_EXPORT = f"""(
    SELECT json->>'$.Item.key.S' AS key FROM read_ndjson_objects('{EXPORT}')
)"""

DUCKDB = """
COPY (
    SELECT coalesce(o.key, r.key) AS key,
           CASE WHEN r.key IS NULL THEN 'orphan' WHEN o.key IS NULL THEN 'dangling'
                ELSE 'shared' END AS kind
    FROM (SELECT key, count(*) AS records FROM {references} GROUP BY key) r
    FULL OUTER JOIN {objects} o ON r.key = o.key
    WHERE r.key IS NULL OR o.key IS NULL OR r.records > 1
) TO '{answer}' (FORMAT csv, HEADER false, DELIMITER '\t', QUOTE '')
"""

CLICKHOUSE_CSV = "(SELECT {key} AS key FROM file('{path}', '{format}', '{columns}'))"

CLICKHOUSE_EXPORT = f"""(
    SELECT JSONExtractString(line, 'Item', 'key', 'S') AS key
    FROM file('{EXPORT}', 'LineAsString', 'line String')
)"""

CLICKHOUSE = """
SELECT key, multiIf(records = 0, 'orphan', objects = 0, 'dangling', 'shared') AS kind
FROM (
    SELECT key, sum(record) AS records, sum(object) AS objects
    FROM (
        SELECT key, 1 AS record, 0 AS object FROM {references}
        UNION ALL
        SELECT key, 0 AS record, 1 AS object FROM {objects}
    ) GROUP BY key
)
WHERE records = 0 OR objects = 0 OR records > 1
INTO OUTFILE '{answer}' TRUNCATE FORMAT TSVRaw
"""


def duckdb_csv(path, names, key="key"):
    """The keys of CSV files; those of an inventory have no header."""
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
    return DUCKDB_CSV.format(path=path, key=key, columns=columns,
                             header="false" if path == INVENTORY else "true")


def clickhouse_csv(path, names, key="key"):
    """The keys of CSV files; those of an inventory have no header."""
    columns = ", ".join(f"{name} String" for name in names)
    return CLICKHOUSE_CSV.format(path=path, key=key, columns=columns,
                                 format="CSV" if path == INVENTORY else "CSVWithNames")


def sides(csv, decoded, export):
    """The references and the objects of this folder, in whichever form it has them."""
    references = (export if os.path.isdir("export") else
                  csv("references.csv", ["id", "key", "updatedAt"]))
    objects = (csv(INVENTORY, ["bucket", "key", "size", "lastModified", "etag"], decoded)
               if os.path.isdir("inventory") else
               csv("listing.csv", ["key", "size", "lastModified", "etag"]))
    return {"references": references, "objects": objects}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("duckdb", "clickhouse"):
        sys.exit(__doc__)
    os.chdir(sys.argv[2])
    answer = f"answer-{sys.argv[1]}.tsv"
    if sys.argv[1] == "duckdb":
        import duckdb
        duckdb.connect().execute(DUCKDB.format(
            answer=answer, **sides(duckdb_csv, DUCKDB_DECODED, DUCKDB_EXPORT)))
    else:
        import chdb
        chdb.query(CLICKHOUSE.format(
            answer=answer,
            **sides(clickhouse_csv, "decodeURLFormComponent(key)", CLICKHOUSE_EXPORT)))
    kinds = {"orphan": [], "dangling": [], "shared": []}
    with open(answer, "rb") as file:
        for line in file:
            key, kind = line.rstrip(b"\n").rsplit(b"\t", 1)
            kinds[kind.decode()].append(key + b"\n")
    print(json.dumps({kind: {"count": len(keys),
                             "sha256": hashlib.sha256(b"".join(sorted(keys))).hexdigest()}
                      for kind, keys in kinds.items()}))


if __name__ == "__main__":
    main()
