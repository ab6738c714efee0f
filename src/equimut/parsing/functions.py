"""Functions of a source: by the grammar, or lexically where it fails."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages.spec import Part
from equimut.parsing.lexical import lexical_functions
from equimut.parsing.tree import SyntaxTree


@dataclass(frozen=True)
class Function:
    """A function or method: its name and its place (bytes; lines 1-based, inclusive)."""

    name: str
    start: int
    end: int
    start_line: int
    end_line: int
    lexical: bool
    """Found by its shape in the text, not by the grammar."""


def functions(tree: SyntaxTree) -> tuple[Function, ...]:
    """All functions, in the order of the text; an outer one before those inside it."""
    found = _by_grammar(tree)
    broken, nested = tree.root.has_error, tree.language.lexicon.nested_functions
    # The C grammar takes some K&R functions for a declaration and a stray block, without an error.
    if broken or not nested:
        found = _merged(found, _by_shape(tree), nested=nested, broken=broken)
    found.sort(key=lambda function: (function.start, -function.end))
    return tuple(found if nested else _outermost(found))


def _by_grammar(tree: SyntaxTree) -> list[Function]:
    types = tree.language.function_types
    return [
        Function(
            tree.text(declared_name(node, types[node.type])),
            node.start_byte,
            node.end_byte,
            tree.line(node.start_byte),
            tree.line(node.end_byte),
            lexical=False,
        )
        for node in _function_nodes(tree)
    ]


def _function_nodes(tree: SyntaxTree) -> Iterator[Node]:
    spec = tree.language
    stack = [tree.root]
    while stack:
        node = stack.pop()
        is_function = node.type in spec.function_types
        if is_function:
            yield node
        if not is_function or spec.lexicon.nested_functions or node.has_error:
            stack.extend(reversed(node.children))


def _by_shape(tree: SyntaxTree) -> list[Function]:
    return [
        Function(
            span.name,
            span.start,
            span.end,
            tree.line(span.start),
            tree.line(span.end),
            lexical=True,
        )
        for span in lexical_functions(tree.source, tree.language.lexicon)
    ]


def _merged(
    grammar: list[Function], shape: list[Function], *, nested: bool, broken: bool
) -> list[Function]:
    """Both readings of a text, each function once.

    Where they agree on the end, the grammar's reading stays. In a text with syntax errors where
    functions cannot nest, an overlap means that error recovery went astray: the shape is right.
    """
    ends = {function.end for function in grammar}
    news = [function for function in shape if function.end not in ends]
    if nested:
        named: dict[str, list[Function]] = {}
        for function in grammar:
            named.setdefault(function.name, []).append(function)
        return grammar + [new for new in news if not _overlaps(new, named.get(new.name, []))]
    if broken:
        return [old for old in grammar if not _overlaps(old, news)] + news
    return grammar + [new for new in news if not _overlaps(new, grammar)]


def _outermost(found: list[Function]) -> Iterator[Function]:
    """Error recovery may see a function in a statement: `if (a) { ... }` after a macro."""
    end = 0
    for function in found:
        if function.start >= end:
            end = function.end
            yield function


def _overlaps(function: Function, others: list[Function]) -> bool:
    """Whether the last of the others that starts before the function's end reaches into it."""
    at = bisect_left(others, function.end, key=lambda other: other.start) - 1
    return at >= 0 and others[at].end > function.start


def declared_name(node: Node, part: Part) -> Node:
    """Follow declarators down to the name: `f` in C's `static char *f(int a)`."""
    while node.children:
        inner = node.child_by_field_name(str(part))
        named = node.named_children
        if inner is None and not named:
            break
        node = inner if inner is not None else named[0]
    return node
