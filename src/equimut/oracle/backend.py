"""What a language brings to the oracle: how its functions are read, run and put in programs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from re import Pattern

from equimut.oracle.project import JudgeFile, SuggestedTest
from equimut.oracle.sandbox.runs import Case, Findings
from equimut.oracle.signature import Signature


@dataclass(frozen=True)
class WholePrograms:
    """How a function stands in a whole program, so that a changed one can be run inside it."""

    refuse: str
    """The statement that puts an input outside the origin's domain."""
    needed: str = ""
    """What that statement needs, put before the function it stands in."""
    members: bool = False
    """Functions are members of a class: the last of a name is the one that is run."""
    unpublished: Pattern[str] | None = None
    """Lines that name what was not published with the programs."""
    repairs: tuple[tuple[Pattern[str], str], ...] = ()
    """What published programs take for granted, said in a way that compiles today."""
    largest: int | None = None
    """Characters of the largest program that is tried."""


@dataclass(frozen=True)
class Backend:
    """The object `BACKEND` of `equimut.oracle.<language>.backend`."""

    read_signature: Callable[[str, str | None], Signature]
    run: Callable[[Case], Findings]
    foreign_names: Callable[[Iterable[str]], set[str]] = lambda sources: set()
    """Names that functions take from outside, where a missing one shows only when they run."""
    programs: WholePrograms | None = None
    compiler: str = ""
    """The command that compiles the language."""
    judge_file: JudgeFile | None = None
    """Runs functions of a project where they stand."""
    suggested_file: Callable[[str, Sequence[SuggestedTest]], tuple[str, str]] | None = None
    """The name and the text of the file with the tests of one source file."""
