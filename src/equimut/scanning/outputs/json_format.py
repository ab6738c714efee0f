"""`--format json`: everything a scan knows, for programs; `scan.schema.json` describes it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import equimut
from equimut.scanning.outputs.findings import finding_of
from equimut.scanning.records import ScanResult, ScanVerdict

SCHEMA = Path(__file__).with_name("scan.schema.json")
VERSION = 1


def pieces(result: ScanResult) -> Iterator[str]:
    """The document, one mutant at a time."""
    head = json.dumps(summary(result), ensure_ascii=False, indent=2)
    yield head.removesuffix("\n}")
    yield ',\n  "mutants": ['
    for number, verdict in enumerate(result.verdicts()):
        yield "\n    " if number == 0 else ",\n    "
        yield json.dumps(row(verdict), ensure_ascii=False)
    yield "\n  ]\n}\n"


def summary(result: ScanResult) -> dict[str, Any]:
    """All but the mutants."""
    report, scores = result.report, result.scores
    return {
        "format": "equimut-scan",
        "version": VERSION,
        "equimut": equimut.__version__,
        "report": {
            "format": report.format,
            "tool": report.tool,
            "tool_version": report.tool_version,
            "path": str(report.path),
            "total": report.total,
            "statuses": dict(report.counts),
            "tool_statuses": dict(report.tool_counts),
        },
        "model": result.model,
        "min_precision": result.min_precision,
        "counting_from": result.counting_from,
        "basis": result.basis,
        "worth_a_test_to": result.worth_a_test_to,
        "scores": {
            "detected": scores.detected,
            "undetected": scores.undetected,
            "equivalent": scores.equivalent,
            "as_reported": scores.as_reported,
            "without_equivalents": scores.without_equivalents,
            "equivalents_as_killed": scores.equivalents_as_killed,
        },
        "killed_check": result.killed.model_dump(),
        "oracle": None if result.oracle is None else result.oracle.model_dump(),
        "mistakes": [row(verdict) for verdict in result.mistakes],
        "verdicts": [
            {"tier": tier, "verdict": word, "mutants": count}
            for (tier, word), count in result.tiers.items()
        ],
        "unknown_reasons": [
            {"reason": reason, "mutants": count} for reason, count in result.unknown_reasons.items()
        ],
        "analysed": result.analysed,
        "notes": list(result.notes),
    }


def row(verdict: ScanVerdict) -> dict[str, Any]:
    """One mutant: what the report says of it, then what the scan says."""
    key = verdict.key
    return {
        "key": None if key is None else key.text,
        "full_key": None if key is None else key.full,
        "verdict": verdict.word,
        "tier": verdict.tier,
        "finding": finding_of(verdict),
        "probability": verdict.probability,
        "counts": verdict.counts,
        "reason": verdict.reason,
        "details": verdict.details,
        "test": verdict.test,
        "assumptions": list(verdict.assumptions),
        "nearest": None if verdict.nearest is None else verdict.nearest.model_dump(),
        "identity": None if key is None else key.model_dump(),
        **verdict.mutant.model_dump(),
    }
