"""`equimut registry`: what was decided, whether it still stands, and renewing what does not."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note, show_function
from equimut.cli.options import STAGES, AsJson, InputFormat, RegistryFile, Source, read_options
from equimut.cli.progress import counting
from equimut.errors import EquimutError, GateFailed, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.scanning.registry.check import EntryCheck
    from equimut.scanning.registry.registry import Entry, Registry

registry_app = typer.Typer(
    name="registry",
    help="What people decided (equivalents.toml): show it, check it in CI, renew it.",
    no_args_is_help=True,
)
MEANINGS = {
    "stale": "the function has changed since; look again: equimut registry update REPORT",
    "gone": "the report has no such mutant; if it is on all of the code, delete the entry",
    "killed": "a test notices it, so it is not equivalent; delete the entry",
    "outdated": "the report is older than the source: run the mutation tool again",
    "ambiguous": "it names no class, and fits mutants of several; delete it and decide again",
}
_STATE = max(map(len, MEANINGS)) + 1
"""Columns of the longest state, and a blank."""
KILLED_REJECTED = "a test notices it, as it should; the entry can go"


@registry_app.command()
def show(
    registry: RegistryFile = None,
    as_json: AsJson = False,
) -> None:
    """Print what was accepted and rejected.

    Example: equimut registry show --json
    """
    from equimut.scanning.registry.registry import Registry

    settings, _ = read_options({"registry": registry})
    decisions = Registry(settings.registry)
    if as_json:
        print_json([_content(entry) for entry in decisions.decisions])
        return
    for entry in decisions.decisions:
        print_line(_line(entry, ""))
        who = ", ".join(part for part in (entry.author, str(entry.date), entry.tier) if part)
        print_line(f"              {entry.reason} ({who})")
    accepted = len(decisions.entries)
    rejected = len(decisions.decisions) - accepted
    print_note(f"{accepted} accepted, {rejected} rejected in {settings.registry}")


@registry_app.command()
def check(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report on the present code.")],
    source: Source = None,
    input_format: InputFormat = None,
    registry: RegistryFile = None,
    as_json: AsJson = False,
) -> None:
    """Check decisions against a report of now; exit code 1 unless all still stand.

    An entry is stale when its function changed, gone when there is no such mutant any more, and
    refuted when a test kills what was accepted. Somebody has to look again, so each of these fails.
    So does a report that is older than the source: nobody can tell from it.

    Example: equimut registry check target/pit-reports/mutations.xml
    """
    decisions, checked = _checked(report, source, input_format, registry)
    if as_json:
        print_json([_row(each) for each in checked])
    else:
        _print(checked)
    if bad := [each for each in checked if not each.stands]:
        states: Counter[str] = Counter(each.state for each in bad)
        found = ", ".join(f"{states[state]} {state}" for state in MEANINGS if states[state])
        raise GateFailed(
            f"{decisions.path}: {len(bad)} of {len(checked)} decisions "
            f"do not stand any more: {found}"
        )


@registry_app.command()
def update(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report on the present code.")],
    source: Source = None,
    input_format: InputFormat = None,
    registry: RegistryFile = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Renew all without asking: you have looked already.")
    ] = False,
) -> None:
    """Renew stale decisions: show each change in the present code and ask whether it still holds.

    Entries with short keys, which earlier versions wrote, get long ones; nothing is asked for that,
    because their code is the same.

    Example: equimut registry update target/pit-reports/mutations.xml
    """
    if not (yes or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise EquimutError("a terminal is needed to ask; without one, --yes renews all")
    decisions, checked = _checked(report, source, input_format, registry)
    renewed, left = {}, 0
    for each in checked:
        if each.now is None:
            left += not each.stands
        elif each.state != "stale" or _confirmed(each, yes):
            renewed[each.entry.key] = each.now
        else:
            left += 1
    if renewed:
        decisions.renew(renewed)
    stale = sum(each.state == "stale" and each.entry.key in renewed for each in checked)
    print_note(f"{stale} renewed in {decisions.path}, {len(renewed) - stale} with longer keys")
    if left:
        print_note(f"{left} not renewed; `equimut registry check` says why")


def _checked(
    report: Path, source: Path | None, input_format: str | None, registry: Path | None
) -> "tuple[Registry, list[EntryCheck]]":
    from equimut.reports.reported import read_report
    from equimut.scanning.registry.check import check_registry
    from equimut.scanning.registry.registry import Registry

    given = {"registry": registry, "source": source, "input_format": input_format}
    settings, _ = read_options(given, report)
    decisions = Registry(settings.registry)
    read = read_report(report, settings.source, settings.input_format)
    if not read.total:
        raise NothingToAnalyse(f"{report}: the report holds no mutants")
    with counting(STAGES["reading"], read.total) as advance:
        return decisions, check_registry(read, decisions, settings.source, advance)


def _confirmed(checked: "EntryCheck", yes: bool) -> bool:
    """Whether a person finds that the decision holds for the code of now."""
    from rich.console import Console

    print_line(_line(checked.entry, f"{checked.state:<7}"))
    if yes:
        return True
    print_line(f"       {checked.entry.reason} ({checked.entry.author})")
    if checked.change is not None:
        show_function(checked.change, Console(highlight=False))
    kind = "equivalent" if checked.entry.decision == "equivalent" else "worth a test"
    return typer.confirm(f"still {kind}?", default=False)


def _content(entry: "Entry") -> dict[str, object]:
    return {"decision": entry.decision, **entry.model_dump(mode="json")}


def _row(checked: "EntryCheck") -> dict[str, object]:
    now = checked.now
    return {
        "state": checked.state,
        "new_key": checked.new_key,
        "now": None if now is None else now.model_dump(),
        **_content(checked.entry),
    }


def _line(entry: "Entry", before: str) -> str:
    from equimut.storage.files import shown

    word = "rejected  " if entry.decision == "rejected" else ""
    where = ".".join(part for part in (entry.owner, entry.function) if part)
    return shown(f"{before}{entry.shown_key}  {word}{entry.file} {where}: {entry.change}")


def _print(checked: "list[EntryCheck]") -> None:
    for each in checked:
        print_line(_line(each.entry, f"{each.state:<{_STATE}}"))
        if each.state == "killed" and each.stands:
            print_line(f"{'':{_STATE}}{KILLED_REJECTED}")
        elif not each.stands:
            print_line(f"{'':{_STATE}}{MEANINGS[each.state]}")
    print_note(f"{sum(each.stands for each in checked)} of {len(checked)} stand")
