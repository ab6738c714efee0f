"""MutantBench -> pairs: apply each difference to its program and cut out the changed functions.

A difference that touches two functions gives two pairs, and their ids end in `#1` and `#2`: the
label describes the mutant as a whole, so it need not hold for each of the two alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from equimut.data.published.locate import dataset_file
from equimut.data.published.turtle import TurtleMutant, read_turtle
from equimut.errors import DataError, ParseError
from equimut.parsing.edits import FunctionPair, apply_diff, changed_functions
from equimut.records import Label, Pair
from equimut.storage.files import read_text


@dataclass(frozen=True)
class ChangedFunctions:
    """A mutant with the functions that it changes."""

    mutant: TurtleMutant
    functions: tuple[FunctionPair, ...]


@dataclass(frozen=True)
class MutantBench:
    """The pairs of one language, and what a reader should know of how they were made."""

    pairs: tuple[Pair, ...]
    mutants: int
    in_two_functions: int
    labelled_both_ways: int


def read_mutantbench(directory: Path, language: str) -> MutantBench:
    """All pairs of a language, ordered by the mutant's name."""
    ttl = dataset_file(directory, "mutantbench", "dataset.ttl")
    mutants = [mutant for mutant in read_turtle(ttl) if mutant.language == language]
    if not mutants:
        raise DataError(f"{ttl} describes no mutant in {language}")
    programs = _read_programs(mutants, directory, ttl)
    # Program by program, so that each is parsed once; then back to the order of names.
    by_program = sorted(mutants, key=lambda mutant: mutant.program)
    located = [_locate(mutant, programs[mutant.program], ttl) for mutant in by_program]
    located.sort(key=lambda found: found.mutant.name)
    class_ids = _number_origins(located)
    pairs = []
    for found in located:
        for number, function in enumerate(found.functions, start=1):
            suffix = f"#{number}" if len(found.functions) > 1 else ""
            pairs.append(_pair(found.mutant, function, class_ids[function.origin], suffix))
    return MutantBench(
        pairs=tuple(pairs),
        mutants=len(located),
        in_two_functions=sum(len(found.functions) > 1 for found in located),
        labelled_both_ways=sum(len(found.mutant.equivalence) > 1 for found in located),
    )


def _locate(mutant: TurtleMutant, program: str, ttl: Path) -> ChangedFunctions:
    where = f"{ttl}, mutant {mutant.name}"
    try:
        mutated = apply_diff(program, mutant.difference)
        functions = changed_functions(program, mutated, mutant.language)
    except ParseError as error:
        raise DataError(f"{where} of {mutant.program}: {error}") from error
    if not functions:
        raise DataError(f"{where} of {mutant.program}: the difference changes no function")
    return ChangedFunctions(mutant, tuple(_dedented(function, program) for function in functions))


def _dedented(function: FunctionPair, program: str) -> FunctionPair:
    """The function as if it stood at the left margin, as the EMD csv has it."""
    line = program.split("\n")[function.origin_start_line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    origin, mutant = (
        "\n".join(line.removeprefix(indent) for line in text.split("\n"))
        for text in (function.origin, function.mutant)
    )
    return replace(function, origin=origin, mutant=mutant)


def _program_path(name: str, directory: Path, where: str) -> Path:
    """The program's file. Its name comes from the dataset, so it may not lead anywhere else."""
    if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise DataError(f"{where}: program {name!r} is not a plain file name; it is not read")
    path = dataset_file(directory, "mutantbench", f"programs/{name}")
    if path.resolve().parent != path.parent.resolve():
        raise DataError(f"{where}: program {name!r} leads out of {path.parent}; it is not read")
    return path


def _read_programs(mutants: Iterable[TurtleMutant], directory: Path, ttl: Path) -> dict[str, str]:
    """The text of every program, by file name."""
    programs: dict[str, str] = {}
    for mutant in mutants:
        if mutant.program not in programs:
            where = f"{ttl}, mutant {mutant.name}"
            programs[mutant.program] = read_text(_program_path(mutant.program, directory, where))
    return programs


def _number_origins(located: list[ChangedFunctions]) -> dict[str, int]:
    """Class ids by origin text, in the order of programs and of the lines in them."""
    first: dict[str, tuple[str, int]] = {}
    for found in located:
        for function in found.functions:
            place = (found.mutant.program, function.origin_start_line)
            first[function.origin] = min(place, first.get(function.origin, place))
    ordered = sorted(first, key=lambda origin: first[origin])
    return {origin: number for number, origin in enumerate(ordered)}


def _pair(mutant: TurtleMutant, function: FunctionPair, class_id: int, suffix: str) -> Pair:
    # A mutant called both is not equivalent: one input that tells the two apart is enough.
    label: Label = 1 if mutant.equivalence == {True} else 0
    source = f"mutantbench-{mutant.language}"
    return Pair(
        id=f"{source}:{mutant.name}{suffix}",
        source=source,
        language=mutant.language,
        class_id=class_id,
        program=mutant.program,
        operators=mutant.operators,
        origin=function.origin,
        mutant=function.mutant,
        label=label,
        split="",
    )
