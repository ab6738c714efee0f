"""The published datasets by name: files in a directory -> pairs, with remarks on how it went."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from equimut.data.published.emd import read_emd, with_programs
from equimut.data.published.fetch import dataset_named, matches
from equimut.data.published.locate import find_file
from equimut.data.published.mutantbench import MutantBench, read_mutantbench
from equimut.errors import DataError
from equimut.records import Pair


@dataclass(frozen=True)
class Prepared:
    """The pairs of a dataset and the remarks that belong to them."""

    pairs: tuple[Pair, ...]
    remarks: tuple[str, ...]


def prepare(name: str, directory: Path) -> Prepared:
    """Read a published dataset from the directory that holds its files."""
    if name not in DATASETS:
        raise DataError(f"unknown dataset {name!r}; known: {', '.join(DATASETS)}")
    if not directory.is_dir():
        raise DataError(
            f"{directory} is not a directory; run `equimut data fetch` first, or pass --from "
            "with the directory that holds the published files"
        )
    return DATASETS[name](directory)


def _emd_java(directory: Path) -> Prepared:
    pairs = read_emd(directory)
    remarks = _unpinned(directory, "emd")
    if find_file(directory, "mutantbench", "dataset.ttl") is None:
        remarks += ["dataset.ttl is not at hand: programs and operators stay empty"]
        return Prepared(pairs, tuple(remarks))
    known = read_mutantbench(directory, "java")
    pairs = with_programs(pairs, known.pairs)
    found = sum(bool(pair.program) for pair in pairs)
    remarks += _unpinned(directory, "mutantbench")
    remarks += [f"program and operators of {found} of {len(pairs)} pairs found in dataset.ttl"]
    return Prepared(pairs, tuple(remarks))


def _mutantbench(language: str) -> Callable[[Path], Prepared]:
    def read(directory: Path) -> Prepared:
        found = read_mutantbench(directory, language)
        return Prepared(found.pairs, (*_unpinned(directory, "mutantbench"), *_remarks(found)))

    return read


def _remarks(found: MutantBench) -> list[str]:
    return [
        f"{found.mutants} mutants, {len(found.pairs)} pairs; "
        f"{found.in_two_functions} mutants change more than one function (ids ending in #1, #2)",
        f"{found.labelled_both_ways} mutants are called both equivalent and not: read as not",
    ]


def _unpinned(directory: Path, name: str) -> list[str]:
    """A remark on files that are not the published ones: counts in the docs do not hold then."""
    changed = [
        pinned.name
        for pinned in dataset_named(name).files
        if (path := find_file(directory, name, pinned.name)) and not matches(path, pinned)
    ]
    return [f"not as published: {', '.join(changed)}"] if changed else []


DATASETS: Mapping[str, Callable[[Path], Prepared]] = {
    "emd-java": _emd_java,
    "mutantbench-java": _mutantbench("java"),
    "mutantbench-c": _mutantbench("c"),
}
"""The datasets that can be prepared."""
