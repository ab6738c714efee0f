"""Options of commands whose work may be shared between processes or machines."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.errors import EquimutError

if TYPE_CHECKING:
    from equimut.models.ray_judging import Cluster

Engine = Annotated[
    str, typer.Option(help="local: this process. ray: workers of this machine or a cluster.")
]
Address = Annotated[
    str | None, typer.Option(help="With --engine ray: a cluster that has the model's path.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="With --engine ray: how many (default: the cores).")
]


def cluster_of(engine: str, address: str | None, workers: int | None) -> "Cluster | None":
    """Who shares the work; None: this process does it alone."""
    from equimut.cli.train.sweep import engine_name

    if engine_name(engine) == "local":
        if address is not None or workers is not None:
            raise EquimutError("--address and --workers go with --engine ray")
        return None
    from equimut.models.ray_judging import Cluster

    return Cluster(workers or os.cpu_count() or 1, 1, address)
