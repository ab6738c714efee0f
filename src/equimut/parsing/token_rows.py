"""The tokens of a text as one row; those of an edited text, read anew around the edit only."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from tree_sitter import Node

from equimut.parsing.tokens import LeafReader, Token, read_leaves, tokenize
from equimut.parsing.tree import SyntaxTree

LINE_START = "⏎"
"""Where layout has a meaning, the start of a line is a token: `⏎2` at the second depth."""

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


class TokenRow:
    """The tokens of a text; where layout has a meaning, with a mark where a line begins that
    does not go on with the one before."""

    def __init__(self, tree: SyntaxTree, tab: int) -> None:
        self._tree = tree
        self._tab = tab
        self.source = tree.source
        self._has_lines = tree.language.lexicon.layout == "indentation"
        self._tokens = tokenize(tree)
        self._starts = [token.start for token in self._tokens]
        # Of every token: how many texts stand before it, and the line it is met in.
        self._before: list[int] = [0]
        self._lines = [_Line()]
        self.texts: tuple[str, ...]
        if self._has_lines:
            texts: list[str] = []
            for token in self._tokens:
                self._lines.append(_read(token, self._lines[-1], tree.source, tab, texts))
                self._before.append(len(texts))
            self.texts = tuple(texts)
        else:
            self.texts = tuple(token.text for token in self._tokens)

    def edited(self, tree: SyntaxTree, start: int, old_end: int, new_end: int) -> tuple[str, ...]:
        """The texts of an edited tree: `start` to `old_end` became `start` to `new_end`."""
        shift = new_end - old_end
        nodes, covered, limit = _changed_nodes(self._tree, tree, start, old_end, shift)
        found: list[Token] = []
        reader = LeafReader(tree, found)
        reader.covered = covered
        read_leaves(reader, nodes)
        reader.fill(reader.covered, limit)
        first = bisect_left(self._starts, covered)
        last = bisect_left(self._starts, limit - shift)
        if not self._has_lines:
            middle = (token.text for token in found)
            return (*self.texts[:first], *middle, *self.texts[last:])
        line = self._lines[first]
        texts = list(self.texts[: self._before[first]])
        for token in found:
            line = _read(token, line, tree.source, self._tab, texts)
        # The edit may have changed what the next lines belong to; once a token behind it is
        # met as it was before, all that follow are.
        for number in range(last, len(self._tokens)):
            text, begin, end = self._tokens[number]
            line = _read(
                Token(text, begin + shift, end + shift), line, tree.source, self._tab, texts
            )
            if line[:-1] == self._lines[number + 1][:-1]:
                texts += self.texts[self._before[number + 1] :]
                break
        return tuple(texts)


def _read(token: Token, line: _Line, source: bytes, tab: int, texts: list[str]) -> _Line:
    depths = line.depths_at(token, source, tab)
    if depths is not None:
        line = line._replace(depths=depths)
        texts.append(f"{LINE_START}{len(depths) - 1}")
    if token.text != "\\":
        texts.append(token.text)
    return line.after(token)


def _changed_nodes(
    old_tree: SyntaxTree, new_tree: SyntaxTree, start: int, old_end: int, shift: int
) -> tuple[Iterable[Node], int, int]:
    """The nodes of the new tree outside of which the two have the same leaves; where the leaf
    before them ends, and where the one after them starts."""
    atomic = new_tree.language.atomic
    covered, limit = 0, len(new_tree.source)
    old, new = old_tree.root, new_tree.root
    while old.type == new.type and new.type not in atomic:
        olds, news = old.children, new.children
        fewest = min(len(olds), len(news))
        if fewest == 0:
            break
        head = tail = 0
        while (
            head < fewest
            and olds[head].end_byte <= start
            and _same_leaves(olds[head], news[head], 0, atomic)
        ):
            head += 1
        while (
            tail < fewest - head
            and olds[-1 - tail].start_byte >= old_end
            and _same_leaves(olds[-1 - tail], news[-1 - tail], shift, atomic)
        ):
            tail += 1
        if head:
            covered = news[head - 1].end_byte
        if tail:
            limit = news[-tail].start_byte
        if len(olds) - head - tail != 1 or len(news) - head - tail != 1:
            return news[head : len(news) - tail], covered, limit
        old, new = olds[head], news[head]
    return [new], covered, limit


def _same_leaves(old: Node, new: Node, shift: int, atomic: frozenset[str]) -> bool:
    """Whether two nodes of the same text, `shift` bytes apart, consist of the same leaves."""
    if (
        old.kind_id != new.kind_id
        or old.start_byte + shift != new.start_byte
        or old.end_byte + shift != new.end_byte
    ):
        return False
    nodes = new.descendant_count
    if nodes == old.descendant_count:
        if nodes == 1:
            return True
        # From one state a parser reads one text in one way.
        state = new.parse_state
        if state == old.parse_state != _NO_STATE and not (new.has_error or old.has_error):
            return True
    if new.type in atomic:
        return True
    olds, news = old.children, new.children
    return len(olds) == len(news) > 0 and all(
        _same_leaves(one, other, shift, atomic) for one, other in zip(olds, news, strict=True)
    )
