"""A scan with the settings of the project and the defaults of the command: `equimut.scan`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from equimut.errors import NothingToAnalyse
from equimut.models.settings import find_model
from equimut.oracle.verdicts import OracleSettings
from equimut.reports.reading import read_report
from equimut.scanning.pipeline import ScanRequest, scanned
from equimut.scanning.records import ScanResult
from equimut.scanning.registry.registry import Registry
from equimut.scanning.settings import ScanSettings, find_settings, override
from equimut.storage.user_cache import cache_directory

if TYPE_CHECKING:
    from equimut.models.ray_judging import Cluster


@contextmanager
def scan(
    report: str | Path,
    *,
    source: str | Path | None = None,
    input_format: str | None = None,
    model: str | Path | None = None,
    use_model: bool = True,
    min_precision: float | None = None,
    registry: str | Path | None = None,
    check_killed: int | None = None,
    oracle_inputs: int | None = None,
    everything: bool = False,
    cache: str | Path | None = None,
    use_cache: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[ScanResult]:
    """Scan a report as `equimut scan` does; the verdicts can be read until the block ends.

    What is not given is taken from the project's settings (`[tool.equimut]` of pyproject.toml or
    equimut.toml, in the working directory or above it), or else is the default of the command.

    Args:
        report: What the mutation tool wrote: a file or a directory.
        source: The root of the sources that the paths in the report start from.
        input_format: The tool's format, if it is not recognised.
        model: A saved detector, or the directory of a run.
        use_model: Without, there is evidence only and no prediction.
        min_precision: Precision a prediction must have reached in calibration to count.
        registry: The file of accepted equivalents.
        check_killed: So many killed mutants are judged too, to count known mistakes.
        oracle_inputs: Also run the functions, on so many inputs: code of the report is executed.
        everything: Judge every mutant, whatever its status.
        cache: Where answers are kept between scans.
        use_cache: Without, no answers are kept or used.
        progress: Called with a stage, how many more are done, and how many there are.

    Example:
        with equimut.scan("mutations.xml", source="src/main/java") as result:
            for verdict in result.verdicts():
                print(verdict.mutant.id, verdict.word, verdict.tier)
    """
    settings = project_settings(
        {
            "source": source,
            "input_format": input_format,
            "model": None if model is None else str(model),
            "use_model": None if use_model else False,
            "min_precision": min_precision,
            "registry": registry,
            "check_killed": check_killed,
        }
    )
    request = make_request(
        settings,
        Path(cache or cache_directory("scan")) if use_cache else None,
        oracle_inputs=oracle_inputs,
        everything=everything,
    )
    found = read_report(report, settings.source, settings.input_format)
    if not found.total:
        raise NothingToAnalyse(f"{report}: the report holds no mutants")
    with scanned(found, request, progress or (lambda stage, more, total: None)) as result:
        yield result


def project_settings(given: Mapping[str, object]) -> ScanSettings:
    """The settings around the working directory, overruled by what is given (not None)."""
    settings, _ = find_settings(Path.cwd())
    return override(settings, given)


def make_request(
    settings: ScanSettings,
    cache: Path | None,
    *,
    oracle_inputs: int | None = None,
    everything: bool = False,
    cluster: "Cluster | None" = None,
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
        oracle=None if oracle_inputs is None else OracleSettings(inputs=oracle_inputs),
        min_precision=settings.min_precision,
        everything=everything,
        check_killed=settings.check_killed,
        cache=cache,
        source=settings.source,
    )
