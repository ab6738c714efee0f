"""`--format sarif`: SARIF 2.1.0, for code scanning services and editors."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import equimut
from equimut.scanning.outputs import wording
from equimut.scanning.outputs.change_view import one_line
from equimut.scanning.outputs.findings import LABELS, MEANINGS, Finding, finding_of
from equimut.scanning.outputs.places import Places
from equimut.scanning.records import ScanResult, ScanVerdict

RULES: dict[Finding, str] = {
    "worth-a-test": "survivor-worth-a-test",
    "undecided": "survivor-undecided",
    "cannot-tell": "survivor-without-verdict",
    "predicted-equivalent": "predicted-equivalent",
    "unrefuted": "unrefuted-mutant",
    "accepted-equivalent": "accepted-equivalent",
    "proved-equivalent": "proved-equivalent",
}
"""Detected mutants are no results."""
_ADVICE: dict[Finding, str] = {
    "worth-a-test": "Write a test that fails on the changed code. If no test can, accept it as "
    "equivalent: `equimut accept KEY --reason TEXT`.",
    "undecided": "Look at the change: either a test can notice it, or accept it as equivalent: "
    "`equimut accept KEY --reason TEXT`.",
    "cannot-tell": "Look at the change yourself; the message says why there is no verdict.",
    "predicted-equivalent": "No test is needed if the prediction is right; "
    "`equimut reject KEY --reason TEXT` says that it is not.",
    "unrefuted": "Running both versions showed no difference, which is no proof: look at it.",
    "accepted-equivalent": "Nothing to do; `equimut registry check` says when it is stale.",
    "proved-equivalent": "Nothing to do: no test can notice it.",
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "equimutKey/v2"
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/")


def pieces(result: ScanResult) -> Iterator[str]:
    """One run, one result at a time."""
    head = json.dumps(_run(result), ensure_ascii=False, indent=1)
    yield f'{{\n "$schema": "{_SCHEMA}",\n "version": "2.1.0",\n "runs": [\n'
    yield head.removesuffix("\n}") + ',\n "results": ['
    places, separator = Places(result), "\n"
    for verdict in result.verdicts():
        if finding_of(verdict) in RULES:
            yield separator + json.dumps(_result(verdict, places), ensure_ascii=False)
            separator = ",\n"
    yield "\n ]}\n ]\n}\n"


def _run(result: ScanResult) -> dict[str, Any]:
    scores = result.scores
    return {
        "tool": {
            "driver": {
                "name": "equimut",
                "semanticVersion": equimut.__version__,
                "rules": [_rule(finding) for finding in RULES],
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {
            "SRCROOT": {"description": {"text": "The directory that the paths are relative to."}}
        },
        "properties": {
            "mutationTool": wording.tool(result.report),
            "scoreAsReported": scores.as_reported,
            "scoreWithoutEquivalents": scores.without_equivalents,
            "scoreEquivalentsAsKilled": scores.equivalents_as_killed,
        },
    }


def _rule(finding: Finding) -> dict[str, Any]:
    rule = RULES[finding]
    return {
        "id": rule,
        "name": "".join(part.capitalize() for part in rule.split("-")),
        "shortDescription": {"text": f"Mutant: {LABELS[finding].lower()}"},
        "fullDescription": {"text": f"A mutant the tests do not notice: {MEANINGS[finding]}."},
        "help": {
            "text": f"{MEANINGS[finding].capitalize()}. {_ADVICE[finding]}",
            "markdown": f"**{LABELS[finding]}**: {MEANINGS[finding]}. {_ADVICE[finding]}",
        },
        "defaultConfiguration": {"level": _level(finding)},
        "properties": {"tags": ["mutation-testing", "tests"]},
    }


def _level(finding: Finding) -> str:
    return "warning" if finding == "worth-a-test" else "note"


def _result(verdict: ScanVerdict, places: Places) -> dict[str, Any]:
    finding, mutant = finding_of(verdict), verdict.mutant
    rule = RULES[finding]
    found: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(finding),
        "level": _level(finding),
        "message": _message(verdict),
        "locations": [_location(verdict, places)],
    }
    if verdict.probability is not None:  # how much it matters, from 0 to 100
        found["rank"] = round(100 * (1 - verdict.probability), 1)
    if verdict.key is not None:
        found["fingerprints"] = {_FINGERPRINT: verdict.key.full}
        found["partialFingerprints"] = {_FINGERPRINT: verdict.key.full}
    if finding == "accepted-equivalent":
        found["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": verdict.reason}
        ]
    found["properties"] = {
        "tier": verdict.tier,
        "probability": verdict.probability,
        "countsAsEquivalent": verdict.counts,
        "operator": mutant.operator,
        "status": mutant.status,
        "mutant": mutant.id,
    }
    if verdict.test:
        found["properties"]["suggestedTest"] = verdict.test
    return found


def _message(verdict: ScanVerdict) -> dict[str, str]:
    """The finding in one line; with a test that kills it, also as Markdown that shows the test."""
    line = _line(verdict)
    if not verdict.test:
        return {"text": line}
    text = f"{line}\n\nA test that kills it:\n\n{verdict.test}"
    fence = "```" if "```" not in verdict.test else "`````"
    language = verdict.mutant.language
    return {
        "text": text,
        "markdown": f"{line}\n\nA test that kills it:\n\n{fence}{language}\n{verdict.test}{fence}",
    }


def _line(verdict: ScanVerdict) -> str:
    mutant = verdict.mutant
    what = mutant.description or mutant.operator
    if mutant.change is not None:
        what = one_line(mutant.change)
    label = LABELS[finding_of(verdict)]
    text = f"{label} ({wording.evidence(verdict)}): {what}."
    return f"{text} {verdict.reason}" if verdict.reason else text


def _location(verdict: ScanVerdict, places: Places) -> dict[str, Any]:
    mutant = verdict.mutant
    path = places.path(mutant)
    artifact: dict[str, Any] = {"uri": quote(path, safe="/~", errors="replace")}
    if _ABSOLUTE.match(path):
        artifact["uri"] = "file:///" + quote(path.lstrip("/"), safe="/~:", errors="replace")
    else:
        artifact["uriBaseId"] = "SRCROOT"
    physical: dict[str, Any] = {"artifactLocation": artifact}
    region = places.region(mutant, "utf-16")
    if region is not None:
        physical["region"] = {"startLine": region.start_line, "endLine": region.end_line}
        if region.start_column is not None:
            physical["region"] |= {
                "startColumn": region.start_column,
                "endColumn": region.end_column,
            }
    location: dict[str, Any] = {"physicalLocation": physical}
    if mutant.change is not None and mutant.change.function:
        location["logicalLocations"] = [{"name": mutant.change.function, "kind": "function"}]
    return location
