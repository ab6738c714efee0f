"""The tokens of a text as one row; those of an edited text, read anew around the edit only."""

from bisect import bisect_left
from typing import NamedTuple

from tree_sitter import Node

from equimut.parsing.tokens import LeafReader, Token, read_leaves, tokenize
from equimut.parsing.tree import SyntaxTree

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
