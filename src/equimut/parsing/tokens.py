"""Tree to tokens: leaves in the order of the text, literals whole, comments left out."""

from typing import NamedTuple

from tree_sitter import Node

from equimut.parsing.tree import SyntaxTree


class Token(NamedTuple):
    """A piece of the source: its text and its byte span."""

    text: str
    start: int
    end: int


def tokenize(tree: SyntaxTree) -> tuple[Token, ...]:
    """All tokens. Everything that is not white space or a comment is in one of them."""
    spec, source = tree.language, tree.source
    found: list[Token] = []
    stack: list[Node] = [tree.root]
    while stack:
        node = stack.pop()
        children = node.children
        if node.type in spec.comments:
            continue
        if children and node.type not in spec.atomic:
            stack.extend(reversed(children))
        elif node.end_byte > node.start_byte:
            text = source[node.start_byte : node.end_byte].decode()
            found.append(Token(text, node.start_byte, node.end_byte))
    return tuple(found)
