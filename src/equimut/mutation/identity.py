"""Names for mutants that stay the same while the code around them changes.

A name is made from the function's name and parameters, the tokens around the edit and the edit
itself; where all of these occur more than once in the function, from which of them it is. Lines,
comments, white space and the operator's name play no part.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from equimut.mutation.edit import Edit
from equimut.parsing.functions import Function
from equimut.parsing.tokens import Token

CONTEXT = 8
"""Tokens on each side of an edit that belong to its identity."""

_WORDS = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|[^\w\s]""")
"""Strings whole, operators sign by sign: the same text gives the same words on both sides."""
_SEPARATOR = "\x1f"


class FunctionIdentity:
    """Names the mutants of one function."""

    def __init__(self, function: Function, tokens: Sequence[Token]) -> None:
        first = bisect_left(tokens, function.start, key=lambda token: token.start)
        last = bisect_left(tokens, function.end, key=lambda token: token.start)
        self._words: list[str] = []
        self._starts: list[int] = []
        for token in tokens[first:last]:
            for word in _WORDS.finditer(token.text):
                self._words.append(word.group())
                self._starts.append(token.start + len(token.text[: word.start()].encode()))
        self._stream = _join(self._words)
        widths = (len(word) + 1 for word in self._words)
        self._offsets = [0, *accumulate(widths)]
        self._head = f"{function.name}\n{_join(_parameters(self._words, function.name))}"

    def name(self, edit: Edit) -> str:
        """The stable name of a mutant."""
        first = bisect_left(self._starts, edit.start)
        removed = self._words[first : bisect_left(self._starts, edit.end)]
        removed, inserted, skipped = _trimmed(removed, _WORDS.findall(edit.text))
        first += skipped
        last = first + len(removed)
        start = max(0, first - CONTEXT)
        before, after = self._words[start:first], self._words[last : last + CONTEXT]
        ordinal = self._ordinal([*before, *removed, *after], self._offsets[start])
        parts = (*map(_join, (before, removed, inserted, after)), str(ordinal))
        key = "\n".join((self._head, *parts))
        return hashlib.sha256(key.encode()).hexdigest()[:16]

    def _ordinal(self, words: Sequence[str], offset: int) -> int:
        """How many places like this one the function has up to here, overlapping ones too."""
        needle, count, found = _join(words), 0, self._stream.find(_join(words))
        while found != -1 and found <= offset:
            count += 1
            found = self._stream.find(needle, found + 1)
        return count


def _join(tokens: Sequence[str]) -> str:
    return _SEPARATOR + _SEPARATOR.join(tokens) + _SEPARATOR


def _trimmed(removed: list[str], inserted: list[str]) -> tuple[list[str], list[str], int]:
    """Both sides without what they share at the start and at the end."""
    start = 0
    while start < min(len(removed), len(inserted)) and removed[start] == inserted[start]:
        start += 1
    end = 0
    shortest = min(len(removed), len(inserted)) - start
    while end < shortest and removed[-1 - end] == inserted[-1 - end]:
        end += 1
    return removed[start : len(removed) - end], inserted[start : len(inserted) - end], start


def _parameters(tokens: list[str], name: str) -> list[str]:
    """The tokens between the parentheses after the function's name."""
    try:
        start = tokens.index("(", tokens.index(name) if name in tokens else 0)
    except ValueError:
        return []
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[index], 0)
        if depth == 0:
            return tokens[start : index + 1]
    return []
