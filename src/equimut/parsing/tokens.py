"""Tree to tokens: leaves in the order of the text, literals whole, comments left out."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages import LanguageSpec
from equimut.parsing.tree import SyntaxTree, parse

MAX_TOKENS = 2_000_000
MAX_NODES = 4_000_000
"""Nodes of a tree that are read; a megabyte of ordinary code has about half a million."""

# What error recovery may leave between leaves; a backslash at the end of a line joins lines.
_PIECE = re.compile(r"\\\r?\n|[\s\ufeff\u200b\u2060]+|(?P<token>\w+|.)", re.S)


class Token(NamedTuple):
    """A piece of the source: its text and its byte span."""

    text: str
    start: int
    end: int


def tokenize(tree: SyntaxTree) -> tuple[Token, ...]:
    """All tokens. Everything that is not white space or a comment is in one of them."""
    found: list[Token] = []
    reader = LeafReader(tree, found)
    read_leaves(reader, [tree.root])
    reader.finish()
    return tuple(found)


class LeafReader:
    """Turns leaves, met in the order of the text, into tokens, and fills the gaps between them."""

    def __init__(self, tree: SyntaxTree, tokens: list[Token]) -> None:
        if tree.root.descendant_count > MAX_NODES:
            raise ParseError(
                f"source with {tree.root.descendant_count:,} syntax nodes is over the limit "
                f"of {MAX_NODES:,}"
            )
        self.source = tree.source
        self.comments = tree.language.comments
        self.atomic = tree.language.atomic
        self.tokens = tokens
        self.covered = 0
        # In plain ASCII, bytes and characters have the same offsets.
        self.ascii = tree.source.decode() if tree.source.isascii() else None

    def read(self, node: Node, kind: str) -> str | None:
        """Add the token of a leaf. Its text, or None for what the grammar could not read."""
        start, end = node.start_byte, node.end_byte
        covered = self.covered
        if start > covered:
            self.fill(covered, start)
        if start == end or kind in self.comments:
            self.covered = end if end > covered else covered
            return None
        self.covered = end
        if kind == "ERROR":
            self.fill(start, end)
            return None
        text = self.source[start:end].decode() if self.ascii is None else self.ascii[start:end]
        if text[-1] <= " ":  # the grammars count a line break or a space in, here and there
            text = text.rstrip()
            if not text:
                return None
            end = start + len(text.encode())
        self.tokens.append(Token(text, start, end))
        return text

    def fill(self, start: int, end: int) -> None:
        """Add words and signs of a stretch that belongs to no leaf: white space only, mostly."""
        stretch = self.source[start:end]
        if stretch.isspace():
            return
        at = start
        for match in _PIECE.finditer(stretch.decode()):
            size = len(match[0].encode())
            if match.lastgroup == "token":
                self.tokens.append(Token(match[0], at, at + size))
            at += size

    def finish(self) -> None:
        """Read what stands after the last leaf; refuse an unreasonable number of tokens."""
        if self.covered < len(self.source):
            self.fill(self.covered, len(self.source))
        if len(self.tokens) > MAX_TOKENS:
            raise ParseError(
                f"source of {len(self.tokens):,} tokens is over the limit of {MAX_TOKENS:,}"
            )


def read_leaves(reader: LeafReader, nodes: Iterable[Node]) -> None:
    """Let a reader read the leaves of nodes, which stand in the order of the text."""
    atomic = reader.atomic
    stack = list(nodes)[::-1]
    while stack:
        node = stack.pop()
        kind = node.type
        children = node.children
        if children and kind not in atomic:
            stack.extend(reversed(children))
        else:
            reader.read(node, kind)


def remove_comments(source: str, language: str | LanguageSpec) -> str:
    """The source without comments. Line breaks inside comments stay, so line numbers do too."""
    tree = parse(source, language)
    pieces, position = [], 0
    stack = [tree.root]
    while stack:
        node = stack.pop()
        if node.type in tree.language.comments:
            breaks = tree.source.count(b"\n", node.start_byte, node.end_byte)
            pieces += [tree.source[position : node.start_byte], b"\n" * breaks or b" "]
            position = node.end_byte
        elif node.type not in tree.language.atomic:
            stack.extend(reversed(node.children))
    pieces.append(tree.source[position:])
    return b"".join(pieces).decode()
