"""Pairs on disk: JSON lines with one schema, checked on the way in and on the way out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from equimut.data.labelled import LabelledPair, check_texts, complete_pair, row_problem
from equimut.errors import DataError
from equimut.oracle.verdicts import Proof, Witness
from equimut.records import Pair, Record, Tier
from equimut.storage.jsonl import read_records, to_line, validated, write_lines


class Evidence(Record):
    """Why a label is what it is."""

    tier: Tier
    """`killed` (label 0), `proved` or `unrefuted` (label 1)."""
    inputs: int
    """Inputs tried; for a killed mutant, up to and including the witness."""
    proof: Proof | None = None
    witness: Witness | None = None


class VerifiedPair(Pair):
    """A pair whose label rests on evidence: what was tried, and what came of it."""

    evidence: Evidence

    def without_evidence(self) -> Pair:
        """The plain pair, as every other dataset has it."""
        return Pair.model_validate(self.model_dump(exclude={"evidence"}))


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write all pairs or nothing; returns how many. A name ending in `.gz` is compressed."""
    seen: set[str] = set()
    write_lines(path, _checked_lines(path, pairs, seen))
    return len(seen)


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Every pair of a file; an error names the file and the line.

    Rows need origin, mutant, language and label; what else a pair has is filled in.
    """
    made: Counter[str] = Counter()

    def parse(line: bytes, where: str) -> Pair:
        try:
            return check_texts(Pair.model_validate_json(line, strict=True), where)
        except ValidationError:
            pass  # a row of a user's own: what is missing is filled in
        try:
            row = LabelledPair.model_validate_json(line, strict=True)
            return check_texts(complete_pair(row, made), where)
        except ValidationError as error:
            raise DataError(f"{where}: {row_problem(error)}") from error

    pairs = tuple(read_records(path, Pair, unique_ids=True, parse=parse))
    if not pairs:
        raise DataError(f"{path} holds no pairs; make it with `equimut data prepare`")
    return pairs


def write_verified(path: Path, pairs: Iterable[VerifiedPair]) -> None:
    """Write pairs with their evidence, without what an evidence leaves at its default."""
    write_lines(
        path,
        (
            to_line(
                pair.model_dump(mode="json", exclude={"evidence"})
                | {"evidence": pair.evidence.model_dump(mode="json", exclude_defaults=True)}
            )
            for pair in pairs
        ),
    )


def _checked_lines(path: Path, pairs: Iterable[Pair], seen: set[str]) -> Iterator[bytes]:
    for number, pair in enumerate(pairs, start=1):
        if pair.id in seen:
            raise DataError(f"{path} is not written: id {pair.id!r} occurs twice")
        seen.add(pair.id)
        line = to_line(pair)
        validated(Pair, line, f"{path} is not written, line {number}", strict=True)
        yield line
