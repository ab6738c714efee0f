"""Loops: what they leave behind when nobody looks inside, and what stays true at their head."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

import z3

from equimut.languages.lowered import (
    ANY,
    Assign,
    Binary,
    Call,
    Catch,
    Cell,
    Convert,
    Declare,
    Element,
    Expr,
    Field,
    Leave,
    Length,
    Lit,
    Local,
    Loop,
    Memory,
    New,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Operation,
    Unary,
    walk,
)
from equimut.proofs.smt.symbolic.answers import Answers
from equimut.proofs.smt.symbolic.elements import counts, none_negative
from equimut.proofs.smt.symbolic.engine import HELD, Engine, Invariant, evaluate
from equimut.proofs.smt.symbolic.leaps import current, leap
from equimut.proofs.smt.symbolic.solving import all_that_hold
from equimut.proofs.smt.symbolic.state import HeapKey, Path, merged
from equimut.proofs.smt.symbolic.statements import effects_of, fills, iterate
from equimut.proofs.smt.symbolic.terms import Term, compare, negation, null, ref, sort_of, world

_MOST_STEADY = 16
"""Pairs of what a loop changes and what it does not, which may be in order."""
_KEPT: Answers[dict[int, Invariant]] = Answers()
"""By their places among the candidates."""
_ENDS: Answers[list[Invariant]] = Answers()


def summarise(engine: Engine, loop: Loop, path: Path) -> None:
    """The state behind a loop; where its condition is false at first, nothing happens."""
    if loop.post or not _only_asks(engine, loop.condition):
        _summarise(engine, loop, path)
        return
    start = path.copy()
    exits, facts = len(engine.exits), len(engine.facts)
    condition = evaluate(engine, loop.condition, path)
    if not _unchanged(engine, start, path):  # the loop evaluates it again
        del engine.exits[exits:], engine.facts[facts:]
        path.become(start)
        _summarise(engine, loop, path)
        return
    skipped = path.copy()
    skipped.assume(negation(condition))
    path.assume(condition)
    if not path.dead:
        _summarise(engine, loop, path)
    path.become(merged([each for each in (skipped, path.copy()) if not each.dead], engine.sorts))


def _only_asks(engine: Engine, condition: Expr) -> bool:
    """Whether to evaluate a condition once more gives the same, and changes nothing."""
    for part in walk(condition):
        if isinstance(part, Call):
            contract = engine.library.contracts.get((part.owner, part.name, len(part.arguments)))
            typed = engine.loops is None and not engine.library.undefined_is_outside
            if contract is None or not contract.pure or not typed:
                return False
        elif isinstance(part, Assign | New | OpaqueExpr):
            return False
    return True


def _unchanged(engine: Engine, before: Path, after: Path) -> bool:
    """Whether what happened between two states left no trace: `xs.pop()` needs no call to do so."""
    return (
        after.world.eq(before.world)
        and all(after.locals[name].eq(value) for name, value in before.locals.items())
        and all(
            after.array(key, engine.sorts).eq(before.array(key, engine.sorts))
            for key in engine.sorts.keys
        )
    )


def _summarise(engine: Engine, loop: Loop, path: Path) -> None:
    """The state behind a loop, as a function of the state before it."""
    writes = outer_writes(loop)
    reads = outer_reads(loop)
    calls, loud, throws = effects_of(engine, loop)
    written = heap_writes(engine, loop)
    start = path.copy()
    if engine.loops is not None:
        calls, written = engine.loops.effects(engine, loop, path)
        loud = calls
    names = {local.name: local for local in (*reads, *writes)}
    seen = [name for name in sorted(names) if _matters(engine, loop, names[name], path)]
    inputs = [current(names[name], path) for name in seen]
    # What the condition does is behind the head: what is true there need not be at the end.
    steady = not effects_of(engine, loop.condition)[0] and not any(
        isinstance(part, Assign) for part in walk(loop.condition)
    )
    ends_at_head = steady and not loop.post and not breaks(loop)
    found = invariants(engine, loop, path) if not engine.typing else []
    if found and not ends_at_head:
        found = _at_the_end(engine, loop, start, found)
    leaves: list[tuple[str, str]] = sorted(
        {
            (part.how, part.label)
            for part in walk(loop)
            if isinstance(part, Leave)
            and part.how in ("return", "break", "continue")
            and part.label not in _labels(loop)
        }
    )
    leaves += [("throw", "")] if throws else []
    name = f"loop {engine.digest(loop)} of {' '.join(seen)}"
    kept = {} if loud or not calls else _left_alone(engine, path, written)
    leap(engine, path, name, inputs, tuple(writes), calls, leaves, written)
    path.heap |= kept
    if loud:
        _between_calls(engine, loop, path)
    if engine.loops is not None:
        engine.loops.settle(engine, loop, start, path)
    for words, invariant in found:
        engine.know(path, invariant(path), words)
    if not breaks(loop) and _only_asks(engine, loop.condition):
        # The loop has ended: its condition was evaluated here, and was false.
        scratch, before = path.copy(), engine.exits
        engine.exits = []
        condition = evaluate(engine, loop.condition, scratch)
        engine.exits = before
        if _unchanged(engine, path, scratch):  # else it is another evaluation
            ended = z3.Implies(scratch.condition, z3.Not(condition))
            engine.know(path, ended, "the loop has ended")


def _at_the_end(
    engine: Engine, loop: Loop, before: Path, found: list[Invariant]
) -> list[Invariant]:
    """What is true at the head and still is wherever the loop ends, with a jump or without."""
    on = [before.condition, before.world]
    on += [before.locals[name] for name in sorted(before.locals)]
    on += [before.heap[key] for key in sorted(before.heap)]
    words = tuple(each for each, _ in found)

    def answer(_: list[Invariant] | None) -> list[Invariant]:
        facts, exits, names = len(engine.facts), engine.exits, engine.names()
        start, engine.exits = before.copy(), []
        _forget(engine, loop, start)
        for spelt, invariant in found:
            engine.know(start, invariant(start), spelt)
        ends = [iterate(engine, loop, start)]
        ends += [each.path for each in engine.exits if each.target == ("break", loop.label)]
        kept = list(range(len(found)))
        for end in (each for each in ends if not each.dead):
            claims = [found[place][1](end) for place in kept]
            kept = [kept[place] for place in all_that_hold(engine, end, claims)]
        del engine.facts[facts:]
        engine.exits = exits
        engine.names_again(names)
        return [found[place] for place in kept]

    return _asked_by(engine, _ENDS.to(engine, loop, on, answer, words))


def _matters(engine: Engine, loop: Loop, local: Local, path: Path) -> bool:
    """Whether what a local holds before a loop can be seen: read later, or missed when dropped."""
    live = engine.heads.get(id(loop))
    if live is None or local.name in live or local.name == HELD:
        return True
    return engine.loops is not None and engine.loops.weighs(engine, current(local, path))


def head(engine: Engine, loop: Loop, path: Path) -> list[Invariant]:
    """Turn the path before a loop into its head at any iteration; returns what is known there."""
    found = invariants(engine, loop, path)
    _forget(engine, loop, path)
    for words, invariant in found:
        engine.know(path, invariant(path), words)
    return found


def _forget(engine: Engine, loop: Loop, path: Path) -> None:
    """Everything the loop may change becomes unknown."""
    if engine.loops is not None:
        engine.loops.forget(engine, loop, path)
        return
    for local in outer_writes(loop):
        path.locals[local.name] = engine.fresh(local.name, sort_of(local.type))
    calls, loud, _ = effects_of(engine, loop)
    if calls:
        kept = {} if loud else _left_alone(engine, path, heap_writes(engine, loop))
        path.world, path.heap = engine.fresh("world", world()), kept
        if loud:
            _between_calls(engine, loop, path)
    else:
        for key in sorted(heap_writes(engine, loop)):
            path.heap[key] = engine.fresh(f"heap {key[0]}", path.array(key, engine.sorts).sort())


def _left_alone(engine: Engine, path: Path, written: set[HeapKey]) -> dict[HeapKey, Term]:
    """The parts of the heap that code without calls of others does not write."""
    return {key: rows for key, rows in engine.all_there(path).items() if key not in written}


def _between_calls(engine: Engine, loop: Loop, path: Path) -> None:
    """A loop that calls others, but changes no promised field, keeps what the class promises."""
    if not engine.promised:
        return
    written = _promised_writes(engine, loop)
    if not written:
        engine.between_calls(path)
    engine.unsteady |= written


def _promised_writes(engine: Engine, node: Node, depth: int = 4) -> set[str]:
    """The promised fields that code may change itself; all where it is not looked into."""
    found: set[str] = set()
    for part in walk(node):
        if isinstance(part, Assign) and isinstance(part.target, Field):
            found |= {part.target.name} & engine.promised
        elif isinstance(part, OpaqueStmt | OpaqueExpr):
            return set(engine.promised)
        elif isinstance(part, Call) and part.callee is not None:
            callee = engine.methods.get(part.callee)
            if callee is not None:
                if not depth:
                    return set(engine.promised)
                found |= _promised_writes(engine, callee.body, depth - 1)
    return found


def invariants(engine: Engine, loop: Loop, before: Path) -> list[Invariant]:
    """Candidates that hold at the first head and survive every iteration (Houdini)."""
    names = {local.name for local in (*outer_writes(loop), *outer_reads(loop))}
    on = [before.condition, before.world]
    on += [before.locals[name] for name in sorted(names) if name in before.locals]
    on += [before.heap[key] for key in sorted(before.heap)]
    words = tuple(engine.functions[0].invariants)
    found = _KEPT.to(
        engine, loop, on, lambda more: _inductive(engine, loop, before, more), (words,)
    )
    return _asked_by(engine, found.values())


def _asked_by(engine: Engine, found: Iterable[Invariant]) -> list[Invariant]:
    """Invariants for the engine that asks, which may have been found by another."""
    return [
        (words, replace(holds, engine=engine) if isinstance(holds, _OF_AN_ENGINE) else holds)
        for words, holds in found
    ]


def _inductive(
    engine: Engine, loop: Loop, before: Path, more: dict[int, Invariant] | None
) -> dict[int, Invariant]:
    """The candidates that are inductive; `more`: those that are where more is known."""
    if "loop invariants" in engine.without:
        return {}
    checkpoints, engine.checkpoints = engine.checkpoints, None
    names = engine.names()
    try:
        every = dict(enumerate(_candidates(engine, loop, before)))
        if more is not None:
            every = {place: each for place, each in every.items() if place in more}
        return _that_hold(engine, loop, before, every)
    finally:
        engine.checkpoints = checkpoints
        engine.names_again(names)


def _that_hold(
    engine: Engine, loop: Loop, before: Path, candidates: dict[int, Invariant]
) -> dict[int, Invariant]:
    first = [invariant(before) for _, invariant in candidates.values()]
    candidates = _chosen(candidates, all_that_hold(engine, before, first))
    nested = any(isinstance(part, Loop) for part in walk(loop.body))
    while candidates:
        kept = _preserved(engine, loop, before, list(candidates.values()), switched=not nested)
        if len(kept) == len(candidates):
            return candidates
        candidates = _chosen(candidates, kept)
        if not nested:
            return candidates
    return {}


def _chosen(candidates: dict[int, Invariant], places: list[int]) -> dict[int, Invariant]:
    """The candidates at these places of a list of them."""
    listed = list(candidates.items())
    return dict(listed[place] for place in places)


def _preserved(
    engine: Engine, loop: Loop, before: Path, candidates: list[Invariant], *, switched: bool
) -> list[int]:
    """The places of the candidates that one iteration keeps true.

    With switches, one that falls is no longer assumed for the others, so that the answer is final;
    a loop inside needs to know for certain what is true at the head, so it goes round again.
    """
    start = before.copy()
    facts, exits, names = len(engine.facts), engine.exits, engine.names()
    engine.exits = []
    _forget(engine, loop, start)
    switches = [z3.Bool(f"candidate {place}") for place in range(len(candidates))]
    for switch, (words, invariant) in zip(switches, candidates, strict=True):
        claim = invariant(start)
        engine.know(start, z3.Implies(switch, claim) if switched else claim, words)
    iterate(engine, loop, start)
    places = list(range(len(candidates)))
    if not start.dead:  # else no iteration comes back to the head
        claims = [invariant(start) for _, invariant in candidates]
        places = all_that_hold(engine, start, claims, switches if switched else ())
    del engine.facts[facts:]
    engine.exits = exits
    engine.names_again(names)
    return places


def _candidates(engine: Engine, loop: Loop, before: Path) -> list[Invariant]:
    """Bounds, order and nullness of what the loop changes."""
    if engine.loops is not None:
        return engine.loops.candidates(engine, loop, before)
    changed = [local for local in outer_writes(loop) if local.name in before.locals]
    found: list[Invariant] = []
    numbers = [local for local in changed if local.type.kind == "int"]
    for local in numbers:
        first = before.locals[local.name]
        found += [
            (f"`{local.name}` never falls below its first value", _bound(local, ">=", first)),
            (f"`{local.name}` never rises above its first value", _bound(local, "<=", first)),
        ]
        zero = z3.BitVecVal(0, local.type.bits)
        found.append((f"`{local.name}` is never negative", _bound(local, ">=", zero)))
        found.append((f"`{local.name}` is at least -1", _bound(local, ">=", zero - 1)))
        for value in _numbers(loop, local):
            number = z3.BitVecVal(value, local.type.bits)
            found.append((f"`{local.name}` is at most {value}", _bound(local, "<=", number)))
            found.append((f"`{local.name}` is at least {value}", _bound(local, ">=", number)))
    found += _limits(engine, loop, before, {local.name for local in changed})
    steady = [local for local in outer_reads(loop) if local not in changed]
    pairs = [*combinations(numbers, 2), *islice(product(numbers, steady), _MOST_STEADY)]
    for one, other in pairs:
        if one.type == other.type and other.name in before.locals:
            for op in ("<=", ">=", "<", ">") if other in numbers else ("<=", ">=", "<"):
                found.append((f"`{one.name}` {op} `{other.name}`", _order(one, op, other)))
    found += _in_step([local for local in numbers if local.type.bits > 16], before)
    for local in changed:
        if local.type.kind == "ref":
            found.append((f"`{local.name}` is never null", _there(local)))
        elif local.type.kind == "float" and _is_compared(loop, local):
            found += [
                (f"`{local.name}` has no minus sign", _unsigned(local)),
                (f"`{local.name}` is never -0.0", _no_minus_zero(local)),
                (f"`{local.name}` is always a number", _number(local)),
            ]
        elif counts(local.type):
            words = f"no element of `{local.name}` is negative"
            found.append((words, _NoneNegative(engine, local)))
    if _promised_writes(engine, loop):
        kept = engine.functions[0].invariants
        found += [(words, _Kept(engine, fact)) for words, fact in kept]
    return found


def _numbers(loop: Loop, local: Local) -> list[int]:
    """Constants that a local is compared with or given in the loop: where its range may end."""
    found: set[int] = set()
    for part in walk(loop):
        if isinstance(part, Binary) and part.op in ("<", "<=", ">", ">=", "==", "!=", "%", "&"):
            sides = (part.left, part.right)
        elif isinstance(part, Assign):
            sides = (part.target, part.value)
        else:
            continue
        if any(isinstance(each, Local) and each.name == local.name for each in sides):
            values = [each.value for each in sides if isinstance(each, Lit)]
            found |= {value for value in values if isinstance(value, int)}
    near = {value + step for value in found for step in (-1, 0, 1)}
    return sorted(near, key=abs)[:8]


def _limits(engine: Engine, loop: Loop, before: Path, changed: set[str]) -> list[Invariant]:
    """`i <= bound` for each comparison of something the loop changes with something it computes."""
    found: dict[tuple[str, str], Invariant] = {}
    parts = [*walk(loop.condition), *walk(loop.body)]
    for part in parts:
        if not isinstance(part, Binary) or part.op not in ("<", "<=", ">", ">=", "!=", "=="):
            continue
        for given, other in ((part.left, part.right), (part.right, part.left)):
            side = _moved(given)
            if (
                isinstance(side, Local)
                and side.name in changed
                and side.type.kind == "int"
                and not isinstance(other, Lit)
                and _harmless(engine, other, before)
                and len(found) < MOST_LIMITS
            ):
                for op in ("<=", ">=") if side is given else ("<=", ">=", "<", ">"):
                    words = f"`{side.name}` {op} its bound"
                    found[f"{side.name} {op}", engine.digest(other)] = (
                        words, _Computed(engine, side, op, other),
                    )  # fmt: skip
    return list(found.values())


def _moved(node: Expr) -> Expr:
    """What is moved before it is compared: the `i` of `++i == n` and of `i + 1 < n`."""
    if isinstance(node, Assign):
        return node.target
    if isinstance(node, Binary) and node.op in ("+", "-") and isinstance(node.right, Lit):
        return node.left
    return node


MOST_LIMITS = 12


def _harmless(engine: Engine, node: Expr, before: Path) -> bool:
    """Whether to compute an expression once more does nothing; its locals are there before."""
    for part in walk(node):
        if isinstance(part, Local):
            member = part.name in ("this", "scope") or part.name.startswith("static ")
            if not member and part.name not in before.locals:
                return False
        elif isinstance(part, Call):
            contract = engine.library.contracts.get((part.owner, part.name, len(part.arguments)))
            if contract is None or not contract.pure:
                return False
        elif not isinstance(part, Lit | Length | Element | Binary | Field | Convert | Unary):
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Computed:
    """A bound that is computed where it is asked for; where that throws, nothing is said."""

    engine: Engine
    local: Local
    op: str
    bound: Expr

    def __call__(self, path: Path) -> Term:
        engine, mine = self.engine, path.locals[self.local.name]
        exits, engine.exits = engine.exits, []
        scratch = path.copy()
        value = evaluate(engine, self.bound, scratch)
        engine.exits = exits
        if value.sort() != mine.sort():
            return z3.BoolVal(True)
        there = compare(self.op, mine, value, self.local.type)
        same = scratch.condition.eq(path.condition)
        return there if same else z3.Implies(scratch.condition, there)


@dataclass(frozen=True, eq=False)
class _Kept:
    """What the class promises of this object, in the middle of a method that changes it."""

    engine: Engine
    fact: Expr

    def __call__(self, path: Path) -> Term:
        this = path.locals.get("this", z3.Const("this", ref()))
        return self.engine.of_object(self.fact, path.world, path.heap, this)


@dataclass(frozen=True)
class _NoneNegative:
    """No element of an array is negative, which the engine that asks must keep in mind."""

    engine: Engine
    local: Local

    def __call__(self, path: Path) -> Term:
        return none_negative(self.engine, path.locals[self.local.name])


_OF_AN_ENGINE = _Computed | _Kept | _NoneNegative
"""Kinds of invariants that belong to the engine that asks, also where another found them."""


def _bound(local: Local, op: str, value: Term) -> Callable[[Path], Term]:
    return lambda path: compare(op, path.locals[local.name], value, local.type)


def _order(one: Local, op: str, other: Local) -> Callable[[Path], Term]:
    return lambda path: compare(op, path.locals[one.name], path.locals[other.name], one.type)


def _in_step(numbers: list[Local], before: Path) -> list[Invariant]:
    """Counters that move together keep their distance, those that move apart their sum."""
    found: list[Invariant] = []
    for one, other in combinations(numbers, 2):
        if one.type == other.type:
            found.append(
                (
                    f"`{one.name}` and `{other.name}` keep their distance",
                    _combined("-", one, other, before),
                )
            )
            found.append(
                (
                    f"`{one.name}` and `{other.name}` keep their sum",
                    _combined("+", one, other, before),
                )
            )
    return found


def _combined(op: str, one: Local, other: Local, before: Path) -> Callable[[Path], Term]:
    def value(path: Path) -> Term:
        left, right = path.locals[one.name], path.locals[other.name]
        return left - right if op == "-" else left + right

    first = value(before)
    return lambda path: value(path) == first


def _there(local: Local) -> Callable[[Path], Term]:
    return lambda path: path.locals[local.name] != null()


def _is_compared(loop: Loop, local: Local) -> bool:
    """Whether something in a loop is compared with a local."""
    return any(
        isinstance(part, Binary)
        and part.op in ("<", "<=", ">", ">=", "==", "!=")
        and any(isinstance(e, Local) and e.name == local.name for e in (part.left, part.right))
        for part in walk(loop)
    )


def _unsigned(local: Local) -> Callable[[Path], Term]:
    return lambda path: z3.Not(z3.fpIsNegative(path.locals[local.name]))


def _no_minus_zero(local: Local) -> Callable[[Path], Term]:
    def holds(path: Path) -> Term:
        value = path.locals[local.name]
        return z3.Not(z3.And(z3.fpIsZero(value), z3.fpIsNegative(value)))

    return holds


def _number(local: Local) -> Callable[[Path], Term]:
    return lambda path: z3.Not(z3.fpIsNaN(path.locals[local.name]))


def outer_writes(node: Node) -> list[Local]:
    """The locals that code changes and that were there before it."""
    declared = _declared(node)
    found: dict[str, Local] = {}
    for part in walk(node):
        if isinstance(part, Assign) and isinstance(part.target, Local):
            found[part.target.name] = part.target
        elif isinstance(part, Assign) and isinstance(part.target, Cell):
            found[part.target.local.name] = part.target.local
        elif isinstance(part, OpaqueStmt | OpaqueExpr):
            found |= {local.name: local for local in part.writes}
        elif isinstance(part, Operation):
            found[HELD] = Local(ANY, HELD)
    return [found[name] for name in sorted(found) if name not in declared]


def outer_reads(node: Node) -> list[Local]:
    """The locals that code names and that were there before it."""
    declared = _declared(node)
    found = {part.name: part for part in walk(node) if isinstance(part, Local)}
    return [found[name] for name in sorted(found) if name not in declared]


def _declared(node: Node) -> set[str]:
    return {part.local.name for part in walk(node) if isinstance(part, Declare | Catch)}


def heap_writes(engine: Engine, node: Node) -> set[HeapKey]:
    """The parts of the heap that code may write itself."""
    found: set[HeapKey] = set()
    for part in walk(node):
        if isinstance(part, Assign) and isinstance(part.target, Field | Element | Memory):
            key = engine.heap_key(part.target)
            found |= {key, *engine.sorts.same_name(key)}
        elif isinstance(part, Call) and fills(engine, part):
            found |= {each for each in engine.sorts.keys if each[0] == "[]"}
    return found


def _labels(node: Node) -> set[str]:
    return {
        part.label for part in walk(node) if hasattr(part, "label") and not isinstance(part, Leave)
    }


def breaks(loop: Loop) -> bool:
    """Whether the loop can end other than by its condition and go on behind it."""
    return any(
        isinstance(part, Leave) and part.how == "break" and part.label == loop.label
        for part in walk(loop)
    )
