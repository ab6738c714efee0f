"""A scan as a function, with the settings of a project: pyproject.toml or equimut.toml."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from equimut.errors import EquimutError, NothingToAnalyse
from equimut.models.settings import MIN_PRECISION, SHIPPED, find_model
from equimut.oracle.verdicts import OracleSettings
from equimut.proofs.budget import BUDGETS, BudgetName
from equimut.records import Record, Tier
from equimut.reports.reported import read_report
from equimut.scanning.pipeline import ScanRequest, scanned
from equimut.scanning.records import ScanResult
from equimut.scanning.registry.registry import NAME as REGISTRY
from equimut.scanning.registry.registry import Registry
from equimut.scanning.scope import Scope, make_scope
from equimut.storage.files import read_toml
from equimut.storage.jsonl import first_fault, validated
from equimut.storage.user_cache import cache_directory
from equimut.storage.worker_pool import cores

if TYPE_CHECKING:
    from equimut.models.bulk.ray_judging import Cluster


FILE, SHARED_FILE = "equimut.toml", "pyproject.toml"
PATHS = ("source", "registry", "baseline")
WriteBackTier = Literal["accepted", "proved", "unrefuted", "predicted"]
FailOn = Literal["survivors", "new-survivors"]


class ScanSettings(Record):
    """Everything a project may settle once for all."""

    model_config = ConfigDict(
        alias_generator=lambda name: name.replace("_", "-"), populate_by_name=False
    )

    source: Path | None = None
    """The root of the sources."""
    input_format: str = "auto"
    model: str = SHIPPED
    """A directory with a detector; the shipped one when not given."""
    use_model: bool = True
    prove_budget: BudgetName = "default"
    """How hard the prover tries."""
    min_precision: Annotated[float, Field(gt=0, le=1)] = MIN_PRECISION
    check_killed: Annotated[int, Field(ge=0)] = 500
    registry: Path = Path(REGISTRY)
    baseline: Path | None = None
    fail_on: FailOn | None = None
    write_back_tiers: tuple[WriteBackTier, ...] = ("accepted", "proved", "predicted")
    format: str = "text"


def find_settings(start: Path) -> tuple[ScanSettings, Path | None]:
    """The settings for a directory, and the file they are from.

    Looked for in the directory and those above it, as far as the repository goes.
    """
    for directory in (start, *start.parents):
        if (found := _settings_in(directory)) is not None:
            return found
        if (directory / ".git").exists():
            break
    return ScanSettings(), None


def _settings_in(directory: Path) -> tuple[ScanSettings, Path] | None:
    for path in (directory / FILE, directory / SHARED_FILE):
        if path.is_file() and (table := _table(path)) is not None:
            return read_settings(path, table), path
    return None


def read_settings(path: Path, table: Any) -> ScanSettings:
    """Validate a table of settings; paths are relative to the file."""
    if not isinstance(table, dict):
        raise EquimutError(f"{path}: `tool.equimut` must be a table: [tool.equimut]")
    settings = validated(ScanSettings, table, str(path), field="setting")
    found = {name: getattr(settings, name) for name in PATHS if name in settings.model_fields_set}
    absolute = {name: path.parent / value for name, value in found.items() if value is not None}
    if settings.model != SHIPPED and (path.parent / settings.model).exists():
        absolute["model"] = str(path.parent / settings.model)
    return settings.model_copy(update=absolute)


def override(settings: ScanSettings, given: Mapping[str, Any]) -> ScanSettings:
    """The settings with values from the command line put in; None means not given."""
    values = {name: value for name, value in given.items() if value is not None}
    if isinstance(tiers := values.get("write_back_tiers"), str):
        values["write_back_tiers"] = parse_tiers(tiers)
    merged = {**settings.model_dump(), **values}
    try:
        return ScanSettings.model_validate(
            {name.replace("_", "-"): value for name, value in merged.items()}
        )
    except ValidationError as error:
        option, fault = first_fault(error)
        raise EquimutError(f"--{option}: {fault}") from error


def parse_tiers(text: str) -> tuple[WriteBackTier, ...]:
    """Tiers from a comma-separated list."""
    known: tuple[Tier, ...] = ("accepted", "proved", "unrefuted", "predicted")
    names: Iterable[str] = [part.strip() for part in text.split(",") if part.strip()]
    chosen = tuple(tier for tier in known if tier in names)
    if wrong := [name for name in names if name not in known]:
        raise EquimutError(f"no tier {wrong[0]!r} to write back; there are {', '.join(known)}")
    if not chosen:
        raise EquimutError(f"name at least one tier to write back: {', '.join(known)}")
    return chosen  # type: ignore[return-value]


def _table(path: Path) -> Any:
    content = read_toml(path)
    if path.name == FILE:
        return content
    tool = content.get("tool")
    return tool.get("equimut") if isinstance(tool, dict) else None


@contextmanager
def scan(
    report: str | Path,
    *,
    source: str | Path | None = None,
    input_format: str | None = None,
    model: str | Path | None = None,
    use_model: bool = True,
    prove_budget: BudgetName | None = None,
    jobs: int | None = None,
    min_precision: float | None = None,
    registry: str | Path | None = None,
    check_killed: int | None = None,
    oracle_inputs: int | None = None,
    python: str | Path | None = None,
    calls: str | Path | None = None,
    classpath: str | None = None,
    junit: int = 5,
    compile_commands: str | Path | None = None,
    includes: Sequence[str | Path] = (),
    everything: bool = False,
    since: str | None = None,
    diff: str | Path | None = None,
    only: Iterable[str] = (),
    cache: str | Path | None = None,
    use_cache: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[ScanResult]:
    """Scan a report as `equimut scan` does; the verdicts can be read until the block ends.

    What is not given is taken from the project's settings (`[tool.equimut]` of pyproject.toml or
    equimut.toml, in the working directory or above it, else in the project of `source` or the
    report), or else is the default of the command.

    Args:
        report: What the mutation tool wrote: a file or a directory.
        source: The root of the sources that the paths in the report start from.
        input_format: The tool's format, if it is not recognised.
        model: A saved detector, or the directory of a run.
        use_model: Without, there is evidence only and no prediction.
        prove_budget: How hard the prover tries: `none`, `small`, `default` or `large`, in steps of
            the solver, so that verdicts do not depend on the machine.
        jobs: Worker processes; one for each core when not given.
        min_precision: Precision that must be promised for a prediction to count.
        registry: The file of accepted equivalents.
        check_killed: So many killed mutants are judged too, to count known mistakes.
        oracle_inputs: Also run the functions, on so many inputs: code of the report is executed.
        python: The interpreter that runs the project's functions; its own environment's, or ours.
        calls: Recorded calls of its functions (`equimut record`).
        classpath: Compiled classes of a Java project and what they need, as `java` takes it.
        junit: The JUnit that Java tests are written for: 5 or 4.
        compile_commands: The build's list of commands, for a C project.
        includes: Directories with headers of a C project.
        everything: Judge every mutant, whatever its status.
        since: Judge only functions touched since this git revision.
        diff: Judge only functions touched by this unified diff.
        only: Judge only files like one of these patterns, such as `src/*.py`.
        cache: Where answers are kept between scans.
        use_cache: Without, no answers are kept or used.
        progress: Called with a stage, how many more are done, and how many there are.

    Example:
        with equimut.scan("mutations.xml", source="src/main/java") as result:
            for verdict in result.verdicts():
                print(verdict.mutant.id, verdict.word, verdict.tier)
    """
    settings, _ = project_settings(
        {
            "source": source,
            "input_format": input_format,
            "model": None if model is None else str(model),
            "use_model": None if use_model else False,
            "prove_budget": prove_budget,
            "min_precision": min_precision,
            "registry": registry,
            "check_killed": check_killed,
        },
        Path(report),
    )
    request = make_request(
        settings,
        Path(cache or cache_directory("scan")) if use_cache else None,
        jobs=jobs,
        oracle_inputs=oracle_inputs,
        python=None if python is None else Path(python),
        calls=None if calls is None else Path(calls),
        classpath=classpath,
        junit=junit,
        compile_commands=None if compile_commands is None else Path(compile_commands),
        includes=tuple(map(Path, includes)),
        everything=everything,
        scope=make_scope(
            settings.source,
            only=only,
            since=since,
            diff=None if diff is None else Path(diff),
        ),
    )
    found = read_report(report, settings.source, settings.input_format)
    if not found.total:
        raise NothingToAnalyse(f"{report}: the report holds no mutants")
    with scanned(found, request, progress or (lambda stage, more, total: None)) as result:
        yield result


def project_settings(
    given: Mapping[str, object], report: Path | None = None
) -> tuple[ScanSettings, Path | None]:
    """The settings that hold here, overruled by what is given (not None), and their file.

    Settings and registry are those around the working directory; where there are none, those of
    the sources' or the report's project.
    """
    settings, file = find_settings(Path.cwd())
    source = given.get("source") or settings.source
    others = [Path(str(each)).resolve() for each in (source, report) if each is not None]
    elsewhere = [folder for other in others for folder in _project_folders(other)]
    if file is None:
        found = next(filter(None, map(_settings_in, elsewhere)), None)
        settings, file = found or (settings, file)
    settings = override(settings, given)
    if settings.registry == Path(REGISTRY) and given.get("registry") is None:
        # Where there is none yet, it is going to be with the settings, or else here.
        own = Path(REGISTRY) if file is None else file.parent / REGISTRY
        near = (folder / REGISTRY for folder in (*_project_folders(Path.cwd()), *elsewhere))
        there = next((path for path in (own, *near) if path.is_file()), own)
        settings = settings.model_copy(update={"registry": there})
    return settings, file


def _project_folders(place: Path) -> list[Path]:
    """The folder of a file, or a folder; within a repository also those above it."""
    above = [place, *place.parents] if place.is_dir() else list(place.parents)
    root = next((at for at, folder in enumerate(above) if (folder / ".git").exists()), 0)
    return above[: root + 1]


def make_request(
    settings: ScanSettings,
    cache: Path | None,
    *,
    jobs: int | None = None,
    oracle_inputs: int | None = None,
    python: Path | None = None,
    calls: Path | None = None,
    classpath: str | None = None,
    junit: int = 5,
    compile_commands: Path | None = None,
    includes: Sequence[Path] = (),
    everything: bool = False,
    cluster: "Cluster | None" = None,
    scope: Scope | None = None,
) -> ScanRequest:
    """What the pipeline is asked to do."""
    model = find_model(settings.model) if settings.use_model else None
    predict = None
    if cluster is not None and model is not None:
        from equimut.scanning.evidence.ray_predicting import ray_predict

        predict = ray_predict(model.directory, cluster)
    return ScanRequest(
        registry=Registry(settings.registry),
        model=model,
        predict=predict,
        budget=BUDGETS[settings.prove_budget],
        jobs=jobs or cores(),
        oracle=None if oracle_inputs is None else OracleSettings(inputs=oracle_inputs),
        python=python,
        calls=calls,
        classpath=classpath,
        junit=junit,
        compile_commands=compile_commands,
        includes=tuple(includes),
        min_precision=settings.min_precision,
        everything=everything,
        scope=scope,
        check_killed=settings.check_killed,
        cache=cache,
        source=settings.source,
    )
