"""A model of the solver as values of parameters that a person can read and an oracle can try."""

import z3

from equimut.languages.lowered import Local
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.terms import Term, apply, null, sort_of

_MOST_ELEMENTS = 16


def readable(engine: Engine, model: z3.ModelRef) -> dict[str, str]:
    """The parameters in a state; those that are of a kind nobody can write down are left out."""
    found = {}
    for local in engine.functions[0].parameters:
        value = _value(engine, model, local)
        if value:
            found[local.name] = value
    return found


def _value(engine: Engine, model: z3.ModelRef, local: Local) -> str:
    term = model.eval(z3.Const(local.name, sort_of(local.type)), model_completion=True)
    if local.type.kind in ("int", "bool", "float"):
        return _plain(term, signed=local.type.signed)
    if local.type.kind == "value":
        return _carried(term)
    if local.type.kind != "ref":
        return ""
    if z3.is_true(model.eval(term == null(), model_completion=True)):
        return "null"
    if not local.type.name.endswith("[]"):
        return "not null"
    size = model.eval(
        apply("length of array", z3.BitVecSort(32), [term]), model_completion=True
    ).as_signed_long()
    items = _elements(engine, model, term, min(size, _MOST_ELEMENTS), local)
    return f"{size} elements: {', '.join(items)}" if items else f"{size} elements"


def _carried(term: Term) -> str:
    """A value that carries its type with it: a number or a truth value."""
    if term.decl().name() not in ("integer", "boolean", "floating"):
        return ""
    inner = term.arg(0)
    return str(inner.as_long()) if z3.is_int_value(inner) else _plain(inner, signed=True)


def _elements(
    engine: Engine, model: z3.ModelRef, array: Term, count: int, local: Local
) -> list[str]:
    start = engine.start()
    for key in engine.sorts.keys:
        rows = start.array(key, engine.sorts)
        if key[0] == "[]" and isinstance(rows.sort().range(), z3.ArraySortRef):
            row = z3.Select(rows, array)
            if isinstance(row.sort().range(), z3.BitVecSortRef):
                values = (z3.Select(row, z3.BitVecVal(place, 32)) for place in range(count))
                return [
                    _plain(model.eval(each, model_completion=True), signed=True) for each in values
                ]
    return []


def _plain(term: Term, *, signed: bool) -> str:
    if z3.is_bv_value(term):
        return str(term.as_signed_long() if signed else term.as_long())
    if z3.is_true(term) or z3.is_false(term):
        return str(z3.is_true(term)).lower()
    return _float(term) if z3.is_fp_value(term) else ""


def _float(term: Term) -> str:
    if term.isNaN():
        return "NaN"
    if term.isInf() or term.isZero():
        return ("-" if term.isNegative() else "") + ("Infinity" if term.isInf() else "0.0")
    return repr(float(z3.simplify(z3.fpToReal(term)).as_fraction()))
