"""The whole study in one record: tables, matrices, distances, claims, cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from equimut.analysis.distances import DistanceTable
from equimut.analysis.run_analysis import RunAnalysis
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.significance import Significance
from equimut.languages import get_language
from equimut.records import Record
from equimut.study import claims as judged
from equimut.study.claims import Claim
from equimut.study.contrasts import Contrast, contrast
from equimut.study.ensembles import committees, seed_runs
from equimut.study.matrix import Matrix, between, matrix
from equimut.study.published import DATASETS, HOURS_PER_RUN, MAIN_DATA
from equimut.study.result_rows import LOSS_NAMES, ResultRow, main_table, of_runs
from equimut.study.tried import Tried, by_run, lot

GRIDS = {"cpl": "paper-cpl", "contrastive": "paper-contrastive"}
PROTOCOLS = ("paper", "clean", "by-origin", "by-program")
LANGUAGES = {name: get_language(name).title for name in DATASETS}
VARIED_STUDIES = {
    "ablations": "One change at a time",
    "input-pooling": "What the encoder sees x what the head is given",
    "random-vs-pretrained": "Pretrained or random weights",
}


class Setup(Record):
    """What was run."""

    budget: str
    encoder: str
    equimut: str
    data: Mapping[str, str]
    """By language: the name of the data set."""
    remarks: tuple[str, ...] = ()


class ProtocolTable(Record):
    """Losses and baselines under one protocol."""

    protocol: str
    rows: tuple[ResultRow, ...]
    contrasts: tuple[Contrast, ...]


class VariedTable(Record):
    """Variants of one study, by protocol."""

    name: str
    title: str
    rows: Mapping[str, tuple[ResultRow, ...]]


class CostRow(Record):
    """What the trials of a grid took."""

    grid: str
    trials: int
    hours: float
    minutes_per_trial: float
    published_hours_per_run: float | None


class LanguageStudy(Record):
    """Everything about one data set."""

    language: str
    data: str
    table: tuple[ResultRow, ...]
    matrices: tuple[Matrix, ...]
    between_grids: Significance | None
    protocols: tuple[ProtocolTable, ...]
    varied: tuple[VariedTable, ...]
    cost: tuple[CostRow, ...]


class Study(Record):
    """The page as data."""

    setup: Setup
    languages: tuple[LanguageStudy, ...]
    analysis: RunAnalysis | None
    claims: tuple[Claim, ...]
    efficiency: float | None
    """Trial time over wall time x jobs, of the sweeps that are behind it."""


@dataclass(frozen=True)
class Material:
    """What one data set's part of the study is made from."""

    language: str
    data: str
    tried: Sequence[Tried]
    planned: Mapping[str, int]
    """Cells of the two grids."""
    baselines: Mapping[str, Sequence[tuple[Evaluation, Predictions]]] = field(default_factory=dict)
    """By protocol, in the order of the folds."""


def language_study(material: Material) -> LanguageStudy:
    """Tables, matrices and contrasts of one data set."""
    tried = material.tried
    matrices = {
        loss: matrix(material.language, loss, lot(tried, grid, loss), material.planned[grid])
        for loss, grid in GRIDS.items()
    }
    seeds = seed_runs(tried, "paper")
    return LanguageStudy(
        language=material.language,
        data=material.data,
        table=main_table(
            material.language,
            matrices,
            lot(tried, "paper-base", "base"),
            lot(tried, "triplet"),
            seeds,
            committees(seeds, material.baselines.get("paper", ())),
            [evaluation for evaluation, _ in material.baselines.get("paper", ())],
        ),
        matrices=tuple(found for found in matrices.values() if found is not None),
        between_grids=between(matrices["cpl"], matrices["contrastive"]),
        protocols=tuple(_protocol(material, protocol) for protocol in PROTOCOLS),
        varied=tuple(_varied(tried, name) for name in VARIED_STUDIES if lot(tried, name)),
        cost=tuple(_costs(tried, material.language)),
    )


def all_claims(
    languages: Sequence[LanguageStudy],
    materials: Sequence[Material],
    table: DistanceTable | None,
) -> tuple[Claim, ...]:
    """Every claim, in the order of the paper; ours that go beyond it last."""
    found: list[Claim] = []
    for study, material in zip(languages, materials, strict=True):
        paper = next(each for each in study.protocols if each.protocol == "paper")
        pairs = {(each.first, each.second): each for each in paper.contrasts}
        found += judged.ranking(study.language, pairs)
        by_loss = {each.loss: each for each in study.matrices}
        cpl, contrastive = by_loss.get("cpl"), by_loss.get("contrastive")
        found.append(judged.grids(study.language, cpl, contrastive, study.between_grids))
        if study.language == MAIN_DATA:
            found.append(judged.margins(cpl))
            base = lot(material.tried, "paper-base", "base")
            found.append(judged.triplets(lot(material.tried, "triplet"), base))
            found += judged.distances(table)
    java = next((each for each in languages if each.language == MAIN_DATA), None)
    if java is not None:
        by_protocol = {each.protocol: each for each in java.protocols}
        found += judged.beyond(
            _named(by_protocol["paper"], "cpl", "edit-lr"),
            _named(by_protocol["by-origin"], "cpl", "base"),
        )
    return tuple(found)


def _named(table: ProtocolTable, first: str, second: str) -> Contrast | None:
    for each in table.contrasts:
        if (each.first, each.second) == (first, second):
            return each
    return None


def _protocol(material: Material, protocol: str) -> ProtocolTable:
    baselines = material.baselines.get(protocol, ())
    names = list(dict.fromkeys(evaluation.judge for evaluation, _ in baselines))
    rows: list[ResultRow] = []
    found: list[Contrast | None] = []
    seeds = seed_runs(material.tried, protocol)
    for before, lots in {"": seeds, **committees(seeds, baselines)}.items():
        rows += [
            of_runs(before + LOSS_NAMES[loss], [each.evaluation for each in its])
            for loss, its in lots.items()
            if its
        ]
        found += [
            _contrast((before + first, before + second), protocol, lots[first], lots[second])
            for first, second in (("cpl", "base"), ("cpl", "contrastive"), ("contrastive", "base"))
        ]
        found += [
            _against(
                (before + "cpl", name),
                protocol,
                lots["cpl"],
                [each for each in baselines if each[0].judge == name],
            )
            for name in names
        ]
    for name in names:
        its = [evaluation for evaluation, _ in baselines if evaluation.judge == name]
        rows.append(of_runs(name, its, "baseline"))
    return ProtocolTable(
        protocol=protocol,
        rows=tuple(rows),
        contrasts=tuple(each for each in found if each is not None),
    )


def _contrast(
    names: tuple[str, str], protocol: str, first: Sequence[Tried], second: Sequence[Tried]
) -> Contrast | None:
    one, other = by_run(first), by_run(second)
    said = [(one[key].predictions, other[key].predictions) for key in sorted(one) if key in other]
    known = [(a, b) for a, b in said if a is not None and b is not None]
    return contrast(names, protocol, [a for a, _ in known], [b for _, b in known])


def _against(
    names: tuple[str, str],
    protocol: str,
    models: Sequence[Tried],
    baseline: Sequence[tuple[Evaluation, Predictions]],
) -> Contrast | None:
    """A model's runs against a baseline that knows no seed: by fold."""
    by_fold = {evaluation.fold: said for evaluation, said in baseline}
    known = [
        (each.predictions, by_fold[each.config.data.fold])
        for each in models
        if each.predictions is not None and each.config.data.fold in by_fold
    ]
    return contrast(names, protocol, [a for a, _ in known], [b for _, b in known])


def _varied(tried: Sequence[Tried], name: str) -> VariedTable:
    rows: dict[str, tuple[ResultRow, ...]] = {}
    for protocol in PROTOCOLS:
        lots: dict[str, list[Evaluation]] = {}
        for each in lot(tried, name, protocol=protocol):
            lots.setdefault(_variant(each), []).append(each.evaluation)
        if lots:
            rows[protocol] = tuple(of_runs(label, found) for label, found in lots.items())
    return VariedTable(name=name, title=VARIED_STUDIES[name], rows=rows)


def _variant(tried: Tried) -> str:
    """The name of the variant, or what sets it apart besides what goes with a protocol."""
    if "variant" in tried.varied:
        return str(tried.varied["variant"])
    apart = {
        name: value
        for name, value in tried.varied.items()
        if name not in ("seed", "data.fold", "data.protocol", "selection.refit")
    }
    return ", ".join(f"{name.split('.')[-1]} {value}" for name, value in apart.items())


def _costs(tried: Sequence[Tried], language: str) -> list[CostRow]:
    found = []
    for grid in dict.fromkeys(each.grid for each in tried):
        seconds = [each.seconds for each in tried if each.grid == grid]
        found.append(
            CostRow(
                grid=grid,
                trials=len(seconds),
                hours=sum(seconds) / 3600,
                minutes_per_trial=sum(seconds) / len(seconds) / 60,
                published_hours_per_run=HOURS_PER_RUN[language]
                if grid in ("paper-cpl", "paper-contrastive")
                else None,
            )
        )
    return found
