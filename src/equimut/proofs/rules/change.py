"""What a mutant changes: the smallest part of the tree that differs, on both sides."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tree_sitter import Node

from equimut.parsing.text_diff import difference
from equimut.parsing.tree import SyntaxTree, depth, parse
from equimut.semantics.names import may_be_macro
from equimut.semantics.program import Program

_VOLATILE = re.compile(rb"\b(volatile|__volatile__|_Atomic)\b")
_OF_TYPES = frozenset({"sizeof_expression", "alignof_expression", "generic_expression",
                       "offsetof_expression"})  # fmt: skip
MOST_NESTED = 200
"""Nodes around the innermost one of a function; what is nested deeper is left alone."""


@dataclass(frozen=True, eq=False)
class Change:
    """Two parsed sources that are the same but for one node."""

    origin: Program
    mutant_tree: SyntaxTree
    before: Node
    after: Node
    function: Node
    """The function of the origin that is changed."""

    @cached_property
    def mutant(self) -> Program:
        """The other side; many rules need not look at it."""
        return Program(self.mutant_tree, rebound=self.origin.rebound)

    @property
    def language(self) -> str:
        """The language of both sides."""
        return self.origin.dialect.name


def find_change(
    origin: str, mutant: str, language: str, rebound: frozenset[str] = frozenset()
) -> Change | None:
    """The change; None if a side does not parse or nothing inside one function differs.

    `rebound`: builtins that are none in the file around.
    """
    program = _program(origin, language, rebound)
    old, new = program.tree, parse(mutant, language)
    if old.root.has_error or new.root.has_error:
        return None
    before, after, levels = old.root, new.root, 0
    if _is_deep(old):
        return None
    while (
        inside := _only_difference(old.source, before, new.source, after)
    ) is not None and inside[0].is_named:
        before, after = inside
        levels += 1
    if _exceeds(after, levels):
        return None
    if old.text(before) == new.text(after):
        return None
    types = frozenset(old.language.function_types)
    function = program.enclosing(before, types)
    if function is None or _changes_by_itself(program, function) or _is_seen(program, before):
        return None
    return Change(program, new, before, after, function)


def _changes_by_itself(program: Program, function: Node) -> bool:
    """Whether how often a variable of the function is read or written can be seen."""
    text = program.source[function.start_byte : function.end_byte]
    return program.dialect.has_pointers and _VOLATILE.search(text) is not None


def _is_seen(program: Program, node: Node) -> bool:
    """Whether more can be seen of an expression than its value: its text, or its type.

    `f'{x=}'` prints its text, as a macro may; every call in C of what the text does not declare
    may be one.
    """
    around: Node | None = node
    while around is not None and around.type not in program.dialect.functions:
        if around.type in ("interpolation", "format_expression"):
            text = program.parent(around)
            opens = program.text(text).partition("'")[0].partition('"')[0] if text else ""
            if "t" in opens.lower() or any(child.type == "=" for child in around.children):
                return True
        if around.type in _OF_TYPES:
            return True
        if around != node and _may_see_its_arguments(program, around):
            return True
        around = program.parent(around)
    return False


def _may_see_its_arguments(program: Program, node: Node) -> bool:
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is None or called.type != "identifier":
        return False
    return program.text(called) == "assert" or may_be_macro(program, called)


def _is_deep(tree: SyntaxTree) -> bool:
    known: bool | None = tree.read.get("deep")
    if known is None:
        known = tree.read["deep"] = _exceeds(tree.root, -1)  # the leaves do not count
    return known


def _exceeds(node: Node, levels: int) -> bool:
    """Whether a node that is so many levels deep goes deeper than `MOST_NESTED`."""
    if levels + node.descendant_count <= MOST_NESTED:  # too few nodes for that
        return False
    return levels + depth(node, MOST_NESTED + 1) > MOST_NESTED


@lru_cache(maxsize=4)
def _program(origin: str, language: str, rebound: frozenset[str]) -> Program:
    """One origin has many mutants."""
    return Program(parse(origin, language), rebound=rebound)


def _only_difference(old: bytes, a: Node, new: bytes, b: Node) -> tuple[Node, Node] | None:
    """The one child in which two nodes of the same shape differ."""
    if a.type != b.type or a.child_count != b.child_count or not a.child_count:
        return None
    left, right = (
        [(child.type, source[child.start_byte : child.end_byte]) for child in node.children]
        for source, node in ((old, a), (new, b))
    )
    at, end, _ = difference(left, right)
    if end - at != 1:
        return None
    before, after = a.children[at], b.children[at]
    # Java's empty statement is a bare semicolon.
    return (before, after) if after.is_named or after.type == ";" else None
