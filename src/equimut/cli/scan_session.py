"""What `scan`, `review`, `accept` and `registry` share: options, settings, the progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.errors import EquimutError, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.scanning.pipeline import Progress
    from equimut.scanning.result import ScanResult
    from equimut.scanning.settings import ScanSettings

Source = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Root of the sources the report's paths start from."),
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
    Path | None, typer.Option(metavar="DIR", help="Where answers are kept between scans.")
]

STAGES = {
    "reading": "reading the report",
    "running": "running functions",
    "judging": "asking the model",
}


def read_options(given: dict[str, Any]) -> "ScanSettings":
    """The settings of the project, overruled by the command line."""
    if given.get("use_model") is False and given.get("model") is not None:
        raise EquimutError("--model and --no-model contradict each other; give one of them")
    from equimut.scanning.api import project_settings

    return project_settings(given)


@contextmanager
def watching() -> "Iterator[Progress]":
    """A bar for each stage, on standard error, gone when the work is done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:<20}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    tasks: dict[str, Any] = {}
    console = Console(stderr=True)
    watched = console.is_terminal  # in a log file a bar is only noise
    with Progress(*columns, console=console, transient=True, disable=not watched) as bar:

        def advance(stage: str, more: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(STAGES.get(stage, stage), total=total)
            bar.advance(tasks[stage], more)

        yield advance


def check_analysed(result: "ScanResult") -> None:
    """A scan that could say nothing about anything is never a success."""
    from equimut.scanning.outputs.change_view import shown

    judged = sum(result.tiers.values())
    report = result.report
    if not judged:
        if result.scores.detected:
            return  # nothing survived: that is the best of reports
        raise NothingToAnalyse(f"{report.path}: none of its {report.total:,} mutants has been run")
    known = sum(count for (tier, _), count in result.tiers.items() if tier != "unknown")
    if known or (not result.model and result.analysed):
        return
    reason, count = next(iter(result.unknown_reasons.items()), ("no reason", judged))
    raise NothingToAnalyse(
        f"{report.path}: none of {judged:,} mutants could be judged; "
        f"the most frequent reason, {count:,} times: {shown(reason)}"
    )
