"""Two directories of runs compared on the same rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from equimut.errors import DataError
from equimut.evaluation.comparison import Comparison, RunsComparison, compare_runs
from equimut.evaluation.predictions import read_predictions
from equimut.records import Record
from equimut.training.run_files import PREDICTIONS, RunRecord, find_runs

FoundRun = tuple[Path, RunRecord]


class RunPair(Record):
    """One run of each side, with the same seed and fold."""

    seed: int
    fold: int
    first: str
    second: str
    comparison: Comparison


class RunPairs(Record):
    """Two sides, run by run and over all runs."""

    first: str
    second: str
    runs: tuple[RunPair, ...]
    comparison: RunsComparison
    notes: tuple[str, ...]


def compare_directories(first: Path, second: Path) -> RunPairs:
    """Compare the runs of two directories that have the same seed and fold."""
    one, other = _by_seed(first), _by_seed(second)
    if len(one) == len(other) == 1:  # two single runs: compare them whatever their seeds
        pairs = list(zip(one.values(), other.values(), strict=True))
    else:
        pairs = [(one[key], other[key]) for key in sorted(one.keys() & other.keys())]
    if not pairs:
        raise DataError(f"{first} and {second} have no seed and fold in common")
    for (path, before), (partner, after) in pairs:
        if before.data.fingerprint != after.data.fingerprint:
            raise DataError(f"{path} and {partner} were evaluated on different data")
    predictions = [[read_predictions(path / PREDICTIONS) for path, _ in pair] for pair in pairs]
    comparison = compare_runs([pair[0] for pair in predictions], [pair[1] for pair in predictions])
    return RunPairs(
        first=first.name,
        second=second.name,
        runs=tuple(
            RunPair(
                seed=before.config.seed,
                fold=before.data.fold,
                first=path.name,
                second=partner.name,
                comparison=each,
            )
            for ((path, before), (partner, _)), each in zip(pairs, comparison.runs, strict=True)
        ),
        comparison=comparison,
        notes=tuple(_notes(len(one) + len(other), pairs)),
    )


def _by_seed(directory: Path) -> Mapping[tuple[int, int], FoundRun]:
    found: dict[tuple[int, int], FoundRun] = {}
    for path, record in find_runs([directory]):
        if record.status != "finished":
            continue
        key = record.config.seed, record.data.fold
        if key in found:
            raise DataError(
                f"{directory} holds two runs with seed {key[0]} and fold {key[1]} "
                f"({found[key][0].name} and {path.name}): name directories of one kind of run"
            )
        found[key] = path, record
    if not found:
        raise DataError(f"{directory} holds no finished run; make one with `equimut train`")
    return found


def _notes(runs: int, pairs: Sequence[tuple[FoundRun, FoundRun]]) -> list[str]:
    notes = []
    if runs > 2 * len(pairs):
        left = runs - 2 * len(pairs)
        notes.append(f"{left} runs have no partner with the same seed and fold: left out")
    if any(record.config.selection.on == "test" for pair in pairs for _, record in pair):
        notes.append("a run was selected on the test rows: its scores flatter")
    return notes
