"""Labelled pairs of a user: origin, mutant, language and label; the rest is filled in."""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Annotated, TypeAlias

from pydantic import Field, ValidationError

from equimut.errors import DataError, ParseError
from equimut.languages import LANGUAGES
from equimut.parsing.tree import checked_bytes
from equimut.records import Label, NonEmpty, Pair, PairLike, Record
from equimut.storage.files import digest_of

EXAMPLE = (
    '{"origin": "int f(int x) { return x; }", "mutant": "int f(int x) { return x++; }", '
    '"language": "java", "label": 1}'
)
OWN = "own"
"""The `source` of pairs that name none."""


class LabelledPair(Record):
    """A pair of which four fields must be known; `Pair` has them all."""

    origin: NonEmpty
    mutant: str
    language: NonEmpty
    label: Label
    """1: equivalent to its origin; 0: not."""
    id: str = ""
    """By default made from the texts."""
    source: str = ""
    class_id: Annotated[int, Field(ge=0)] | None = None
    """By default made from the text of the origin."""
    program: str = ""
    operators: tuple[str, ...] = ()
    split: str = ""


PairRow: TypeAlias = Pair | LabelledPair | Mapping[str, object]


def complete_pairs(rows: Iterable[PairRow], where: str = "pairs") -> tuple[Pair, ...]:
    """Pairs with every field; an error names the row and shows what one looks like."""
    known: Counter[str] = Counter()
    pairs = []
    for number, row in enumerate(rows, start=1):
        if isinstance(row, Mapping):
            try:
                row = LabelledPair.model_validate(row)
            except ValidationError as error:
                raise DataError(f"{where}, row {number}: {row_problem(error)}") from error
        pair = row if isinstance(row, Pair) else complete_pair(row, known)
        pairs.append(check_texts(pair, f"{where}, row {number}"))
    return tuple(pairs)


def complete_pair(row: LabelledPair, known: Counter[str]) -> Pair:
    """The pair of a row. Ids are made from the texts; `known` counts those made before."""
    name = row.id
    if not name:
        name = content_digest(row)
        known[name] += 1
        name += f"-{known[name]}" if known[name] > 1 else ""
    made = {"id": name, "source": row.source or OWN, "class_id": row.class_id}
    if row.class_id is None:
        digest = blake2b(f"{row.language}\0{row.origin}".encode(), digest_size=6)
        made["class_id"] = int.from_bytes(digest.digest(), "big")
    return Pair.model_validate({**row.model_dump(), **made})


def check_texts(pair: Pair, where: str) -> Pair:
    """The pair, if it is code of a language we read; an error begins with `where`."""
    if pair.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise DataError(f"{where}: no grammar for language {pair.language!r}; there are {known}")
    for field in ("origin", "mutant"):
        try:
            checked_bytes(getattr(pair, field))
        except ParseError as error:
            raise DataError(f"{where}: field `{field}`: {error}") from error
    return pair


def row_problem(error: ValidationError) -> str:
    """What is wrong with a row, in one line, and a row that is right."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    told = f"field `{field}`: " if field else ""
    return f"{told}{first['msg']}{more}; a row is a pair, such as {EXAMPLE}"


def content_digest(pair: PairLike) -> str:
    """Names a pair by its texts, whatever its id."""
    return digest_of((pair.language, pair.origin, pair.mutant), size=8).hex()
