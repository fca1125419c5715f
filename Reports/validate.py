"""Holds the samples beside this file to the schemas beside it.

Exits with 0 when every document fits and a broken copy of each does not, 1 when that is not so,
and 77 when python's jsonschema is not installed.
"""

import copy
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python's jsonschema is not installed")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent


def errors(schema_name, document):
    schema = json.loads((FOLDER / schema_name).read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return [
        f"{schema_name}: {'/'.join(map(str, error.path))}: {error.message[:200]}"
        for error in Draft202012Validator(schema).iter_errors(document)
    ]


def broken_copies(document):
    """The document with each of its members missing or changed, and with one too many."""
    yield {**document, "surprise": 1}
    for name in document:
        if name in ("schema", "id", "kind", "verdict", "run", "steps", "evidence"):
            yield {key: value for key, value in document.items() if key != name}
        changed = copy.deepcopy(document)
        changed[name] = {"no": "such"} if not isinstance(document[name], dict) else 7
        yield changed


def main():
    samples = FOLDER / "Samples"
    lines = (samples / "findings.jsonl").read_bytes().split(b"\n")
    documents = [("finding.schema.json", json.loads(line)) for line in lines if line]
    for name in ("report", "plan"):
        text = (samples / f"{name}.json").read_text("utf-8")
        documents.append((f"{name}.schema.json", json.loads(text)))
    failures = []
    for schema_name, document in documents:
        failures += errors(schema_name, document)
        for broken in broken_copies(document):
            if not errors(schema_name, broken):
                failures.append(f"{schema_name}: accepts {json.dumps(broken)[:200]}")
    print("\n".join(failures) or f"{len(documents)} documents fit")
    sys.exit(1 if failures else 0)


main()
