"""A C file with copies of its functions beside them: the origin once more, and its mutants."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equimut.parsing.functions import declared_name, functions
from equimut.parsing.tree import SyntaxTree, walk
from equimut.records import Mutant

ATTRIBUTES = "__attribute__((used, noinline, noclone))"
LARGEST_FUNCTION = 3_000
"""Bytes; longer functions are not what a model with a window reads."""
SMALLEST_FUNCTION = 40
_DIRECTIVE = re.compile(rb"^[ \t]*#", re.M)
_STATIC_INSIDE = re.compile(rb"[{;]\s*static\b")


@dataclass(frozen=True)
class Subject:
    """A function of a file that can be copied: its position, and where its name stands in it."""

    name: str
    start: int
    end: int
    name_start: int
    """Of the name in the function's header, from the start of the function."""

    def copy_name(self, number: int) -> str:
        """The name of a copy; 0 is the origin itself."""
        return f"{self.name}__m{number:04d}"

    def renamed(self, text: bytes, number: int) -> bytes:
        """The text of the function or a mutant of it under the name of a copy."""
        at = self.name_start
        return text[:at] + self.copy_name(number).encode() + text[at + len(self.name.encode()) :]


def subjects(tree: SyntaxTree) -> list[Subject]:
    """The functions of a file whose copies say something about the text alone.

    Left out: functions with preprocessor lines inside (an edit in a part that is switched off
    changes nothing, whatever it is), with static variables, and very short or long ones.
    """
    nodes = {
        (node.start_byte, node.end_byte): node
        for node in walk(tree.root)
        if node.type == "function_definition" and not node.has_error
    }
    found = []
    for function in functions(tree):
        node = nodes.get((function.start, function.end))
        text = tree.source[function.start : function.end]
        if node is None or not SMALLEST_FUNCTION <= len(text) <= LARGEST_FUNCTION:
            continue
        if _DIRECTIVE.search(text) or _STATIC_INSIDE.search(text):
            continue
        name = declared_name(node, tree.language.function_types[node.type])
        # The name first: an edit in the header's types would move it.
        found.append(
            Subject(function.name, function.start, function.end, name.start_byte - function.start)
        )
    names = [subject.name for subject in found]
    return [subject for subject in found if names.count(subject.name) == 1 and subject.name]


def with_copies(
    source: bytes, chosen: Mapping[Subject, Sequence[tuple[int, Mutant]]]
) -> tuple[str, dict[str, tuple[Subject, int]]]:
    """The file with the copies after each function, and what the copies' line marks stand for."""
    parts: list[bytes] = []
    marks: dict[str, tuple[Subject, int]] = {}
    at = 0
    for subject in sorted(chosen, key=lambda one: one.start):
        parts.append(source[at : subject.end])
        at = subject.end
        origin = source[subject.start : subject.end]
        copies = [(0, origin), *((n, m.mutant_function.encode()) for n, m in chosen[subject])]
        for number, text in copies:
            mark = f"equimut_{len(marks)}"
            marks[mark] = (subject, number)
            parts.append(f'\n#line 1 "{mark}"\n{ATTRIBUTES} '.encode())
            parts.append(subject.renamed(text, number))
        parts.append(b'\n#line 1 "equimut_rest"\n')
    parts.append(source[at:])
    return b"".join(parts).decode(), marks
