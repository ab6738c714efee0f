"""What a function does with the names of an edit, as features; all features as hash buckets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from equimut.inputs.edit_features.edit import (
    LINE,
    Edit,
    Words,
    edit_features,
    find_edit,
    kind,
    read_words,
)
from equimut.inputs.subtokens import IntArray
from equimut.languages import LANGUAGES
from equimut.records import PairLike, Query

NAMES = 4
"""Names of an edit, or near it, that are followed through the function."""
MANY = 3
"""Uses that are told apart; more are many."""
_UPDATES = frozenset({"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_TYPES = frozenset(
    {"int", "long", "short", "byte", "char", "double", "float", "boolean", "bool", "unsigned",
     "String", "size_t", "final", "const"}
)  # fmt: skip


@dataclass(frozen=True)
class Use:
    """What happens to a name outside the edit."""

    later: int
    earlier: int
    given: bool
    """Whether it stands in the signature."""
    type: str
    """The type it is declared with, as far as a token shows."""
    next: str
    """What happens to it next: set, updated, read, returned, or nothing."""


def surrounding_features(pair: PairLike, edit: Edit | None = None) -> dict[str, float]:
    """The features of a pair (and its edit, if found already), by name; the others are 0."""
    words, edit = read_words(pair.origin, pair.language), edit or find_edit(pair)
    return dict.fromkeys(_features(edit, words, loops_around(edit, pair.language)), 1.0)


def loops_around(edit: Edit, language: str) -> int:
    """The loops that an edit is in, two of them at most; 0 in a language without a grammar."""
    repeating = LANGUAGES[language].loops if language in LANGUAGES else ()
    return min(sum(node in repeating for node in edit.ancestors), 2)


def _features(edit: Edit, words: Words, loops: int) -> Iterator[str]:
    roughly = edit.kind
    yield f"{roughly}, loops {loops}"
    returns = min(words.texts[edit.end :].count("return"), 2)
    yield f"{roughly}, returns later {returns}"
    for role, _, use in name_uses(edit, words):
        yield from use_features(roughly, role, use, loops)
    yield from _shape_features(edit, roughly)


def name_uses(edit: Edit, words: Words) -> Iterator[tuple[str, str, Use]]:
    """The names in an edit, near it and set by its line, each with its role and its use."""
    inside = _names((*edit.removed, *edit.added))
    near = _names((*edit.before[:2], *edit.after[:2]))
    for role, names in (("edit", inside), ("near", near), ("set", _target(edit))):
        for name in names[:NAMES]:
            yield role, name, _use(words, name, edit.start, edit.end)


def use_features(roughly: str, role: str, use: Use, loops: int) -> Iterator[str]:
    """What happens to a name, with the kind of the edit and without."""
    later, next_ = f"{role} later {use.later}", f"{role} next {use.next}"
    given, type_ = f"{role} given {use.given}", f"{role} type {use.type}"
    for feature in (later, f"{role} earlier {use.earlier}", given, next_, type_):
        yield feature
        yield f"{roughly}, {feature}"
    yield f"{roughly}, {later}, loops {loops}"
    yield f"{roughly}, {next_}, {later}, loops {loops}"
    yield f"{roughly}, {next_}, {given}, loops {loops}"
    yield f"{later}, {next_}, {given}, loops {loops}"
    yield f"{roughly}, {type_}, {given}"


def _shape_features(edit: Edit, roughly: str) -> Iterator[str]:
    """Line, neighbours and syntax with names made anonymous."""
    line = " ".join(kind(token) for token in edit.line)
    yield f"line kinds: {line}"
    yield f"{roughly}, line kinds: {line}"
    alike = _anonymous((*edit.removed, "->", *edit.added, "@", *edit.line[:LINE]))
    yield f"anonymous: {' '.join(alike)}"
    changed = _anonymous((*edit.removed, "->", *edit.added, "@", *_between(edit, 3)))
    yield f"anonymous near: {' '.join(changed)}"
    before, after = (
        " ".join(map(kind, edit.before[:3][::-1])),
        " ".join(map(kind, edit.after[:3])),
    )
    yield f"{roughly}, between {before} and {after}"
    yield f"{roughly}, after {before}"
    yield f"{roughly}, before {after}"
    nearest = edit.ancestors[:4]
    for at, node in enumerate(nearest[:3]):
        for outer in nearest[at + 1 :]:
            yield f"{roughly}, {node} in {outer}"
    yield f"{roughly}, inside {' '.join(edit.ancestors[:3])}"


def _use(words: Words, name: str, start: int, end: int) -> Use:
    texts = words.texts
    body = next((at for at, text in enumerate(texts) if text in ("{", ":")), 0)
    first = texts.index(name) if name in texts else -1
    declared = texts[first - 1] if first > 0 else ""
    return Use(
        later=min(texts[end:].count(name), MANY),
        earlier=min(texts[:start].count(name), MANY),
        given=name in texts[:body],
        type=declared if declared in _TYPES else kind(declared),
        next=_next(texts, name, end),
    )


def _next(texts: Sequence[str], name: str, end: int) -> str:
    for at in range(end, len(texts)):
        if texts[at] != name:
            continue
        before = texts[at - 1]
        after = texts[at + 1] if at + 1 < len(texts) else ""
        if after == "=":
            return "set"
        if after in _UPDATES or before in ("++", "--"):
            return "updated"
        return "returned" if before == "return" else "read"
    return "nothing"


def _names(tokens: Sequence[str]) -> list[str]:
    return [token for token in dict.fromkeys(tokens) if kind(token) == "name"]


def _target(edit: Edit) -> list[str]:
    """The name that the line sets, if it sets one."""
    for before, token in zip(edit.line, edit.line[1:], strict=False):
        if token == "=" or token in _UPDATES:
            return _names([before])
    return []


def _between(edit: Edit, reach: int) -> tuple[str, ...]:
    return (*edit.before[:reach][::-1], "_", *edit.after[:reach])


def _anonymous(tokens: Sequence[str]) -> list[str]:
    """Names numbered in the order they come: the same name, the same number."""
    numbers: dict[str, str] = {}
    return [
        numbers.setdefault(token, f"v{len(numbers)}") if kind(token) == "name" else kind(token)
        for token in tokens
    ]


BUCKETS = 1 << 17
"""Large enough that the features of a few hundred thousand edits seldom meet."""


def hashed_features(origin: str, mutant: str, language: str) -> IntArray:
    """The buckets of an edit's features, each once, in order."""
    return np.array(sorted({*named_buckets(origin, mutant, language).values()}), np.int32)


@lru_cache(maxsize=1024)  # read where a pair is encoded, and where a prediction is explained
def named_buckets(origin: str, mutant: str, language: str) -> dict[str, int]:
    """The features of an edit by name, each with its hash bucket; not to be changed."""
    pair = Query.model_construct(origin=origin, mutant=mutant, language=language)
    edit = find_edit(pair)
    names = edit_features(pair, edit) | surrounding_features(pair, edit)
    return {name: bucket(name) for name in names}


def hashed_edit_features(origin: str, mutant: str, language: str) -> IntArray:
    """The same without what the rest of the function does with the names of the edit."""
    pair = Query.model_construct(origin=origin, mutant=mutant, language=language)
    return buckets(edit_features(pair))


def buckets(names: Iterable[str]) -> IntArray:
    """The hash buckets of named features, each once, in order."""
    return np.array(sorted(set(map(bucket, names))), np.int32)


def bucket(name: str) -> int:
    """The hash bucket of a named feature."""
    return crc32(name.encode()) % BUCKETS
