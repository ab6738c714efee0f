"""Python's loops and assignments, lowered: positions are counted where they are counted."""

import ast

from equimut.languages.lowered import (
    BOOL,
    EMPTY,
    VALUE,
    Assign,
    Block,
    Choice,
    Declare,
    Do,
    Expr,
    Labeled,
    Leave,
    Lit,
    Local,
    Logic,
    Loop,
    Operation,
    Stmt,
    Type,
    Unsupported,
)
from equimut.languages.python.lowering.expressions import NONE, Expressions, truth
from equimut.languages.python.lowering.notation import inside

ZERO, ONE = Lit(VALUE, 0), Lit(VALUE, 1)


class Loops(Expressions):
    """Lowers assignments, loops and the jumps out of them."""

    _loop = ""
    _behind = ""
    _number = 0
    _ends = False
    flags: frozenset[str] = frozenset()
    """Locals of which only the truth is asked."""
    last_loops: set[int] = set()  # noqa: RUF012 - set for each function
    """Loops behind which the function ends."""

    def block(self, nodes: list[ast.stmt]) -> Stmt:
        """Statements in order."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Expr, type_: str = "") -> Stmt:
        """Give a value to a target."""
        if isinstance(target, ast.Name):
            if target.id not in self.names.locals:
                return Do(Operation(VALUE, "set global", (value,), target.id))
            return Do(Assign(VALUE, Local(VALUE, target.id), value))
        if isinstance(target, ast.Attribute):
            return Do(
                Operation(VALUE, "set attribute", (value, self.lower(target.value)), target.attr)
            )
        if isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Slice):
                bounds = (target.slice.lower, target.slice.upper, target.slice.step)
                parts = tuple(self.lower(each) for each in bounds if each is not None)
                shape = "".join("_" if each is not None else "-" for each in bounds)
                owner = self.lower(target.value)
                return Do(Operation(VALUE, "store slice", (value, owner, *parts), shape))
            operands = (value, self.lower(target.value), self.lower(target.slice))
            return Do(Operation(VALUE, "store", operands))
        if isinstance(target, ast.Tuple | ast.List):
            return self._unpack(target, value, type_)
        raise Unsupported("a target")

    def _unpack(self, target: ast.Tuple | ast.List, value: Expr, type_: str) -> Stmt:
        stars = [each for each in target.elts if isinstance(each, ast.Starred)]
        kept = self.hidden("parts")
        kind = f"unpack {'*' if stars else ''}".strip()
        shape = "".join("*" if isinstance(each, ast.Starred) else "_" for each in target.elts)
        steps: list[Stmt] = [Declare(kept, Operation(VALUE, kind, (value,), shape))]
        types = inside(type_) if type_.startswith("tuple[") else []
        fits = len(types) == len(target.elts) and "..." not in types
        for place, each in enumerate(target.elts):
            known = types[place] if fits and not stars else ""
            part = Operation(Type("value", name=known), "part", (kept,), str(place))
            steps.append(
                self.assign(each.value if isinstance(each, ast.Starred) else each, part, known)
            )
        return Block(tuple(steps))

    def _enter(self, node: ast.For | ast.While) -> tuple[str, str, bool]:
        before, orelse = (self._loop, self._behind, self._ends), node.orelse
        self._number += 1
        self._ends = id(node) in self.last_loops
        self._loop = f"loop{self._number}"
        self._behind = f"else{self._number}" if orelse else self._loop
        return before

    def _closed(self, loop: Loop, before: tuple[str, str, bool], orelse: list[ast.stmt]) -> Stmt:
        label = self._behind
        self._loop, self._behind, self._ends = before
        return Labeled(label, Block((loop, self.block(orelse)))) if orelse else loop

    def _s_while(self, node: ast.While) -> Stmt:
        before = self._enter(node)
        condition = self.condition(node.test)
        loop = Loop(condition, self.block(node.body), EMPTY, self._loop)
        return self._closed(loop, before, node.orelse)

    def _s_break(self, node: ast.Break) -> Stmt:
        return Leave("return", NONE) if self._ends else Leave("break", None, self._behind)

    def _s_continue(self, node: ast.Continue) -> Stmt:
        return Leave("continue", None, self._loop)

    def _s_for(self, node: ast.For) -> Stmt:
        name, arguments = self._builtin_call(node.iter)
        parts = len(node.target.elts) if isinstance(node.target, ast.Tuple) else 0
        if name == "range" and 1 <= len(arguments) <= 3:
            self.used.add(name)
            return self._over_range(node, arguments)
        if name == "enumerate" and parts == 2 and len(arguments) in (1, 2):
            first = arguments[1] if len(arguments) == 2 else ast.Constant(0)
            if isinstance(first, ast.Constant) and type(first.value) is int:
                self.used.add(name)
                return self._over(node, arguments[:1], counted=first.value)
        if name == "zip" and arguments and parts == len(arguments):
            self.used.add(name)
            return self._over(node, arguments)
        return self._over(node, [node.iter])

    def _builtin_call(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        """Name and arguments of a plain call of a builtin."""
        node = self._spoken(node) if isinstance(node, ast.Call) else node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            return "", []
        plain = not any(isinstance(each, ast.Starred) for each in node.args)
        return (node.func.id, node.args) if plain and self.by_name(node.func.id) else ("", [])

    def _s_asyncfor(self, node: ast.AsyncFor) -> Stmt:
        raise Unsupported("async for")

    def _over(self, node: ast.For, sources: list[ast.expr], counted: int | None = None) -> Stmt:
        """Through one value, or through several at once; `counted`: the number of the first."""
        place = self.hidden("place")
        start: list[Stmt] = []
        walkers = []
        for source in sources:
            walker = self.hidden("walker")
            start.append(Declare(walker, Operation(VALUE, "iter", (self.lower(source),))))
            walkers.append(walker)
        start.append(Declare(place, ZERO))
        items, tests = [], []
        for walker, source in zip(walkers, sources, strict=True):
            type_ = Type("value", name=self.hints.item(source) if self.hints.sound else "")
            items.append(Operation(type_, "item", (walker, place)))
            tests.append(Operation(BOOL, "more", (walker, place)))
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        first: list[Stmt] = []
        before = self._enter(node)
        if counted is not None:
            number = Operation(VALUE, "binary", (place, Lit(VALUE, counted)), "+")
            first = [self.assign(targets[0], number if counted else place),
                     self.assign(targets[1], items[0], items[0].type.name)]  # fmt: skip
        elif len(sources) > 1:
            kept = [self.hidden("item") for _ in items]
            first = [Declare(local, item) for local, item in zip(kept, items, strict=True)]
            first += [
                self.assign(target, local, item.type.name)
                for target, local, item in zip(targets, kept, items, strict=True)
            ]
        else:
            first = [self.assign(node.target, items[0], items[0].type.name)]
        condition: Expr = tests[0]
        for test in tests[1:]:
            condition = Logic(BOOL, "and", condition, test)
        body = Block((*first, self.block(node.body)))
        step = Do(Assign(VALUE, place, Operation(VALUE, "binary", (place, ONE), "+")))
        loop = self._closed(Loop(condition, body, Block((step,)), self._loop), before, node.orelse)
        return Block((*start, loop))

    def _over_range(self, node: ast.For, arguments: list[ast.expr]) -> Stmt:
        start, stop, step = self.hidden("next"), self.hidden("stop"), self.hidden("step")
        begin: list[Stmt] = []
        if len(arguments) == 1:
            begin = [Declare(stop, self._whole(arguments[0])), Declare(start, ZERO)]
        else:
            begin = [Declare(start, self._whole(arguments[0])),
                     Declare(stop, self._whole(arguments[1]))]  # fmt: skip
        size: Expr = ONE
        if len(arguments) == 3:
            begin.append(Declare(step, Operation(VALUE, "step", (self.lower(arguments[2]),))))
            size = step
        below, above = (truth(Operation(VALUE, "compare", (start, stop), op)) for op in ("<", ">"))
        sign = _sign(arguments[2]) if len(arguments) == 3 else 1
        if sign:
            condition = below if sign > 0 else above
        else:
            up = truth(Operation(VALUE, "compare", (step, ZERO), ">"))
            condition = Choice(BOOL, up, below, above)
        before = self._enter(node)
        body = Block((self.assign(node.target, start, "int"), self.block(node.body)))
        update = Do(Assign(VALUE, start, Operation(VALUE, "binary", (start, size), "+")))
        loop = self._closed(
            Loop(condition, body, Block((update,)), self._loop), before, node.orelse
        )
        return Block((*begin, loop))

    def _whole(self, node: ast.expr) -> Expr:
        return Operation(VALUE, "number", (self.lower(node),))


def _sign(node: ast.expr) -> int:
    """The sign of a step that is written as a number; 0 for any other."""
    turned = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and turned else node
    if isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value != 0:
        return -1 if turned else 1
    return 0
