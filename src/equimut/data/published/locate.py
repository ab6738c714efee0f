"""Find the files of the published datasets in a directory, however it is laid out."""

from pathlib import Path

from equimut.errors import DataError

PLACES = {
    "emd": (".", "emd", "dataset", "EMD", "EMD/dataset", "emd/dataset"),
    "mutantbench": (".", "mutantbench", "MutantBench", "MutantBench/mutantbench"),
}
"""Where below a directory a dataset may lie: bare, in our cache's layout, or as a clone."""


def dataset_file(directory: Path, dataset: str, name: str) -> Path:
    """The file of a dataset below a directory, or an error that says where it was looked for."""
    path = find_file(directory, dataset, name)
    if path is None:
        raise DataError(
            f"no {name} in {directory} (nor in {', '.join(PLACES[dataset][1:])} below it); run "
            f"`equimut data fetch {dataset}` or pass --from with the directory that holds it"
        )
    return path


def find_file(directory: Path, dataset: str, name: str) -> Path | None:
    """The file of a dataset below a directory, or None."""
    candidates = (directory / place / name for place in PLACES[dataset])
    return next((path for path in candidates if path.is_file()), None)
