"""From two lowered functions to the scopes in which they can be compared, smallest last."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from equimut.languages.lowered import (
    SEEN,
    Assign,
    Block,
    Choice,
    Declare,
    Do,
    Element,
    Expr,
    Field,
    Function,
    If,
    Labeled,
    Leave,
    Local,
    Logic,
    Loop,
    Node,
    Stmt,
    Try,
    children,
    walk,
)
from equimut.proofs.smt.liveness import Liveness
from equimut.proofs.smt.symbolic.engine import HELD, Engine, Gave, evaluate, execute
from equimut.proofs.smt.symbolic.loops import head
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.statements import take_exits
from equimut.proofs.smt.symbolic.terms import (
    TRUE,
    Term,
    declared,
    negation,
    sort_of,
    unknown_before,
    world,
)


@dataclass(frozen=True)
class Scope:
    """Two pieces of code to be executed from one state."""

    name: str
    origin: Node
    mutant: Node
    path: Path
    live: frozenset[str] | None
    """Locals that matter behind it; None: all of them."""
    jumps: Mapping[tuple[str, str], frozenset[str] | None]
    """The same for the other ways out."""
    smallest: bool = False
    """Nothing smaller differs."""
    blind: bool = False
    """From any state, not only those that get there."""


LAST = "last iteration"
"""The scope of two loops of which one may go round once more, with nothing to see."""
MOST_FORGOTTEN = 3
"""Times that what comes before a change may be too much to be executed."""


class Descent:
    """Walks down to the difference, executing what both functions do before it."""

    def __init__(
        self,
        engine: Engine,
        origin: Function,
        mutant: Function,
        *,
        blind: bool = False,
        live: tuple[Liveness, Liveness] | None = None,
    ) -> None:
        self.engine = engine
        self.blind = blind
        """Execute nothing on the way: every scope begins in an unknown state."""
        self.live = live or (Liveness(origin), Liveness(mutant))
        engine.heads = {**self.live[0].heads, **self.live[1].heads}
        self.scopes: list[Scope] = []
        self.forgotten = 0
        self.jumps = self._jumps(origin, mutant)
        engine.anywhere = blind
        path = engine.start()
        self.known = len(engine.facts)
        self._statement(origin.body, mutant.body, path, "function")
        engine.anywhere = False

    def smallest_first(self) -> list[Scope]:
        """The scopes in the order in which they are tried."""
        return [
            replace(scope, smallest=not place, blind=self.blind)
            for place, scope in enumerate(reversed(self.scopes))
        ]

    def _jumps(self, *functions: Function) -> dict[tuple[str, str], frozenset[str] | None]:
        """Locals that matter where jumps go."""
        targets = {target for live in self.live for target in live.jumps}
        found: dict[tuple[str, str], frozenset[str] | None] = {
            target: frozenset().union(*(live.at(*target) for live in self.live))
            for target in targets
        }
        found["throw", ""] = frozenset().union(
            *(self._caught(live, each) for live, each in zip(self.live, functions, strict=True))
        )
        found.setdefault(("return", ""), frozenset())
        found["diverge", ""] = frozenset()
        found["undefined", ""] = frozenset()
        return found

    def _caught(self, live: Liveness, function: Function) -> frozenset[str]:
        """Locals that matter where an exception goes: to a handler, and on from there."""
        found: set[str] = set()
        for node in walk(function.body):
            if isinstance(node, Try):
                ways = [node.always, *(catch.body for catch in node.catches)]
                found |= live.after[id(node)].union(*(live.before[id(way)] for way in ways))
        return frozenset(found)

    def after(self, origin: Node, mutant: Node) -> frozenset[str]:
        """Locals that either function may read behind a statement."""
        one, other = self.live
        return one.after.get(id(origin), frozenset()) | other.after.get(id(mutant), frozenset())

    def _add(
        self, name: str, one: Node, other: Node, path: Path, live: frozenset[str] | None
    ) -> None:
        if self.blind:
            path = self.engine.start()
        self.scopes.append(Scope(name, one, other, path.copy(), live, self.jumps))

    def _quietly(self, node: Stmt, path: Path) -> None:
        """Execute what comes before: its other ways out are the same for both."""
        if self.blind:
            return
        before, self.engine.exits = self.engine.exits, []
        try:
            execute(self.engine, node, path)
        except Gave:
            self._forget(path)
        self.engine.exits = before

    def _forget(self, path: Path) -> None:
        """What came before was too much: go on from any state at all."""
        self.forgotten += 1
        if self.forgotten > MOST_FORGOTTEN:
            raise Gave("the function is too large")
        self.engine.steps = 0
        del self.engine.facts[self.known :]
        kept = {name: value for name, value in path.locals.items() if name in ("this", SEEN)}
        if self.engine.loops is not None:
            kept |= self._unknown_locals()
        path.become(Path(TRUE, kept, self.engine.fresh("world", world())))

    def _unknown_locals(self) -> dict[str, Term]:
        """Locals may hold anything or nothing, and so may who is asked what they hold."""
        found = {HELD: self.engine.fresh(HELD, declared("Any"))}
        for function in self.engine.functions:
            for part in (*function.parameters, *walk(function.body)):
                if isinstance(part, Local) and part.type.kind == "value":
                    again = f"{part.name} again {self.forgotten}"
                    found[part.name] = unknown_before(again, sort_of(part.type))
        return found

    def _value(self, node: Expr, path: Path) -> Term:
        if self.blind:
            return TRUE
        before, self.engine.exits = self.engine.exits, []
        try:
            value = evaluate(self.engine, node, path)
        except Gave:
            self._forget(path)
            value = self.engine.fresh("something", sort_of(node.type))
        self.engine.exits = before
        return value

    def _statement(self, one: Stmt, other: Stmt, path: Path, name: str = "statement") -> None:
        self._add(name, one, other, path, self.after(one, other))
        if type(one) is not type(other):
            return
        if isinstance(one, Block) and isinstance(other, Block):
            self._block(one, other, path)
        elif isinstance(one, If) and isinstance(other, If):
            self._if(one, other, path)
        elif isinstance(one, Loop) and isinstance(other, Loop):
            self._loop(one, other, path)
        elif isinstance(one, Labeled) and isinstance(other, Labeled) and one.label == other.label:
            self._statement(one.body, other.body, path)
        elif isinstance(one, Try) and isinstance(other, Try):
            if one.catches == other.catches and one.always == other.always:
                self._statement(one.body, other.body, path)
        elif isinstance(one, Do | Declare | Leave):
            before, after = _only(one, other)
            if isinstance(before, Expr) and isinstance(after, Expr):
                self._expression(before, after, path)

    def _block(self, one: Block, other: Block, path: Path) -> None:
        first = 0
        shorter = min(len(one.statements), len(other.statements))
        while first < shorter and one.statements[first] == other.statements[first]:
            first += 1
        last = 0
        while last < shorter - first and one.statements[-1 - last] == other.statements[-1 - last]:
            last += 1
        for statement in one.statements[:first]:
            self._quietly(statement, path)
        live = self.after(one, other)
        ends = (len(one.statements) - last, len(other.statements) - last)
        if first:
            rest = [Block(each.statements[first:]) for each in (one, other)]
            self._add("the rest of the block", rest[0], rest[1], path, live)
        if last:
            live = (
                self.live[0].before[id(one.statements[ends[0]])]
                | self.live[1].before[id(other.statements[ends[1]])]
            )
        parts = (one.statements[first : ends[0]], other.statements[first : ends[1]])
        if len(parts[0]) == len(parts[1]) == 1:
            self._statement(parts[0][0], parts[1][0], path)
        else:
            self._add("statements", Block(parts[0]), Block(parts[1]), path, live)

    def _if(self, one: If, other: If, path: Path) -> None:
        before, after = _only(one, other)
        if before is None or after is None:
            return
        if before is one.condition:
            assert isinstance(before, Expr)
            assert isinstance(after, Expr)
            self._expression(before, after, path)
            return
        condition = self._value(one.condition, path)
        path.assume(condition if before is one.then else negation(condition))
        assert isinstance(before, Stmt)
        assert isinstance(after, Stmt)
        self._statement(before, after, path)

    def _loop(self, one: Loop, other: Loop, path: Path) -> None:
        before, after = _only(one, other)
        if before is None or after is None or (one.label, one.post) != (other.label, other.post):
            return
        if not self.blind:
            try:
                head(self.engine, one, path)
            except Gave:
                self._forget(path)
        live = frozenset().union(
            *(
                each.heads.get(id(loop), frozenset())
                for each, loop in zip(self.live, (one, other), strict=True)
            ),
            self.after(one, other),
        )
        del self.scopes[:]  # a scope around the loop would compare two unrelated loops
        self._add("iteration", one, other, path, live)
        if before is one.condition and not one.post and self.engine.loops is None:
            self._add(LAST, one, other, path, self.after(one, other))
        if one.post:
            if before is one.body:
                self._statement(one.body, other.body, path)
            return
        if before is one.condition:
            self._expression(one.condition, other.condition, path)
            return
        path.assume(self._value(one.condition, path))
        if before is one.body:
            self._statement(one.body, other.body, path)
            return
        if not self.blind:
            before_exits, self.engine.exits = self.engine.exits, []
            execute(self.engine, one.body, path)
            take_exits(self.engine, path, "continue", one.label)
            self.engine.exits = before_exits
        self._statement(one.update, other.update, path)

    def _expression(self, one: Expr, other: Expr, path: Path) -> None:
        if one.type != other.type:
            return  # what is done with a value depends on its type
        self._add("expression", one, other, path, None)
        before, after = _only(one, other)
        if not isinstance(before, Expr) or not isinstance(after, Expr):
            return
        if isinstance(one, Logic):
            if before is one.right:
                left = self._value(one.left, path)
                path.assume(left if one.op == "and" else negation(left))
        elif isinstance(one, Choice):
            if before is not one.condition:
                condition = self._value(one.condition, path)
                path.assume(condition if before is one.then else negation(condition))
        elif isinstance(one, Assign):
            if before is one.target or not isinstance(one.target, Local | Field | Element):
                return
            if one.op and not isinstance(one.target, Local):
                return
            for _, part in children(one.target):
                assert isinstance(part, Expr)
                self._value(part, path)
        else:
            for _, part in children(one):
                if part is before:
                    break
                assert isinstance(part, Expr)
                self._value(part, path)
        self._expression(before, after, path)


def _only(one: Node, other: Node) -> tuple[Node | None, Node | None]:
    """The one child in which two nodes differ; (None, None) if they differ in anything else."""
    if type(one) is not type(other):
        return None, None
    mine, theirs = children(one), children(other)
    if [name for name, _ in mine] != [name for name, _ in theirs]:
        return None, None
    differing = [(a, b) for (_, a), (_, b) in zip(mine, theirs, strict=True) if a != b]
    if len(differing) != 1:
        return None, None
    rest = _without_children(one), _without_children(other)
    return differing[0] if rest[0] == rest[1] else (None, None)


def _without_children(node: Node) -> list[tuple[str, object]]:
    return [
        (each.name, value)
        for each in fields(node)
        if not isinstance(value := getattr(node, each.name), Expr | Stmt)
        and not (isinstance(value, tuple) and value and isinstance(value[0], Expr | Stmt))
    ]
