"""Where the commands print: results to standard output, everything else to standard error."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from equimut.storage.files import shown, shown_json

if TYPE_CHECKING:
    from rich.console import Console

    from equimut.reports.reported import Change


def print_error(message: str) -> None:
    """One clear line on standard error."""
    typer.secho(f"error: {shown(' '.join(message.split()))}", fg="red", err=True)


def print_note(message: str) -> None:
    """A remark for the person at the terminal, kept out of the results."""
    typer.secho(_lines(message), fg="bright_black", err=True)


def print_line(text: str, *, bold: bool = False) -> None:
    """A result for a person; names and code in it cannot steer the terminal."""
    typer.secho(_lines(text), bold=bold or None)


def _lines(text: str) -> str:
    return "\n".join(map(shown, text.split("\n")))


def print_json(value: Any) -> None:
    """A result for a program to read."""
    typer.echo(shown_json(json.dumps(value, ensure_ascii=False, indent=2)))


def print_table(columns: Sequence[str], rows: Iterable[Iterable[object]], title: str = "") -> None:
    """A table; columns of numbers are set to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    texts = [
        [f"{cell:,}" if isinstance(cell, int) else shown(str(cell)) for cell in row] for row in rows
    ]
    table = Table(
        title=shown(title) or None, box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False
    )
    for name, *cells in zip(columns, *texts, strict=True):
        numbers = bool(cells) and all(cell[:1] in "0123456789-<" for cell in cells)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in texts:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)


def print_change(origin: str, mutant: str) -> None:
    """The lines that differ, in colour."""
    from difflib import unified_diff

    from rich.console import Console
    from rich.syntax import Syntax

    before, after = ([shown(line) for line in text.split("\n")] for text in (origin, mutant))
    change = unified_diff(before, after, lineterm="", n=1)
    Console().print(Syntax("\n".join(list(change)[2:]), "diff", background_color="default"))


def show_function(change: "Change", console: "Console") -> None:
    """The whole function before the change, with what it becomes."""
    from rich.text import Text

    from equimut.parsing.text_diff import line_differences

    old, new = change.origin_function.split("\n"), change.mutant_function.split("\n")
    at = 0
    rows: list[tuple[str, str]] = []
    for start, end, new_start, new_end in line_differences(old, new):
        rows += [(" ", line) for line in old[at:start]]
        rows += [("-", line) for line in old[start:end]]
        rows += [("+", line) for line in new[new_start:new_end]]
        at = end
    rows += [(" ", line) for line in old[at:]]
    styles = {"-": "red", "+": "green"}
    for sign, line in rows:
        console.print(Text(f"{sign} {shown(line)}", styles.get(sign, "")))
