"""Statements, executed symbolically; what is not looked into is a function of the state."""

import z3

from equimut.languages.lowered import (
    Assign,
    Binary,
    Block,
    Call,
    Convert,
    Declare,
    Do,
    Element,
    Field,
    If,
    InstanceOf,
    Labeled,
    Leave,
    Length,
    Loop,
    New,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Try,
    Unary,
    walk,
)
from equimut.proofs.smt.symbolic.engine import Engine, Handlers, evaluate, execute
from equimut.proofs.smt.symbolic.leaps import current, leap
from equimut.proofs.smt.symbolic.operators import opens
from equimut.proofs.smt.symbolic.state import Exit, Path, merged, merged_exits
from equimut.proofs.smt.symbolic.terms import apply, negation, null, ref, value_sort


def _block(engine: Engine, node: Block, path: Path) -> None:
    for statement in node.statements:
        execute(engine, statement, path)


def _do(engine: Engine, node: Do, path: Path) -> None:
    evaluate(engine, node.value, path)


def _declare(engine: Engine, node: Declare, path: Path) -> None:
    if node.value is None:
        path.locals.pop(node.local.name, None)
        return
    path.locals[node.local.name] = evaluate(engine, node.value, path)


def _if(engine: Engine, node: If, path: Path) -> None:
    condition = evaluate(engine, node.condition, path)
    other = path.copy()
    path.assume(condition)
    other.assume(negation(condition))
    execute(engine, node.then, path)
    execute(engine, node.otherwise, other)
    path.become(merged([each for each in (path.copy(), other) if not each.dead], engine.sorts))


def _leave(engine: Engine, node: Leave, path: Path) -> None:
    value = evaluate(engine, node.value, path) if node.value is not None else None
    if node.how == "throw" and value is not None and value.sort() != value_sort():
        if value.sort() != ref():
            value = apply("reference of", ref(), [value])
        engine.throw(path, value == null(), "NullPointerException")
    engine.leave(path, node.how, node.label, value)


def _labeled(engine: Engine, node: Labeled, path: Path) -> None:
    execute(engine, node.body, path)
    take_exits(engine, path, "break", node.label)


def take_exits(engine: Engine, path: Path, how: str, label: str) -> None:
    """What left for this place goes on here."""
    here = [each for each in engine.exits if each.target == (how, label)]
    if here:
        engine.exits = [each for each in engine.exits if each.target != (how, label)]
        paths = [each.path for each in here] + ([] if path.dead else [path.copy()])
        path.become(merged(paths, engine.sorts))


def _try(engine: Engine, node: Try, path: Path) -> None:
    before, engine.exits = engine.exits, []
    execute(engine, node.body, path)
    inside, engine.exits = engine.exits, []
    ends = [path.copy()]
    thrown = merged_exits([each for each in inside if each.how == "throw"], engine.sorts)
    kept = [each for each in inside if each.how != "throw"]
    for each in thrown.values():
        rest = each.path
        for catch in node.catches:
            assert each.value is not None
            matches = z3.Or(
                *(
                    z3.BoolVal(True) if name == "Throwable" else engine.fits(each.value, name)
                    for name in catch.types
                )
            )
            caught = rest.copy()
            caught.assume(z3.simplify(matches))
            caught.locals[catch.local.name] = each.value
            execute(engine, catch.body, caught)
            ends.append(caught)
            rest.assume(z3.simplify(z3.Not(matches)))
        kept.append(Exit(each.how, each.label, rest, each.value))
    kept += engine.exits
    engine.exits = []
    end = merged([each for each in ends if not each.dead], engine.sorts)
    if isinstance(node.always, Block) and not node.always.statements:
        engine.exits = before + kept
        path.become(end)
        return
    left = []
    for each in merged_exits(kept, engine.sorts).values():
        if each.how not in ("diverge", "undefined"):  # a loop that never ends never gets there
            execute(engine, node.always, each.path)
        left.append(each)
    execute(engine, node.always, end)
    engine.exits = before + left + engine.exits
    path.become(end)


def iterate(engine: Engine, loop: Loop, path: Path) -> Path:
    """One iteration from the head; returns the path on which the loop ends by its condition.

    The given path becomes the head of the next iteration.
    """
    if loop.post:
        execute(engine, loop.body, path)
        take_exits(engine, path, "continue", loop.label)
        execute(engine, loop.update, path)
        condition = evaluate(engine, loop.condition, path)
        end = path.copy()
        end.assume(negation(condition))
        path.assume(condition)
        return end
    condition = evaluate(engine, loop.condition, path)
    end = path.copy()
    end.assume(negation(condition))
    path.assume(condition)
    execute(engine, loop.body, path)
    take_exits(engine, path, "continue", loop.label)
    execute(engine, loop.update, path)
    return end


def _opaque(engine: Engine, node: OpaqueStmt, path: Path) -> None:
    reads = [current(local, path) for local in node.reads]
    leap(
        engine,
        path,
        f"statement {node.text}",
        reads,
        node.writes,
        True,
        [*node.leaves, ("throw", "")],
    )


def effects_of(engine: Engine, node: Node) -> tuple[bool, bool, bool]:
    """Whether code calls anything, whether that can change fields and elements, and can throw."""
    parts = walk(node)
    calls = loud = False
    for part in parts:
        if isinstance(part, Call):
            contract = engine.library.contracts.get((part.owner, part.name, len(part.arguments)))
            if contract is None or not contract.pure:
                calls, loud = True, loud or not (is_quiet(engine, part) or fills(engine, part))
        elif isinstance(part, New):
            calls, loud = True, loud or (part.length is None and not part.quiet)
        elif isinstance(part, OpaqueExpr | OpaqueStmt):
            calls = loud = True
    throws = calls or any(
        isinstance(part, Field | Element | Length | Leave | Convert | InstanceOf | Call)
        or (isinstance(part, Binary) and part.op in "/%")
        or (isinstance(part, Assign) and part.op in ("/", "%"))
        or (not engine.library.undefined_is_outside and _opens(part))
        for part in parts
    )
    return calls, loud, throws


def _opens(node: Node) -> bool:
    """Whether an operator may open a box, which may be null, with no conversion written out."""
    if isinstance(node, Assign):
        computed = node.computed or node.target.type
        boxed = node.op != "concat" and node.target.type.kind == "ref"
        return bool(node.op) and (boxed or computed.kind == "any")
    if isinstance(node, Unary):
        return node.operand.type.kind == "any"
    if not isinstance(node, Binary) or node.op == "concat":
        return False
    return opens(node.op, (node.left.type, node.right.type))


def is_quiet(engine: Engine, node: Call) -> bool:
    """Whether a call of the library changes none of the fields and elements that are there."""
    contract = engine.library.contracts.get((node.owner, node.name, len(node.arguments)))
    return (
        contract is not None
        and contract.keeps
        and all(
            each.type.kind in ("int", "bool", "float")
            or each.type.name in ("String", "null")
            or each.type.name.endswith("[]")
            for each in node.arguments
        )
    )


def fills(engine: Engine, node: Call) -> bool:
    """Whether a call changes nothing but elements of arrays of plain values."""
    if (node.owner, node.name, len(node.arguments)) == ("System", "arraycopy", 5):
        names = [node.arguments[place].type.name for place in (0, 2)]
        return all(name.endswith("[]") for name in names)
    contract = engine.library.contracts.get((node.owner, node.name, len(node.arguments)))
    return (
        contract is not None
        and contract.fills
        and all(
            each.type.kind in ("int", "bool", "float") or each.type.name in _PLAIN_ARRAYS
            for each in node.arguments
        )
    )


_PLAIN_ARRAYS = frozenset(
    f"{name}[]" for name in ("byte", "short", "char", "int", "long", "float", "double", "boolean")
)


STATEMENTS: Handlers = {
    Block: _block, Do: _do, Declare: _declare, If: _if, Leave: _leave, Labeled: _labeled,
    Try: _try, OpaqueStmt: _opaque,
}  # fmt: skip
