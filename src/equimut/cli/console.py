"""Where the commands print: results to standard output, everything else to standard error."""

import json
from typing import Any

import typer


def print_error(message: str) -> None:
    """One clear line on standard error."""
    typer.secho(f"error: {' '.join(message.split())}", fg="red", err=True)


def print_note(message: str) -> None:
    """A remark for the person at the terminal, kept out of the results."""
    typer.secho(message, fg="bright_black", err=True)


def print_json(value: Any) -> None:
    """A result for a program to read."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
