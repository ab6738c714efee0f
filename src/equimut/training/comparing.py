"""Two directories of runs compared on the same rows."""

from pathlib import Path

from equimut.errors import DataError
from equimut.evaluation.comparison import Comparison, RunsComparison, compare_runs
from equimut.evaluation.predictions import Predictions, read_predictions
from equimut.records import Record
from equimut.training.run_files import PREDICTIONS, RunRecord, find_runs


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
    sides = [_by_seed(first), _by_seed(second)]
    shared = sorted(sides[0].keys() & sides[1].keys())
    if len(sides[0]) == len(sides[1]) == 1:  # two single runs: compare them whatever their seeds
        shared_runs = [(next(iter(sides[0].values())), next(iter(sides[1].values())))]
    else:
        shared_runs = [(sides[0][key], sides[1][key]) for key in shared]
    if not shared_runs:
        raise DataError(f"{first} and {second} have no seed and fold in common")
    for (one, before), (other, after) in shared_runs:
        if before.data.fingerprint != after.data.fingerprint:
            raise DataError(f"{one} and {other} were evaluated on different data")
    predictions = [[_predictions(side[0]) for side in pair] for pair in shared_runs]
    comparison = compare_runs([pair[0] for pair in predictions], [pair[1] for pair in predictions])
    return RunPairs(
        first=first.name,
        second=second.name,
        runs=tuple(
            RunPair(
                seed=before.config.seed,
                fold=before.data.fold,
                first=one.name,
                second=other.name,
                comparison=each,
            )
            for ((one, before), (other, after)), each in zip(
                shared_runs, comparison.runs, strict=True
            )
        ),
        comparison=comparison,
        notes=tuple(_notes(sides, len(shared_runs), shared_runs)),
    )


def _by_seed(directory: Path) -> dict[tuple[int, int], tuple[Path, RunRecord]]:
    found: dict[tuple[int, int], tuple[Path, RunRecord]] = {}
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


def _predictions(directory: Path) -> Predictions:
    return read_predictions(directory / PREDICTIONS)


def _notes(
    sides: list[dict[tuple[int, int], tuple[Path, RunRecord]]],
    compared: int,
    pairs: list[tuple[tuple[Path, RunRecord], tuple[Path, RunRecord]]],
) -> list[str]:
    notes = []
    left = sum(len(side) for side in sides) - 2 * compared
    if left:
        notes.append(f"{left} runs have no partner with the same seed and fold: left out")
    if any(record.config.selection.on == "test" for pair in pairs for _, record in pair):
        notes.append("a run was selected on the test rows: its scores flatter")
    return notes
