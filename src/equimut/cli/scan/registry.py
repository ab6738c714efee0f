"""`equimut registry`: what was accepted, and whether it still stands."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import STAGES, AsJson, InputFormat, RegistryFile, Source, read_options
from equimut.cli.progress import counting
from equimut.errors import GateFailed, NothingToAnalyse

if TYPE_CHECKING:
    from equimut.scanning.registry.registry import EntryCheck

registry_app = typer.Typer(
    name="registry",
    help="Accepted equivalents (equivalents.toml): show them, check them in CI.",
    no_args_is_help=True,
)
MEANINGS = {
    "stale": "the function has changed since; look again, then put this into the entry:",
    "gone": "the report has no such mutant any more; delete the entry",
    "killed": "a test notices it, so it is not equivalent; delete the entry",
}


@registry_app.command()
def show(
    registry: RegistryFile = None,
    as_json: AsJson = False,
) -> None:
    """Print what was accepted.

    Example: equimut registry show --json
    """
    from equimut.scanning.registry.registry import Registry
    from equimut.storage.files import shown

    path = read_options({"registry": registry}).registry
    entries = Registry(path).entries
    if as_json:
        print_json([entry.model_dump(mode="json") for entry in entries])
        return
    for entry in entries:
        typer.echo(shown(f"{entry.key}  {entry.file} {entry.function}: {entry.change}"))
        who = ", ".join(part for part in (entry.author, str(entry.date), entry.tier) if part)
        typer.echo(shown(f"              {entry.reason} ({who})"))
    print_note(f"{len(entries)} accepted in {path}")


@registry_app.command()
def check(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report on the present code.")],
    source: Source = None,
    input_format: InputFormat = None,
    registry: RegistryFile = None,
    as_json: AsJson = False,
) -> None:
    """Check accepted equivalents against a report of now; exit code 1 unless all still stand.

    An entry is stale when its function changed, gone when there is no such mutant any more, and
    refuted when a test kills it. Somebody has to look again, so each of these fails.

    Example: equimut registry check target/pit-reports/mutations.xml
    """
    from equimut.reports.reported import read_report
    from equimut.scanning.registry.check import check_registry
    from equimut.scanning.registry.registry import Registry

    settings = read_options({"registry": registry, "source": source, "input_format": input_format})
    accepted = Registry(settings.registry)
    read = read_report(report, settings.source, settings.input_format)
    if not read.total:
        raise NothingToAnalyse(f"{report}: the report holds no mutants")
    with counting(STAGES["reading"], read.total) as advance:
        checked = check_registry(read, accepted, advance)
    if as_json:
        print_json([_row(each) for each in checked])
    else:
        _print(checked)
    states: Counter[str] = Counter(each.state for each in checked)
    if bad := [each for each in checked if each.state != "valid"]:
        found = ", ".join(f"{states[state]} {state}" for state in MEANINGS if states[state])
        raise GateFailed(
            f"{settings.registry}: {len(bad)} of {len(checked)} accepted equivalents "
            f"do not stand any more: {found}"
        )


def _row(checked: "EntryCheck") -> dict[str, object]:
    now = checked.now
    return {
        "state": checked.state,
        "new_key": checked.new_key,
        "now": None if now is None else now.model_dump(),
        **checked.entry.model_dump(mode="json"),
    }


def _print(checked: "list[EntryCheck]") -> None:
    from equimut.scanning.registry.check import paste_ready
    from equimut.storage.files import shown

    for each in checked:
        entry = each.entry
        line = f"{each.state:<7}{entry.key}  {entry.file} {entry.function}: {entry.change}"
        typer.echo(shown(line))
        if each.state != "valid":
            typer.echo(f"       {MEANINGS[each.state]}")
        for line in paste_ready(each):
            typer.echo(f"           {line}")
    print_note(f"{sum(each.state == 'valid' for each in checked)} of {len(checked)} stand")
