"""The EMD csv files -> pairs: 3,302 Java pairs with a published training and test part.

The files know neither program nor operator. MutantBench does, and its Java mutants are the same
ones, so both are looked up there by the code itself.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from equimut.data.published.locate import dataset_file
from equimut.errors import DataError
from equimut.records import Pair
from equimut.storage.files import read_text

CODE_FILE = "MutantBench_code_db_java.csv"
SPLIT_FILES = {"train": "Mutant_A_hierarchical.csv", "test": "Mutant_B_hierarchical.csv"}
SOURCE = "emd-java"


def read_emd(directory: Path) -> tuple[Pair, ...]:
    """The training pairs, then the test pairs, both in the order of their files."""
    code: dict[int, str] = {}
    for row, where in _rows(dataset_file(directory, "emd", CODE_FILE), ("id", "code")):
        number = _number(row, "id", where)
        if number in code:
            raise DataError(f"{where}: the id {number} occurs twice")
        code[number] = row["code"]
    pairs = []
    for split, name in SPLIT_FILES.items():
        path = dataset_file(directory, "emd", name)
        for row, where in _rows(path, ("id", "code_id_1", "code_id_2", "label")):
            pairs.append(_pair(row, where, code, split))
    return tuple(pairs)


def with_programs(pairs: Iterable[Pair], known: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs with program and operators of the known pair with the same texts and label.

    Among several of them, the first goes to the first. A pair that finds no partner
    stays as it is.
    """
    waiting: defaultdict[tuple[str, str, int], list[Pair]] = defaultdict(list)
    for pair in known:
        waiting[_matching_key(pair)].append(pair)
    for partners in waiting.values():
        partners.reverse()  # taken from the end
    matched = []
    for pair in pairs:
        partners = waiting[_matching_key(pair)]
        if partners:
            partner = partners.pop()
            update = {"program": partner.program, "operators": partner.operators}
            pair = pair.model_copy(update=update)
        matched.append(pair)
    return tuple(matched)


def _matching_key(pair: Pair) -> tuple[str, str, int]:
    return _without_line_ends(pair.origin), _without_line_ends(pair.mutant), pair.label


def _without_line_ends(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _pair(row: Mapping[str, str], where: str, code: Mapping[int, str], split: str) -> Pair:
    origin, mutant = (_number(row, column, where) for column in ("code_id_1", "code_id_2"))
    for number in (origin, mutant):
        if number not in code:
            raise DataError(f"{where}: {CODE_FILE} has no code with id {number}")
    if row["label"] not in ("0", "1"):
        raise DataError(f"{where}: column label must be 0 or 1, found {row['label']!r}")
    if not code[origin]:
        raise DataError(f"{where}: the code with id {origin} is empty")
    return Pair(
        id=f"{SOURCE}:{_number(row, 'id', where)}",
        source=SOURCE,
        language="java",
        class_id=origin,
        program="",
        operators=(),
        origin=code[origin],
        mutant=code[mutant],
        label=1 if row["label"] == "1" else 0,
        split=split,
    )


def _number(row: Mapping[str, str], column: str, where: str) -> int:
    if not (row[column].isascii() and row[column].isdigit()):
        raise DataError(f"{where}: column {column} must be a number, found {row[column]!r:.40}")
    return int(row[column])


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[dict[str, str], str]]:
    """The rows of a csv file, each with its file and line for an error."""
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        missing = [column for column in columns if column not in (reader.fieldnames or ())]
        if missing:
            raise DataError(f"{path}: no column {', '.join(missing)} in its first line")
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if None in row or None in row.values():
                raise DataError(f"{where}: the row has not as many fields as the first line")
            yield row, where
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: not valid csv ({error})") from error
