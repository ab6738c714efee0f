"""Labelled pairs on disk: one gzipped file of JSON lines per language, and an index."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import Field

from equimut.errors import DataError
from equimut.mutation.identity import draw
from equimut.pretraining.labels.likeness import distinct
from equimut.pretraining.labels.records import LabelledPair
from equimut.records import Record
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import read_document, read_records, to_line, write_lines
from equimut.storage.user_cache import cache_directory

INDEX, CARD = "index.json", "README.md"


class Count(Record):
    """Pairs of one language that rest on one kind of evidence."""

    language: str
    evidence: str
    label: int
    pairs: int
    origins: int


class ProjectCount(Record):
    """Pairs of one named project."""

    language: str
    project: str
    part: str
    pairs: int
    equivalent: int


class LabelIndex(Record):
    """What a directory of labelled pairs holds."""

    seed: int
    files: dict[str, str]
    """Language, or language and project -> name of its file."""
    pairs: int
    origins: int
    equivalent: int
    counts: tuple[Count, ...]
    left_out: dict[str, int] = Field(default_factory=dict)
    """Functions of named projects that were left out, by reason."""
    projects: tuple[ProjectCount, ...] = ()


def labels_directory() -> Path:
    """Where labelled pairs live, beside the fetched datasets."""
    return cache_directory("labels")


def write_rows(path: Path, rows: Iterable[LabelledPair]) -> None:
    """Write rows to one file; the same rows give the same bytes."""
    write_lines(path, (to_line(row, spaced=True) for row in rows), level=6)


def write_labels(
    directory: Path, rows: Iterable[LabelledPair], seed: int, held_out: Sequence[Path] = ()
) -> LabelIndex:
    """Number the origins and write all rows, by language and project, with an index of them.

    Of functions of named projects that are alike one stays, and none that is like a benchmark's
    origin or a function of the held-out sources.
    """
    kept, left_out = distinct(list(rows), held_out)
    ordered = sorted(kept, key=lambda row: (row.language, row.origin, row.id))
    numbers: dict[tuple[str, str], int] = {}
    files: dict[str, str] = {}
    final: list[LabelledPair] = []
    seen: set[str] = set()
    for row in ordered:
        if row.id not in seen:
            seen.add(row.id)
            number = numbers.setdefault((row.language, row.origin), len(numbers))
            final.append(row.model_copy(update={"class_id": number}))
    groups: dict[str, list[LabelledPair]] = {}
    for row in final:
        groups.setdefault(_group(row), []).append(row)
    for group, own in sorted(groups.items()):
        files[group] = f"{group.replace(' ', '-')}.jsonl.gz"
        write_rows(directory / files[group], own)
    index = summary(final, files, seed).model_copy(update={"left_out": left_out})
    from equimut.pretraining.labels.card import label_card  # it reads the index

    write_bytes(directory / CARD, label_card(index).encode())
    write_bytes(directory / INDEX, index.model_dump_json(indent=2).encode() + b"\n")
    return index


def _group(row: LabelledPair) -> str:
    return f"{row.language}/{row.project}" if row.project else row.language


def read_index(directory: Path) -> LabelIndex:
    """The index of a directory of labelled pairs."""
    path = directory / INDEX
    if not path.exists():
        raise DataError(
            f"no labelled pairs in {directory}; make them with `equimut dev labels build`"
        )
    return read_document(path, LabelIndex, "build the labels again")


def read_labels(directory: Path, language: str | None = None) -> Iterator[LabelledPair]:
    """All rows of a directory, or those of one language."""
    files = read_index(directory).files
    wanted = [
        name
        for group, name in files.items()
        if language is None or group == language or group.startswith(f"{language}/")
    ]
    if not wanted and language is not None:
        raise DataError(f"no {language} pairs in {directory}; there are {', '.join(files)}")
    for name in wanted:
        yield from read_records(directory / name, LabelledPair)


def sample_labels(
    directory: Path, number: int, seed: int, language: str | None = None
) -> list[LabelledPair]:
    """Some rows to look at, the same for the same seed."""
    rows = read_labels(directory, language)
    return sorted(rows, key=lambda row: draw(row.id, seed))[:number]


def summary(rows: list[LabelledPair], files: dict[str, str], seed: int) -> LabelIndex:
    """Counts by language, evidence and label."""
    pairs: Counter[tuple[str, str, int]] = Counter()
    origins: dict[tuple[str, str, int], set[int]] = {}
    for row in rows:
        key = (row.language, row.evidence, row.label)
        pairs[key] += 1
        origins.setdefault(key, set()).add(row.class_id)
    return LabelIndex(
        seed=seed,
        files=files,
        pairs=len(rows),
        origins=len({row.class_id for row in rows}),
        equivalent=sum(row.label for row in rows),
        projects=_project_counts(rows),
        counts=tuple(
            Count(
                language=key[0], evidence=key[1], label=key[2], pairs=number,
                origins=len(origins[key]),
            )
            for key, number in sorted(pairs.items())
        ),
    )  # fmt: skip


def _project_counts(rows: list[LabelledPair]) -> tuple[ProjectCount, ...]:
    named = [(row.language, row.split, row.project) for row in rows if row.project]
    equivalent = Counter(
        (row.language, row.split, row.project) for row in rows if row.project and row.label
    )
    return tuple(
        ProjectCount(
            language=key[0], part=key[1], project=key[2], pairs=number, equivalent=equivalent[key]
        )
        for key, number in sorted(Counter(named).items())
    )
