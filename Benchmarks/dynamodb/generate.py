#!/usr/bin/env python3
"""Makes what the benchmark reads.

usage: generate.py export FOLDER ITEMS     a full export of table Song, plain JSON lines in 8 parts
       generate.py table PORT ITEMS        table Song on a server of DynamoDB, by BatchWriteItem
"""
import base64
import hashlib
import json
import os
import sys
import threading
import urllib.request


def item(number):
    key = f"private/eu-west-1:{number:08d}-bbbb-cccc-dddd-eeeeeeeeeeee/covers/{number}.png"
    return {
        "id": {"S": f"{number:012d}"},
        "key": {"S": key},
        "title": {"S": f"A title of song {number}"},
        "text": {"S": "la " * 80},
        "seconds": {"N": str(number % 600)},
        "updatedAt": {"S": "2026-01-01T00:00:00.000Z"},
    }


def summed(path, data):
    with open(path + ".json", "wb") as file:
        file.write(data)
    with open(path + ".checksum", "wb") as file:
        file.write(base64.b64encode(hashlib.md5(data).digest()))


def export(folder, count):
    home = os.path.join(folder, "AWSDynamoDB/01-a")
    os.makedirs(os.path.join(home, "data"))
    files = b""
    for part in range(8):
        name = f"AWSDynamoDB/01-a/data/{part}.json"
        numbers = range(part, count, 8)
        digest = hashlib.md5()
        with open(os.path.join(folder, name), "wb") as file:
            for number in numbers:
                line = json.dumps({"Item": item(number)}, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                file.write(line)
        files += json.dumps({
            "itemCount": len(numbers), "dataFileS3Key": name,
            "md5Checksum": base64.b64encode(digest.digest()).decode(),
        }).encode() + b"\n"
    summed(os.path.join(home, "manifest-files"), files)
    summed(os.path.join(home, "manifest-summary"), json.dumps({
        "tableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/Song",
        "manifestFilesS3Key": "AWSDynamoDB/01-a/manifest-files.json",
        "exportTime": "2026-01-01T00:00:00Z", "itemCount": count,
        "outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT",
    }).encode())


def call(port, name, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/", json.dumps(body).encode(), {
            "x-amz-target": "DynamoDB_20120810." + name,
            "content-type": "application/x-amz-json-1.0",
            "authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/"
                             "aws4_request, SignedHeaders=host, Signature=00",
        })
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def table(port, count):
    call(port, "CreateTable", {
        "TableName": "Song", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    })

    def fill(lane):
        for start in range(25 * lane, count, 25 * 8):
            puts = [{"PutRequest": {"Item": item(number)}}
                    for number in range(start, min(start + 25, count))]
            call(port, "BatchWriteItem", {"RequestItems": {"Song": puts}})

    threads = [threading.Thread(target=fill, args=(lane,)) for lane in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("export", "table"):
        sys.exit(__doc__)
    if sys.argv[1] == "export":
        export(sys.argv[2], int(sys.argv[3]))
    else:
        table(int(sys.argv[2]), int(sys.argv[3]))
