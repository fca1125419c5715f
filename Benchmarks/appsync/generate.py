"""Makes an API of several models on the test server, and configurations that read it.

    generate.py FOLDER PORT MODELS ROWS DELAY
"""

import json
import sys
import urllib.request

folder, port, models, rows, delay = sys.argv[1:]
base = f"http://127.0.0.1:{port}"
names = [f"Model{chr(ord('A') + number)}" for number in range(int(models))]


def call(path, document):
    request = urllib.request.Request(base + path, data=json.dumps(document).encode())
    urllib.request.urlopen(request).read()


fields = {"id": "ID!", "title": "String", "cover": "String", "note": "String"}
call(
    "/control/benchmark",
    {
        "models": {name: {"fields": fields} for name in names},
        "mode": "optimistic",
        "auth": {"apiKey": "da2-benchmark"},
        "delay": float(delay),
    },
)
for name in names:
    table = [
        {"id": f"{name}-{n}", "title": f"Title {n}", "cover": None, "note": "text"}
        for n in range(int(rows))
    ]
    # One file is missing, so that there is something to confirm.
    table[0]["cover"] = "public/missing"
    call("/control/benchmark/rows", {name: table})

for concurrency in (1, 8):
    with open(f"{folder}/mooring-{concurrency}.yaml", "w", encoding="utf-8") as file:
        file.write("version: 1\nledger: ./mooring.ledger\nrecords:\n  - name: app\n")
        file.write(f"    appsync: {{url: '{base}/benchmark/graphql', pageSize: 200,\n")
        file.write(f"      concurrency: {concurrency}}}\n")
        file.write("    models:\n")
        for name in names:
            file.write(f"      - {{model: {name}, version: _version, changed: _lastChangedAt,\n")
            file.write("         deleted: _deleted, files: [{field: cover}]}\n")
        file.write("buckets: [{name: media, directory: ./files}]\n")
        file.write("confirm: always\n")
