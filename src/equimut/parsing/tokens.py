"""Tree to tokens: leaves in the order of the text, literals whole, comments left out."""

import re
from typing import NamedTuple

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.parsing.tree import SyntaxTree

MAX_TOKENS = 2_000_000

# What error recovery may leave between leaves; a backslash at the end of a line joins lines.
_PIECE = re.compile(r"\\\r?\n|\w+|[^\w\s\ufeff\u200b\u2060]")


class Token(NamedTuple):
    """A piece of the source: its text and its byte span."""

    text: str
    start: int
    end: int


def tokenize(tree: SyntaxTree) -> tuple[Token, ...]:
    """All tokens. Everything that is not white space or a comment is in one of them."""
    comments, atomic, source = tree.language.comments, tree.language.atomic, tree.source
    found: list[Token] = []
    covered = 0
    stack: list[Node] = [tree.root]
    while stack:
        node = stack.pop()
        kind = node.type
        children = node.children
        if children and kind not in atomic:
            stack.extend(reversed(children))
            continue
        start, end = node.start_byte, node.end_byte
        if start > covered:
            found += pieces(source, covered, start)
        covered = max(covered, end)
        if kind not in comments:
            found += leaf(source, kind, start, end)
    found += pieces(source, covered, len(source))
    check_count(len(found))
    return tuple(found)


def leaf(source: bytes, kind: str, start: int, end: int) -> list[Token]:
    """The token of a leaf: none if it is empty, several if the grammar could not read it."""
    if kind == "ERROR":
        return pieces(source, start, end)
    text = source[start:end].rstrip()
    return [Token(text.decode(), start, start + len(text))] if text else []


def pieces(source: bytes, start: int, end: int) -> list[Token]:
    """Words and signs in a stretch of text that belongs to no leaf; usually white space only."""
    stretch = source[start:end]
    if not stretch or stretch.isspace():
        return []
    text = stretch.decode()
    found = []
    for match in _PIECE.finditer(text):
        if not match[0].startswith("\\"):
            at = start + len(text[: match.start()].encode())
            found.append(Token(match[0], at, at + len(match[0].encode())))
    return found


def check_count(tokens: int) -> None:
    """Refuse a source that would need an unreasonable amount of memory."""
    if tokens > MAX_TOKENS:
        raise ParseError(f"source of {tokens:,} tokens is over the limit of {MAX_TOKENS:,} tokens")
