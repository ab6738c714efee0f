"""`equimut ship`: a pretraining made into a detector that others can use."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.errors import EquimutError


def ship(
    pretraining: Annotated[
        Path, typer.Argument(metavar="DIR", help="A directory `equimut pretrain` wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The detector.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PAIRS", help="Also measure it on these pairs, zero-shot."),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write every figure as JSON."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the evaluations as JSON.")] = False,
) -> None:
    """Calibrate and measure a pretrained detector, and save it small, with card and checksums.

    It is calibrated on one half of the benchmark's held-out origins and measured on the other,
    and on any pairs named, each cleaned of duplicates and of pairs with both labels.

    Example: equimut ship pretraining/main --out my-detector --measure java=mutantbench.jsonl
    """
    from rich.console import Console

    from equimut.data.benchmark.reader import load_pairs
    from equimut.evaluation.evaluation import write_evaluations
    from equimut.evaluation.tables import print_tables
    from equimut.models.detector import Detector
    from equimut.models.settings import Provenance
    from equimut.pretraining.loop.config import read_pretraining
    from equimut.pretraining.loop.pairs import bundled_parts
    from equimut.pretraining.shipping import (
        HELD_OUT,
        ShippingRows,
        cleaned,
        halves,
        prepare,
        with_features,
        write_checksums,
    )
    from equimut.scanning.evidence.nearest import build_examples

    config, steps = read_pretraining(pretraining)
    named = dict(_named(text) for text in measure or ())
    train, held = bundled_parts()
    calibration, rest = halves(held)
    languages = sorted({pair.language for pair in train})
    tests = {
        f"{HELD_OUT}, {language}": [pair for pair in rest if pair.language == language]
        for language in languages
    }
    tests |= {name: cleaned(load_pairs(path)) for name, path in named.items()}
    detector, evaluations = prepare(
        with_features(Detector.from_pretrained(pretraining / "detector")),
        ShippingRows(train, calibration, tests),
        Provenance(
            loss="hidden sub-tokens, edited positions, equivalence",
            data="functions of the corpus, their labelled mutants, the verified benchmark",
            protocol=f"a fifth of the benchmark's origins held out; {steps:,} steps",
            selection="last",
            seed=config.seed,
            languages=tuple(languages),
        ),
    )
    detector.save_pretrained(out, half=True)
    build_examples(detector, train).save(out)
    print_note(f"{out}: {write_checksums(out) / 1e6:.1f} MB")
    if results is not None:
        write_evaluations(results, evaluations, {"command": f"equimut ship, {steps} steps"})
    if as_json:
        print_json([one.model_dump(mode="json") for one in evaluations])
    else:
        print_tables(evaluations, Console())


def _named(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise EquimutError(f"--measure {text}: say which pairs by name: NAME=PAIRS")
    return name, Path(path)
