"""`equimut accept`: a person decides that a mutant is equivalent, with a reason."""

from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_note
from equimut.cli.options import RegistryFile, default_author, read_options
from equimut.errors import EquimutError


def accept(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="As `equimut scan` prints it, or its beginning.")
    ],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why no test can notice it.")
    ],
    author: Annotated[
        str | None, typer.Option(help="Who decides (default: git's user.name, or the login).")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="REPORT", help="Take the mutant from here, not from the last scan."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --report: the root of the sources.")
    ] = None,
    registry: RegistryFile = None,
    cache: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The cache the scan was given, if it was.")
    ] = None,
) -> None:
    """Accept a mutant as equivalent: it is added to equivalents.toml and counts from then on.

    The entry holds for this change in this very code. When the function changes, it is stale, and
    `equimut registry check` says so.

    Example: equimut accept 1f0c9a3b77de --reason "equal keys: either may come first"
    """
    from equimut.reports.reported import read_report
    from equimut.scanning.registry.check import mutants_by_key
    from equimut.scanning.registry.last_scan import find_mutant, last_scan_path, seen_mutants
    from equimut.scanning.registry.registry import Registry
    from equimut.storage.files import shown
    from equimut.storage.user_cache import cache_directory

    settings = read_options({"registry": registry, "source": source})
    accepted = Registry(settings.registry)
    if report is not None:
        mutants = mutants_by_key(read_report(report, settings.source, settings.input_format))
        where = str(report)
    else:
        path = last_scan_path(cache or cache_directory("scan"), settings.registry)
        if not path.exists():
            raise EquimutError("no scan to accept from; run `equimut scan` here, or give --report")
        mutants, where = seen_mutants(path), "the last scan"
    found = find_mutant(key, mutants)
    if found is None:
        raise EquimutError(
            f"{where} has no mutant with the key {key}; scan again, or give --report"
        )
    day = datetime.now(timezone.utc).date()
    entry = accepted.accept(
        found.key, reason=reason, author=author or default_author(), tier=found.tier, day=day
    )
    typer.echo(shown(f"accepted {entry.key}  {entry.file} {entry.function}: {entry.change}"))
    if found.tier == "killed":
        print_note("note: the oracle found an input that tells the two apart; the entry says so")
