"""On the published programs: how many of MutantBench's mutants our operators make, by name."""

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from conftest import FULL, shared_file
from equimut.data.published.turtle import TurtleMutant, read_turtle
from equimut.mutation.edit import Edit
from equimut.mutation.engine import candidates, nodes_by_function
from equimut.mutation.table import MUTANTBENCH_NAMES, select_operators
from equimut.parsing.edits import apply_diff
from equimut.parsing.functions import Function, functions
from equimut.parsing.tree import parse
from equimut.semantics.program import Program

# Programs that show every operator at work and are quick to mutate; `make test-full` takes all.
QUICK = (
    "Bisect.java", "BubbleSort.java", "Triangle.java", "QuickSort.java", "WordUtils.java",
    "MathUtils.java", "Vector3D.java", "Triangle.c", "Tcas.c", "Profit.c", "Calendar.c",
    "Carsimulator.c", "Day.c",
)  # fmt: skip


def signature(text: str) -> str:
    """Code without white space, parentheses, braces and semicolons.

    MutantBench writes a deleted statement as nothing or as `;` and adds parentheses as its tools
    did; the operator of an edit shows in what remains.
    """
    return "".join(char for char in text if not char.isspace() and char not in "();{}")


def touched(source: bytes, mutant: bytes, found: tuple[Function, ...]) -> Function | None:
    """The innermost function outside of which nothing changed."""
    around = [
        function
        for function in found
        if mutant[: function.start] == source[: function.start]
        and mutant.endswith(source[function.end :])
    ]
    return min(around, key=lambda function: function.end - function.start, default=None)


def made_by_operator(program: Program, wanted: set[Function]) -> dict[tuple[int, str], set[str]]:
    """(start of function, operator) -> signatures of the functions it makes."""
    made = defaultdict(set)
    operators = select_operators(MUTANTBENCH_NAMES)
    for function, nodes in nodes_by_function(program, functions(program.tree)):
        if function in wanted:
            for candidate in candidates(program, nodes, operators):
                text = spliced(program.source, function, candidate.edit)
                made[function.start, candidate.operator].add(signature(text))
    return made


def spliced(source: bytes, function: Function, edit: Edit) -> str:
    before, after = source[function.start : edit.start], source[edit.end : function.end]
    return (before + edit.text.encode() + after).decode()


def coverage(program_file: Path, mutants: list[TurtleMutant]) -> tuple[Counter, Counter]:
    """Mutants of one program by operator: all of them, and those our operator makes too."""
    source = program_file.read_bytes()
    tree = parse(source, mutants[0].language)
    found = functions(tree)
    places = {}
    for mutant in mutants:
        changed = apply_diff(source.decode(), mutant.difference).encode()
        function = touched(source, changed, found)
        if function is not None:
            end = len(changed) - (len(source) - function.end)
            places[mutant.name] = (function, signature(changed[function.start : end].decode()))
    made = made_by_operator(
        Program(tree, guesses=True), {function for function, _ in places.values()}
    )
    total, hit = Counter(), Counter()
    for mutant in mutants:
        operator = mutant.operators[0]
        total[operator] += 1
        if mutant.name in places:
            function, wanted = places[mutant.name]
            hit[operator] += wanted in made[function.start, operator]
    return total, hit


@cache
def described(ttl: Path) -> tuple[TurtleMutant, ...]:
    return read_turtle(ttl)


@pytest.mark.parametrize(("language", "floor"), [("java", 0.9), ("c", 0.8)])
def test_operators_of_the_same_name_make_the_published_mutants(language: str, floor: float) -> None:
    ttl = shared_file("data", "mutantbench", "dataset.ttl")
    by_program = defaultdict(list)
    for mutant in described(ttl):
        if len(mutant.operators) == 1 and mutant.language == language:
            by_program[mutant.program].append(mutant)
    total, hit = Counter(), Counter()
    for name, mutants in sorted(by_program.items()):
        if FULL or name in QUICK:
            counts = coverage(ttl.parent / "programs" / name, mutants)
            total, hit = total + counts[0], hit + counts[1]
    for operator in total:
        print(f"{language:5} {operator:5} {hit[operator]:5} of {total[operator]:5}")
    share = hit.total() / total.total()
    print(f"{language:5} all   {hit.total():5} of {total.total():5} ({share:.1%})")
    assert share >= floor
