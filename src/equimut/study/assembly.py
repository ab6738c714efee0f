"""The whole study in one record: tables, matrices, distances, claims, cost."""

from collections.abc import Mapping, Sequence

from equimut.analysis.distances import DistanceTable
from equimut.analysis.run_analysis import RunAnalysis
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.protocols import Outcome
from equimut.evaluation.significance import Significance
from equimut.records import Record
from equimut.study import claims as checks
from equimut.study.claims import Claim
from equimut.study.differences import Contrast, contrast
from equimut.study.ensembles import ensembles, seed_runs
from equimut.study.full_length.section import FullLength, full_length
from equimut.study.full_length.tables import LengthTable
from equimut.study.matrix import Matrix, between, matrix
from equimut.study.published import HOURS_PER_RUN, MAIN_DATA
from equimut.study.result_rows import LOSS_NAMES, ResultRow, main_table, of_runs
from equimut.study.trials import SEED_STUDY, Material, evaluation_of, select, variant_of
from equimut.sweep.results import TrialResult

GRIDS = {"cpl": "paper-cpl", "contrastive": "paper-contrastive"}
PROTOCOLS = ("paper", "clean", "by-origin", "by-program")
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
    full_length: FullLength | None = None


class Study(Record):
    """The page as data."""

    setup: Setup
    languages: tuple[LanguageStudy, ...]
    analysis: RunAnalysis | None
    claims: tuple[Claim, ...]
    efficiency: float | None
    """Trial time over wall time x jobs, of the sweeps that are behind it."""
    benchmark: LengthTable | None = None
    """The losses on the verified benchmark, by origin."""


def language_study(material: Material) -> LanguageStudy:
    """Tables, matrices and contrasts of one data set."""
    trials = material.trials
    matrices = {
        loss: matrix(material.language, loss, select(trials, grid, loss), material.planned[grid])
        for loss, grid in GRIDS.items()
    }
    return LanguageStudy(
        language=material.language,
        data=material.data,
        table=main_table(
            material.language,
            matrices,
            select(trials, "paper-base", "base"),
            select(trials, "triplet"),
            _seed_evaluations(material, "paper"),
            [evaluation for evaluation, _ in material.baselines.get("paper", ())],
        ),
        matrices=tuple(found for found in matrices.values() if found is not None),
        between_grids=between(matrices["cpl"], matrices["contrastive"]),
        protocols=tuple(_protocol(material, protocol) for protocol in PROTOCOLS),
        varied=tuple(_varied(trials, name) for name in VARIED_STUDIES if select(trials, name)),
        cost=tuple(_costs(trials, material.language)),
        full_length=full_length(material),
    )


def all_claims(
    languages: Sequence[LanguageStudy], materials: Sequence[Material], table: DistanceTable | None
) -> tuple[Claim, ...]:
    """Every claim, in the order of the paper; ours that go beyond it last."""
    found: list[Claim] = []
    for study, material in zip(languages, materials, strict=True):
        name = study.language
        paper = next(each for each in study.protocols if each.protocol == "paper")
        pairs = {(each.first, each.second): each for each in paper.contrasts}
        found += _shown_at(f"{name}-paper", checks.ranking(name, pairs))
        by_loss = {each.loss: each for each in study.matrices}
        cpl, contrastive = by_loss.get("cpl"), by_loss.get("contrastive")
        grids = checks.grids(name, cpl, contrastive, study.between_grids)
        found += _shown_at(f"{name}-grids", [grids])
        if name == MAIN_DATA:
            found += _shown_at(f"{name}-grids", [checks.margins(cpl)])
            base = select(material.trials, "paper-base", "base")
            triplets = checks.triplets(select(material.trials, "triplet"), base)
            found += _shown_at(f"{name}-table", [triplets])
            found += _shown_at("distances", checks.distances(table))
    main = next((each for each in languages if each.language == MAIN_DATA), None)
    if main is not None:
        by_protocol = {each.protocol: each for each in main.protocols}
        regression, unseen = checks.beyond(
            _named(by_protocol["paper"], "cpl", "edit-lr"),
            _named(by_protocol["by-origin"], "cpl", "base"),
        )
        found += _shown_at(f"{MAIN_DATA}-paper", [regression])
        found += _shown_at(f"{MAIN_DATA}-by-origin", [unseen])
    return tuple(found)


def _shown_at(anchor: str, claims: Sequence[Claim]) -> list[Claim]:
    """Claims with the anchor of their evidence on the page."""
    return [claim.model_copy(update={"evidence": anchor}) for claim in claims]


def _named(table: ProtocolTable, first: str, second: str) -> Contrast | None:
    for each in table.contrasts:
        if (each.first, each.second) == (first, second):
            return each
    return None


def _seed_evaluations(material: Material, protocol: str) -> dict[str, dict[str, list[Evaluation]]]:
    """The seed study's evaluations by kind of predictor ("" is the network alone) and loss."""
    alone = {
        loss: list(map(evaluation_of, select(material.trials, SEED_STUDY, loss, protocol)))
        for loss in LOSS_NAMES
    }
    joined = ensembles(seed_runs(material, protocol), material.baselines.get(protocol, ()))
    return {"": alone} | {
        kind: {loss: [one.evaluation for one in its] for loss, its in by_loss.items()}
        for kind, by_loss in joined.items()
    }


def _protocol(material: Material, protocol: str) -> ProtocolTable:
    baselines: dict[str, list[Outcome]] = {}
    for one in material.baselines.get(protocol, ()):
        baselines.setdefault(one.evaluation.predictor, []).append(one)
    rows = [
        of_runs(kind + LOSS_NAMES[loss], its)
        for kind, by_loss in _seed_evaluations(material, protocol).items()
        for loss, its in by_loss.items()
        if its
    ]
    for name, its in baselines.items():
        rows.append(of_runs(name, [one.evaluation for one in its], "baseline"))
    found: list[Contrast | None] = []
    seeds = seed_runs(material, protocol)
    joined = ensembles(seeds, material.baselines.get(protocol, ()))
    for kind, runs in {"": seeds, **joined}.items():
        found += [
            contrast((kind + first, kind + second), protocol, runs[first], runs[second])
            for first, second in (("cpl", "base"), ("cpl", "contrastive"), ("contrastive", "base"))
        ]
        found += [
            contrast((kind + "cpl", name), protocol, runs["cpl"], its, seeded=False)
            for name, its in baselines.items()
        ]
    return ProtocolTable(
        protocol=protocol,
        rows=tuple(rows),
        contrasts=tuple(each for each in found if each is not None),
    )


def _varied(trials: Sequence[TrialResult], name: str) -> VariedTable:
    rows: dict[str, tuple[ResultRow, ...]] = {}
    for protocol in PROTOCOLS:
        variants: dict[str, list[Evaluation]] = {}
        for each in select(trials, name, protocol=protocol):
            variants.setdefault(variant_of(each), []).append(evaluation_of(each))
        if variants:
            rows[protocol] = tuple(of_runs(label, found) for label, found in variants.items())
    return VariedTable(name=name, title=VARIED_STUDIES[name], rows=rows)


def _costs(trials: Sequence[TrialResult], language: str) -> list[CostRow]:
    found = []
    for grid in dict.fromkeys(each.grid for each in trials):
        seconds = [each.cost.seconds if each.cost else 0.0 for each in select(trials, grid)]
        found.append(
            CostRow(
                grid=grid,
                trials=len(seconds),
                hours=sum(seconds) / 3600,
                minutes_per_trial=sum(seconds) / len(seconds) / 60,
                published_hours_per_run=HOURS_PER_RUN[language] if grid in GRIDS.values() else None,
            )
        )
    return found
