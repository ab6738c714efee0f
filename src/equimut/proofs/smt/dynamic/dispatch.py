"""Operations by the types of their operands: one case for each, an unknown call for the rest."""

from collections.abc import Callable
from itertools import product

import z3

from equimut.languages.lowered import VALUE, Operation, Type
from equimut.proofs.smt.dynamic.values import is_, is_choice, narrowed, tags_of
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path, merged
from equimut.proofs.smt.symbolic.terms import Term, apply, both, choose, sort_of

Case = Callable[[Path, list[Term]], Term | None]
"""Gives the result for values whose tags are spelt out; None: not modelled."""
Operator = Callable[[Engine, Operation, Path, list[Term]], Term]
"""Executes an operation, given the values of its operands."""
MOST_CASES = 9
MOST_SPLITS = 2


def by_type(
    engine: Engine,
    path: Path,
    key: str,
    values: list[Term],
    case: Case,
    *,
    rest: list[Term] | None = None,
    type_: Type = VALUE,
    splits: int = MOST_SPLITS,
) -> Term:
    """The result of an operation; an unknown call where the type of a value is unknown.

    Args:
        engine: Where facts and ways out go.
        path: Where the operation is executed.
        key: The name of the operation.
        values: The operands by whose types the case is chosen.
        case: What the operation does with values of known types.
        rest: Further operands, whatever their types.
        type_: The type of the result.
        splits: How many operands that are one thing or another may be looked at apart.
    """
    inputs = [*values, *(rest or [])]
    tags = [sorted(tags_of(engine, value) - {"unset"}) for value in values]
    cases = list(product(*tags))
    if len(cases) > MOST_CASES or any("object" in each for each in tags):
        place = next((p for p, value in enumerate(values) if _half_known(engine, value)), None)
        if place is None or not splits:
            return engine.unknown(path, key, inputs, type_)
        condition, *sides = values[place].children()
        ways = []
        for guard, side in zip((condition, z3.Not(condition)), sides, strict=True):
            branch, these = path.copy(), [*values[:place], side, *values[place + 1 :]]
            branch.assume(guard)
            found = by_type(
                engine, branch, key, these, case, rest=rest, type_=type_, splits=splits - 1
            )
            ways.append((guard, found, branch))
        return _joined(engine, path, ways, type_)
    results: list[tuple[Term, Term, Path]] = []
    for chosen in cases:
        branch, guard = path.copy(), z3.BoolVal(True)
        if len(cases) > 1:
            for tag, value in zip(chosen, values, strict=True):
                guard = both(guard, is_(tag, value))
            branch.assume(guard)
        if branch.dead:
            continue
        spelt = [narrowed(v, frozenset({tag})) for tag, v in zip(chosen, values, strict=True)]
        exits, facts = len(engine.exits), len(engine.facts)
        before = branch.copy()
        result = case(branch, [*spelt, *(rest or [])])
        if result is None:  # as if nothing had been tried
            del engine.exits[exits:], engine.facts[facts:]
            branch = before
            result = engine.unknown(branch, key, inputs, type_)
        results.append((guard, result, branch))
    return _joined(engine, path, results, type_)


def _half_known(engine: Engine, value: Term) -> bool:
    """Whether a value is one of two, and the type of one of them is known."""
    if not is_choice(value):
        return False
    return any("object" not in tags_of(engine, side) for side in value.children()[1:])


def _joined(engine: Engine, path: Path, ways: list[tuple[Term, Term, Path]], type_: Type) -> Term:
    """One result for several ways that exclude each other, by their guards."""
    alive = [each for each in ways if not each[2].dead]
    if not alive:
        path.condition = z3.BoolVal(False)
        return apply("unreached", sort_of(type_), [])
    found = alive[-1][1]
    for guard, result, _ in reversed(alive[:-1]):
        found = choose(guard, result, found)
    path.become(merged([branch for _, _, branch in alive], engine.sorts))
    return found


def pure(engine: Engine, path: Path, key: str, inputs: list[Term]) -> Term:
    """A function of values that runs no code of the user's: it may raise, and changes nothing."""
    fails = apply(f"raises {key}", z3.BoolSort(), inputs)
    engine.throw(path, fails, "error", *inputs, message=key)
    return apply(f"value of {key}", sort_of(VALUE), inputs)
