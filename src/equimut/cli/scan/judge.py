"""`equimut judge`: verdicts on pairs, as a stream."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.engine_options import Address, Engine, Workers, cluster_of
from equimut.errors import NothingToAnalyse

if TYPE_CHECKING:
    from equimut.models.judge_file import Judging
    from equimut.models.ray_judging import Cluster
    from equimut.records import Judgement, Query


def judge(
    pairs: Annotated[
        Path,
        typer.Argument(
            metavar="PAIRS", help="JSON lines with origin, mutant and language; - for stdin."
        ),
    ],
    model: Annotated[
        Path, typer.Option("--model", metavar="DIR", help="A run, or a saved detector.")
    ] = Path("equimut"),
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The verdicts (default: standard output)."),
    ] = None,
    min_precision: Annotated[
        float | None,
        typer.Option(help="Say equivalent only from the threshold for this precision on."),
    ] = None,
    engine: Engine = "local",
    address: Address = None,
    workers: Workers = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --out: print the summary as JSON.")
    ] = False,
) -> None:
    """Judge pairs: each row comes back with probability, distance, verdict and reason.

    Rows are read, judged and written as they come, so their number does not matter. A row that
    cannot be judged comes back as `unknown`, with the reason.

    Example: equimut judge survivors.jsonl --model runs/cpl --out verdicts.jsonl
    """
    from equimut.models.detector import Detector
    from equimut.models.judge_file import judge_file

    cluster = cluster_of(engine, address, workers)
    judging = None if cluster is None else _through_ray(model, cluster)
    detector = Detector.from_pretrained(model)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=None)
        counts = judge_file(
            detector, pairs, out, min_precision, lambda done: bar.advance(task, done), judging
        )
    total = sum(counts.values())
    summary = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    if out is not None and as_json:
        print_json({"out": str(out), "rows": total, **counts})
    else:
        print_note(f"{total} rows: {summary}")
    if total == counts["unknown"]:
        raise NothingToAnalyse(f"none of {total} rows could be judged; the reasons are in the rows")


def _through_ray(model: Path, cluster: "Cluster") -> "Judging":
    from equimut.models.lookup import model_directory
    from equimut.models.ray_judging import judge_with_ray

    directory = model_directory(model)
    place = directory.absolute() if directory.exists() else model

    def judging(
        questions: "Iterable[Query | Judgement]", threshold: float | None
    ) -> "Iterator[Judgement]":
        return judge_with_ray(
            place,
            questions,
            threshold=threshold,
            workers=cluster.workers,
            threads=cluster.threads,
            address=cluster.address,
        )

    return judging
