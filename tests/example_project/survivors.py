"""What a user of equimut writes: survivors of a report, judged, and a detector of one's own."""

from collections.abc import Iterator
from pathlib import Path

import torch

import equimut
from equimut import (
    ClusterPurgeLoss,
    ContrastiveLoss,
    Detector,
    EquimutError,
    JointLoss,
    Judgement,
    LabelledPair,
    Mutant,
    OracleSettings,
    OracleVerdict,
    Pair,
    Query,
    Report,
    Run,
    RunConfig,
    ScanVerdict,
    Scores,
    Snippet,
    TripletLoss,
    judge_mutants,
    mutate,
    preset,
    prove,
    read_report,
    score,
    train,
)


def equivalents(report: Path, sources: Path) -> list[str]:
    """The survivors that no test can kill."""
    with equimut.scan(report, source=sources, use_model=False) as result:
        found: list[ScanVerdict] = [each for each in result.verdicts() if each.counts]
        before: float | None = result.scores.as_reported
    print(before)
    return [verdict.mutant.id for verdict in found]


def judge_survivors(path: Path, detector: Detector) -> Iterator[tuple[str, Judgement]]:
    """What the detector predicts of every mutant of a report."""
    report: Report = read_report(path)
    for mutant in report.mutants():
        if mutant.change is not None:
            yield (
                mutant.id,
                detector.judge(
                    mutant.change.origin_function, mutant.change.mutant_function, mutant.language
                ),
            )


def labelled(snippet: Snippet) -> list[LabelledPair]:
    """Mutants of a function with labels that running them gives."""
    mutants: list[Mutant] = mutate(snippet.text, snippet.language)
    texts = [mutant.mutant_function for mutant in mutants]
    verdicts: list[OracleVerdict] = judge_mutants(
        snippet.text, texts, snippet.language, OracleSettings(inputs=100)
    )
    return [
        LabelledPair(
            origin=snippet.text,
            mutant=text,
            language=snippet.language,
            label=0 if verdict.tier == "killed" else 1,
        )
        for text, verdict in zip(texts, verdicts, strict=True)
    ]


def trained(pairs: list[Pair], test: list[Pair], out: Path) -> tuple[Detector, float]:
    """A detector trained on one's own pairs, and what it reaches on others."""
    config: RunConfig = preset("cpu").changed({"optim.epochs": 2})
    run: Run = train(pairs, test=test, config=config, out=out)
    scores: Scores | None = run.record.evaluation.scores if run.record.evaluation else None
    if scores is None:
        raise EquimutError("nothing was measured")
    return run.detector, scores.macro_f1


def ranked(detector: Detector, origin: str, mutants: list[str]) -> list[str]:
    """Mutants of a Java method, the likeliest equivalent first; proved ones are left out."""
    open_ = [text for text in mutants if prove(origin, text, "java") is None]
    queries = [Query(origin=origin, mutant=text, language="java") for text in open_]
    judged = zip(detector.judge_all(queries), open_, strict=True)
    return [text for _, text in sorted(judged, key=lambda each: -(each[0].probability or 0.0))]


def losses(classes: int) -> torch.Tensor:
    """The losses, on embeddings of a model of one's own."""
    origin, mutant = torch.randn(4, 8), torch.randn(4, 8)
    label, class_id = torch.tensor([0, 1, 0, 1]), torch.zeros(4, dtype=torch.long)
    purge: torch.Tensor = ClusterPurgeLoss(classes)(origin, mutant, label, class_id)
    contrastive: torch.Tensor = ContrastiveLoss()(origin, mutant, label)
    triplet: torch.Tensor = TripletLoss()(origin[:2], mutant[:2], mutant[2:])
    joint = JointLoss(ClusterPurgeLoss(classes))
    total: torch.Tensor = joint(torch.randn(4, 2), origin, mutant, label, class_id).total
    return purge + contrastive + triplet + total


print(score([0, 1], [0.2, 0.8]).macro_f1)
