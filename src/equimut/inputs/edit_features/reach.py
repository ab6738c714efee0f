"""Where an edit's effect may be seen, and what the prover saw of it: a few dense features.

A condition, a result, a field, a message only: for a small model behind the detector.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from equimut.errors import EquimutError
from equimut.inputs.edit_features.edit import Edit, Words, find_edit, kind, read_words
from equimut.inputs.edit_features.surroundings import loops_around, name_uses
from equimut.parsing.tree import SyntaxTree, parse
from equimut.records import PairLike, ProverView
from equimut.semantics.names import outside_names

MARGIN = "margin"
"""The feature that holds what the detector says: its log-odds before calibration."""
VIEW = "view: "
"""How the names of features begin that tell what the prover saw."""
_LOGS = re.compile(
    r"(?i).*(log|debug|trace|info|warn|warning|error|fine|finer|finest|severe|fatal|perror|syslog|"
    r"print|println|printf|puts|write_line|message|msg)\w?"
)
"""Names of functions that tell people something."""
_STATEMENTS = {
    "if": "if", "elif": "if", "while": "loop", "for": "loop", "do": "loop",
    "ternary": "choice", "conditional": "choice",
}  # fmt: skip
_UPDATES = frozenset({"++", "--", ":=", "+=", "-="})
_BOUNDARIES = frozenset({("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "===", "!==", "is", "in", "not"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "//", "**", "&", "|", "^", "<<", ">>", ">>>"})
_LOGIC = frozenset({"&&", "||", "and", "or", "!", "not"})
_TRUTH = frozenset({"true", "false", "True", "False"})
_SIZES = frozenset({"length", "size", "len", "strlen", "count"})
_NEAR = 3
_MOST = 8
"""Up to this number things are counted."""


def dense_features(pair: PairLike, margin: float, view: ProverView | None) -> dict[str, float]:
    """All features by name; those that are not named are 0."""
    edit, words = find_edit(pair), read_words(pair.origin, pair.language)
    found = {MARGIN: margin, f"language {pair.language}": 1.0}
    found |= dict(_counts(pair, edit, words))
    found |= dict.fromkeys(_kinds(edit), 1.0)
    found |= dict.fromkeys(_places(pair, edit, words), 1.0)
    found |= dict.fromkeys(_owners(pair, edit, words), 1.0)
    found |= view_features(view)
    return found


def view_features(view: ProverView | None) -> dict[str, float]:
    """What the prover saw, as features; one only where it was not asked."""
    if view is None:
        return {f"{VIEW}none": 1.0}
    names = [
        view.answer,
        f"compared {view.scope or 'nothing'}",
        *(f"may differ in {effect}" for effect in view.effects),
        *(f"unmodelled {each}" for each in view.through),
        *(["closed"] if view.closed else []),
        *(["reads state"] if view.reads_state else []),
    ]
    counts = {
        "unmodelled": view.unmodelled,
        "comparisons": min(view.tried, _MOST),
        "effects": len(view.effects),
        "without answer": min(view.unsure, _MOST),
    }
    found = dict.fromkeys(names, 1.0) | {name: float(count) for name, count in counts.items()}
    return {f"{VIEW}{name}": value for name, value in found.items()}


def _counts(pair: PairLike, edit: Edit, words: Words) -> Iterator[tuple[str, float]]:
    yield "loops", float(loops_around(edit, pair.language))
    yield "returns later", float(min(words.texts[edit.end :].count("return"), 3))
    yield "tokens removed", float(min(len(edit.removed), _MOST))
    yield "tokens added", float(min(len(edit.added), _MOST))
    yield "length", float(min(len(words.texts), 400)) / 100
    uses = [use for role, _, use in name_uses(edit, words) if role != "near"]
    yield "names", float(len(uses))
    yield "used later", float(max((use.later for use in uses), default=0))
    near = (*edit.before[:_NEAR], *edit.after[:_NEAR])
    for name, texts in (("zero", {"0"}), ("one", {"1"}), ("size", _SIZES), ("dot", {"."})):
        yield f"near {name}", float(any(token in texts for token in near))


def _kinds(edit: Edit) -> Iterator[str]:
    """What kind of change it is."""
    removed, added = edit.removed, edit.added
    if len(removed) == len(added) == 1:
        yield from _replaced(removed[0], added[0])
    elif not added:
        yield "edit removes"
    elif not removed:
        yield "edit inserts"
    for token in dict.fromkeys((*removed, *added)):
        if token in _TRUTH:
            yield "edit to a truth value" if token in added else "edit from a truth value"
        elif token in _UPDATES and token in added:
            yield "edit updates"
    if any(kind(token) == "text" for token in (*removed, *added)):
        yield "edit of a text"
    if {";", "{"} & set(removed) and not {";", "{"} & set(added):
        yield "edit removes a statement"
    if any(token in _COMPARISONS for token in removed) and any(t in _TRUTH for t in added):
        yield "edit decides a comparison"
    if any(token in ("abs", "fabs") for token in added):
        yield "edit takes the absolute value"
    if added and removed and added[0] == "-" and added[1:] == removed:
        yield "edit negates"


def _replaced(old: str, new: str) -> Iterator[str]:
    if (old, new) in _BOUNDARIES:
        yield "edit of a boundary"
    for name, group in (
        ("comparison", _COMPARISONS),
        ("arithmetic", _ARITHMETIC),
        ("logic", _LOGIC),
    ):
        if old in group:
            yield f"edit of a {name}"
            if new in ("==", "!="):
                yield f"edit to {new}"
    if old[:1].isdigit() and new[:1].isdigit():
        yield "edit of a number"
    if kind(old) == kind(new) == "name":
        yield "edit of a name"


def _owners(pair: PairLike, edit: Edit, words: Words) -> Iterator[str]:
    """Whether names of the edit mean something outside, and whose a name is that is updated."""
    try:
        outside = outside_names(pair.origin, pair.mutant, pair.language)
    except EquimutError:
        return
    if outside:
        yield "names from outside"
    if _UPDATES.isdisjoint((*edit.added, *edit.removed)):
        return
    body = next((at for at, text in enumerate(words.texts) if text in ("{", ":")), 0)
    changed = (*edit.added, *edit.removed, *edit.before[:1], *edit.after[:1])
    for name in [token for token in dict.fromkeys(changed) if kind(token) == "name"][:1]:
        given = "parameter" if name in words.texts[:body] else "local"
        yield f"updates a {'field' if name in outside else given}"


class _Spot(NamedTuple):
    tree: SyntaxTree
    node: Node


def _places(pair: PairLike, edit: Edit, words: Words) -> Iterator[str]:
    """The syntax that the edited value goes into, up to the statement around it."""
    spot = _spot(pair, edit, words)
    if spot is None:
        return
    tree, node = spot
    inside = False
    while (parent := node.parent) is not None and parent.type not in tree.language.function_types:
        for place in _place(tree, node, parent):
            yield f"{'inside' if inside else 'in'} {place}"
            inside = True
        node = parent


def _spot(pair: PairLike, edit: Edit, words: Words) -> _Spot | None:
    try:
        tree = parse(pair.origin, pair.language)
    except EquimutError:
        return None
    spans = words.spans
    first = spans[edit.start][0] if edit.start < len(spans) else len(pair.origin)
    last = spans[edit.end - 1][1] if edit.end > edit.start else first
    start, end = (len(pair.origin[:at].encode()) for at in (first, last))
    node = tree.root.descendant_for_byte_range(start, max(end, start + 1))
    return None if node is None else _Spot(tree, node)


def _place(tree: SyntaxTree, node: Node, parent: Node) -> Iterator[str]:
    words = parent.type.split("_")
    if parent.child_by_field_name("condition") == node:
        tested = next((_STATEMENTS[word] for word in words if word in _STATEMENTS), "test")
        yield f"the condition of a {tested}"
    elif "return" in words:
        yield "a result"
    elif "throw" in words or "raise" in words:
        yield "an exception"
    elif "assert" in words:
        yield "an assertion"
    elif node.type in ("argument_list", "arguments"):
        yield "a message" if _LOGS.fullmatch(_callee(tree, parent)) else "an argument"
    elif parent.type in ("array_access", "subscript_expression", "subscript"):
        yield "an index"
    elif "assignment" in words or "declarator" in words:
        yield "an assignment"
    elif parent.type == "expression_statement":
        yield "a statement"


def _callee(tree: SyntaxTree, call: Node) -> str:
    named: Mapping[str, Node | None] = {
        field: call.child_by_field_name(field)
        for field in ("name", "function", "constructor", "type")
    }
    node = next((each for each in named.values() if each is not None), None)
    return "" if node is None else re.split(r"\W+", tree.text(node))[-1]
