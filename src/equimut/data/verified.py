"""Pairs whose label rests on evidence: what was tried, and what came of it."""

import gzip
import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from equimut.errors import DataError
from equimut.oracle.verdicts import Proof, Witness
from equimut.records import Pair, Record, Tier


class Evidence(Record):
    """Why a label is what it is."""

    tier: Tier
    """`killed` (label 0), `proved` or `unrefuted` (label 1)."""
    inputs: int
    """Inputs tried; for a killed mutant, up to and including the witness."""
    proof: Proof | None = None
    witness: Witness | None = None


class VerifiedPair(Pair):
    """A pair with the evidence for its label."""

    evidence: Evidence

    def without_evidence(self) -> Pair:
        """The plain pair, as every other dataset has it."""
        return Pair.model_validate(self.model_dump(exclude={"evidence"}))


def pack(pairs: Iterable[VerifiedPair]) -> bytes:
    """Compressed JSON lines; the same pairs give the same bytes."""
    lines = (_line(pair) for pair in pairs)
    return gzip.compress(b"".join(lines), compresslevel=9, mtime=0)


def unpack(content: bytes, name: str) -> Iterator[VerifiedPair]:
    """The pairs of a packed file; an error names the file and the line."""
    try:
        text = gzip.decompress(content)
    except (OSError, EOFError) as error:
        raise DataError(f"{name} is damaged ({error}); reinstall equimut") from error
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            yield VerifiedPair.model_validate_json(line)
        except ValidationError as error:
            raise DataError(f"{name}, line {number}: {error.errors()[0]['msg']}") from error


def _line(pair: VerifiedPair) -> bytes:
    fields: dict[str, Any] = pair.model_dump(mode="json", exclude={"evidence"})
    fields["evidence"] = pair.evidence.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
