#!/usr/bin/env python3
"""Joins a folder's references with its listing in another program; prints the answer as JSON.

usage: peers.py duckdb|clickhouse FOLDER

Only the join: nothing is confirmed, judged or kept. The answer is a count and a SHA-256 of the
sorted keys of orphans, dangling references and shared objects, as generate.py writes it.
"""

import hashlib
import json
import os
import sys

DUCKDB = """
COPY (
    SELECT coalesce(o.key, r.key) AS key,
           CASE WHEN r.key IS NULL THEN 'orphan' WHEN o.key IS NULL THEN 'dangling'
                ELSE 'shared' END AS kind
    FROM (SELECT key, count(*) AS records
          FROM read_csv('references.csv', header = true, auto_detect = false, delim = ',',
                        quote = '"', escape = '"',
                        columns = {{'id': 'VARCHAR', 'key': 'VARCHAR', 'updatedAt': 'VARCHAR'}})
          GROUP BY key) r
    FULL OUTER JOIN
         (SELECT key
          FROM read_csv('listing.csv', header = true, auto_detect = false, delim = ',',
                        quote = '"', escape = '"',
                        columns = {{'key': 'VARCHAR', 'size': 'VARCHAR',
                                    'lastModified': 'VARCHAR', 'etag': 'VARCHAR'}})) o
    ON r.key = o.key
    WHERE r.key IS NULL OR o.key IS NULL OR r.records > 1
) TO '{answer}' (FORMAT csv, HEADER false, DELIMITER '\t', QUOTE '')
"""

CLICKHOUSE = """
SELECT key, multiIf(records = 0, 'orphan', objects = 0, 'dangling', 'shared') AS kind
FROM (
    SELECT key, sum(record) AS records, sum(object) AS objects
    FROM (
        SELECT key, 1 AS record, 0 AS object
        FROM file('references.csv', 'CSVWithNames', 'id String, key String, updatedAt String')
        UNION ALL
        SELECT key, 0 AS record, 1 AS object
        FROM file('listing.csv', 'CSVWithNames',
                  'key String, size String, lastModified String, etag String')
    ) GROUP BY key
)
WHERE records = 0 OR objects = 0 OR records > 1
INTO OUTFILE '{answer}' TRUNCATE FORMAT TSVRaw
"""


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("duckdb", "clickhouse"):
        sys.exit(__doc__)
    os.chdir(sys.argv[2])
    answer = f"answer-{sys.argv[1]}.tsv"
    if sys.argv[1] == "duckdb":
        import duckdb
        duckdb.connect().execute(DUCKDB.format(answer=answer))
    else:
        import chdb
        chdb.query(CLICKHOUSE.format(answer=answer))
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
