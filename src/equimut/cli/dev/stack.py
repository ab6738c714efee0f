"""`equimut dev stack`: a small model behind a detector, from labelled mutants of named projects."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson

if TYPE_CHECKING:
    from equimut.pretraining.stacking.making import MadeStack


def stack(
    labels: Annotated[
        Path | None,
        typer.Argument(metavar="[LABELS]", help="Labelled pairs of projects (default: the cache)."),
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="The detector that gets a stack.")
    ] = "equimut",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Save the detector with its stack.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every metric as JSON.")
    ] = None,
    keep_features: Annotated[
        bool,
        typer.Option("--keep-features", help="Leave the weights of the edit's features alone."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fit a stack on whole projects, calibrate it on others, and measure it on yet others.

    First the weights of the features are fitted anew, on the benchmark and the projects. Then
    regression and boosted trees are fitted; the one that is better on the validation projects is
    kept. Rows are weighed to the share of equivalents among survivors.

    Example: equimut dev stack ~/.cache/equimut/labels --out my-detector --results stack.json
    """
    from equimut.models.detector import Detector
    from equimut.pretraining.labels.store import labels_directory, read_labels
    from equimut.pretraining.loop.pairs import bundled_parts
    from equimut.pretraining.stacking.making import make_stack, with_stack
    from equimut.storage.files import write_bytes

    detector = Detector.from_pretrained(model)
    benchmark = [] if keep_features else bundled_parts()[0]
    made = make_stack(detector, read_labels(labels or labels_directory()), benchmark)
    if out is not None:
        from equimut.models.settings import model_directory
        from equimut.pretraining.shipping import write_checksums
        from equimut.scanning.evidence.model import Examples

        with_stack(detector, made).save_pretrained(out, half=True)
        examples = Examples.load(model_directory(model))
        if examples is not None:
            examples.save(out)
        print_note(f"{out}: {write_checksums(out) / 1e6:.1f} MB")
    report = made.report()
    if results is not None:
        write_bytes(results, (report.model_dump_json(indent=1) + "\n").encode())
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print(made)


def _print(made: "MadeStack") -> None:
    for name, precision in made.validation.items():
        kept = ", which is kept" if name == made.chosen else ""
        print_line(f"{name}: average precision {precision:.3f} on validation projects{kept}")
    for target in made.calibration.targets:
        print_note(f"promised precision {target.precision:g}: {target.note}")
    columns = ("rows", "predictor", "group", "pairs", "AP", "R@.90", "R@.95", "R@.99", "ECE")
    table: list[tuple[str, ...]] = []
    for one in made.measured:
        predictor, _, part = one.predictor.rpartition(", ")
        interval = one.intervals.get("average_precision")
        spread = f" [{interval.low:.2f}, {interval.high:.2f}]" if interval else ""
        values = list(one.metrics.values())
        shown = [f"{values[0]:.3f}{spread}", *(f"{value:.2f}" for value in values[1:5])]
        table.append((part, predictor, one.group, f"{one.equivalent}/{one.rows}", *shown))
    print_table(columns, table, "projects that nothing was fitted on")
