"""`equimut mutate`: make mutants of a file, or list the operators that do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_note, print_table
from equimut.errors import EquimutError

if TYPE_CHECKING:
    from equimut.mutation import MutationRun


def mutate(
    file: Annotated[Path | None, typer.Argument(help="Source file: .java, .c or .py.")] = None,
    operators: Annotated[
        str | None, typer.Option(help="Names separated by commas (see --list); all by default.")
    ] = None,
    function: Annotated[str | None, typer.Option(help="Only functions of this name.")] = None,
    language: Annotated[
        str | None, typer.Option(help="java, c or python; by the file's suffix when not given.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most N mutants, drawn at random.")
    ] = None,
    per_function: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="At most N mutants of each function."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides which mutants are drawn.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Directory to write: a file per mutant and mutants.jsonl; with --jsonl a file."
        ),
    ] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="JSON lines: to standard output, or to the --out file.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a directory of mutants made before.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the table of operators and stop.")
    ] = False,
) -> None:
    """Make mutants: copies of a source with one small change each.

    Every mutant parses and differs from the source in its tokens; docs/operators.md shows what
    each operator does.
    """
    if list_:
        _print_operators()
        return
    if file is None:
        raise EquimutError("no file to mutate: give FILE, or --list to see the operators")
    if out is None and not jsonl:
        raise EquimutError("nowhere to put the mutants: give --out DIR, or --jsonl to print them")
    from equimut.languages import get_language, language_of_path
    from equimut.mutation import run_operators
    from equimut.mutation.store import check_target

    spec = get_language(language) if language else language_of_path(file)
    source = _read(file)
    if out is not None and not jsonl:
        check_target(out, force=force)
    elif out is not None and out.resolve() == file.resolve():
        raise EquimutError(f"{out} is the source itself; name another file for the mutants")
    try:
        run = run_operators(
            source,
            spec.name,
            operators=None if operators is None else _names(operators),
            function=function,
            file=_name_of(file),
            sample=sample,
            per_function=per_function,
            seed=seed,
        )
    except EquimutError as error:
        raise type(error)(f"{file}: {error}") if function else error from None
    _write(run, file, source, out, jsonl, force)
    _print_summary(run)


def _write(
    run: "MutationRun", file: Path, source: str, out: Path | None, jsonl: bool, force: bool
) -> None:
    from equimut.mutation.store import write_directory
    from equimut.storage.files import shown_json
    from equimut.storage.jsonl import to_line, write_lines

    if out is None:
        for mutant in run.mutants:
            typer.echo(shown_json(to_line(mutant).decode()), nl=False)
    elif jsonl:
        write_lines(out, map(to_line, run.mutants))
    else:
        write_directory(out, file.name, source, run.mutants, force=force)


def _name_of(file: Path) -> str:
    """The file as a report of this project would name it: the key of a mutant holds its name."""
    try:
        return file.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.name


def _read(file: Path) -> str:
    from equimut.parsing.tree import checked_bytes

    try:
        return checked_bytes(file.read_bytes()).decode()
    except EquimutError as error:
        raise type(error)(f"{file}: {error}") from None


def _names(text: str) -> list[str]:
    return [name.strip().upper() for name in text.split(",") if name.strip()]


def _print_summary(run: "MutationRun") -> None:
    from equimut.storage.files import counted

    functions = len({mutant.function for mutant in run.mutants})
    dropped = ", ".join(f"{count:,} {reason}" for reason, count in run.dropped.items())
    note = f"{counted(len(run.mutants), 'mutant')} of {counted(functions, 'function')}"
    print_note(f"{note}; dropped: {dropped}" if dropped else note)


def _print_operators() -> None:
    from equimut.mutation import OPERATORS

    rows = []
    for operator in OPERATORS.values():
        example = operator.examples[0]
        shown = f"{example.before}  ->  {example.after}" if not example.whole else ""
        rows.append((operator.name, operator.summary, shown, ", ".join(operator.tools)))
    print_table(("operator", "what it does", "example", "made by"), rows)
