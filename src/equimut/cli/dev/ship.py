"""`equimut dev ship`: a pretraining made into a detector that others can use."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import AsJson
from equimut.errors import EquimutError


def ship(
    pretraining: Annotated[
        Path, typer.Argument(metavar="DIR", help="A directory `equimut dev pretrain` wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The detector.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PAIRS", help="Also measure it on these pairs, zero-shot."),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write every metric as JSON."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Calibrate and measure a pretrained detector, and save it small, with card and checksums.

    It is calibrated on one half of the benchmark's held-out origins and measured on the other,
    and on any pairs named, each cleaned of duplicates and of pairs with both labels.

    Example: equimut dev ship pretraining/main --out my-detector --measure java=mutantbench.jsonl
    """
    from rich.console import Console

    from equimut.evaluation.evaluation import write_evaluations
    from equimut.evaluation.tables import print_tables
    from equimut.pretraining.loop.config import read_pretraining
    from equimut.pretraining.shipping import prepare_pretraining, shipping_rows, write_checksums
    from equimut.scanning.evidence.model import build_examples

    _, steps = read_pretraining(pretraining)
    rows = shipping_rows(dict(_named(text) for text in measure or ()))
    detector, evaluations = prepare_pretraining(pretraining, rows)
    detector.save_pretrained(out, half=True)
    build_examples(detector, rows.train).save(out)
    print_note(f"{out}: {write_checksums(out) / 1e6:.1f} MB")
    if results is not None:
        write_evaluations(results, evaluations, {"command": f"equimut dev ship, {steps} steps"})
    if as_json:
        print_json([one.model_dump(mode="json") for one in evaluations])
    else:
        print_tables(evaluations, Console())


def _named(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise EquimutError(f"--measure {text}: say which pairs by name: NAME=PAIRS")
    return name, Path(path)
