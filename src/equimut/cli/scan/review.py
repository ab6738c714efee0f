"""`equimut review`: look at survivors one by one and decide, with the keyboard."""

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.cli.console import print_note, show_function
from equimut.cli.options import (
    CacheDirectory,
    InputFormat,
    Model,
    NoModel,
    RegistryFile,
    Source,
    default_author,
    print_files,
    read_options,
    stages,
)
from equimut.cli.progress import progress
from equimut.errors import EquimutError

if TYPE_CHECKING:
    from rich.console import Console

    from equimut.scanning.records import ScanVerdict
    from equimut.scanning.registry.registry import Registry

KEYS = "[a] equivalent  [r] worth a test  [f] whole function  [s] skip  [q] quit"
UNREASONED = "looked at in a review: a test can notice it"


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

    Keys: a accepts it as equivalent and asks for the reason (an empty one takes it back), r rejects
    it as worth a test (a reason is welcome), f shows the whole function, s skips it, q ends.
    Decisions are kept in equivalents.toml.

    Example: equimut review target/pit-reports/mutations.xml --source src/main/java
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise EquimutError(
            "a review needs a terminal; without one: equimut scan, then equimut accept KEY"
        )
    from equimut.reports.reported import read_report
    from equimut.scanning.api import make_request
    from equimut.scanning.pipeline import scanned
    from equimut.scanning.registry.review import questions
    from equimut.storage.user_cache import cache_directory

    given: dict[str, Any] = {
        "source": source,
        "input_format": input_format,
        "model": model,
        "use_model": False if no_model else None,
        "registry": registry,
        "check_killed": 0,
    }
    settings, file = read_options(given, report)
    request = make_request(settings, cache or cache_directory("scan"))
    read = read_report(report, settings.source, settings.input_format)
    with progress() as bars, scanned(read, request, stages(bars)) as result:
        waiting = questions(result.verdicts(), again=again)
    print_files(request.registry, file)
    if not waiting:
        print_note("nothing to decide: every survivor is proved, accepted, rejected or unlocated")
        return
    _ask_all(waiting, request.registry, author or default_author())


def _ask_all(waiting: "list[ScanVerdict]", registry: "Registry", author: str) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    accepted = rejected = 0
    for number, verdict in enumerate(waiting, start=1):
        assert verdict.key is not None  # questions without a key are not asked
        _show(verdict, f"{number} of {len(waiting)}", console)
        while (answer := _answer()) == "f":
            assert verdict.mutant.change is not None  # what has a key has a change
            show_function(verdict.mutant.change, console)
            console.print(KEYS, style="dim", markup=False)
        if answer == "q":
            break
        reason = _reason() if answer in ("a", "r") else ""
        day = datetime.now(timezone.utc).date()
        if answer == "r":
            registry.decide(
                "rejected",
                verdict.key,
                reason=reason or UNREASONED,
                author=author,
                tier=verdict.tier,
                day=day,
            )
            rejected += 1
        elif answer == "a" and reason:
            registry.accept(verdict.key, reason=reason, author=author, tier=verdict.tier, day=day)
            accepted += 1
    console.print(
        f"{accepted} accepted and {rejected} rejected, now in {registry.path}", markup=False
    )


def _show(verdict: "ScanVerdict", number: str, console: "Console") -> None:
    from rich.text import Text

    from equimut.scanning.outputs import wording
    from equimut.scanning.outputs.text_format import diff_lines
    from equimut.storage.files import shown

    change = verdict.mutant.change
    assert change is not None  # what has a key has a change
    console.print()
    console.print(
        Text(f"{number}  {shown(wording.place(verdict))}  {shown(change.function)}", "bold")
    )
    for row in diff_lines(change, console.width, carets=not console.color_system):
        console.print(row, no_wrap=True, crop=True)
    console.print(Text(shown(wording.evidence(verdict))))
    if verdict.reason:
        console.print(Text(shown(verdict.reason), "dim"))
    if verdict.nearest is not None:
        console.print(Text(shown(f"nearest example: {wording.nearest(verdict.nearest)}"), "dim"))
    console.print(Text(KEYS, "dim"))


def _answer() -> str:
    while True:
        try:
            key = typer.getchar().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        if key in ("a", "r", "f", "s", "q"):
            return key
        if key in ("\x03", "\x04", "\x1b"):
            return "q"


def _reason() -> str:
    """The reason, or nothing if it was left empty."""
    reason: str = typer.prompt("reason", default="", show_default=False)
    return reason.strip()
