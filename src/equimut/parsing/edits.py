"""Edits: apply a unified diff, cut out the functions that an edit touches."""

from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from itertools import accumulate

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchSet

from equimut.errors import ParseError
from equimut.languages import LanguageSpec, get_language
from equimut.parsing.functions import Function, functions
from equimut.parsing.text_diff import byte_difference, line_differences
from equimut.parsing.tree import checked_bytes, parse


@dataclass(frozen=True)
class FunctionPair:
    """A function before and after an edit."""

    name: str
    origin: str
    mutant: str
    origin_start_line: int


@dataclass(frozen=True)
class Change:
    """Bytes of the origin and the bytes that stand there in the mutant."""

    start: int
    end: int
    new_start: int
    new_end: int


def apply_diff(
    source: str, diff: str, *, ignore_trailing_space: bool = True, max_shift: int = 3
) -> str:
    """Apply a unified diff of one file, with or without file headers.

    Trailing white space (and so a carriage return) is not compared unless asked for; lines that
    the diff does not change keep theirs. Lines that do not stand where the diff says are looked
    for up to `max_shift` lines away, and must stand in one such place only.
    """
    lines = source.split("\n")
    result: list[str] = []
    done = 0
    for hunk in _hunks(diff):
        old = [line.value.removesuffix("\n") for line in hunk.source_lines()]
        if ignore_trailing_space:
            old = [line.rstrip() for line in old]
        start = _place(lines, old, hunk.source_start, ignore_trailing_space, max_shift)
        if start < done:
            raise ParseError(f"the diff does not apply: its parts overlap at line {start + 1}")
        result += lines[done:start]
        done = start
        for line in hunk:
            if line.is_added:
                carriage = "\r" if lines[min(start, len(lines) - 1)].endswith("\r") else ""
                result.append(line.value.removesuffix("\n").removesuffix("\r") + carriage)
            elif line.is_removed or line.is_context:
                result += [lines[done]] * line.is_context
                done += 1
    return "\n".join(result + lines[done:])


def _place(lines: list[str], old: list[str], number: int, ignore_space: bool, shift: int) -> int:
    """Index of the line where a hunk starts; `number` is where the diff says it is."""

    def stands_at(start: int) -> bool:
        found = lines[start : start + len(old)] if start >= 0 else []
        return [line.rstrip() if ignore_space else line for line in found] == old

    if not old:  # a hunk that removes nothing names the line it stands after
        if number > len(lines):
            raise ParseError(f"the diff does not apply: there is no line {number} to insert after")
        return number
    expected = number - 1
    near = [expected + distance for distance in range(-shift, shift + 1)]
    starts = [expected] if stands_at(expected) else [start for start in near if stands_at(start)]
    if len(starts) == 1:
        return starts[0]
    if starts:
        where = " and ".join(str(start + 1) for start in starts)
        raise ParseError(f"the diff does not apply: its lines stand at {where}, not at {number}")
    found = repr(lines[expected].strip()) if 0 <= expected < len(lines) else "not in the source"
    raise ParseError(
        f"the diff does not apply: line {number} is {found}, the diff expects {old[0].strip()!r}"
    )


def _hunks(diff: str) -> list[Hunk]:
    headed = diff if diff.startswith(("--- ", "diff ")) else f"--- a\n+++ b\n{diff}"
    if not headed.endswith("\n"):
        headed += "\n"
    try:
        files = PatchSet(StringIO(headed, newline="\n"))
    except UnidiffParseError as error:
        raise ParseError(f"not a unified diff: {error}") from None
    if len(files) != 1:
        raise ParseError(f"expected a diff of one file, found {len(files)}")
    hunks = list(files[0])
    if not hunks:
        raise ParseError("not a unified diff: no hunk (a line like '@@ -28 +28 @@')")
    return hunks


def changed_functions(
    origin: str, mutant: str, language: str | LanguageSpec
) -> tuple[FunctionPair, ...]:
    """The functions that differ between two versions of a source, before and after.

    Only the origin has to be understood: an edit may break the syntax of the mutant.
    """
    spec = get_language(language) if isinstance(language, str) else language
    before, after = checked_bytes(origin), checked_bytes(mutant)
    changes = _changes(before, after)
    if not changes:
        raise ParseError("origin and mutant are the same text: no function is changed")
    known = _functions_of(before, spec)
    touched: set[Function] = set()
    for change in changes:
        reached = _touched(known, change)
        if not reached:
            line = before.count(b"\n", 0, change.start) + 1
            raise ParseError(f"the change at line {line} is outside any {spec.name} function")
        touched.update(reached)
    ordered = sorted(touched, key=lambda function: function.start)
    return tuple(_pair(before, after, function, changes) for function in ordered)


@lru_cache(maxsize=64)  # mutants of the same few programs come in any order
def _functions_of(source: bytes, language: LanguageSpec) -> tuple[Function, ...]:
    return functions(parse(source, language))


def _touched(known: tuple[Function, ...], change: Change) -> list[Function]:
    """The innermost function around a change, or every function that it reaches into."""
    around = [f for f in known if f.start <= change.start and change.end <= f.end]
    around = [f for f in around if change.start != change.end or f.start < change.start < f.end]
    if around:
        return [min(around, key=lambda function: function.end - function.start)]
    return [f for f in known if f.start < change.end and change.start < f.end]


def _pair(before: bytes, after: bytes, function: Function, changes: list[Change]) -> FunctionPair:
    start = _moved(function.start, changes, at_start=True)
    end = _moved(function.end, changes, at_start=False)
    return FunctionPair(
        function.name,
        before[function.start : function.end].decode(),
        after[start:end].decode(),
        function.start_line,
    )


def _moved(position: int, changes: list[Change], *, at_start: bool) -> int:
    """Where a boundary of the origin stands in the mutant; one inside a change takes its edge."""
    shift = 0
    for change in changes:
        if position < change.start or (position == change.start and not at_start):
            break
        if position < change.end or (position == change.end == change.start):
            return change.new_start if at_start else change.new_end
        shift = change.new_end - change.end
    return position + shift


def _changes(before: bytes, after: bytes) -> list[Change]:
    """Where the two differ: line by line, then trimmed to the bytes that really changed."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    old_at, new_at = ([0, *accumulate(map(len, lines))] for lines in (old, new))
    changes = []
    for i1, i2, j1, j2 in line_differences(old, new):
        start, new_start = old_at[i1], new_at[j1]
        head, old_end, new_end = byte_difference(
            before[start : old_at[i2]], after[new_start : new_at[j2]]
        )
        changes.append(Change(start + head, start + old_end, new_start + head, new_start + new_end))
    return changes
