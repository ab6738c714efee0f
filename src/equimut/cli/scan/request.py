"""What the commands of a scan share: settings, the request to the pipeline, what they check."""

from typing import TYPE_CHECKING, Any

from equimut.errors import EquimutError, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.cli.progress import Bars
    from equimut.scanning.pipeline import Progress
    from equimut.scanning.result import ScanResult
    from equimut.scanning.settings import ScanSettings

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


def stages(bars: "Bars") -> "Progress":
    """A bar for each stage of the pipeline."""
    return lambda stage, more, total: bars.advance(STAGES.get(stage, stage), more, total)


def default_author() -> str:
    """The user's name as git knows it; else the login."""
    import getpass
    import subprocess

    command = ["git", "config", "--get", "user.name"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
        if name := asked.stdout.strip():
            return name
    except (OSError, subprocess.TimeoutExpired):
        pass  # no git here: the login will do
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in a container
        return ""


def check_analysed(result: "ScanResult") -> None:
    """A scan that judged no mutant is never a success."""
    from equimut.storage.files import shown

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
