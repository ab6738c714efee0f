"""A run on disk: what it was asked, which rows it saw, and what came of it.

config.toml          everything that determines the run
run.json             status, data, history, evaluation: a `RunRecord`
rows.jsonl.gz        the rows it was trained on, and those of the validation split
verges.json          where the verges of the loss stood at the end, if it keeps any
log.jsonl            one line per step
checkpoints/         the last two, while it is not finished
model/               the detector
predictions.jsonl    its probabilities of the test rows
"""

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import torch
from pydantic import Field

from equimut.config import RunConfig
from equimut.data.labelled import content_digest
from equimut.errors import DataError
from equimut.evaluation.evaluation import Evaluation, Setting
from equimut.evaluation.metrics import Scores
from equimut.losses import ClusterPurgeLoss
from equimut.models.settings import RUN_MODEL, RUN_RECORD
from equimut.records import Pair, Record
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import read_document, read_records, to_line, write_lines

RECORD, MODEL = RUN_RECORD, RUN_MODEL
CONFIG, ROWS = "config.toml", "rows.jsonl.gz"
PREDICTIONS, VERGES = "predictions.jsonl", "verges.json"


class DataFacts(Record):
    """The rows of a run."""

    name: str
    fingerprint: str
    protocol: str
    fold: int
    split_seed: int
    train: int
    dev: int
    test: int
    languages: tuple[str, ...]


class CurvePoint(Record):
    """The metrics of the test rows after an epoch."""

    scores: Scores
    distances: tuple[float, float] | None = None
    """Mean distance of mutants to their origins by label: non-equivalent, equivalent."""


class EpochScores(Record):
    """What was measured after an epoch."""

    epoch: int
    dev: Scores | None = None
    """Of the validation rows, if there are any."""
    distances: tuple[float, float] | None = None
    """Theirs, as those of a `CurvePoint`."""
    test: CurvePoint | None = None
    """Of the test rows, at the epochs of `RunConfig.curve`."""


class RunRecord(Record):
    """A run as `equimut runs` lists it."""

    format: Literal[1] = 1
    equimut: str
    code: str = ""
    """A digest of the code that began it; empty in older records."""
    continued: tuple[str, ...] = ()
    """Other versions that went on with it, in order."""
    status: Literal["running", "finished"]
    config: RunConfig
    data: DataFacts
    parameters: int = 0
    environment: Mapping[str, str] = Field(default_factory=dict)
    best_epoch: int = 0
    best_value: float | None = None
    steps: int = 0
    seconds: float = 0.0
    """Of training, over all sessions."""
    history: tuple[EpochScores, ...] = ()
    evaluation: Evaluation | None = None
    baselines: tuple[Evaluation, ...] = ()

    @property
    def selected_on(self) -> str:
        """What chose the epoch, in the words of a table."""
        return {"dev": "dev", "test": "test", "last": "none"}[self.config.selection.on]


def run_setting(config: RunConfig, facts: DataFacts) -> Setting:
    """How an evaluation of a run is labelled."""
    return Setting(
        data=facts.name,
        fingerprint=facts.fingerprint,
        protocol=facts.protocol,
        fold=facts.fold,
        selection="none" if config.selection.on == "last" else config.selection.on,
        seed=config.seed,
        encoder=Path(config.model.encoder).name,
        trained_on=facts.train,
    )


def environment() -> dict[str, str]:
    """What a run is made with."""
    libraries = ("torch", "transformers", "accelerate", "tokenizers", "tree-sitter")
    return {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {torch.get_num_threads()} threads",
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        **{name: version(name) for name in libraries},
    }


def write_record(directory: Path, record: RunRecord) -> None:
    """Write `run.json`, whole or not at all."""
    text = json.dumps(record.model_dump(mode="json"), indent=1, ensure_ascii=False)
    write_bytes(directory / RECORD, (text + "\n").encode())


def read_record(directory: Path) -> RunRecord:
    """The record of a run; an error says what is wrong with which directory."""
    path = directory / RECORD
    if not path.is_file():
        raise DataError(f"{directory} is not a run: it has no {RECORD}; make one: equimut train")
    return read_document(path, RunRecord)


def find_runs(directories: Sequence[Path]) -> list[tuple[Path, RunRecord]]:
    """The runs among these directories and right below them, by name."""
    found: dict[Path, RunRecord] = {}
    for directory in directories:
        if not directory.is_dir():
            raise DataError(f"{directory}: no such directory; name one that holds runs")
        for place in (directory, *sorted(directory.iterdir())):
            if place.is_dir() and (place / RECORD).is_file():
                found[place] = read_record(place)
    return list(found.items())


class Verges(Record):
    """The verges of a loss at the end of training, by class id and label."""

    epochs: int
    """How long the verges moved; the model may be that of an earlier epoch."""
    of_class: Mapping[int, tuple[float | None, float | None]]
    """Non-equivalent and equivalent; None where training had none of them."""


def write_verges(directory: Path, loss: ClusterPurgeLoss, epochs: int) -> None:
    """Note where the verges stand, for the analysis."""
    rows = zip(loss.class_keys.tolist(), loss.verge.tolist(), loss.count.tolist(), strict=True)
    of_class = {
        key: tuple(value if seen else None for value, seen in zip(verge, count, strict=True))
        for key, verge, count in rows
    }
    content = Verges.model_validate({"epochs": epochs, "of_class": of_class})
    write_bytes(directory / VERGES, (content.model_dump_json(indent=1) + "\n").encode())


def read_verges(directory: Path) -> Verges | None:
    """The verges of a run, if its loss kept any."""
    path = directory / VERGES
    return read_document(path, Verges) if path.is_file() else None


class SeenRow(Record):
    """A row that a run learns from, or that chooses its epoch."""

    part: str
    source: str
    id: str
    content: str
    """See `content_digest`."""


def write_rows(directory: Path, train: Iterable[Pair], dev: Iterable[Pair]) -> None:
    """Note which rows the run learns from and which choose its epoch, by id and content."""
    rows = (
        SeenRow(part=part, source=pair.source, id=pair.id, content=content_digest(pair))
        for part, pairs in (("train", train), ("dev", dev))
        for pair in pairs
    )
    write_lines(directory / ROWS, (to_line(row, spaced=True) for row in rows))


class KnownRows:
    """The rows a run has seen, to refuse them in an evaluation."""

    def __init__(self, directory: Path) -> None:
        try:
            rows = list(read_records(directory / ROWS, SeenRow))
        except DataError as error:
            raise DataError(
                f"{error}; without it, nothing tells which rows the model was trained on"
            ) from error
        self.ids = {(row.source, row.id) for row in rows}
        self.contents = {row.content for row in rows}

    def by_id(self, pair: Pair) -> bool:
        """Whether the run has seen this very row."""
        return (pair.source, pair.id) in self.ids

    def by_content(self, pair: Pair) -> bool:
        """Whether the run has seen a row with the same texts."""
        return content_digest(pair) in self.contents
