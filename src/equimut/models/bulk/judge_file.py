"""Files of rows to judge: JSON lines in, JSON lines with verdicts out, as a stream."""

import json
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import IO, Any, get_args

from pydantic import ValidationError

from equimut.errors import NothingToAnalyse
from equimut.models.judging import judge, trusted_threshold
from equimut.models.scoring import PairModel
from equimut.models.settings import unpromised
from equimut.records import Judgement, Query, VerdictWord
from equimut.storage.jsonl import first_fault, open_lines, read_lines, to_line, writing

Judging = Callable[[Iterable[Query | Judgement], float | None], Iterator[Judgement]]
Settle = Callable[[Iterable[Query | Judgement]], Generator[Query | Judgement, None, None]]


def judge_file(
    detector: PairModel,
    source: Path,
    target: Path | None,
    min_precision: float | None = None,
    progress: Callable[[int], None] | None = None,
    judging: Judging | None = None,
    settle: Settle | None = None,
) -> dict[str, int]:
    """Judge every row of a file; says how many got which verdict.

    The target appears when all rows are judged: a run that breaks off leaves what was there.
    `judging` may have others do the work: questions and a threshold in, judgements out, in order.
    `settle` sees the questions before the detector and may turn some of them into judgements.
    """
    threshold = None
    if min_precision is not None:
        threshold = trusted_threshold(detector, min_precision)
    counts = dict.fromkeys(get_args(VerdictWord), 0)
    with ExitStack() as stack:
        lines = sys.stdin.buffer
        if str(source) != "-":
            lines = stack.enter_context(open_lines(source))
        out = stack.enter_context(writing(target)) if target else sys.stdout.buffer
        ask = judging or partial(_by_itself, detector)
        if settle is not None:
            ask = partial(_settled_first, settle, ask)
        for row, judgement in judge_rows(ask, _rows(lines, source), threshold):
            if min_precision is not None:
                judgement = _as_promised(row, judgement)
            counts[judgement.verdict] += 1
            out.write(to_line(row | judgement.model_dump(), spaced=True))
            if progress is not None:
                progress(1)
        if not sum(counts.values()):
            raise NothingToAnalyse(f"{source} holds no rows")
    return counts


def _as_promised(row: dict[str, Any], judgement: Judgement) -> Judgement:
    """The judgement, or none where the precision is not promised for such a change."""
    if judgement.verdict != "equivalent" or judgement.tier != "predicted":
        return judgement
    reason = unpromised(row["origin"], row["mutant"], row["language"])
    return judgement.model_copy(update={"verdict": "unknown", "reason": reason} if reason else {})


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


def _settled_first(
    settle: Settle,
    ask: Judging,
    questions: Iterable[Query | Judgement],
    threshold: float | None,
) -> Iterator[Judgement]:
    with closing(settle(questions)) as rest:
        yield from ask(rest, threshold)


def _by_itself(
    detector: PairModel, questions: Iterable[Query | Judgement], threshold: float | None
) -> Iterator[Judgement]:
    return judge(detector, questions, threshold=threshold)


def _question(row: dict[str, Any] | str) -> Query | Judgement:
    if isinstance(row, str):
        return Judgement(verdict="unknown", tier="unknown", reason=row)
    wanted = {name: row.get(name) for name in ("origin", "mutant", "language")}
    try:
        return Query.model_validate(wanted, strict=True)
    except ValidationError as error:
        field, fault = first_fault(error)
        fault = fault if field in row else "is missing"
        reason = f"not a row: `{field}` {fault}"
        return Judgement(verdict="unknown", tier="unknown", reason=reason)


def _rows(lines: IO[bytes], source: Path) -> Iterator[dict[str, Any] | str]:
    for number, line in read_lines(lines, source):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield f"line {number}: not JSON: {error}"
            continue
        yield row if isinstance(row, dict) else f"line {number}: not a JSON object"
