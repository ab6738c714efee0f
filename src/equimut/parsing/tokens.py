"""Tree to tokens: leaves in the order of the text; of a mutant, only those around the edit."""

import re
from bisect import bisect_left
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


TOKENS = "tokens"
"""What the tokens of a tree are called among what was read from it."""


class Token(NamedTuple):
    """A piece of the source: its text and its byte span."""

    text: str
    start: int
    end: int


def tokenize(tree: SyntaxTree) -> tuple[Token, ...]:
    """All tokens. Everything that is not white space or a comment is in one of them."""
    known: tuple[Token, ...] | None = tree.read.get(TOKENS)
    if known is None:
        found: list[Token] = []
        reader = LeafReader(tree, found)
        read_leaves(reader, [tree.root])
        reader.finish()
        known = tree.read[TOKENS] = tuple(found)
    return known


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

    @property
    def last(self) -> int:
        """The number of the token that was read last."""
        return len(self.tokens) - 1

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


class KnownLeaves:
    """Meets the leaves of a tree in the order of the text, as a `LeafReader` does, where its tokens
    are known already: nothing is read again."""

    def __init__(self, tree: SyntaxTree, tokens: tuple[Token, ...]) -> None:
        self.comments = tree.language.comments
        self.tokens = tokens
        self.last = -1
        """The number of the token of the last leaf."""

    def read(self, node: Node, kind: str) -> str | None:
        """The text of a leaf; None for what is no token, or the grammar could not read."""
        start = node.start_byte
        if start == node.end_byte or kind in self.comments or kind == "ERROR":
            return None
        tokens, at, most = self.tokens, self.last + 1, len(self.tokens)
        while at < most and tokens[at].start < start:  # words and signs that belong to no leaf
            at += 1
        if at == most or tokens[at].start != start:  # white space that the grammar counts in
            return None
        self.last = at
        return tokens[at].text

    def finish(self) -> None:
        """All is known."""


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


LINE_START = "⏎"
"""Where layout has a meaning, the start of a line is a token: `⏎2` at the second depth."""

TAB = 8
"""The columns of a tab, as Python counts them."""

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_NO_STATE = 0xFFFF
"""The state of a node that the parser met on several ways at once: it says nothing."""


class _Line(NamedTuple):
    """What decides whether a line begins at the next token."""

    depths: tuple[int, ...] = (0,)
    brackets: int = 0
    joined: bool = False
    last: int = 0
    """The end of the last token."""

    def after(self, token: Token) -> "_Line":
        text = token.text
        if text == "\\":  # the line goes on
            return _Line(self.depths, self.brackets, True, token.end)
        brackets = self.brackets
        brackets += (text in _OPENING) - (text in _CLOSING and brackets > 0)
        return _Line(self.depths, brackets, False, token.end)

    def depths_at(self, token: Token, source: bytes, tab: int) -> tuple[int, ...] | None:
        """The columns of the open blocks if a line begins at this token."""
        if self.brackets or self.joined or token.text == "\\":
            return None
        begin = source.rfind(b"\n", 0, token.start) + 1
        margin = source[begin : token.start]
        if begin <= self.last or margin.strip():
            return None
        column = len(margin.expandtabs(tab))
        outer = tuple(depth for depth in self.depths if depth <= column)
        return outer if column == outer[-1] else (*outer, column)


class Edited(NamedTuple):
    """What became of a row: the texts between the first `head` and those from `tail` on."""

    head: int
    tail: int
    middle: tuple[str, ...]


class TokenRow:
    """The tokens of a text; where layout has a meaning, with a mark where a line begins that
    does not go on with the one before."""

    def __init__(self, tree: SyntaxTree, tab: int = TAB) -> None:
        self.tree = tree
        self._tab = tab
        self._tokens = tokenize(tree)
        self._starts = [token.start for token in self._tokens]
        self._root = _Known(tree.root)
        self._lines: list[_Line] | None = None
        if tree.language.lexicon.layout != "indentation":
            self.texts = tuple(token.text for token in self._tokens)
            return
        # Of every token: the line it is met in, and how many texts stand before it.
        self._lines, self._before = [_Line()], [0]
        texts: list[str] = []
        for token in self._tokens:
            self._lines.append(_read(token, self._lines[-1], tree.source, tab, texts))
            self._before.append(len(texts))
        self.texts = tuple(texts)

    def edited(self, tree: SyntaxTree, start: int, old_end: int, new_end: int) -> Edited:
        """The row of an edited tree: bytes `start` to `old_end` became `start` to `new_end`."""
        shift = new_end - old_end
        nodes, covered, limit = _changed_nodes(self._root, tree, start, old_end, shift)
        found: list[Token] = []
        reader = LeafReader(tree, found)
        reader.covered = covered
        read_leaves(reader, nodes)
        if reader.covered < limit:
            reader.fill(reader.covered, limit)
        first = bisect_left(self._starts, covered)
        last = bisect_left(self._starts, limit - shift, first)
        if self._lines is None:
            return Edited(first, last, tuple([token.text for token in found]))
        line = self._lines[first]
        texts: list[str] = []
        for token in found:
            line = _read(token, line, tree.source, self._tab, texts)
        # The edit may have changed what the lines behind it belong to; once a token there is
        # met as it was before, all that follow are.
        while last < len(self._tokens):
            text, begin, end = self._tokens[last]
            moved = Token(text, begin + shift, end + shift)
            line = _read(moved, line, tree.source, self._tab, texts)
            last += 1
            if line[:-1] == self._lines[last][:-1]:
                break
        return Edited(self._before[first], self._before[last], tuple(texts))


def _read(token: Token, line: _Line, source: bytes, tab: int, texts: list[str]) -> _Line:
    depths = line.depths_at(token, source, tab)
    if depths is not None:
        line = line._replace(depths=depths)
        texts.append(f"{LINE_START}{len(depths) - 1}")
    if token.text != "\\":
        texts.append(token.text)
    return line.after(token)


class _Known:
    """A node that is compared with many: a plain attribute is read faster than one of a `Node`."""

    __slots__ = ("_children", "count", "end", "kind", "node", "start", "state")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.kind = node.kind_id
        self.start, self.end = node.start_byte, node.end_byte
        self.count = node.descendant_count
        # Of a leaf, the state does not matter.
        self.state = node.parse_state if self.count > 1 and not node.has_error else _NO_STATE
        self._children: list[_Known] | None = None

    @property
    def children(self) -> "list[_Known]":
        if self._children is None:
            self._children = [_Known(child) for child in self.node.children]
        return self._children


def _changed_nodes(
    old: _Known, tree: SyntaxTree, start: int, old_end: int, shift: int
) -> tuple[list[Node], int, int]:
    """The nodes of the tree outside of which it has the leaves of the old one; where the leaf
    before them ends, and where the one after them starts."""
    atomic = tree.language.atomic
    covered, limit = 0, len(tree.source)
    new = tree.root
    while old.kind == new.kind_id and new.type not in atomic:
        olds, news = old.children, new.children
        head, behind, old_behind = 0, len(news), len(olds)
        if not (behind and old_behind):
            break
        for known, node in zip(olds, news, strict=False):
            if known.end > start or not _same_leaves(known, node, 0, atomic):
                break
            head += 1
        while behind > head < old_behind:
            known, node = olds[old_behind - 1], news[behind - 1]
            if known.start < old_end or not _same_leaves(known, node, shift, atomic):
                break
            behind, old_behind = behind - 1, old_behind - 1
        if head:
            covered = olds[head - 1].end
        if behind < len(news):
            limit = olds[old_behind].start + shift
        if old_behind - head != 1 or behind - head != 1:
            return news[head:behind], covered, limit
        old, new = olds[head], news[head]
    return [new], covered, limit


def _same_leaves(old: _Known, new: Node, shift: int, atomic: frozenset[str]) -> bool:
    """Whether two nodes of the same text, `shift` bytes apart, consist of the same leaves."""
    if (
        old.kind != new.kind_id
        or old.start + shift != new.start_byte
        or old.end + shift != new.end_byte
    ):
        return False
    if old.count == new.descendant_count:
        # From one state, a parser reads one text in one way.
        read_alike = new.parse_state == old.state != _NO_STATE and not new.has_error
        if old.count == 1 or read_alike:
            return True
    if new.type in atomic:
        return True
    olds, news = old.children, new.children
    return len(olds) == len(news) > 0 and all(
        _same_leaves(one, other, shift, atomic) for one, other in zip(olds, news, strict=True)
    )
