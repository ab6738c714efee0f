"""The data-flow graph: which occurrence of a variable gets its value from which other one.

GraphCodeBERT's semantics, for every language by the same walk; docs/dataflow.md tells the rest.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from equimut.errors import ParseError
from equimut.languages.spec import Relation
from equimut.parsing.flow.compiler import compile_flow
from equimut.parsing.flow.steps import (
    BindStep,
    Block,
    ForkStep,
    LoopStep,
    Program,
    ScopeStep,
    Span,
    Step,
)
from equimut.parsing.tokens import Token
from equimut.parsing.tree import SyntaxTree

MAX_WORK = 10_000_000
"""Uses, bindings and merged sources that a graph may cost; far above any file people write."""

MAX_DEPTH = 100_000

MAX_REPEATING_LOOPS = 6
"""Loops deeper inside others than this are walked once per visit: they are visited often enough."""

Sources = tuple[int, ...]
Changes = dict[str, Sources | None]


class FlowNode(NamedTuple):
    """One occurrence of a variable or literal, with the tokens its value comes from."""

    token: int
    relation: Relation
    sources: tuple[int, ...]


@dataclass(frozen=True)
class DataFlowGraph:
    """Tokens, and the nodes that take part in an edge, in the order of their tokens."""

    tokens: tuple[Token, ...]
    nodes: tuple[FlowNode, ...]


def data_flow(tree: SyntaxTree) -> DataFlowGraph:
    """The data-flow graph of everything in the tree."""
    program = compile_flow(tree)
    return DataFlowGraph(tuple(program.tokens), _nodes(_Walk(program).run()))


def _nodes(rows: dict[tuple[int, Relation], Sources]) -> tuple[FlowNode, ...]:
    taking_part = {token for (token, _), sources in rows.items() if sources}
    shared = {id(sources): sources for sources in rows.values()}  # many rows hold the same tuple
    taking_part.update(*shared.values())
    kept = [row for row in rows if row[0] in taking_part]
    kept.sort()
    return tuple([FlowNode(token, relation, rows[token, relation]) for token, relation in kept])


class _Walk:
    """Runs a program: knows for every name the tokens that may hold its current value."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.variables = list(program.names)
        self.starts = [program.tokens[number].start for number in self.variables]
        self.known: Changes = {}
        # What names meant before the current fork or scope changed them, innermost last.
        self.undo: list[Changes] = []
        self.rows: dict[tuple[int, Relation], Sources] = {}
        self.loops = 0
        self.work = 0

    def run(self) -> dict[tuple[int, Relation], Sources]:
        running: list[Iterator[Step | Block]] = [self.block(self.program.steps)]
        while running:
            following = next(running[-1], None)
            if following is None:
                running.pop()
            elif len(running) > MAX_DEPTH:
                raise ParseError(f"statements are nested more than {MAX_DEPTH:,} deep")
            elif isinstance(following, list):
                running.append(self.block(following))
            else:
                running.append(self.step(following))
        return self.rows

    def block(self, block: Block) -> Iterator[Step | Block]:
        self.spend(len(block) + 3)  # a block costs as much as a few uses
        for item in block:
            if isinstance(item, int):
                self.use(item)
            elif isinstance(item, BindStep) and not item.uses:
                self.assign(item)
            else:
                yield item

    def step(self, step: Step) -> Iterator[Step | Block]:
        match step:
            case BindStep():
                return self.bind(step)
            case ForkStep():
                return self.fork(step)
            case LoopStep():
                return self.loop(step)
            case ScopeStep():
                return self.scope(step)

    def use(self, token: int) -> None:
        """A use comes from the current definitions; the first use of a name is one."""
        name = self.program.names[token]
        sources = self.known.get(name)
        if sources is None:
            sources = ()
            if token in self.program.definable:
                self.set(name, (token,))
        self.add(token, "comesFrom", sources)

    def bind(self, step: BindStep) -> Iterator[Step | Block]:
        yield step.uses
        self.assign(step)

    def assign(self, step: BindStep) -> None:
        if step.resolved is None:
            find = self.inside
            step.resolved = [(find(targets), find(sources)) for targets, sources in step.pairs]
        for targets, sources in step.resolved:
            self.spend(len(targets) + len(sources))
            relation = step.relation if sources else "comesFrom"
            for target in targets:
                self.add(target, relation, sources)
                self.set(self.program.names[target], (target,))

    def inside(self, spans: list[Span]) -> Sources:
        """The variable tokens inside the spans."""
        found: list[int] = []
        for start, end in spans:
            first, after = bisect_left(self.starts, start), bisect_left(self.starts, end)
            found += self.variables[first:after]
        return tuple(found)

    def fork(self, step: ForkStep) -> Iterator[Step | Block]:
        ends: list[Changes] = []
        for way, other in zip(step.ways, step.entered_from, strict=True):
            self.undo.append({})
            if other is not None:
                for name, sources in ends[other].items():
                    self.set(name, _union([self.known.get(name), sources]))
            yield way
            ends.append(self.take_back())
        changed = dict.fromkeys(name for end in ends for name in end)
        for name in changed:
            before = self.known.get(name)
            options = [end.get(name, before) for end in ends]
            merged = _union(options if step.exhaustive else [*options, before])
            self.spend(len(options) + len(merged or ()))
            self.set(name, merged)

    def loop(self, step: LoopStep) -> Iterator[Step | Block]:
        yield step.once
        passes = 2 if self.loops < MAX_REPEATING_LOOPS else 1
        self.loops += 1
        for _ in range(passes):
            yield from step.again
        self.loops -= 1

    def scope(self, step: ScopeStep) -> Iterator[Step | Block]:
        if step.names is None:
            self.undo.append({})
            yield from step.blocks
            self.take_back()
            return
        names = {self.program.names[token] for token in self.inside(step.names)}
        self.spend(len(names))
        outside = {name: self.known.get(name) for name in names}
        yield from step.blocks
        for name, sources in outside.items():
            self.set(name, sources)

    def set(self, name: str, sources: Sources | None) -> None:
        if self.undo:
            self.undo[-1].setdefault(name, self.known.get(name))
        self.known[name] = sources

    def take_back(self) -> Changes:
        """End the innermost fork's way or scope: restore what was known, return what it changed."""
        before = self.undo.pop()
        changes = {name: self.known[name] for name in before}
        self.known.update(before)
        return changes

    def add(self, token: int, relation: Relation, sources: Sources) -> None:
        """Note sources of a token; a token met again (in a loop) has the sources of all visits."""
        row = (token, relation)
        old = self.rows.get(row)
        if old is None:
            self.rows[row] = sources
        elif old is not sources:
            self.spend(len(old) + len(sources))
            if old != sources:
                self.rows[row] = tuple(sorted({*old, *sources}))

    def spend(self, work: int) -> None:
        self.work += work
        if self.work > MAX_WORK:
            raise ParseError(
                f"the data flow takes over {MAX_WORK:,} steps; analyse the functions one by one"
            )


def _union(options: list[Sources | None]) -> Sources | None:
    found = [sources for sources in options if sources is not None]
    if not found:
        return None
    first = found[0]
    if all(sources is first for sources in found):
        return first
    return tuple(sorted({token for sources in found for token in sources}))
