"""One pass over a tree, sorting its leaves into the steps of the flow by the language's rules.

Nothing here recurses, so depth of nesting costs memory only.
"""

from collections.abc import Iterator

from tree_sitter import Node

from equimut.languages.spec import (
    Attempt,
    Bind,
    Branch,
    Choice,
    Define,
    Each,
    Loop,
    Part,
    Rule,
    Scope,
    Skip,
    Update,
)
from equimut.parsing.flow.steps import BindStep, Block, ForkStep, LoopStep, Program, ScopeStep, Span
from equimut.parsing.tokens import TOKENS, KnownLeaves, LeafReader
from equimut.parsing.tree import SyntaxTree

Placed = list[tuple[Node, Block]]
"""Children of a node, each with the block that its leaves join."""


def compile_flow(tree: SyntaxTree) -> Program:
    """Read the tree once, in the order of the text, sorting its leaves into blocks."""
    return _Compiler(tree).run()


class _Compiler:
    def __init__(self, tree: SyntaxTree) -> None:
        self.tree = tree
        self.spec = tree.language
        self.program = Program()
        known = tree.read.get(TOKENS)
        self.reader: LeafReader | KnownLeaves
        if known is None:
            self.reader = LeafReader(tree, self.program.tokens)
        else:
            self.program.tokens += known
            self.reader = KnownLeaves(tree, known)
        # Nodes deep inside a part that belong to another block than their surroundings.
        self.elsewhere: dict[int, Block] = {}

    def run(self) -> Program:
        """The loop over all nodes. It is the hot spot of the room, hence the local names."""
        atomic, flow, identifiers = self.spec.atomic, self.spec.flow, self.spec.identifiers
        elsewhere = self.elsewhere
        reader = self.reader
        read = reader.read
        # Siblings still to read, the innermost last, with the block that their leaves join.
        stack: list[tuple[Iterator[Node], Block]] = [(iter([self.tree.root]), self.program.steps)]
        while stack:
            siblings, block = stack[-1]
            for node in siblings:
                joined = elsewhere.pop(node.id, block) if elsewhere else block
                kind = node.type
                children = node.children
                if not children or kind in atomic:
                    text = read(node, kind)
                    if text is not None and (text != kind or kind in identifiers):
                        self.leaf(kind, text, node, joined)
                    continue
                rule = flow.get(kind)
                if rule is None:
                    stack.append((iter(children), joined))
                else:
                    placed = self.parts(node, children, rule, joined)
                    stack += [(iter((child,)), place) for child, place in reversed(placed)]
                break
            else:
                stack.pop()
        reader.finish()
        self.tree.read.setdefault(TOKENS, tuple(self.program.tokens))
        return self.program

    def leaf(self, kind: str, text: str, node: Node, block: Block) -> None:
        """Note the last token as used, if it is a variable or a literal."""
        program = self.program
        number = self.reader.last
        if kind in self.spec.identifiers:
            program.definable.add(number)
        elif kind in self.spec.not_values or not node.is_named:
            return
        program.names[number] = f".{text}" if kind in self.spec.members else text
        block.append(number)

    def parts(self, node: Node, children: list[Node], rule: Rule, block: Block) -> Placed:
        """Make the step of a rule; say which child goes on in which block."""
        match rule:
            case Bind():
                return self.bind(node, children, rule, block)
            case Define():
                return self.define(node, children, rule, block)
            case Update():
                everything = [(node.start_byte, node.end_byte)]
                block.append(BindStep([], [(everything, everything)], "computedFrom"))
                return _all(children, [])
            case Branch():
                return self.branch(children, rule, block)
            case Loop():
                return self.loop(node, children, rule, block)
            case Each():
                return self.each(node, children, rule, block)
            case Choice():
                return self.choice(node, children, rule, block)
            case Attempt():
                return self.attempt(children, rule, block)
            case Scope():
                return self.scope(node, children, rule, block)
            case Skip():
                return _all(children, [])

    def bind(self, node: Node, children: list[Node], rule: Bind, block: Block) -> Placed:
        target = self.part(node, rule.targets)
        if target is None:
            return _all(children, block)
        value = self.part(node, rule.values)
        if value is None and rule.values and rule.pairs:
            return _all(children, [])  # `x: int` in Python declares, but defines nothing
        aim = self.declared(target) if rule.declared else target
        step = BindStep([], self.pairs(aim, value, rule.pairs), rule.relation)
        block.append(step)
        if aim is not target:
            self.set_aside([aim])
            return _all(children, step.uses)
        return [(child, [] if child == target else step.uses) for child in children]

    def define(self, node: Node, children: list[Node], rule: Define, block: Block) -> Placed:
        names = children
        if rule.part is not None:
            declarators = node.children_by_field_name(rule.part)
            declarators = [each for each in declarators if each.type not in rule.unless]
            names = [self.declared(declarator) for declarator in declarators]
            for declarator in declarators:
                self.set_aside(_parameters(declarator))
        names = [name for name in names if name.type in self.spec.identifiers]
        if names:
            self.set_aside(names)
            block.append(BindStep([], [([_span(name) for name in names], [])], "comesFrom"))
        return _all(children, block)

    def branch(self, children: list[Node], rule: Branch, block: Block) -> Placed:
        step = ForkStep([[]], False, [None])
        block.append(step)
        result = []
        for child in children:
            if child.type in self.spec.comments:
                pass  # not a way of its own
            elif len(step.ways) > 1 or child.type in rule.alternatives:
                step.ways.append([])
                step.entered_from.append(None)
            step.exhaustive |= child.type in rule.exhaustive
            result.append((child, step.ways[-1]))
        return result

    def loop(self, node: Node, children: list[Node], rule: Loop, block: Block) -> Placed:
        step = LoopStep([], [[]])
        block.append(step)
        last = node.child_by_field_name(rule.once) if rule.once else None
        if rule.needs:
            last = next((child for child in children if child.type == rule.needs), children[-1])
        split = children.index(last) + 1 if last is not None else 0
        return _all(children[:split], step.once) + _all(children[split:], step.again[0])

    def each(self, node: Node, children: list[Node], rule: Each, block: Block) -> Placed:
        target = node.child_by_field_name(rule.targets)
        value = node.child_by_field_name(rule.values)
        body = node.child_by_field_name(rule.body)
        if target is None or value is None:
            return _all(children, block)
        step = BindStep([], self.pairs(target, value, rule.pairs), "computedFrom")
        walked: Block = []
        after: Block = []
        block += [LoopStep([], [[step], walked]), after]
        ignored = [node.child_by_field_name(name) for name in rule.ignored]
        places = {value.id: step.uses, target.id: []} | {n.id: [] for n in ignored if n}
        if body is not None:
            places[body.id] = walked
        return [(child, places.get(child.id, after)) for child in children]

    def choice(self, node: Node, children: list[Node], rule: Choice, block: Block) -> Placed:
        body = node.child_by_field_name(rule.body)
        subject = node.child_by_field_name(rule.subject) if rule.subject else None
        head: Block = []
        step = ForkStep([], False, [])
        block += [head, step]
        previous: Node | None = None
        result: Placed = []
        for child in children:
            if child != body:
                result.append((child, head))
                continue
            for case in child.children:
                if case.type not in rule.cases:
                    result.append((case, step.ways[-1] if step.ways else head))
                    continue
                runs_on = previous is not None and self.runs_on(previous, rule)
                previous = case
                step.entered_from.append(len(step.ways) - 1 if runs_on else None)
                way: Block = []
                step.ways.append(way)
                step.exhaustive |= _is_default(case, rule)
                self.captures(case, subject, rule, way)
                result.append((case, way))
        return result

    def captures(self, case: Node, subject: Node | None, rule: Choice, way: Block) -> None:
        """Names that a pattern captures come from the subject."""
        patterns = [child for child in case.children if child.type == rule.pattern]
        if subject is None or not patterns:
            return
        names = []
        stack = [(pattern, case.type) for pattern in patterns]
        while stack:
            node, above = stack.pop()
            for child in node.children:
                if child.type not in self.spec.identifiers:
                    stack.append((child, node.type))
                elif (
                    node.type in rule.captures
                    and above not in rule.not_captures
                    and (node.child_count == 1 or child == node.children[-1])
                ):
                    names.append(child)
        self.set_aside(names)
        spans = sorted(_span(name) for name in names)
        if spans:
            way.append(BindStep([], [(spans, [_span(subject)])], "computedFrom"))

    def attempt(self, children: list[Node], rule: Attempt, block: Block) -> Placed:
        step = ForkStep([[]], True, [None])
        otherwise: Block = []
        last: Block = []
        block += [step, ForkStep([otherwise], False, [None]), last]
        result = []
        for child in children:
            way = step.ways[0]
            if child.type in rule.handlers:
                way = []
                step.ways.append(way)
                step.entered_from.append(0)
            if child.type in rule.otherwise:
                way = otherwise
            result.append((child, last if child.type in rule.last else way))
        return result

    def scope(self, node: Node, children: list[Node], rule: Scope, block: Block) -> Placed:
        if rule.name is not None:
            named = self.part(node, (rule.name,))
            if named is not None:
                name = self.declared(named)
                self.set_aside([name])
                block.append(BindStep([], [([_span(name)], [])], "comesFrom"))
        fields = [node.child_by_field_name(part) for part in rule.parameters]
        ending = [child for child in children if child.type in rule.parameters or child in fields]
        first: Block = []
        rest: Block = []
        block.append(
            ScopeStep([first, rest], [_span(n) for n in ending] if rule.parameters else None)
        )
        for child in ending:
            if child.type in self.spec.identifiers:  # Java's `x -> x + 1`
                self.set_aside([child])
                first.append(BindStep([], [([_span(child)], [])], "comesFrom"))
        return [(child, first if child.type in rule.first else rest) for child in children]

    def set_aside(self, names: list[Node]) -> None:
        """Names that a step defines are not also used."""
        self.elsewhere.update({name.id: [] for name in names})

    def named(self, node: Node) -> list[Node]:
        """Named children that are code."""
        return [child for child in node.named_children if child.type not in self.spec.comments]

    def part(self, node: Node, parts: tuple[Part, ...]) -> Node | None:
        """The first of the parts that exists."""
        for part in parts:
            if isinstance(part, str):
                found = node.child_by_field_name(part)
                if found is not None:
                    return found
            else:
                named = self.named(node)
                if -len(named) <= part < len(named):
                    return named[part]
        return None

    def declared(self, node: Node) -> Node:
        """Follow declarators down to the name: `f` in C's `*f(int a)`."""
        while node.children:
            inner = node.child_by_field_name("declarator") or next(iter(self.named(node)), None)
            if inner is None:
                break
            node = inner
        return node

    def pairs(
        self, target: Node, value: Node | None, lists: tuple[str, ...]
    ) -> list[tuple[list[Span], list[Span]]]:
        """Which targets take which values: item by item for two lists of one length."""
        if value is None:
            return [([_span(target)], [])]
        if target.type in lists and value.type in lists:
            left, right = self.named(target), self.named(value)
            starred = any("splat" in item.type for item in right)
            if len(left) == len(right) and not starred:
                return [([_span(a)], [_span(b)]) for a, b in zip(left, right, strict=True)]
        return [([_span(target)], [_span(value)])]

    def runs_on(self, case: Node, rule: Choice) -> bool:
        """Whether a case may fall through into the next one."""
        if case.type not in rule.falls_through:
            return False
        last: Node | None = case
        while last is not None and (last is case or last.type in rule.blocks):
            last = next(reversed(self.named(last)), None)
        return last is None or last.type not in rule.exits


def _all(children: list[Node], block: Block) -> Placed:
    return [(child, block) for child in children]


def _span(node: Node) -> Span:
    return node.start_byte, node.end_byte


def _parameters(declarator: Node | None) -> list[Node]:
    """Parameter lists along a chain of declarators."""
    found = []
    while declarator is not None:
        found += declarator.children_by_field_name("parameters")
        declarator = declarator.child_by_field_name("declarator")
    return found


def _is_default(case: Node, rule: Choice) -> bool:
    return any(node.type in rule.default for node in _near(case))


def _near(node: Node) -> Iterator[Node]:
    """Children and grandchildren."""
    for child in node.children:
        yield child
        yield from child.children
