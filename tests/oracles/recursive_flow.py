"""The reference's data flow for Java, the slow and obvious way: recursion, every state copied.

Knows the constructs that the reference knows; everything else is its parts, one after the other.
It answers with {(token, relation): sources}, as the tests compare it.
"""

from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import SyntaxTree

State = dict[str, frozenset[int]]


@dataclass
class RecursiveFlow:
    tree: SyntaxTree
    rows: dict[tuple[int, str], set[int]] = field(default_factory=dict)

    def graph(self) -> dict[tuple[int, str], set[int]]:
        tokens = tokenize(self.tree)
        self.number = {token.start: i for i, token in enumerate(tokens)}
        self.texts = [token.text for token in tokens]
        self.walk(self.tree.root, {})
        used = {source for sources in self.rows.values() for source in sources}
        used |= {token for (token, _), sources in self.rows.items() if sources}
        return {row: sources for row, sources in self.rows.items() if row[0] in used}

    def is_leaf(self, node: Node) -> bool:
        return not node.children or node.type in ("string_literal", "character_literal")

    def variables(self, node: Node) -> list[int]:
        if self.is_leaf(node):
            empty = node.start_byte == node.end_byte  # of the wrapper around a bare constructor
            number = None if empty else self.number.get(node.start_byte)
            if number is None or "comment" in node.type or node.type == self.texts[number]:
                return []
            return [number]
        return [number for child in node.children for number in self.variables(child)]

    def add(self, token: int, relation: str, sources: set[int] | frozenset[int]) -> None:
        self.rows.setdefault((token, relation), set()).update(sources)

    def bind(self, targets: list[int], sources: list[int], relation: str, state: State) -> State:
        for target in targets:
            self.add(target, relation if sources else "comesFrom", set(sources))
        return state | {self.texts[target]: frozenset([target]) for target in targets}

    def walk_all(self, nodes: list[Node], state: State) -> State:
        for node in nodes:
            state = self.walk(node, state)
        return state

    def walk(self, node: Node, state: State) -> State:
        if self.is_leaf(node):
            for token in self.variables(node):
                name = self.texts[token]
                self.add(token, "comesFrom", state.get(name, frozenset()))
                if name not in state and node.type == "identifier":
                    state = state | {name: frozenset([token])}
            return state
        special = getattr(self, node.type, None)
        return special(node, state) if special else self.walk_all(node.children, state)

    def variable_declarator(self, node: Node, state: State) -> State:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if value is not None:
            state = self.walk(value, state)
        sources = self.variables(value) if value is not None else []
        return self.bind(self.variables(name), sources, "comesFrom", state)

    def assignment_expression(self, node: Node, state: State) -> State:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        state = self.walk(right, state)
        return self.bind(self.variables(left), self.variables(right), "computedFrom", state)

    def update_expression(self, node: Node, state: State) -> State:
        inside = self.variables(node)
        return self.bind(inside, inside, "computedFrom", state)

    def if_statement(self, node: Node, state: State) -> State:
        words = [child.type for child in node.children]
        split = words.index("else") if "else" in words else len(words)
        ends = [self.walk_all(node.children[:split], state), state]
        ends += [self.walk(child, state) for child in node.children[split:]]
        names = {name for end in ends for name in end}
        return {
            name: frozenset().union(*(end[name] for end in ends if name in end)) for name in names
        }

    def for_statement(self, node: Node, state: State) -> State:
        state = self.walk_all(node.children, state)
        words = [child.type for child in node.children]
        if "local_variable_declaration" in words:
            start = words.index("local_variable_declaration") + 1
            state = self.walk_all(node.children[start:], state)
        return state

    def while_statement(self, node: Node, state: State) -> State:
        return self.walk_all(node.children * 2, state)

    do_statement = while_statement  # unlike the reference

    def enhanced_for_statement(self, node: Node, state: State) -> State:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        for _ in range(2):
            state = self.walk(value, state)
            state = self.bind(self.variables(name), self.variables(value), "computedFrom", state)
            state = self.walk(node.child_by_field_name("body"), state)
        return state
