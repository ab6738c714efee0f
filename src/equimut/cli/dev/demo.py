"""`equimut dev demo`: the picture of what the loss does, in a few seconds."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note
from equimut.cli.options import AsJson
from equimut.cli.progress import progress


def demo(
    out: Annotated[Path, typer.Option(help="Where to write the picture (png, svg, pdf).")] = Path(
        "cluster_purge.png"
    ),
    steps: Annotated[int, typer.Option(min=1, help="Training steps.")] = 2500,
    seed: Annotated[int, typer.Option(help="Same seed, same picture.")] = 0,
    margin: Annotated[float, typer.Option(help="The loss's margin (zeta in the paper).")] = 0.02,
    as_json: AsJson = False,
) -> None:
    """Train Cluster Purge Loss on a toy in the plane and draw it before and after.

    Three origins, 180 mutants, a few seconds. The picture shows each origin in the middle of its
    mutants: at first both kinds are mixed; then equivalents lie inside, non-equivalents outside
    the verge of the other kind.
    """
    from equimut.analysis.pictures.files import format_of, picture_bytes
    from equimut.analysis.pictures.purge import draw_purge
    from equimut.analysis.pictures.purge_demo import run_purge_demo
    from equimut.storage.files import write_bytes

    wanted = format_of(out)
    with progress() as bars:
        result = run_purge_demo(
            steps=steps,
            seed=seed,
            margin=margin,
            on_step=lambda step: bars.show("training", step, steps),
        )
    write_bytes(out, picture_bytes(draw_purge(result), wanted))
    if as_json:
        print_json({**result.summary(), "picture": str(out)})
        return
    for moment, clusters in (("before", result.before), ("after", result.after)):
        print_line(
            f"{moment:>6}: {100 * clusters.in_order:3.0f} % of the mutants on the right side of "
            f"the other kind's verge; mean distance "
            f"{clusters.distance[clusters.label == 1].mean():.3f} equivalent, "
            f"{clusters.distance[clusters.label == 0].mean():.3f} not"
        )
    print_note(f"picture: {out}")
