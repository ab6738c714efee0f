"""An edit and its surroundings as named features: for a regression, and for the head of a network.

Read from the two texts alone: never from a label, a class, a program's name or an operator's name.
Lexing needs no grammar, so it works for any language; where the project has a grammar, the syntax
around the edit is added, from the origin's tree.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from equimut.errors import EquimutError
from equimut.languages import LANGUAGES
from equimut.parsing.text_diff import difference
from equimut.parsing.tree import parse
from equimut.records import PairLike

NEAR = 4
"""Tokens looked at on each side of the edit."""
SHOWN = 6
"""Tokens that name an edit; the rest of a long one does not."""
COUNTED = 40
"""Tokens of an edit that become features one by one: a deleted block must not drown the rest."""
HEADER = 12
"""Tokens of the origin's start: its signature, mostly."""
LINE = 60
PARENTS = 4
"""Syntax nodes around the edit that are features by their distance."""
ANCESTORS = 32
"""Syntax nodes around the edit that are looked at: enough for code that people write."""

# Words that show what a statement does; every other word is a name. One list for all languages,
# because a language without a grammar here must do with it too.
KEYWORDS = re.compile(
    "if|else|elif|for|foreach|while|do|until|switch|case|default|match"
    "|break|continue|return|yield|goto|throw|raise|try|catch|except|finally"
    "|in|is|not|and|or|new|delete|this|self|super"
    "|int|long|short|char|byte|bool|boolean|float|double|void|unsigned|signed|string"
    "|const|static|final|private|public|protected|class|struct|def|fn|func|function"
    "|lambda|var|let|auto|true|false|null|nil|none|True|False|None|NULL"
)
KEPT_NUMBERS = frozenset({"0", "1", "2"})
"""Numbers that mean something by themselves; any other is just a number."""

_CODE = "|".join(
    (
        r'"(?:\\.|[^"\\\n])*"?',
        r"'(?:\\.|[^'\\\n])*'?",
        r"[^\W\d]\w*",
        r"\d[\w.]*",
        r">>>=|<<=|>>=|\*\*=|//=|>>>|===|!==",
        r"\+\+|--|[-+*/%&|^<>=!:]=|&&|\|\||<<|>>|\*\*|->|=>|::|//",
        r"\S",
    )
)


class Words(NamedTuple):
    """The tokens of an origin: their texts and where they stand, in characters."""

    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Edit:
    """The tokens that differ, between the longest common start and the longest common end."""

    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: tuple[str, ...]
    """The nearest tokens before the edit, nearest first."""
    after: tuple[str, ...]
    line: tuple[str, ...]
    """The origin's tokens on the lines that the edit touches."""
    header: tuple[str, ...]
    ancestors: tuple[str, ...]
    """Types of the syntax nodes around the edit, innermost first; empty without a grammar."""
    start: int
    end: int
    """The tokens of the origin that are replaced, end excluded."""

    @cached_property
    def kind(self) -> str:
        """The edit with names and literals made anonymous, such as `name -> 0`."""
        return _arrow(_kinds(self.removed), _kinds(self.added))


def find_edit(pair: PairLike) -> Edit:
    """What a mutant changes, and where."""
    return _find_edit(pair.origin, pair.mutant, pair.language)


@lru_cache(maxsize=1024)  # features are read where pairs are encoded, and named where they count
def _find_edit(text: str, mutant_text: str, language: str) -> Edit:
    origin, spans = read_words(text, language)
    mutant = tuple(filter(None, _lexer(language).findall(mutant_text)))
    start, end, mutant_end = difference(origin, mutant)
    first = spans[start][0] if start < len(origin) else len(text)
    last = spans[end - 1][1] if end > start else first
    line_start = text.rfind("\n", 0, first) + 1
    line_end = text.find("\n", last) % (len(text) + 1)  # -1: the end of the text
    first_word, last_word = (bisect_left(spans, (at, 0)) for at in (line_start, line_end))
    return Edit(
        removed=origin[start:end],
        added=mutant[start:mutant_end],
        before=origin[max(0, start - NEAR) : start][::-1],
        after=origin[end : end + NEAR],
        line=origin[first_word:last_word][:LINE],
        header=origin[:HEADER],
        ancestors=_ancestors(text, language, first, last),
        start=start,
        end=end,
    )


def kind_of_change(origin: str, mutant: str, language: str) -> str:
    """The kind of an edit from its two sides alone, which need not be whole functions."""
    sides = [tuple(filter(None, _lexer(language).findall(text))) for text in (origin, mutant)]
    start, end, mutant_end = difference(*sides)
    return _arrow(_kinds(sides[0][start:end]), _kinds(sides[1][start:mutant_end]))


def edit_features(pair: PairLike, edit: Edit | None = None) -> dict[str, float]:
    """The features of a pair (and its edit, if found already), by name; the others are 0."""
    return dict.fromkeys(_features(edit or find_edit(pair)), 1.0)


def _features(edit: Edit) -> Iterator[str]:
    removed, added = edit.removed[:COUNTED], edit.added[:COUNTED]
    for sign, tokens in (("removed", removed), ("added", added)):
        yield from (f"{sign}: {token}" for token in tokens)
        yield from (f"{sign} kind: {kind(token)}" for token in tokens)
        yield f"{sign} tokens: {min(len(tokens), 8)}"
    exactly, roughly = _arrow(removed, added), edit.kind
    yield f"edit: {exactly}"
    yield f"edit kind: {roughly}"
    for side, near in (("before", edit.before), ("after", edit.after)):
        for distance, token in enumerate(near, start=1):
            yield f"{distance} {side}: {token}"
            yield f"{distance} {side} kind: {kind(token)}"
    neighbours = [near[0] if near else "" for near in (edit.before, edit.after)]
    yield f"edit {exactly} between {neighbours}"
    yield f"edit kind {roughly} between {[kind(token) for token in neighbours]}"
    line = " ".join(edit.line)
    yield f"line: {line}"
    yield f"edit kind {roughly} on line: {line}"
    yield from (f"on line: {token}" for token in edit.line)
    yield from (
        f"on line: {left} {right}" for left, right in zip(edit.line, edit.line[1:], strict=False)
    )
    yield from (f"header: {token}" for token in edit.header)
    for distance, node in enumerate(edit.ancestors[:PARENTS]):
        yield f"parent {distance}: {node}"
        yield f"edit kind {roughly}, parent {distance}: {node}"
    yield from (f"inside: {node}" for node in edit.ancestors)
    yield f"depth: {min(len(edit.ancestors), 12)}"


@lru_cache(maxsize=1 << 14)  # code repeats its words
def kind(token: str) -> str:
    """The token without what is peculiar to one program: keywords and signs stay as they are."""
    if not token or token in KEPT_NUMBERS or KEYWORDS.fullmatch(token):
        return token
    if token[0].isdigit():
        return "number"
    if token[0] in "\"'":
        return "text"
    return "name" if token[0].isalpha() or token[0] == "_" else token


def _kinds(tokens: Sequence[str]) -> list[str]:
    return [kind(token) for token in tokens]


def _arrow(removed: Sequence[str], added: Sequence[str]) -> str:
    return f"{' '.join(removed[:SHOWN])} -> {' '.join(added[:SHOWN])}"


@lru_cache(maxsize=512)  # the origin of many pairs is read once
def read_words(text: str, language: str) -> Words:
    """The tokens of a text, comments left out."""
    found = [match for match in _lexer(language).finditer(text) if match["code"]]
    return Words(tuple(match[0] for match in found), tuple(match.span() for match in found))


@cache
def _lexer(language: str) -> re.Pattern[str]:
    comments = []
    if language.lower() in LANGUAGES:
        lexicon = LANGUAGES[language.lower()].lexicon
        comments += [re.escape(start) + r"[^\n]*" for start in lexicon.line_comments]
        comments += [
            re.escape(start) + r".*?(?:" + re.escape(end) + r"|\Z)"
            for start, end in lexicon.block_comments
        ]
    return re.compile("|".join([*comments, f"(?P<code>{_CODE})"]), re.S)


def _ancestors(origin: str, language: str, start: int, end: int) -> tuple[str, ...]:
    try:
        tree = parse(origin, language)
    except EquimutError:
        return ()  # no grammar, or not source code: the tokens must do
    first, last = (len(origin[:at].encode()) for at in (start, end))
    node = tree.root.descendant_for_byte_range(first, max(last, first + 1))
    found: list[str] = []
    while node is not None and len(found) < ANCESTORS:
        if node.is_named:
            found.append(node.type)
        node = node.parent
    return tuple(found)
