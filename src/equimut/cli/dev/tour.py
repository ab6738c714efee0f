"""`equimut tour`: the whole road in a few minutes, on what the package ships."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_note

if TYPE_CHECKING:
    from rich.console import Console

    from equimut.records import Pair
    from equimut.training.run_files import RunRecord

LOSSES = ("base", "contrastive", "cpl")
SHOWN = 4
"""Verdicts that are printed."""


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

    Example: equimut tour --out out/tour
    """
    from rich.console import Console

    from equimut.cli.train.train import progress_bar
    from equimut.config import DEFAULT, changed
    from equimut.data.store import write_pairs
    from equimut.evaluation.tables import print_tables
    from equimut.pretraining.loop.pairs import part_of_the_unseen
    from equimut.training.run import train_run

    console = Console()
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
            },
        )  # fmt: skip
        with progress_bar() as progress:
            records.append(train_run(config, out / loss, progress=progress, message=print_note))
    evaluations = [record.evaluation for record in records if record.evaluation is not None]
    print_tables([*evaluations, *records[-1].baselines], console)
    draw(out / LOSSES[-1], records[-1], out)
    show_verdicts(out / LOSSES[-1], records[-1], console)


def draw(run: Path, record: "RunRecord", out: Path) -> None:
    """The embeddings of two classes before and after training, as pictures."""
    from equimut.analysis.embeddings import classes_with_both
    from equimut.analysis.pictures.files import picture_bytes
    from equimut.analysis.run_analysis import analyse_run
    from equimut.storage.files import write_bytes
    from equimut.training.rows import choose_rows

    parts = choose_rows(record.config).parts
    classes = classes_with_both([*parts.train, *parts.test])[:2]
    for name, figure in analyse_run(run, classes).pictures.items():
        path = out / f"{name}.png"
        write_bytes(path, picture_bytes(figure, "png"))
        print_note(f"picture: {path}")


def show_verdicts(run: Path, record: "RunRecord", console: "Console") -> None:
    """What the last detector says of a few test pairs, and what is true."""
    from rich.markup import escape

    from equimut.models.detector import Detector
    from equimut.training.rows import choose_rows

    test = choose_rows(record.config).parts.test
    chosen = _evenly(test, SHOWN)
    for pair, said in zip(chosen, Detector.from_pretrained(run).judge_all(chosen), strict=True):
        truth = "equivalent" if pair.label else "not equivalent"
        where = f"{pair.program} ({pair.language}, {', '.join(pair.operators)})"
        console.print(f"\n[bold]{escape(where)}[/bold]")
        for sign, text in _difference(pair.origin, pair.mutant):
            console.print(f"  {sign} {text.strip()}", style="red" if sign == "-" else "green",
                          markup=False, highlight=False)  # fmt: skip
        console.print(f"  probability {said.probability:.2f}, in truth {truth}", highlight=False)


def _evenly(pairs: "Sequence[Pair]", number: int) -> "list[Pair]":
    """Pairs of both labels by turns, spread over the rows."""
    lots = [[pair for pair in pairs if pair.label == label] for label in (1, 0)]
    chosen = []
    for place in range(number):
        lot = lots[place % 2] or lots[1 - place % 2]
        chosen.append(lot[(place * len(lot)) // number])
    return chosen


def _difference(origin: str, mutant: str) -> list[tuple[str, str]]:
    from difflib import ndiff

    lines = ndiff(origin.splitlines(), mutant.splitlines())
    return [(line[0], line[2:]) for line in lines if line[0] in "+-"]
