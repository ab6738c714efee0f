"""Files of rows to judge: JSON lines in, JSON lines with verdicts out, as a stream."""

import gzip
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Any, get_args

from pydantic import ValidationError

from equimut.errors import DataError, NothingToAnalyse
from equimut.models.detector import Detector
from equimut.models.judging import judge, trusted_threshold
from equimut.records import Judgement, Query, VerdictWord
from equimut.storage.files import replacing

Judging = Callable[[Iterable[Query | Judgement], float | None], Iterator[Judgement]]
LONGEST_LINE = 50_000_000
"""Bytes of a line; a longer one is no row, and reading it whole would fill the memory."""


def judge_file(
    detector: Detector,
    source: Path,
    target: Path | None,
    min_precision: float | None = None,
    progress: Callable[[int], None] | None = None,
    judging: Judging | None = None,
) -> dict[str, int]:
    """Judge every row of a file; says how many got which verdict.

    The target appears when all rows are judged: a run that breaks off leaves what was there.
    `judging` may have others do the work: questions and a threshold in, judgements out, in order.
    """
    threshold = None
    if min_precision is not None:
        threshold = trusted_threshold(detector, min_precision).threshold
    counts = dict.fromkeys(get_args(VerdictWord), 0)
    with ExitStack() as stack:
        lines = stack.enter_context(_opened(source))
        out = stack.enter_context(replacing(target)) if target else sys.stdout.buffer
        packed: Any = out
        if target is not None and target.suffix == ".gz":
            packed = stack.enter_context(
                gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0)
            )
        ask = judging or partial(_by_itself, detector)
        for row, judgement in judge_rows(ask, _rows(lines), threshold):
            counts[judgement.verdict] += 1
            packed.write(_written(row, judgement))
            if progress is not None:
                progress(1)
        if not sum(counts.values()):
            raise NothingToAnalyse(f"{source} holds no rows")
    return counts


def judge_rows(
    judging: Judging, rows: Iterable[dict[str, Any] | str], threshold: float | None = None
) -> Iterator[tuple[dict[str, Any], Judgement]]:
    """Rows (or why they are none) with their judgements, in order."""
    waiting: deque[dict[str, Any]] = deque()

    def questions() -> Iterator[Query | Judgement]:
        for row in rows:
            waiting.append(row if isinstance(row, dict) else {})
            yield _question(row)

    for judgement in judging(questions(), threshold):
        yield waiting.popleft(), judgement


def _by_itself(
    detector: Detector, questions: Iterable[Query | Judgement], threshold: float | None
) -> Iterator[Judgement]:
    return judge(detector, questions, threshold=threshold)


def _question(row: dict[str, Any] | str) -> Query | Judgement:
    if isinstance(row, str):
        return Judgement(verdict="unknown", reason=row)
    wanted = {name: row.get(name) for name in Query.model_fields}
    try:
        return Query.model_validate(wanted, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        missing = first["loc"][0] not in row
        problem = "is missing" if missing else first["msg"]
        return Judgement(verdict="unknown", reason=f"not a row: `{first['loc'][0]}` {problem}")


def _rows(lines: IO[bytes]) -> Iterator[dict[str, Any] | str]:
    number = 0
    while line := lines.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise DataError(f"line {number} is longer than {LONGEST_LINE:,} bytes: no row is")
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield f"line {number}: not JSON: {error}"
            continue
        yield row if isinstance(row, dict) else f"line {number}: not a JSON object"


def _written(row: dict[str, Any], judgement: Judgement) -> bytes:
    text = json.dumps({**row, **judgement.model_dump()}, ensure_ascii=False)
    # Lone surrogates are legal in JSON and cannot be encoded: keep them escaped.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _opened(source: Path) -> IO[bytes]:
    if str(source) == "-":
        return sys.stdin.buffer
    try:
        # The caller closes it: the rows are read as they are judged.
        return gzip.open(source, "rb") if source.suffix == ".gz" else source.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise DataError(f"cannot read {source}: {error.strerror}") from error
