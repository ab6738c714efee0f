"""What is true of all elements of an array that a local holds as its value.

A claim about an array is taken apart along its stores, down to arrays of which nothing is known.
Of those it is a predicate, which tells something wherever one of their elements is read.
"""

import z3

from equimut.languages.lowered import Type
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.terms import TRUE, Term, apply, both, choose

_WORDS = "no element of an array is negative"


def counts(type_: Type) -> bool:
    """Whether a type is an array of numbers that have a sign."""
    element: Type | None = type_
    while element is not None and element.kind == "array":
        element = element.element
    is_number = element is not None and element.kind == "int" and element.signed
    return type_.kind == "array" and is_number


def none_negative(engine: Engine, array: Term) -> Term:
    """No element is negative: true of every array of which it is true piece by piece."""
    found = TRUE
    while z3.is_store(array):
        array, _, value = array.children()
        found = both(found, value >= 0)
    if z3.is_K(array):
        return both(found, array.arg(0) >= 0)
    if z3.is_app_of(array, z3.Z3_OP_ITE):
        condition, *sides = array.children()
        return both(found, choose(condition, *(none_negative(engine, each) for each in sides)))
    engine.uniform[array.get_id()] = array
    return both(found, _claim(array))


def tell(engine: Engine, array: Term, place: Term) -> None:
    """An element is read: what is claimed of all of them is true of it."""
    if not engine.uniform:
        return
    stack, seen = [array], set()
    while stack:
        each = stack.pop()
        if each.get_id() in seen:
            continue
        seen.add(each.get_id())
        if z3.is_store(each):
            stack.append(each.arg(0))
        elif z3.is_app_of(each, z3.Z3_OP_ITE):
            stack += each.children()[1:]
        elif each.get_id() in engine.uniform:
            engine.axiom(z3.Implies(_claim(each), z3.Select(each, place) >= 0), _WORDS)


def _claim(array: Term) -> Term:
    return apply(_WORDS, z3.BoolSort(), [array])
