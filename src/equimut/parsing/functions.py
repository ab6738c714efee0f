"""Functions of a source: by name, by line, by byte; by the grammar, or lexically where it fails."""

from dataclasses import dataclass

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.spec import Part
from equimut.parsing.tree import SyntaxTree, walk


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
    types = tree.language.function_types
    return tuple(
        Function(
            tree.text(declared_name(node, types[node.type])),
            node.start_byte,
            node.end_byte,
            node.start_point.row + 1,
            node.end_point.row + 1,
            lexical=False,
        )
        for node in walk(tree.root)
        if node.type in types
    )


def declared_name(node: Node, part: Part) -> Node:
    """Follow declarators down to the name: `f` in C's `static char *f(int a)`."""
    while node.children:
        inner = node.child_by_field_name(str(part))
        named = node.named_children
        if inner is None and not named:
            break
        node = inner if inner is not None else named[0]
    return node


def find_function(
    tree: SyntaxTree, *, name: str | None = None, line: int | None = None, byte: int | None = None
) -> Function:
    """The innermost function of that name, or around that line or byte; all given must hold."""
    matching = [
        function
        for function in functions(tree)
        if (name is None or function.name == name)
        and (line is None or function.start_line <= line <= function.end_line)
        and (byte is None or function.start <= byte < function.end)
    ]
    if not matching:
        asked = {"name": name, "line": line, "byte": byte}
        wanted = ", ".join(f"{key} {value}" for key, value in asked.items() if value is not None)
        raise ParseError(f"no {tree.language.name} function found" + f" ({wanted})" * bool(wanted))
    return min(matching, key=lambda function: function.end - function.start)
