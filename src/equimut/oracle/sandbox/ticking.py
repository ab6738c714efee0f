"""Puts a tick wherever a source with braces can repeat, so that steps are counted.

Ticks stand at the start of loop bodies and functions and at C labels; a bare statement as loop
body gets braces. Python has its own way (`harness/python_steps.py`): its syntax is its layout.
"""

from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages import dialect_of
from equimut.parsing.tree import SyntaxTree, parse, walk


@dataclass(frozen=True)
class TickRules:
    """What a tick looks like, and where it stands besides loops and functions."""

    tick: str
    block: str
    """The node type of statements in braces."""
    labels: frozenset[str] = frozenset()
    missing_return: str = ""
    """A statement for the end of functions that have to return a value (C)."""


JAVA = TickRules(
    tick=" equimut_.Steps.tick(); ",
    block="block",
)
C = TickRules(
    tick=" equimut_tick(); ",
    block="compound_statement",
    labels=frozenset({"labeled_statement"}),
    missing_return=" equimut_missing_return(); ",
)


def add_ticks(source: str, language: str, rules: TickRules) -> str:
    """The source with ticks; text that does not parse is given back as it is."""
    tree = parse(source, language)
    if tree.errors:
        return source  # the compiler will say what is wrong with it
    return apply_insertions(tree.source, _insertions(tree, rules))


def apply_insertions(source: bytes, insertions: list[tuple[int, str]]) -> str:
    """Put texts at byte offsets; of two at one offset, the first in the list comes first."""
    parts, last = [], 0
    for offset, text in sorted(insertions, key=lambda pair: pair[0]):
        parts += [source[last:offset], text.encode()]
        last = offset
    return b"".join([*parts, source[last:]]).decode()


def _insertions(tree: SyntaxTree, rules: TickRules) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    loops, functions = tree.language.loops, dialect_of(tree.language.name).callables
    for node in walk(tree.root):
        body = node.child_by_field_name("body")
        if node.type in loops and body is not None:
            found += _in_statement(body, rules)
        elif node.type in functions and body is not None and body.type == rules.block:
            found.append((body.start_byte + 1, rules.tick))
            if rules.missing_return and _returns_a_value(node, tree):
                found.append((body.end_byte - 1, rules.missing_return))
        elif node.type in rules.labels:
            colon = next((child for child in node.children if child.type == ":"), None)
            if colon is not None:
                found.append((colon.end_byte, rules.tick))
    return found


def _in_statement(body: Node, rules: TickRules) -> list[tuple[int, str]]:
    if body.type == rules.block:
        return [(body.start_byte + 1, rules.tick)]
    return [(body.start_byte, "{" + rules.tick), (body.end_byte, "}")]


def _returns_a_value(function: Node, tree: SyntaxTree) -> bool:
    result = function.child_by_field_name("type")
    declarator = function.child_by_field_name("declarator")
    pointer = declarator is not None and declarator.type == "pointer_declarator"
    return result is not None and (pointer or tree.text(result).strip() != "void")
