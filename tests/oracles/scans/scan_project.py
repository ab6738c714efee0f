"""A small project to scan: a source, mutants, a report, and a model that answers by rule."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from equimut.models.settings import (
    Calibration,
    DetectorSettings,
    ModelFiles,
    PrecisionTarget,
    Provenance,
)
from equimut.records import Query
from equimut.reports.reported import Report, read_report
from equimut.scanning.pipeline import ScanRequest
from equimut.scanning.records import Prediction
from equimut.scanning.registry.registry import Registry

JAVA = """\
class Queue {
    static int largest(int[] values) {
        int top = values[0];
        for (int i = 1; i < values.length; i++) {
            if (values[i] > top) {
                top = values[i];
            }
        }
        return top;
    }

    static int step(int a, int b) {
        return a * b + 2 * (a - b);
    }
}
"""


def span(source: str, text: str, nth: int = 0) -> dict[str, dict[str, int]]:
    """Where the nth occurrence of a text is, as Elements reports count it."""
    at = -1
    for _ in range(nth + 1):
        at = source.index(text, at + 1)
    line = source.count("\n", 0, at) + 1
    column = at - (source.rfind("\n", 0, at) + 1) + 1
    return {
        "start": {"line": line, "column": column},
        "end": {"line": line, "column": column + len(text)},
    }


def entry(
    number: int, source: str, old: str, new: str, status: str = "Survived", nth: int = 0
) -> dict[str, Any]:
    """A mutant: `old` becomes `new`."""
    return {
        "id": str(number),
        "mutatorName": "Test",
        "replacement": new,
        "location": span(source, old, nth),
        "status": status,
    }


EDITS: tuple[tuple[str, str, str], ...] = (
    ("> top", ">= top", "Survived"),  # a tie: proved
    ("values[i] > top", "values[i] < top", "Killed"),
    ("a * b", "a / b", "Survived"),
    ("a - b", "a + b", "NoCoverage"),
    ("2 *", "3 *", "Survived"),
    ("int i = 1", "int i = 0", "Survived"),
    ("return top", "return 0", "Timeout"),
    ("a * b + 2", "a * b - 2", "Killed"),
)
"""Of `JAVA`: five undetected ones, one proved by a rule, `i = 0` by the solver; three detected."""


def elements(*files: tuple[str, str, str | None, list[dict[str, Any]]]) -> dict[str, Any]:
    """A report of (name, language, source, mutants)."""
    shown = {}
    for name, language, source, mutants in files:
        shown[name] = {"language": language, "mutants": mutants}
        if source is not None:
            shown[name]["source"] = source
    return {"schemaVersion": "2.0", "thresholds": {"high": 80, "low": 60}, "files": shown}


def java_report(folder: Path, edits: Iterable[tuple[str, str, str]] = EDITS) -> Path:
    """The report on `JAVA`, with its source inside."""
    mutants = [entry(number, JAVA, *edit) for number, edit in enumerate(edits)]
    path = folder / "mutation.json"
    path.write_text(json.dumps(elements(("Queue.java", "java", JAVA, mutants))))
    return path


def model_files(
    *, threshold: float | None = 0.9, languages: tuple[str, ...] = ("java",), digest: str = "d"
) -> ModelFiles:
    """A model as the scan knows it: it promises a precision of 0.95 from `threshold` on, and the
    same of "not equivalent" up to 0.2."""
    targets: tuple[PrecisionTarget, ...] = ()
    if threshold is not None:
        target = PrecisionTarget(
            precision=0.95, threshold=threshold, achieved=0.96, lower_bound=0.95, recall=0.3,
            support=500,
        )  # fmt: skip
        targets = (target,)
    rejection = PrecisionTarget(
        precision=0.95, threshold=0.8, achieved=0.96, lower_bound=0.95, recall=0.3, support=50
    )
    settings = DetectorSettings(
        encoder="none",
        calibration=Calibration(rows=100, targets=targets, rejections=(rejection,)),
        provenance=Provenance(languages=languages),
    )
    return ModelFiles("toy", Path("/nowhere"), settings, digest)


def length_rule(pair: Query) -> float:
    """A probability that anybody can compute again from the two texts."""
    return (sum(pair.origin.encode()) * 31 + sum(pair.mutant.encode())) % 101 / 100


class Asked:
    """A `Predict` that answers by rule and remembers what it was asked; it may look ahead."""

    def __init__(
        self, rule: Callable[[Query], float] = length_rule, *, ahead: bool = False
    ) -> None:
        self.pairs: list[Query] = []
        self._rule = rule
        self._ahead = ahead

    def __call__(self, questions: Iterable[Query]) -> Iterator[Prediction]:
        for pair in list(questions) if self._ahead else questions:
            self.pairs.append(pair)
            yield Prediction(probability=self._rule(pair), distance=0.1)


def request(folder: Path, **options: Any) -> ScanRequest:
    """A request with a registry in the folder."""
    given = {"registry": Registry(folder / "equivalents.toml"), "model": model_files()}
    return ScanRequest(**{**given, **options})


def report_of(folder: Path) -> Report:
    """The report on `JAVA`, read."""
    return read_report(java_report(folder))
