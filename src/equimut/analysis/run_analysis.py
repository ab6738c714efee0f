"""A finished run under the lens: its classes, its distances, its operators."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from matplotlib.figure import Figure

from equimut.analysis.distances import DistanceTable, distance_table
from equimut.analysis.embeddings import EmbeddedPairs, classes_with_both, embed_pairs
from equimut.analysis.operator_results import OperatorResult, by_operator
from equimut.analysis.pictures.distances import Verge, draw_distances
from equimut.analysis.pictures.embeddings import draw_class, draw_panel
from equimut.analysis.pictures.files import picture_bytes
from equimut.config import RunConfig, changed
from equimut.errors import DataError
from equimut.evaluation.predictions import read_predictions
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.records import Pair, Record
from equimut.storage.files import write_bytes
from equimut.training.rows import choose_rows
from equimut.training.run_files import PREDICTIONS, Verges, read_record, read_verges


class ClassAnalysis(Record):
    """One origin and its mutants."""

    class_id: int
    program: str
    distances: DistanceTable
    verge_non_equivalent: float | None
    verge_equivalent: float | None
    origin_moves: bool
    """The origin is read through a window per edit, so it has several embeddings."""


class RunAnalysis(Record):
    """What `equimut analyze` prints as JSON."""

    run: str
    before: str
    """What the embeddings before training come from."""
    classes: tuple[ClassAnalysis, ...]
    distances: tuple[DistanceTable, ...]
    """Of the test rows and of the training rows."""
    operators: tuple[OperatorResult, ...]
    """On the test rows."""
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """The numbers, and the pictures by name."""

    result: RunAnalysis
    pictures: Mapping[str, Figure]
    panels: Mapping[str, Figure]
    """The panels of the classes' pictures one by one, for narrow pages."""

    def save_pictures(self, directory: Path, format: str = "png") -> list[Path]:
        """Write the pictures; says where they are."""
        paths = [directory / f"{name}.{format}" for name in self.pictures]
        for path, figure in zip(paths, self.pictures.values(), strict=True):
            write_bytes(path, picture_bytes(figure, format))
        return paths


def largest_classes(directory: Path, pairs: str | None = None) -> list[int]:
    """The two classes of a run with the most mutants of their rarer label."""
    parts = choose_rows(_config(directory, pairs)).parts
    return classes_with_both([*parts.train, *parts.test])[:2]


def analyse_run(
    directory: Path,
    classes: Sequence[int] = (),
    before: Path | None = None,
    pairs: str | None = None,
    cache: EncodingCache | None = None,
    names: tuple[str, str] | None = None,
) -> Analysis:
    """Compare a run with another model, or with the encoder it started from, on the same rows.

    `names` are what the two are called in tables and pictures.
    """
    record = read_record(directory)
    config = _config(directory, pairs)
    parts = choose_rows(config).parts
    start, name = _before(config, before)
    called = names or (name, "after training")
    stages = [(called[0], start), (called[1], Detector.from_pretrained(directory))]
    everything = [*parts.train, *parts.test]
    embedded = [(stage, embed_pairs(model, everything, cache)) for stage, model in stages]
    verges = read_verges(directory)
    parts_of = {
        "test rows": range(len(parts.train), len(everything)),
        "training rows": range(len(parts.train)),
    }
    tables = [
        distance_table(rows, *((stage, _rows(group, rows_of)) for stage, group in embedded))
        for rows, rows_of in parts_of.items()
    ]
    test = [(stage, _rows(group, parts_of["test rows"])) for stage, group in embedded]
    pictures = {"distances": draw_distances("all test rows", test, [None, _mean_verge(verges)])}
    panels: dict[str, Figure] = {}
    found = []
    for class_id in classes:
        of_class = [(stage, group.of_class(class_id)) for stage, group in embedded]
        verge = _verge_of(verges, class_id)
        found.append(_class(class_id, of_class, verge))
        pictures[f"class-{class_id}"] = draw_class(class_id, of_class)
        for method in ("t-SNE", "PCA"):
            for moment, (stage, group) in zip(("before", "after"), of_class, strict=True):
                panels[f"class-{class_id}-{method}-{moment}"] = draw_panel(group, stage, method)
        pictures[f"class-{class_id}-distances"] = draw_distances(
            f"class {class_id}", of_class, [None, verge]
        )
    result = RunAnalysis(
        run=directory.name,
        before=called[0],
        classes=tuple(found),
        distances=tuple(tables),
        operators=_operators(directory, parts.test, test[-1][1]),
        notes=tuple(_notes(verges, record.best_epoch, found)),
    )
    return Analysis(result, pictures, panels)


def _config(directory: Path, pairs: str | None) -> RunConfig:
    """The configuration of a run, with its rows where they are now."""
    config = read_record(directory).config
    return config if pairs is None else changed(config, {"data.pairs": pairs})


def _before(config: RunConfig, model: Path | None) -> tuple[Detector, str]:
    if model is not None:
        return Detector.from_pretrained(model), f"before: {model.name}"
    torch.manual_seed(config.seed)  # as the run itself began
    return Detector.from_encoder(config.model.encoder, config.model).eval(), "before training"


def _rows(group: EmbeddedPairs, rows: range) -> EmbeddedPairs:
    if not len(rows):
        raise DataError("the run has no such rows")
    part = slice(rows.start, rows.stop)
    return EmbeddedPairs(
        group.pairs[part], group.origin[part], group.mutant[part], group.distance[part]
    )


def _class(
    class_id: int, stages: Sequence[tuple[str, EmbeddedPairs]], verge: Verge | None
) -> ClassAnalysis:
    group = stages[-1][1]
    return ClassAnalysis(
        class_id=class_id,
        program=group.pairs[0].program,
        distances=distance_table(f"class {class_id}", stages[0], stages[-1]),
        verge_non_equivalent=verge[0] if verge else None,
        verge_equivalent=verge[1] if verge else None,
        origin_moves=group.origin_moves,
    )


def _verge_of(verges: Verges | None, class_id: int) -> Verge | None:
    return None if verges is None else verges.of_class.get(class_id)


def _mean_verge(verges: Verges | None) -> Verge | None:
    """The mean over classes: there is no single verge for all rows."""
    if verges is None:
        return None
    means: list[float | None] = []
    for label in (0, 1):
        known = [verge[label] for verge in verges.of_class.values()]
        values = [value for value in known if value is not None]
        means.append(sum(values) / len(values) if values else None)
    return means[0], means[1]


def _operators(
    directory: Path, test: Sequence[Pair], after: EmbeddedPairs
) -> tuple[OperatorResult, ...]:
    path = directory / PREDICTIONS
    if not path.is_file():
        return ()
    distance = {
        pair.id: float(value) for pair, value in zip(after.pairs, after.distance, strict=True)
    }
    return by_operator(test, read_predictions(path), distance=distance)


def _notes(verges: Verges | None, best_epoch: int, classes: Sequence[ClassAnalysis]) -> list[str]:
    notes = []
    if verges is None:
        notes.append("the loss of this run keeps no verges, so none are drawn")
    else:
        notes.append(
            "verges average distances of training, with dropout; the distances shown are without"
        )
    if verges is not None and verges.epochs != best_epoch:
        notes.append(
            f"the model is that of epoch {best_epoch}, the verges are those of epoch "
            f"{verges.epochs}"
        )
    if any(each.origin_moves for each in classes):
        notes.append(
            "the origin is read through a window per edit: in the pictures each mutant keeps its "
            "displacement from its own reading of the origin"
        )
    return notes
