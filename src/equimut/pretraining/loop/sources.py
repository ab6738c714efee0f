"""The corpus and the labelled mutants that pretraining reads, where they usually are."""

from pathlib import Path

from equimut.errors import DataError
from equimut.pretraining.corpus.packages import corpus_directory
from equimut.pretraining.corpus.store import Corpus
from equimut.pretraining.labels.store import labels_directory, read_index, read_labels
from equimut.pretraining.loop.pairs import Weighed, weighed


def open_corpus(directory: Path | None) -> Corpus:
    """The corpus in a directory, by default that of the user's cache."""
    opened = Corpus(directory or corpus_directory())
    _ = opened.index  # a missing corpus is an error before anything else
    return opened


def labelled_pairs(directory: Path | None = None) -> list[Weighed]:
    """All labelled mutants of the corpus."""
    place = directory or labels_directory()
    if not (place / "index.json").is_file():
        raise DataError(
            f"no labelled mutants in {place}; make them with `equimut dev labels build`, "
            "or pretrain with --no-labels"
        )
    return weighed(
        row for language in read_index(place).files for row in read_labels(place, language)
    )
