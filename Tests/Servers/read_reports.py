"""Reads the files of a run's folder as others do, and says what they refuse.

usage: read_reports.py FOLDER, with jsonschema, junitparser, prometheus-client and SARIF's schema
installed; a file that is missing is an error but for those of a run that failed.
"""

import json
import pathlib
import re
import sys
import sysconfig

import junitparser
from jsonschema import Draft4Validator, Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families

FOLDER = pathlib.Path(sys.argv[1])
SCHEMAS = pathlib.Path(__file__).resolve().parent.parent.parent / "Reports"
PACKAGES = pathlib.Path(sysconfig.get_path("purelib"))


def fits(validator, schema, document, name):
    for error in validator(json.loads(schema.read_text("utf-8"))).iter_errors(document):
        where = "/".join(map(str, error.path))
        raise SystemExit(f"{name}: {where}: {error.message[:300]}")


def sarif():
    log = json.loads((FOLDER / "report.sarif").read_text("utf-8"))
    fits(Draft4Validator, PACKAGES / "sarif-schema.json", log, "report.sarif")
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    for result in run["results"]:
        assert result["ruleId"] in rules, result
        assert result["partialFingerprints"]["primaryLocationLineHash"], result
    assert run["invocations"][0]["executionSuccessful"] or not run["results"]


def junit():
    suites = junitparser.JUnitXml.fromfile(str(FOLDER / "junit.xml"))
    cases = [case for suite in suites for case in suite]
    kinds = [type(entry) for case in cases for entry in case.result]
    assert suites.tests == len(cases) > 0
    assert suites.failures == kinds.count(junitparser.Failure)
    assert suites.errors == kinds.count(junitparser.Error)
    assert suites.skipped == kinds.count(junitparser.Skipped)
    names = [(case.classname, case.name) for case in cases]
    assert len(set(names)) == len(names), names
    for case in cases:
        assert not re.search(r"\d", case.name), case.name


def metrics():
    text = (FOLDER / "metrics.prom").read_text("utf-8")
    families = list(text_string_to_metric_families(text))
    assert len(families) > 5
    for family in families:
        assert family.name.startswith("mooring_") and family.documentation, family
        assert family.type == "gauge", family
        assert all(sample.timestamp is None for sample in family.samples), family
        labels = [tuple(sorted(sample.labels.items())) for sample in family.samples]
        assert len(set(labels)) == len(labels) > 0, family


def annotations():
    file = FOLDER / "annotations.txt"
    if not file.exists():
        return
    levels = []
    for line in file.read_text("utf-8").splitlines():
        # As the runner of GitHub Actions takes a command apart.
        command = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.+)", line)
        assert command, line
        properties = dict(pair.split("=", 1) for pair in command[2].split(","))
        assert set(properties) == {"file", "line", "title"}, line
        assert int(properties["line"]) >= 1, line
        levels.append(command[1])
    assert all(levels.count(level) <= 10 for level in levels), levels


def own():
    report = FOLDER / "report.json"
    if not report.exists():
        return
    fits(
        Draft202012Validator, SCHEMAS / "report.schema.json",
        json.loads(report.read_text("utf-8")), "report.json")
    for line in (FOLDER / "findings.jsonl").read_bytes().split(b"\n"):
        if line:
            finding = json.loads(line)
            fits(Draft202012Validator, SCHEMAS / "finding.schema.json", finding, "findings.jsonl")


sarif()
junit()
metrics()
annotations()
own()
assert (FOLDER / "report.md").stat().st_size > 0
print("every file was read")
