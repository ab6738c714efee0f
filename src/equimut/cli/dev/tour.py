"""`equimut dev tour`: the whole road in a few minutes, on what the package ships."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_change, print_line, print_note, print_table
from equimut.cli.progress import training_progress

if TYPE_CHECKING:
    from equimut.training.run_files import RunRecord

LOSSES = ("base", "contrastive", "cpl")
MARGINS = {"cpl": 0.0}
"""The best known for the encoder that ships with this pooling: of those tried so far at the paper's
length, the one validation rows choose (`equimut trials results/full-length/java`)."""
RANKING = ("macro_f1", "average_precision", "recall_at_precision_90", "recall_at_precision_95")
SHOWN = 2
"""Predictions printed per label."""


def tour(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="For runs and pictures.")],
    encoder: Annotated[
        str, typer.Option(help="The shipped one, a Hugging Face name or a directory.")
    ] = "equimut",
    mutants: Annotated[int, typer.Option(min=2, help="Per origin and label.")] = 8,
    epochs: Annotated[int, typer.Option(min=1)] = 3,
    seed: int = 0,
) -> None:
    """Fine-tune three detectors on a part of the benchmark, compare them, look at the embeddings.

    The rows are mutants of those origins of the verified benchmark that the shipped encoder never
    saw; whole origins are kept for the test. Started again, it goes on where it stopped.

    Example: equimut dev tour --out out/tour
    """
    from rich.console import Console

    from equimut.analysis.run_analysis import analyse_run, largest_classes
    from equimut.config import DEFAULT, changed
    from equimut.data.store import write_pairs
    from equimut.evaluation.tables import print_tables
    from equimut.pretraining.loop.pairs import part_of_the_unseen
    from equimut.training.run import train_run

    rows = out / "held-out-origins.jsonl"
    if not rows.exists():
        print_note("reading the benchmark")
        write_pairs(rows, part_of_the_unseen(mutants))
    records = []
    for loss in LOSSES:
        config = changed(
            DEFAULT,
            {
                "model.encoder": encoder, "loss.name": loss, "optim.epochs": epochs,
                "data.pairs": str(rows), "data.protocol": "by-origin", "seed": seed,
                "loss.margin": MARGINS.get(loss), "curve": [epochs],
            },
        )  # fmt: skip
        with training_progress() as progress:
            records.append(train_run(config, out / loss, progress=progress, message=print_note))
    evaluations = [record.evaluation for record in records if record.evaluation is not None]
    print_tables([*evaluations, *records[-1].baselines], Console())
    _show_ranking(records)
    last = out / LOSSES[-1]
    for path in analyse_run(last, largest_classes(last)).save_pictures(out):
        print_note(f"picture: {path}")
    _show_verdicts(last, records[-1])


def _show_ranking(records: "Sequence[RunRecord]") -> None:
    """What the losses do to the order of the test rows, and to their distances."""
    from equimut.evaluation.metrics import Scores

    rows = []
    for record in records:
        if record.evaluation is None:
            continue
        values = (getattr(record.evaluation.scores, name) for name in RANKING)
        end = record.history[-1].test
        far = end.distances if end is not None and end.distances is not None else (None, None)
        shown = ("-" if value is None else f"{value:.3f}" for value in (*values, *far))
        rows.append((record.config.loss.name, *shown))
    titles = (Scores.model_fields[name].title or name for name in RANKING)
    print_table(
        ("loss", *titles, "distance, other", "distance, equivalent"),
        rows,
        "the same training, three losses: order of the test rows, mean distance to the origin",
    )


def _show_verdicts(run: Path, record: "RunRecord") -> None:
    """What a detector predicts for a few test pairs of both labels, and what is true."""
    from equimut.models.detector import Detector
    from equimut.training.rows import choose_rows

    test = choose_rows(record.config).parts.test
    groups = [[pair for pair in test if pair.label == label] for label in (1, 0)]
    chosen = [pair for group in groups for pair in group[:: max(1, len(group) // SHOWN)][:SHOWN]]
    for pair, judgement in zip(
        chosen, Detector.from_pretrained(run).judge_all(chosen), strict=True
    ):
        truth = "equivalent" if pair.label else "not equivalent"
        where = f"{pair.program} ({pair.language}, {', '.join(pair.operators)})"
        print_line(f"\n{where}", bold=True)
        print_change(pair.origin, pair.mutant)
        print_line(f"  probability {judgement.probability:.2f}, in truth {truth}")
