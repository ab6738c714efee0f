"""Which locals may still be read at a point of a lowered function, whatever jumps lie ahead."""

from equimut.languages.lowered import (
    Assign,
    Block,
    Declare,
    Do,
    Expr,
    Function,
    If,
    Labeled,
    Leave,
    Local,
    Loop,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Stmt,
    Try,
    walk,
)

Names = frozenset[str]
NONE: Names = frozenset()


class Liveness:
    """Live locals after every statement, and at the head of every loop, by identity of the node."""

    def __init__(self, function: Function) -> None:
        self.after: dict[int, Names] = {}
        self.before: dict[int, Names] = {}
        self.heads: dict[int, Names] = {}
        self.jumps: dict[tuple[str, str], Names] = {}
        """Live where a jump goes, wherever it starts."""
        self._targets: dict[tuple[str, str], Names] = {}
        """The same for jumps that start where the walk is."""
        self._thrown: Names = NONE
        self._statement(function.body, NONE)

    def at(self, how: str, label: str) -> Names:
        """Live where a jump goes."""
        return self.jumps.get((how, label), NONE)

    def _at(self, how: str, label: str) -> Names:
        return self._thrown if how == "throw" else self._targets.get((how, label), NONE)

    def _statement(self, node: Stmt, after: Names) -> Names:
        self.after[id(node)] = self.after.get(id(node), NONE) | after
        before = self._before(node, after) | self._caught(node)
        self.before[id(node)] = self.before.get(id(node), NONE) | before
        return before

    def _caught(self, node: Stmt) -> Names:
        """Inside a `try`, anything may throw: what the handlers read is live before everything."""
        return self._thrown

    def _before(self, node: Stmt, after: Names) -> Names:
        if isinstance(node, Block):
            live = after
            for statement in reversed(node.statements):
                live = self._statement(statement, live)
            return live
        if isinstance(node, Do):
            return self._expression(node.value, after)
        if isinstance(node, Declare):
            live = after - {node.local.name}
            return self._expression(node.value, live) if node.value is not None else live
        if isinstance(node, If):
            then = self._statement(node.then, after)
            other = self._statement(node.otherwise, after)
            return self._expression(node.condition, then | other)
        if isinstance(node, Loop):
            return self._loop(node, after)
        if isinstance(node, Leave):
            live = self._at(node.how, node.label)
            return self._expression(node.value, live) if node.value is not None else live
        if isinstance(node, Labeled):
            self._jump("break", node.label, after)
            return self._statement(node.body, after)
        if isinstance(node, Try):
            return self._try(node, after)
        if isinstance(node, OpaqueStmt):
            jumps = [self._at(how, label) for how, label in node.leaves]
            return after.union(*jumps) | {local.name for local in node.reads}
        return after | _named(node)

    def _jump(self, how: str, label: str, live: Names) -> None:
        self._targets[how, label] = self._targets.get((how, label), NONE) | live
        self.jumps[how, label] = self.jumps.get((how, label), NONE) | live

    def _loop(self, node: Loop, after: Names) -> Names:
        self._jump("break", node.label, after)
        head: Names = NONE
        while True:
            if node.post:
                test = self._expression(node.condition, after | head)
                step = self._statement(node.update, test)
                self._jump("continue", node.label, step)
                found = self._statement(node.body, step)
            else:
                step = self._statement(node.update, head)
                self._jump("continue", node.label, step)
                body = self._statement(node.body, step)
                found = self._expression(node.condition, body | after)
            if found <= head:
                break
            head |= found
        self.heads[id(node)] = self.heads.get(id(node), NONE) | head
        return head

    def _try(self, node: Try, after: Names) -> Names:
        outer, targets = self._thrown, self._targets
        always = self._statement(node.always, after)
        self._targets = dict(targets)
        if not isinstance(node.always, Block) or node.always.statements:
            # Every way out passes `finally`, and goes on from there.
            for how, label in [*targets, ("return", "")]:
                behind = self._statement(node.always, targets.get((how, label), NONE))
                self._targets[how, label] = NONE
                self._jump(how, label, behind)
            self._thrown = self._statement(node.always, outer)
        handlers = self._thrown
        for catch in node.catches:
            handlers |= self._statement(catch.body, always) - {catch.local.name}
        self._thrown = handlers
        live = self._statement(node.body, always)
        self._thrown, self._targets = outer, targets
        return live | handlers

    def _expression(self, node: Expr, after: Names) -> Names:
        """Only an assignment that is the whole expression takes a name away; all others may."""
        if isinstance(node, Assign) and isinstance(node.target, Local):
            live = self._expression(node.value, after - {node.target.name})
            return live | {node.target.name} if node.op else live  # read first: `x += x = 2`
        return after | _named(node)


def _named(node: Node) -> Names:
    """Every local an expression names."""
    found = set()
    for part in walk(node):
        if isinstance(part, Local):
            found.add(part.name)
        elif isinstance(part, OpaqueExpr):
            found |= {local.name for local in part.reads}
    return frozenset(found)
