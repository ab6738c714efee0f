"""`equimut review`: look at survivors one by one and decide, with the keyboard."""

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.cli.console import print_note
from equimut.cli.options import (
    CacheDirectory,
    InputFormat,
    Model,
    NoModel,
    RegistryFile,
    Source,
    default_author,
    read_options,
    stages,
)
from equimut.cli.progress import progress
from equimut.errors import EquimutError

if TYPE_CHECKING:
    from rich.console import Console

    from equimut.scanning.records import ScanVerdict
    from equimut.scanning.registry.registry import Registry
    from equimut.scanning.registry.review import Rejections

KEYS = "[a] equivalent  [r] worth a test  [s] skip  [q] quit"


def review(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="As for `equimut scan`.")],
    source: Source = None,
    input_format: InputFormat = None,
    model: Model = None,
    no_model: NoModel = False,
    registry: RegistryFile = None,
    author: Annotated[str | None, typer.Option(help="Who decides (default: git's name).")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Ask about rejected mutants again.")
    ] = False,
    cache: CacheDirectory = None,
) -> None:
    """Go through the survivors that nobody has decided on, the most probably equivalent first.

    Keys: a accepts it as equivalent and asks for the reason (an empty one takes it back), r finds
    it worth a test and does not ask again, s skips it, q ends.

    Example: equimut review target/pit-reports/mutations.xml --source src/main/java
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise EquimutError(
            "a review needs a terminal; without one: equimut scan, then equimut accept KEY"
        )
    from equimut.reports.reported import read_report
    from equimut.scanning.pipeline import scanned
    from equimut.scanning.registry.last_scan import last_scan_path
    from equimut.scanning.registry.review import Rejections, questions
    from equimut.storage.user_cache import cache_directory

    given: dict[str, Any] = {
        "source": source,
        "input_format": input_format,
        "model": model,
        "use_model": False if no_model else None,
        "registry": registry,
        "check_killed": 0,
    }
    settings = read_options(given)
    place = cache or cache_directory("scan")
    from equimut.scanning.api import make_request

    request = make_request(settings, place)
    read = read_report(report, settings.source, settings.input_format)
    rejected = Rejections(last_scan_path(place, settings.registry).with_suffix(".rejected"))
    with progress() as bars, scanned(read, request, stages(bars)) as result:
        waiting = questions(result.verdicts(), set() if again else rejected.keys)
    if not waiting:
        print_note("nothing to decide: every survivor is proved, accepted, rejected or unlocated")
        return
    _ask_all(waiting, request.registry, rejected, author or default_author())


def _ask_all(
    waiting: "list[ScanVerdict]", registry: "Registry", rejected: "Rejections", author: str
) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    accepted = turned_down = 0
    for number, verdict in enumerate(waiting, start=1):
        assert verdict.key is not None  # questions without a key are not asked
        _show(verdict, f"{number} of {len(waiting)}", console)
        answer = _answer()
        if answer == "q":
            break
        if answer == "r":
            rejected.add(verdict.key.text)
            turned_down += 1
        elif answer == "a" and (reason := _reason()):
            day = datetime.now(timezone.utc).date()
            registry.accept(verdict.key, reason=reason, author=author, tier=verdict.tier, day=day)
            accepted += 1
    console.print(
        f"{accepted} accepted into {registry.path}, {turned_down} worth a test", markup=False
    )


def _show(verdict: "ScanVerdict", number: str, console: "Console") -> None:
    from rich.text import Text

    from equimut.scanning.outputs import findings
    from equimut.scanning.outputs.text_format import diff_lines
    from equimut.storage.files import shown

    change = verdict.mutant.change
    assert change is not None  # what has a key has a change
    console.print()
    console.print(
        Text(f"{number}  {shown(findings.place(verdict))}  {shown(change.function)}", "bold")
    )
    for row in diff_lines(change, console.width, carets=not console.color_system):
        console.print(row, no_wrap=True, crop=True)
    console.print(Text(shown(findings.evidence(verdict))))
    if verdict.reason:
        console.print(Text(shown(verdict.reason), "dim"))
    if verdict.nearest is not None:
        console.print(Text(shown(f"nearest example: {findings.nearest(verdict.nearest)}"), "dim"))
    console.print(Text(KEYS, "dim"))


def _answer() -> str:
    while True:
        try:
            key = typer.getchar().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        if key in ("a", "r", "s", "q"):
            return key
        if key in ("\x03", "\x04", "\x1b"):
            return "q"


def _reason() -> str:
    """The reason, or nothing if it was left empty: then nothing is accepted."""
    reason: str = typer.prompt("reason", default="", show_default=False)
    return reason.strip()
