"""What a mutation operator is: a name, a sentence, a small function and examples that run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from equimut.mutation.edit import Edit
from equimut.semantics.program import Program

Edits = Iterator[Edit]

MUTANTBENCH, MAJOR, PIT, STRYKER, MUTMUT = "MutantBench", "Major", "PIT", "Stryker", "mutmut"


@dataclass(frozen=True)
class Example:
    """A piece of a function and one of the mutants that the operator makes of it."""

    language: str
    before: str
    after: str
    whole: bool = False
    """Whether the text is a whole function; if not, it is a statement inside one."""


@dataclass(frozen=True)
class Operator:
    """A row of the table of operators."""

    name: str
    summary: str
    tools: tuple[str, ...]
    roles: tuple[str, ...]
    """The roles of nodes the function is asked about; `statement` stands for any statement."""
    function: Callable[[Program, Node], Edits]
    examples: tuple[Example, ...]


def java(before: str, after: str) -> Example:
    """A Java statement before and after."""
    return Example("java", before, after)


def c(before: str, after: str) -> Example:
    """A C statement before and after."""
    return Example("c", before, after)


def python(before: str, after: str) -> Example:
    """A Python statement before and after."""
    return Example("python", before, after)


def function(language: str, before: str, after: str) -> Example:
    """A whole function before and after."""
    return Example(language, before, after, whole=True)


_FRAMES = {
    "java": "int f(int a, int b, int c, double d, boolean p, boolean q, int[] xs, String s)"
    " {{ int x = 0; while (x < 9) {{ {} }} return x; }}",
    "c": "int f(int a, int b, int c, double d, int p, int q, int *xs, char *s)"
    " {{ int x = 0; while (x < 9) {{ {} }} return x; }}",
    "python": "def f(a: int, b: int, c: int, d: float, p: bool, q: bool, xs: list, s: str):\n"
    "    x = 0\n    while x < 9:\n        {}\n    return x\n",
}


def framed(example: Example) -> tuple[str, str]:
    """The example as two whole functions."""
    if example.whole:
        return example.before, example.after
    frame = _FRAMES[example.language]
    return frame.format(example.before), frame.format(example.after)
