"""A first iteration written out before its loop: what a counter that starts one earlier does."""

from dataclasses import fields, replace

from equimut.languages.lowered import (
    Assign,
    Binary,
    Block,
    Call,
    Convert,
    Declare,
    Do,
    Expr,
    Field,
    Function,
    If,
    Leave,
    Length,
    Lit,
    Local,
    Logic,
    Loop,
    Node,
    Stmt,
    Unary,
    walk,
)

_PLAIN = (Local, Lit, Binary, Logic, Unary, Length, Field, Convert)
_MAY_THROW = ("/", "%")
_NUMBERS = {"int", "bool", "float"}
_LOOKS = (Block, Do, Declare, If, Leave)


def peeled(one: Function, other: Function) -> tuple[Function, Function] | None:
    """Two functions that differ in where a counter begins, with a first iteration of one outside.

    Both do what they did: only the loop that begins earlier is written in another way.
    """
    found = _written(one.body, other.body)
    if found is None:
        return None
    return replace(one, body=found[0]), replace(other, body=found[1])


def _written(one: Stmt, other: Stmt) -> tuple[Stmt, Stmt] | None:
    if type(one) is not type(other):
        return None
    if isinstance(one, Block) and isinstance(other, Block):
        return _in_block(one, other)
    names = [f.name for f in fields(one) if getattr(one, f.name) != getattr(other, f.name)]
    if len(names) != 1:
        return None
    mine, theirs = (getattr(each, names[0]) for each in (one, other))
    if not isinstance(mine, Stmt) or not isinstance(theirs, Stmt):
        return None
    found = _written(mine, theirs)
    if found is None:
        return None
    return replace(one, **{names[0]: found[0]}), replace(other, **{names[0]: found[1]})


def _in_block(one: Block, other: Block) -> tuple[Stmt, Stmt] | None:
    mine, theirs = one.statements, other.statements
    if len(mine) != len(theirs):
        return None
    places = [at for at, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if len(places) != 1:
        return None
    at = places[0]
    before, after, loop = mine[at], theirs[at], mine[-1]
    if not (isinstance(before, Declare) and isinstance(after, Declare)):
        found = _written(before, after)
        if found is None:
            return None
        return tuple(
            Block((*each.statements[:at], new, *each.statements[at + 1 :]))
            for each, new in zip((one, other), found, strict=True)
        )  # type: ignore[return-value]
    starts = before.value, after.value
    if (
        before.local != after.local
        or not all(isinstance(each, Lit) and each.type.kind == "int" for each in starts)
        or at != len(mine) - 2
        or not isinstance(loop, Loop)
        or not _may_be_peeled(loop)
    ):
        return None
    first, second = (int(each.value) for each in starts if isinstance(each, Lit))  # type: ignore[call-overload]
    if first < second:
        return _peeled(one, loop, before.local, starts[1]), other
    return one, _peeled(other, loop, before.local, starts[0])


def _may_be_peeled(loop: Loop) -> bool:
    """Whether the body may stand outside of its loop, and the condition asks nobody."""
    inside = [part for code in (loop.body, loop.update) for part in walk(code)]
    asks = [part for part in walk(loop.condition) if isinstance(part, Expr)]
    later = [each.right for each in asks if isinstance(each, Logic)]
    return (
        not loop.post
        and all(isinstance(part, _LOOKS) for part in inside if isinstance(part, Stmt))
        and not any(isinstance(p, Leave) and p.how in ("break", "continue") for p in inside)
        and all(_is_plain(part) or _is_length(part) for part in asks)
        and all(_is_sure(part) for each in later for part in walk(each))
    )


def _is_plain(part: Expr) -> bool:
    """Whether it is asked for nothing but its value: to divide by the counter may throw."""
    return isinstance(part, _PLAIN) and not (isinstance(part, Binary) and part.op in _MAY_THROW)


def _is_sure(part: Node) -> bool:
    """Whether it cannot throw: with one counter what is behind `&&` is asked, with another not."""
    if isinstance(part, Binary | Logic):
        kinds = {part.left.type.kind, part.right.type.kind}
        return kinds <= _NUMBERS or (part.op in ("==", "!=") and kinds == {"ref"})
    if isinstance(part, Unary | Convert):
        return part.operand.type.kind in _NUMBERS
    return isinstance(part, Local | Lit) or (isinstance(part, Field) and not part.nullable)


def _is_length(part: Expr) -> bool:
    return isinstance(part, Call) and (part.owner, part.name) == ("String", "length")


def _peeled(block: Block, loop: Loop, counter: Local, later: Expr | None) -> Block:
    """The block with the first iteration before the loop.

    A loop that is not entered leaves its counter behind, which nobody reads: it may as well be
    what it is in the other function, if the loop is not entered with that either.
    """
    assert later is not None
    start = next(each for each in block.statements if isinstance(each, Declare) and
                 each.local == counter)  # fmt: skip
    assert start.value is not None
    back = Do(Assign(counter.type, counter, start.value))
    skipped = Block(
        (
            Do(Assign(counter.type, counter, later)),
            If(loop.condition, back, Block(())),
        )
    )
    entered = Block((_again(loop.body), _again(loop.update)))
    first = If(loop.condition, entered, skipped)
    return Block((*block.statements[:-1], first, loop))


def _again(code: Stmt) -> Stmt:
    """The same statements as other nodes: what is live behind a node is known by the node."""
    if isinstance(code, Block):
        return Block(tuple(_again(each) for each in code.statements))
    if isinstance(code, If):
        return If(code.condition, _again(code.then), _again(code.otherwise))
    return replace(code)
