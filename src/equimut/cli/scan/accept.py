"""`equimut accept` and `equimut reject`: a person decides about a mutant, with a reason."""

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_note
from equimut.cli.options import RegistryFile, default_author, read_options
from equimut.errors import EquimutError

if TYPE_CHECKING:
    from equimut.records import Tier
    from equimut.scanning.registry.registry import DecisionWord

Key = Annotated[
    str, typer.Argument(metavar="KEY", help="As `equimut scan` prints it, or its beginning.")
]
Author = Annotated[
    str | None, typer.Option(help="Who decides (default: git's user.name, or the login).")
]
ReportOption = Annotated[
    Path | None,
    typer.Option(metavar="REPORT", help="Take the mutant from here, not from the last scan."),
]
SourceOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="With --report: the root of the sources.")
]
CacheOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The cache the scan was given, if it was.")
]


def accept(
    key: Key,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why no test can notice it.")
    ],
    author: Author = None,
    report: ReportOption = None,
    source: SourceOption = None,
    registry: RegistryFile = None,
    cache: CacheOption = None,
) -> None:
    """Accept a mutant as equivalent: it is added to equivalents.toml and counts from then on.

    The entry holds for this change in this very code. When the function changes, it is stale, and
    `equimut registry check` says so.

    Example: equimut accept 1f0c9a3b77de --reason "equal keys: either may come first"
    """
    tier = _decide("equivalent", key, reason, author, report, source, registry, cache)
    if tier == "killed":
        print_note("note: the oracle found an input that tells the two apart; the entry says so")


def reject(
    key: Key,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="What a test can notice.")
    ],
    author: Author = None,
    report: ReportOption = None,
    source: SourceOption = None,
    registry: RegistryFile = None,
    cache: CacheOption = None,
) -> None:
    """Reject a mutant as not equivalent: it is worth a test, whatever a model or a proof says.

    It is added to equivalents.toml and from then on counts as a survivor in scores, gate and
    write-back, as long as its function stays the same.

    Example: equimut reject 1f0c9a3b77de --reason "differs for an empty list"
    """
    tier = _decide("rejected", key, reason, author, report, source, registry, cache)
    if tier == "proved":
        print_note("note: equimut proves it equivalent; if a test tells the two apart, report that")


def _decide(
    decision: "DecisionWord",
    key: str,
    reason: str,
    author: str | None,
    report: Path | None,
    source: Path | None,
    registry: Path | None,
    cache: Path | None,
) -> "Tier":
    """Write the decision down; says what the tool's own verdict rested on."""
    from equimut.reports.reported import read_report
    from equimut.scanning.registry.check import mutants_by_key
    from equimut.scanning.registry.last_scan import (
        find_mutant,
        last_scan_path,
        registry_of_last_scan,
        seen_mutants,
    )
    from equimut.scanning.registry.registry import Registry
    from equimut.storage.files import shown
    from equimut.storage.user_cache import cache_directory

    place = cache or cache_directory("scan")
    if registry is None and report is None:
        registry = registry_of_last_scan(place)
    settings, _ = read_options({"registry": registry, "source": source}, report)
    decisions = Registry(settings.registry)
    if report is not None:
        mutants = mutants_by_key(read_report(report, settings.source, settings.input_format))
        where = str(report)
    else:
        path = last_scan_path(place, settings.registry)
        if not path.exists():
            raise EquimutError("no scan to decide on; run `equimut scan` here, or give --report")
        mutants, where = seen_mutants(path), "the last scan"
    found = find_mutant(key, mutants)
    if found is None:
        raise EquimutError(
            f"{where} has no mutant with the key {key}; scan again, or give --report"
        )
    before = decisions.find(found.key)
    entry = decisions.decide(
        decision,
        found.key,
        reason=reason,
        author=author or default_author(),
        tier=found.tier,
        day=datetime.now(timezone.utc).date(),
    )
    word = "accepted" if decision == "equivalent" else "rejected"
    typer.echo(shown(f"{word} {found.key.text}  {entry.file} {entry.function}: {entry.change}"))
    print_note(f"note: written to {shown(str(settings.registry))}")
    if before is not None:
        print_note(shown(f"note: in place of the decision before: {before.reason}"))
    return found.tier
