"""What tells two states apart, and two loops of which one goes round once more."""

from collections.abc import Sequence
from dataclasses import replace

import z3

from equimut.languages.lowered import Loop
from equimut.proofs.smt.scopes import Scope
from equimut.proofs.smt.symbolic.engine import (
    HELD,
    Engine,
    Fact,
    Symbols,
    evaluate,
    execute,
)
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.statements import take_exits
from equimut.proofs.smt.symbolic.terms import (
    Term,
    both,
    names_in,
    negation,
    ref,
    unknown_before,
    world,
)


def _untouched(name: str, path: Path, other: Path) -> Term:
    """A local of a path; one that only the other has touched is as it was before both."""
    if name in path.locals:
        return path.locals[name]
    return unknown_before(name, other.locals[name].sort())


def unequal(
    engine: Engine, mine: Path, theirs: Path, live: frozenset[str] | None, *, lost: bool = False
) -> list[Term]:
    """What may differ at two ends; `lost`: the object that nobody knew is gone with them."""
    found = []
    names = mine.locals.keys() & theirs.locals.keys()
    either = (mine.locals.keys() | theirs.locals.keys()) - {HELD} | names
    for name in sorted(either if live is None else either & (live | {HELD})):
        left, right = _untouched(name, mine, theirs), _untouched(name, theirs, mine)
        if left.sort() != right.sort():
            found.append(z3.BoolVal(True))
        elif not left.eq(right):
            found.append(left != right)
    if not mine.world.eq(theirs.world):
        found.append(mine.world != theirs.world)
    hidden = [
        mine.locals[name]
        for name in sorted(engine.private & names - (names if live is None else live))
        if mine.locals[name].eq(theirs.locals[name])
    ]
    for key in engine.sorts.keys:
        left, right = mine.array(key, engine.sorts), theirs.array(key, engine.sorts)
        if lost:
            left, right = engine.others_part(left), engine.others_part(right)
        if left.eq(right):
            continue
        if key[0] == "[]" and hidden:
            seen = z3.Const("an array that can be seen", ref())
            apart = [seen != each for each in hidden]
            found.append(z3.And(*apart, z3.Select(left, seen) != z3.Select(right, seen)))
        else:
            found.append(left != right)
    return found


def one_more(engine: Engine, scope: Scope) -> list[Term] | None:
    """Where an iteration that only one of two loops makes, its last one, can be seen.

    Up to there both were in the same states; so what holds at the head holds here. None: the
    conditions do more than to tell the loops when to end.
    """
    before, engine.exits = engine.exits, []
    try:
        heads = [_head(engine, loop, scope.path) for loop in (scope.origin, scope.mutant)]
        if any(head is None for head in heads):
            return None
        one, other = (head for head in heads if head is not None)
        if len(one[2]) != len(other[2]) or not all(map(z3.eq, one[2], other[2])):
            return None
        found: list[Term] = []
        for (path, goes, _), (_, ends, _), loop in (
            (one, other, scope.origin), (other, one, scope.mutant),
        ):  # fmt: skip
            start = path.copy()
            start.assume(negation(ends))
            stop = start.copy()
            start.assume(goes)
            assert isinstance(loop, Loop)
            found += _seen(engine, loop, start, stop, scope.live)
        return found
    finally:
        engine.exits = before


def _head(engine: Engine, loop: object, path: Path) -> tuple[Path, Term, list[Term]] | None:
    """Where a loop looks whether to go on: the state, its condition, and where to ask throws."""
    assert isinstance(loop, Loop)
    head, engine.exits = path.copy(), []
    goes = evaluate(engine, loop.condition, head)
    changed = any(not path.array(key, engine.sorts).eq(rows) for key, rows in head.heap.items())
    same = head.locals.keys() >= path.locals.keys() and all(
        head.locals[name].eq(value) for name, value in path.locals.items()
    )
    if changed or not same or not head.world.eq(path.world):
        return None
    return head, goes, [each.path.condition for each in engine.exits]


def _seen(
    engine: Engine, loop: Loop, path: Path, stop: Path, live: frozenset[str] | None
) -> list[Term]:
    """How one iteration, after which the loop has to end, differs from having ended before it."""
    engine.exits = []
    execute(engine, loop.body, path)
    take_exits(engine, path, "continue", loop.label)
    execute(engine, loop.update, path)
    again = evaluate(engine, loop.condition, path)
    found = [both(path.condition, again)]
    end = path.copy()
    end.assume(negation(again))
    ends = [end, *(each.path for each in engine.exits if each.target == ("break", loop.label))]
    found += [each.path.condition for each in engine.exits if each.target != ("break", loop.label)]
    for each in ends:
        found += [z3.And(each.condition, what) for what in unequal(engine, each, stop, live)]
    return found


MOST_NODES = 80
"""Of a fact that is near; larger ones are left out."""


def narrowed(
    facts: Sequence[Fact], condition: Term, difference: Term, open_: Symbols | None = None
) -> tuple[list[Fact], list[Term]]:
    """A question that was too large, with only what is near: where that has no answer, it has none.

    A fact that holds where a part of the way leads is taken without it, since the way is given.
    `open_` is what terms leave open, as far as that was asked before.
    """
    open_ = {} if open_ is None else open_
    ids = _implied(condition, {})
    way = list(ids.values())
    about = z3.substitute(difference, (condition, z3.BoolVal(True)))
    symbols = names_in(about, 20 * MOST_NODES, but=world()) or set()
    near: list[Fact] = []
    given: dict[int, bool] = {}
    for fact in facts:
        term = fact.term
        if z3.is_implies(term) and _given(term.arg(0), ids, given):
            term = term.arg(1)
        if _symbols(term, open_) & symbols:
            near.append(replace(fact, term=term))
    close = [part for part in way if _symbols(part, open_) & symbols]
    return near, [*close, about]


def _given(term: Term, ids: dict[int, Term], known: dict[int, bool]) -> bool:
    """Whether all that a conjunction consists of has these ids; parts are shared, so kept."""
    key = term.get_id()
    if key not in known:
        known[key] = key in ids or (
            z3.is_and(term) and all(_given(each, ids, known) for each in term.children())
        )
    return known[key]


def _symbols(term: Term, open_: Symbols) -> set[str]:
    """What a small term leaves open; nothing of a large one."""
    key = term.get_id()
    if key not in open_:
        open_[key] = names_in(term, MOST_NODES, but=world()) or set(), term
    return open_[key][0]


def _implied(term: Term, known: dict[int, dict[int, Term]]) -> dict[int, Term]:
    """What has to be true where a term is: parts of it, and what all its branches have in common.

    To look at a condition that needs no second one leaves two branches behind it, alike so far.
    """
    key = term.get_id()
    if key not in known:
        found = {key: term}
        sides = [_implied(each, known) for each in term.children()] if _joins(term) else []
        if z3.is_and(term):
            for side in sides:
                found |= side
        elif sides:
            for each in set(sides[0]).intersection(*sides[1:]):
                found[each] = sides[0][each]
        known[key] = found
    return known[key]


def _joins(term: Term) -> bool:
    return bool(z3.is_and(term) or z3.is_or(term))
