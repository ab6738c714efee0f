"""Statements on concrete states: None where they end, (how, label, value) where they leave."""

from collections.abc import Callable

from equimut.languages.concrete import Stuck, Thrown, Value
from equimut.languages.lowered import (
    Block,
    Declare,
    Do,
    If,
    Labeled,
    Leave,
    Loop,
    Try,
)
from equimut.proofs.concrete.compiling import Compiler, parts
from equimut.proofs.concrete.run import Code, Error, Run

Left = tuple[str, str, Value] | None


def _block(compiler: Compiler, node: Block) -> Code:
    steps = parts(compiler, node.statements)
    if len(steps) == 1:
        return steps[0]

    def code(run: Run) -> Left:
        for step in steps:
            left: Left = step(run)
            if left is not None:
                return left
        return None

    return code


def _do(compiler: Compiler, node: Do) -> Code:
    value = compiler.code(node.value)

    def code(run: Run) -> Left:
        value(run)
        return None

    return code


def _declare(compiler: Compiler, node: Declare) -> Code:
    name = node.local.name
    if node.value is None:

        def forget(run: Run) -> Left:
            run.locals.pop(name, None)
            return None

        return forget
    value = compiler.code(node.value)

    def code(run: Run) -> Left:
        run.locals[name] = value(run)
        return None

    return code


def _if(compiler: Compiler, node: If) -> Code:
    condition, then, otherwise = parts(compiler, (node.condition, node.then, node.otherwise))
    return lambda run: then(run) if condition(run) else otherwise(run)


def _leave(compiler: Compiler, node: Leave) -> Code:
    how, label = node.how, node.label
    if node.value is None:
        plain = (how, label, None)
        return lambda run: plain
    value = compiler.code(node.value)
    if how != "throw":
        return lambda run: (how, label, value(run))

    def throw(run: Run) -> Left:
        thrown = value(run)
        if thrown is None:
            raise Thrown("NullPointerException")
        if not isinstance(thrown, Error):
            raise Stuck
        raise Thrown(thrown.kind)

    return throw


def _loop(compiler: Compiler, node: Loop) -> Code:
    condition, body, update = parts(compiler, (node.condition, node.body, node.update))
    ends, goes_on = ("break", node.label), ("continue", node.label)
    first = not node.post

    def code(run: Run) -> Left:
        test = first
        while True:
            run.tick()
            if test and not condition(run):
                return None
            left: Left = body(run)
            if left is not None:
                way = left[:2]
                if way == ends:
                    return None
                if way != goes_on:
                    return left
            left = update(run)
            if left is not None:
                return left
            if not first and not condition(run):
                return None

    return code


def _labeled(compiler: Compiler, node: Labeled) -> Code:
    body, way = compiler.code(node.body), ("break", node.label)

    def code(run: Run) -> Left:
        left: Left = body(run)
        return None if left is not None and left[:2] == way else left

    return code


def _try(compiler: Compiler, node: Try) -> Code:
    body, always = compiler.code(node.body), compiler.code(node.always)
    catches = [(each.types, each.local.name, compiler.code(each.body)) for each in node.catches]

    def caught(run: Run, kind: str) -> Left:
        known = compiler.supertypes.get(kind)
        for types, name, handler in catches:
            if "Throwable" not in types and kind not in types:
                if known is None:
                    raise Stuck
                if not set(known) & set(types):
                    continue
            run.locals[name] = Error(kind)
            left: Left = handler(run)
            return left
        raise Thrown(kind)

    def code(run: Run) -> Left:
        try:
            try:
                left: Left = body(run)
            except Thrown as thrown:
                left = caught(run, thrown.kind)
        except Thrown:
            instead: Left = always(run)
            if instead is not None:
                return instead
            raise
        instead = always(run)
        return left if instead is None else instead

    return code


STATEMENTS: dict[type, Callable[..., Code]] = {
    Block: _block, Do: _do, Declare: _declare, If: _if, Leave: _leave, Loop: _loop,
    Labeled: _labeled, Try: _try,
}  # fmt: skip
