"""Options that several commands share."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.errors import EquimutError

if TYPE_CHECKING:
    from equimut.models.ray_judging import Cluster
    from equimut.sweep.session import EngineName

ENGINES: tuple["EngineName", ...] = ("local", "ray")
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
PairsFile = Annotated[
    Path, typer.Argument(metavar="PAIRS", help="A .jsonl or .jsonl.gz file, or bundled[:LANGUAGE].")
]
Language = Annotated[
    str | None, typer.Option("--language", help="java, c or python (default: all three).")
]
Sample = Annotated[int, typer.Option("--sample", metavar="N", min=0, help="Print N of them.")]
SampleSeed = Annotated[int, typer.Option("--seed", help="Seed of the sample.")]
SetOptions = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Any other option, such as optim.clip=0.5."),
]
Source = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Root of the sources the report's paths use.")
]
InputFormat = Annotated[
    str | None, typer.Option(metavar="NAME", help="The tool's format, if it is not recognised.")
]
Model = Annotated[str | None, typer.Option(metavar="DIR", help="A run or a saved detector.")]
NoModel = Annotated[bool, typer.Option("--no-model", help="Evidence only, no predictions.")]
RegistryFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Accepted equivalents (default: equivalents.toml)."),
]
CacheDirectory = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Where verdicts are kept between scans.")
]
Engine = Annotated[
    str, typer.Option(help="local: this machine. ray: workers of this machine or a cluster.")
]
Address = Annotated[
    str | None, typer.Option(help="With --engine ray: a cluster whose machines see the files.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="With --engine ray: workers (default: the cores).")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Parallel trials (default: one per core).")]
TrialThreads = Annotated[
    int, typer.Option(min=1, help="Threads of each trial; they change the last digits of results.")
]


def engine_name(name: str) -> "EngineName":
    """The engine of this name, or an error that lists them."""
    for known in ENGINES:
        if name == known:
            return known
    raise EquimutError(f"no engine {name!r}: the engines are {', '.join(ENGINES)}")


def cluster_of(engine: str, address: str | None, workers: int | None) -> "Cluster | None":
    """Who shares the work; None: this process does it alone."""
    if engine_name(engine) == "local":
        if address is not None or workers is not None:
            raise EquimutError("--address and --workers go with --engine ray")
        return None
    from equimut.models.ray_judging import Cluster

    return Cluster(workers or os.cpu_count() or 1, 1, address)


def assignment(option: str) -> tuple[str, Any]:
    """`optim.clip=0.5` as a name and a value, which is read as TOML or else as a word."""
    import tomlkit
    from tomlkit.exceptions import ParseError

    name, sign, value = option.partition("=")
    if not sign:
        raise EquimutError(f"--set {option}: give KEY=VALUE, such as optim.clip=0.5")
    try:
        return name.strip(), tomlkit.value(value.strip()).unwrap()
    except ParseError:
        return name.strip(), value.strip()
