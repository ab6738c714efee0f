"""Names of the benchmark's rows, as they were published: rebuilt, a row keeps its name.

A name is made from the function's name and parameters, the tokens around the edit and the edit
itself; where all of these occur more than once in the function, from which of them it is.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from equimut.parsing.functions import Function, functions
from equimut.parsing.text_diff import difference
from equimut.parsing.tokens import Token, tokenize
from equimut.parsing.tree import parse
from equimut.records import Mutant, Snippet

CONTEXT = 8
"""Tokens on each side of an edit that belong to its name."""
_WORDS = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|[^\w\s]""")
"""Strings whole, operators sign by sign: the same text gives the same words on both sides."""
_SEPARATOR = "\x1f"


def row_names(origin: Snippet, mutants: Sequence[Mutant]) -> list[str]:
    """The names of mutants of one origin, in their order."""
    tree = parse(origin.text, origin.language)
    found, tokens = functions(tree), tokenize(tree)
    names: dict[Function, _Names] = {}
    result = []
    for mutant in mutants:
        around = [each for each in found if each.start <= mutant.start_byte < each.end]
        owner = min(around, key=lambda each: each.end - each.start)
        if owner not in names:
            names[owner] = _Names(owner, tokens)
        result.append(names[owner].name(mutant))
    return result


class _Names:
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
        self._offsets = [0, *accumulate(len(word) + 1 for word in self._words)]
        self._head = f"{function.name}\n{_join(_parameters(self._words, function.name))}"

    def name(self, mutant: Mutant) -> str:
        """The name of a mutant."""
        first = bisect_left(self._starts, mutant.start_byte)
        old = self._words[first : bisect_left(self._starts, mutant.end_byte)]
        new = _WORDS.findall(mutant.replacement)
        same, old_end, new_end = difference(old, new)
        removed, inserted = old[same:old_end], new[same:new_end]
        first += same
        last = first + len(removed)
        start = max(0, first - CONTEXT)
        before, after = self._words[start:first], self._words[last : last + CONTEXT]
        needle, limit = _join([*before, *removed, *after]), self._offsets[start]
        ordinal, found = 0, self._stream.find(needle)
        while found != -1 and found <= limit:
            ordinal += 1
            found = self._stream.find(needle, found + 1)
        parts = (*map(_join, (before, removed, inserted, after)), str(ordinal))
        return hashlib.sha256("\n".join((self._head, *parts)).encode()).hexdigest()[:16]


def _join(tokens: Sequence[str]) -> str:
    return _SEPARATOR + _SEPARATOR.join(tokens) + _SEPARATOR


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
