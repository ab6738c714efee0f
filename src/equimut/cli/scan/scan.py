"""`equimut scan`: from a mutation tool's report to verdicts."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.cli.console import print_note
from equimut.cli.options import (
    Address,
    CacheDirectory,
    Engine,
    InputFormat,
    Model,
    NoModel,
    ProjectClasspath,
    ProjectCommands,
    ProjectIncludes,
    ProjectJUnit,
    ProjectPython,
    ProveBudget,
    ProverJobs,
    RegistryFile,
    Source,
    Workers,
    check_analysed,
    cluster_of,
    print_files,
    read_options,
    stages,
)
from equimut.cli.progress import progress
from equimut.errors import EquimutError, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.scanning.api import ScanSettings
    from equimut.scanning.pipeline import ScanRequest
    from equimut.scanning.records import ScanResult

SHOWN = 20
"""Mutants of each list that a terminal shows."""


@dataclass(frozen=True)
class Target:
    """Where the results of a scan go."""

    out: Path | None
    limit: int | None
    write_back: Path | None
    update_baseline: bool
    list_mistakes: bool = False
    tests: Path | None = None

    def shown(self, format: str) -> int | None:
        """How many mutants are printed; a file gets all."""
        return SHOWN if self.limit is None and self.out is None and format == "text" else self.limit


def scan(
    report: Annotated[
        Path | None,
        typer.Argument(metavar="REPORT", help="What the mutation tool wrote: a file or directory."),
    ] = None,
    source: Source = None,
    input_format: InputFormat = None,
    format: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="text, json, elements, sarif, github, junit or html."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write there, not to the terminal.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Mutants shown as text (default 20 in a terminal).")
    ] = None,
    model: Model = None,
    no_model: NoModel = False,
    prove_budget: ProveBudget = None,
    jobs: ProverJobs = None,
    min_precision: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1,
            help="Precision that the model must promise (the lower bound on held-out rows) for a "
            "prediction to change a score (default 0.9).",
        ),
    ] = None,
    oracle: Annotated[
        bool,
        typer.Option("--oracle", help="RUN functions, before and after the change."),
    ] = False,
    oracle_inputs: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Inputs the oracle tries per function.")
    ] = 5_000,
    python: ProjectPython = None,
    classpath: ProjectClasspath = None,
    junit: ProjectJUnit = 5,
    compile_commands: ProjectCommands = None,
    include: ProjectIncludes = None,
    calls: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Recorded calls (`equimut record`), for --oracle."),
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write tests that kill survivors there (with --oracle)."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Judge all mutants, not only survivors.")
    ] = False,
    since: Annotated[
        str | None,
        typer.Option(metavar="REV", help="Judge only functions touched since a git revision."),
    ] = None,
    diff: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Judge only functions that this diff touches."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Judge only files like this; may be given often."),
    ] = None,
    check_killed: Annotated[
        int | None,
        typer.Option(min=0, help="Killed mutants judged as a check on the model (default 500)."),
    ] = None,
    list_mistakes: Annotated[
        bool,
        typer.Option("--list-mistakes", help="List the killed mutants called equivalent."),
    ] = False,
    registry: RegistryFile = None,
    write_back: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A copy of the report with equivalents marked."),
    ] = None,
    write_back_tiers: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Of accepted, proved, predicted, unrefuted, with commas between "
            "(default: the first three).",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="Exit with 1 if there are: survivors, or new-survivors."),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Survivors that are known already.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write the present survivors to --baseline.")
    ] = False,
    cache: CacheDirectory = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Neither use nor keep verdicts.")
    ] = False,
    engine: Engine = "local",
    address: Address = None,
    workers: Workers = None,
    example: Annotated[
        bool, typer.Option("--example", help="Scan the small project that ships with equimut.")
    ] = False,
) -> None:
    """Tell for each survivor of mutation testing whether a test can kill it, and why.

    Reads reports of PIT, Stryker and other Elements tools, Major, mutmut, cosmic-ray,
    cargo-mutants, universalmutator, `equimut mutate`, and plain diffs. Evidence comes first: what
    a person decided, what the code proves (a solver compares both functions in all states at once;
    --prove-budget), with --oracle what running it shows; then the model's probability.

    Example: equimut scan target/pit-reports/mutations.xml --source src/main/java

    In CI: equimut scan mutation.json --fail-on new-survivors --baseline survivors.json

    On a pull request: equimut scan mutation.json --since origin/main --fail-on survivors
    """
    from equimut.storage.worker_pool import one_thread

    one_thread()
    given: dict[str, Any] = {
        "source": source,
        "input_format": input_format,
        "format": "json" if as_json else format,
        "model": model,
        "use_model": False if no_model else None,
        "prove_budget": prove_budget,
        "min_precision": min_precision,
        "check_killed": check_killed,
        "registry": registry,
        "write_back_tiers": write_back_tiers,
        "fail_on": fail_on,
        "baseline": baseline,
    }
    if as_json and format not in (None, "json"):
        raise EquimutError(f"--json and --format {format} contradict each other; give one of them")
    from equimut.storage.user_cache import cache_directory

    if example:
        if report is not None:
            raise EquimutError("--example has its own report; leave REPORT out")
        from equimut.scanning.example import example_report

        report = example_report()
    if not oracle and (python or calls or tests or classpath or compile_commands or include):
        raise EquimutError(
            "--python, --classpath, --compile-commands, -I, --calls and --tests are for --oracle, "
            "which runs the code"
        )
    if report is None:
        raise EquimutError("name a report: equimut scan REPORT (or try: equimut scan --example)")
    if not report.exists():  # before a model is looked for
        raise EquimutError(f"{report}: no such report")
    settings, file = read_options(given, report)
    _check_gate_options(settings, update_baseline)
    _check_format(settings.format, out)
    from equimut.scanning.api import make_request
    from equimut.scanning.scope import make_scope

    scope = make_scope(settings.source, only=only or (), since=since, diff=diff)
    if scope is not None and update_baseline:
        raise EquimutError("--update-baseline needs the whole report; leave out what restricts it")
    request = make_request(
        settings,
        None if no_cache else cache or cache_directory("scan"),
        jobs=jobs,
        oracle_inputs=oracle_inputs if oracle else None,
        python=python,
        calls=calls,
        classpath=classpath,
        junit=junit,
        compile_commands=compile_commands,
        includes=include or (),
        everything=everything,
        scope=scope,
        cluster=cluster_of(engine, address, workers),
    )
    target = Target(out, limit, write_back, update_baseline, list_mistakes, tests)
    _check_targets(report, settings, target)
    _scan(report, settings, request, target, file)


def _scan(
    path: Path,
    settings: "ScanSettings",
    request: "ScanRequest",
    target: Target,
    settings_file: Path | None,
) -> None:
    from equimut.reports.reported import read_report
    from equimut.reports.write_back import check_target
    from equimut.scanning import gate, marking
    from equimut.scanning.outputs import write_output
    from equimut.scanning.outputs.elements_format import files_in_part
    from equimut.scanning.pipeline import scanned
    from equimut.storage.files import counted

    report = read_report(path, settings.source, settings.input_format)
    if not report.total:
        raise NothingToAnalyse(f"{path}: the report holds no mutants")
    if target.write_back is not None:
        check_target(report, target.write_back)
    known = {}
    if settings.fail_on == "new-survivors" and settings.baseline and not target.update_baseline:
        known = gate.read_baseline(settings.baseline)
    with ExitStack() as stack:
        with progress() as bars:  # gone before results are printed
            result = stack.enter_context(scanned(report, request, stages(bars)))
        shown = target.shown(settings.format)
        write_output(
            result, settings.format, target.out, limit=shown, mistakes=target.list_mistakes
        )
        if settings.format == "elements" and (parts := files_in_part(result)):
            files = counted(parts, "file")
            print_note(f"note: of {files} only functions with mutants are known; give --source DIR")
        print_files(request.registry, settings_file)
        for note in result.notes:
            print_note(f"note: {note}")
        if target.tests is not None:
            from equimut.scanning.outputs.test_files import write_test_files

            written = write_test_files(result, target.tests)
            print_note(f"{counted(len(written), 'file')} of tests written to {target.tests}")
        _leave_keys(result, settings, request.cache)
        if target.write_back is not None:
            number = marking.mark_report(result, target.write_back, settings.write_back_tiers)
            marked = counted(number, "mutant")
            print_note(f"{marked} marked as equivalent in {target.write_back}")
        if target.update_baseline and settings.baseline is not None:
            survivors = gate.open_survivors(result.verdicts())
            gate.write_baseline(settings.baseline, survivors)
            print_note(f"{counted(len(survivors), 'survivor')} written to {settings.baseline}")
        elif settings.fail_on is not None:
            gate.check_gate(result, settings.fail_on, known)
            new = "new " if settings.fail_on == "new-survivors" else ""
            print_note(f"gate passed: no {new}undetected mutant that is not taken as equivalent")
        if request.scope is None or any(result.tiers.values()):  # else nothing of it changed
            check_analysed(result)


def _check_format(format: str, out: Path | None) -> None:
    """Wrong options are errors before the work, not after it."""
    from equimut.scanning.outputs import FORMATS

    if format not in FORMATS:
        raise EquimutError(f"unknown output format {format!r}; known: {', '.join(FORMATS)}")
    if format == "html" and out is None:
        raise EquimutError("a page is a file: name it with --out, for example --out scan.html")
    if out is not None and out.is_dir():
        raise EquimutError(f"{out} is a directory; --out names a file")


def _check_targets(report: Path, settings: "ScanSettings", target: Target) -> None:
    """Nothing that is read is written over, and no file is written twice."""
    written = [path for path in (target.out, target.write_back) if path is not None]
    if target.update_baseline and settings.baseline is not None:
        written.append(settings.baseline)
    taken = {settings.registry.resolve(): "the registry"}
    taken[report.resolve()] = "the report itself"
    for path in written:
        if (what := taken.get(path.resolve())) is not None:
            raise EquimutError(f"{path} is {what}; name a new file")
        taken[path.resolve()] = "written already"


def _check_gate_options(settings: "ScanSettings", update_baseline: bool) -> None:
    if settings.baseline is None:
        if update_baseline:
            raise EquimutError("--update-baseline needs a file to write: --baseline FILE")
        if settings.fail_on == "new-survivors":
            raise EquimutError("--fail-on new-survivors needs the known survivors: --baseline FILE")


def _leave_keys(result: "ScanResult", settings: "ScanSettings", cache: Path | None) -> None:
    """So that `equimut accept KEY` needs no report."""
    from equimut.scanning.registry.last_scan import remember

    if cache is None:
        return
    try:
        remember(cache, settings.registry, result.verdicts())
    except EquimutError as error:  # a convenience: not worth a failed scan
        print_note(f"note: `equimut accept` will need --report: {error}")
