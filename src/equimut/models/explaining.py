"""What speaks for a prediction and what against it, in words: groups of features by weight."""

import re
from collections.abc import Iterator
from math import log
from typing import NamedTuple

from equimut.inputs.edit_features.edit import Edit, find_edit, kind, read_words
from equimut.inputs.edit_features.surroundings import (
    Use,
    loops_around,
    name_uses,
    named_buckets,
    use_features,
)
from equimut.models.scoring import PairModel
from equimut.models.settings import Calibration
from equimut.models.stacking import view_of
from equimut.records import PairLike

_SHOWN = 40
"""Characters of code in a phrase."""
_NEXT = {
    "set": "is set next",
    "updated": "is updated next",
    "read": "is read next",
    "returned": "is returned next",
    "nothing": "is not used afterwards in the function",
}
_EFFECTS = {
    "return": "the result", "throw": "what is thrown", "call": "calls", "field": "a field",
    "element": "an element", "memory": "memory", "end": "whether it goes on", "value": "the value",
    "local": "a local",
}  # fmt: skip
_STATEMENTS = ("statement", "declaration", "assignment", "clause", "loop")
"""How grammars end the names of what is a statement of its own."""
_STARTS = (
    ("around", ("1 ", "2 ", "3 ", "4 ", "between ", "after ", "before ", "anonymous near:")),
    ("line", ("line", "on line:", "anonymous:")),
    ("syntax", ("parent ", "inside", "depth:")),
    ("signature", ("header:",)),
    ("flow", ("loops ", "returns later ")),
    ("change", ("removed", "added", "edit:", "edit kind:")),
)
"""How the features of a group begin, without the kind of the edit in front."""
_ABOUT = re.compile(
    "|".join(f"(?P<{about}>{'|'.join(map(re.escape, starts))})" for about, starts in _STARTS)
)


class FeatureGroup(NamedTuple):
    """Features about one thing, and what they say of this edit."""

    words: str
    """Empty where nobody would call it a reason, such as the function's signature."""
    names: list[str]


def feature_groups(pair: PairLike) -> list[FeatureGroup]:
    """All features of a pair, each in one group."""
    edit, origin = find_edit(pair), read_words(pair.origin, pair.language)
    left = dict(named_buckets(pair.origin, pair.mutant, pair.language))
    loops = loops_around(edit, pair.language)
    words = dict(_words(edit, loops))
    groups: dict[str, list[str]] = {}
    for role, name, use in name_uses(edit, origin):
        known = name in origin.texts  # else the edit brings it, such as `Math`
        used = use_features(edit.kind, role, use, loops)
        names = [each for each in used if left.pop(each, None) is not None]
        groups.setdefault(_use_words(name, use) if known else words["change"], []).extend(names)
    kinds = (f"{edit.kind}, ", f"edit kind {edit.kind}, ", f"edit kind {edit.kind} ")
    for name in left:
        groups.setdefault(words[_about(name, kinds)], []).append(name)
    return [FeatureGroup(*group) for group in groups.items()]


def _about(name: str, kinds: tuple[str, ...]) -> str:
    """What a feature is about, whatever kind of edit it begins with."""
    rest = name
    for prefix in kinds:
        rest = rest.removeprefix(prefix)
    if (start := _ABOUT.match(rest)) is not None and start.lastgroup is not None:
        return start.lastgroup
    # What is left: `edit a -> b between [..]`, and `node in node` of the syntax.
    return "around" if rest.startswith("edit ") else "syntax"


def _words(edit: Edit, loops: int) -> Iterator[tuple[str, str]]:
    before, after = (" ".join(tokens) for tokens in (edit.before[:2][::-1], edit.after[:2]))
    yield "change", _change_words(edit)
    yield "around", f"such a change between {_code(before)} and {_code(after)}"
    yield "line", f"such a change on a line like {_code(' '.join(map(kind, edit.line)))}"
    yield "syntax", f"such a change in {_statement(edit)}"
    yield "flow", "it is in a loop" if loops else "it is in no loop"
    yield "signature", ""


def _statement(edit: Edit) -> str:
    """The statement around the edit, by the name that the grammar gives it."""
    named = [node for node in edit.ancestors if node.endswith(_STATEMENTS)] or edit.ancestors[:1]
    words = named[0].replace("_", " ") if named else "this place"
    return words if not named else f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _change_words(edit: Edit) -> str:
    removed, added = (_code(" ".join(tokens)) for tokens in (edit.removed, edit.added))
    if edit.removed and edit.added:
        return f"{removed} becomes {added}"
    return f"{removed} is removed" if edit.removed else f"{added} is added"


def _use_words(name: str, use: Use) -> str:
    given = ", a parameter," if use.given else ""
    return f"`{name}`{given} {_NEXT[use.next]}"


def _code(text: str) -> str:
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[: _SHOWN - 1]}…`"


MOST = 2
"""Reasons given for each side."""
LEAST = 0.2
"""Of the log-odds: what moves a probability less is no reason."""
NETWORK = "how the network reads the code around it"


class Contribution(NamedTuple):
    """A part of the log-odds."""

    words: str
    log_odds: float
    """Above 0 where it speaks for equivalence."""


class Explanation(NamedTuple):
    """The largest parts on either side, the largest first."""

    supports: tuple[str, ...]
    opposes: tuple[str, ...]


def explain(detector: PairModel, pair: PairLike, probability: float) -> Explanation:
    """Why a detector gives a pair this probability."""
    found = sorted(contributions(detector, pair, probability), key=lambda part: -abs(part.log_odds))
    named = [part for part in found if part.words and abs(part.log_odds) >= LEAST]
    return Explanation(
        supports=tuple(part.words for part in named if part.log_odds > 0)[:MOST],
        opposes=tuple(part.words for part in named if part.log_odds < 0)[:MOST],
    )


def contributions(detector: PairModel, pair: PairLike, probability: float) -> list[Contribution]:
    """The log-odds of a prediction as a sum: groups of named features, then the network.

    What the calibration adds to all pairs alike belongs to none of them.
    """
    parts: list[Contribution] = []
    weights = detector.feature_weights()
    if weights is not None:
        counted: set[int] = set()
        buckets = named_buckets(pair.origin, pair.mutant, pair.language)
        for group in feature_groups(pair):
            new = {buckets[name] for name in group.names} - counted  # two names may share one
            counted |= new
            parts.append(Contribution(group.words, float(weights[sorted(new)].sum())))
    calibration = detector.settings.calibration or Calibration()
    sure = min(max(probability, 1e-12), 1 - 1e-12)
    margin = (log(sure / (1 - sure)) - calibration.offset) * calibration.temperature
    rest = margin - sum(part.log_odds for part in parts)
    return [*parts, Contribution(_rest_words(detector, pair), rest)]


def _rest_words(detector: PairModel, pair: PairLike) -> str:
    """What is left over: the network, and the stack with what the prover saw."""
    view = view_of(pair) if detector.settings.stack is not None else None
    if view is None:
        return NETWORK
    effects = " or ".join(_EFFECTS[each] for each in view.effects if each in _EFFECTS)
    saw = {
        "differs": f"the prover sees a difference in {effects or 'the code'}",
        "unknown": "the prover finds no answer",
        "too large": "the function is too large for the prover",
        "not modelled": "the prover has no model of the code",
    }
    through = (
        f", through what it does not model ({', '.join(view.through)})" if view.through else ""
    )
    return f"{NETWORK}, and {saw[view.answer]}{through}"
