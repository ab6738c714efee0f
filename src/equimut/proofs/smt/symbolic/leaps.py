"""Code that nobody looks into: all it does is a function of what it sees."""

import z3

from equimut.languages.lowered import Local
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import (
    Term,
    apply,
    both,
    null,
    ref,
    sort_of,
    unknown_before,
    world,
)


def current(local: Local, path: Path) -> Term:
    """What a local holds, set or not."""
    if local.name not in path.locals:
        path.locals[local.name] = unknown_before(local.name, sort_of(local.type))
    return path.locals[local.name]


def leap(
    engine: Engine,
    path: Path,
    key: str,
    reads: list[Term],
    writes: tuple[Local, ...],
    effects: bool,
    leaves: list[tuple[str, str]],
    heap_writes: set[tuple[str, str]] | None = None,
) -> None:
    """Code that is not looked into: all it does is a function of what it sees."""
    if effects:
        engine.seen(path)
    inputs = [*engine.everything(path), *reads]
    start = path.copy()
    for local in writes:
        path.locals[local.name] = apply(f"{local.name} after {key}", sort_of(local.type), inputs)
    if effects:
        path.world, path.heap = apply(f"world after {key}", world(), inputs), {}
    else:
        for name in sorted(heap_writes or ()):
            rows = path.array(name, engine.sorts)
            path.heap[name] = apply(f"{name} after {key}", rows.sort(), inputs)
    stays = apply(f"ends {key}", z3.BoolSort(), inputs)
    forever = start.copy()
    forever.assume(z3.Not(stays))
    engine.leave(forever, "diverge")
    path.condition = both(path.condition, stays)
    for how, label in leaves:
        out = path.copy()
        goes = apply(f"{how} {label} from {key}", z3.BoolSort(), inputs)
        out.assume(goes)
        value = None
        if how == "throw":
            value = apply(f"exception of {key}", ref(), inputs)
            if engine.looks_at_types:
                engine.know(out, value != null(), "an exception is never null")
        elif how == "return":
            result = engine.functions[0].result
            value = apply(f"value of {key}", sort_of(result), inputs)
        engine.leave(out, how, label, value)
        path.condition = both(path.condition, z3.Not(goes))
