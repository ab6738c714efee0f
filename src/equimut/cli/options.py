"""Options and checks that several commands share."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.cli.console import print_note
from equimut.errors import EquimutError, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.cli.progress import Bars
    from equimut.models.bulk.ray_judging import Cluster
    from equimut.proofs.budget import Budget
    from equimut.scanning.api import ScanSettings
    from equimut.scanning.pipeline import Progress
    from equimut.scanning.records import ScanResult
    from equimut.scanning.registry.registry import Registry
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
ProveBudget = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How hard the solver tries: none (rules only), small (in a hurry), default, large "
        "(over night). Steps, not seconds: the same verdict on every machine.",
    ),
]
ProverJobs = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Worker processes (default: one per core).")
]
ProjectPython = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="The project's interpreter, for --oracle (default: its .venv, or ours).",
    ),
]
ProjectClasspath = Annotated[
    str | None,
    typer.Option(
        metavar="PATHS",
        help="Java: compiled classes and archives, as for java (default: target/classes or such).",
    ),
]
ProjectJUnit = Annotated[
    int, typer.Option("--junit", min=4, max=5, help="Java: the JUnit that tests are written for.")
]
ProjectCommands = Annotated[
    Path | None,
    typer.Option(
        "--compile-commands",
        metavar="FILE",
        help="C: the options of each file (default: the project's compile_commands.json).",
    ),
]
ProjectIncludes = Annotated[
    list[Path] | None,
    typer.Option("--include", "-I", metavar="DIR", help="C: a directory with headers; repeatable."),
]
RegistryFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="What people decided (default: equivalents.toml)."),
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


def budget_of(name: str) -> "Budget | None":
    """The budget of the prover by its name, or an error that lists the names."""
    from equimut.proofs.budget import BUDGETS

    for known, budget in BUDGETS.items():
        if name == known:
            return budget
    raise EquimutError(f"--prove-budget: no budget {name!r}; there are {', '.join(BUDGETS)}")


def cluster_of(engine: str, address: str | None, workers: int | None) -> "Cluster | None":
    """Who shares the work; None: this process does it alone."""
    if engine_name(engine) == "local":
        if address is not None or workers is not None:
            raise EquimutError("--address and --workers go with --engine ray")
        return None
    from equimut.models.bulk.ray_judging import Cluster

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


STAGES = {
    "reading": "reading the report",
    "proving": "asking the prover",
    "running": "running functions",
    "judging": "asking the model",
}


def read_options(
    given: dict[str, Any], report: Path | None = None
) -> "tuple[ScanSettings, Path | None]":
    """The settings of the project, overruled by the command line, and the file they are in."""
    if given.get("use_model") is False and given.get("model") is not None:
        raise EquimutError("--model and --no-model contradict each other; give one of them")
    from equimut.scanning.api import project_settings

    return project_settings(given, report)


def print_files(registry: "Registry", settings: Path | None) -> None:
    """Which files of the project were used, where there are any."""
    if settings is not None:
        print_note(f"note: settings from {_near(settings)}")
    if registry.decisions:
        accepted = len(registry.entries)
        rejected = len(registry.decisions) - accepted
        print_note(
            f"note: decisions from {_near(registry.path)}: {accepted} accepted, {rejected} rejected"
        )


def _near(path: Path) -> str:
    """A path from here, where it is below; for a terminal."""
    from equimut.storage.files import shown

    here = Path.cwd()
    return shown(str(path.relative_to(here) if path.is_relative_to(here) else path))


def stages(bars: "Bars") -> "Progress":
    """A bar for each stage of the pipeline."""
    return lambda stage, more, total: bars.advance(STAGES.get(stage, stage), more, total)


def default_author() -> str:
    """The user's name as git knows it; else the login."""
    import getpass
    import subprocess

    command = ["git", "config", "--get", "user.name"]
    try:
        asked = subprocess.run(command, capture_output=True, timeout=5, check=False)
        if name := asked.stdout.decode(errors="replace").strip():
            return name
    except (OSError, subprocess.TimeoutExpired):
        pass  # no git here: the login will do
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in a container
        return ""


def check_analysed(result: "ScanResult") -> None:
    """A scan after which nobody can decide on any mutant is never a success."""
    from equimut.storage.files import counted, shown

    judged = sum(result.tiers.values())
    report = result.report
    if not judged:
        if result.scores.detected:
            return  # nothing survived: that is the best of reports
        total = counted(report.total, "mutant")
        raise NothingToAnalyse(f"{report.path}: none of its {total} has been run")
    if result.analysed:
        return
    reason, count = next(iter(result.unknown_reasons.items()), ("no reason", judged))
    raise NothingToAnalyse(
        f"{report.path}: none of {counted(judged, 'mutant')} could be judged; "
        f"the most frequent reason, {count:,} times: {shown(reason)}"
    )
