"""C's statements, lowered."""

from tree_sitter import Node

from equimut.languages.c.lowering.surroundings import Surroundings
from equimut.languages.c.lowering.types import VOID
from equimut.languages.c.lowering.variables import Variables
from equimut.languages.lowered import (
    BOOL,
    EMPTY,
    Block,
    Do,
    Expr,
    If,
    Labeled,
    Leave,
    Lit,
    Loop,
    Stmt,
    Type,
    Unsupported,
)
from equimut.languages.scopes import named_parts, nodes_below


class Statements(Variables):
    """Lowers the statements of one function."""

    def __init__(self, source: bytes, file: Surroundings, escaped: frozenset[str]) -> None:
        super().__init__(source, file, escaped)
        self.result: Type = VOID
        self.targets: list[tuple[str, str]] = []
        """Labels that `break` and `continue` mean, innermost last."""
        self.number = 0

    def scoped(self, node: Node) -> Stmt:
        """A statement with a scope of its own."""
        with self.scopes.inner():
            return self.statement(node)

    def _s_compound_statement(self, node: Node) -> Stmt:
        with self.scopes.inner():
            return self.sequence(named_parts(node))

    def sequence(self, nodes: list[Node]) -> Block:
        """Statements in order; a label ends a block that `goto` may leave to come there."""
        labels = [
            (place, self.text(self.part(node, "label")))
            for place, node in enumerate(nodes)
            if node.type == "labeled_statement"
        ]
        for place, label in labels:
            self._only_forward(nodes, place, label)
        entries = [("break", f"goto {label}") for _, label in labels]
        self.jumps = [*self.jumps, *reversed(entries)]
        found: list[Stmt] = []
        for node in nodes:
            if node.type == "labeled_statement":
                label = self.text(self.part(node, "label"))
                found = [Labeled(f"goto {label}", Block(tuple(found)))]
                self.jumps.remove(("break", f"goto {label}"))
                node = named_parts(node)[-1]
                if node.type in ("declaration", "statement_identifier"):
                    raise Unsupported("a label without a statement")
            lowered = self.statement(node)
            if isinstance(lowered, Block) and node.type == "declaration":
                found.extend(lowered.statements)
            else:
                found.append(lowered)
        return Block(tuple(found))

    def _only_forward(self, nodes: list[Node], place: int, label: str) -> None:
        """Only what stands before a label in its own block may go there."""
        root = nodes[place]
        while root.type != "function_definition" and root.parent is not None:
            root = root.parent
        start, end = nodes[0].start_byte, nodes[place].start_byte
        for each in nodes_below(root):
            jump = each.type == "goto_statement" and self.text(self.part(each, "label")) == label
            if jump and not start <= each.start_byte < end:
                raise Unsupported("a jump back, or into a block")

    def _s_goto_statement(self, node: Node) -> Stmt:
        target = ("break", f"goto {self.text(self.part(node, 'label'))}")
        if target not in self.jumps:
            raise Unsupported("a jump to a label that is not ahead")
        return Leave("break", None, target[1])

    def _s_labeled_statement(self, node: Node) -> Stmt:
        raise Unsupported("a label inside a statement")

    def _s_expression_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        return Do(self.lower(inside[0])) if inside else EMPTY

    def _s_if_statement(self, node: Node) -> Stmt:
        condition = self.condition(node)
        then = self.scoped(self.part(node, "consequence"))
        other = node.child_by_field_name("alternative")
        if other is None:
            return If(condition, then, EMPTY)
        return If(condition, then, self.scoped(named_parts(other)[0]))

    def condition(self, node: Node) -> Expr:
        """The condition of a statement."""
        return self.truth(self.lower(self.part(node, "condition")))

    def body(self, node: Node) -> tuple[str, Stmt]:
        """The body of a loop, and the loop's label."""
        self.number += 1
        label = f"loop{self.number}"
        before, self.jumps = self.jumps, [*self.jumps, ("break", label), ("continue", label)]
        self.targets += [("break", label), ("continue", label)]
        lowered = self.scoped(self.part(node, "body"))
        del self.targets[-2:]
        self.jumps = before
        return label, lowered

    def _s_while_statement(self, node: Node) -> Stmt:
        condition = self.condition(node)
        label, body = self.body(node)
        return Loop(condition, body, EMPTY, label)

    def _s_do_statement(self, node: Node) -> Stmt:
        label, body = self.body(node)
        return Loop(self.condition(node), body, EMPTY, label, post=True)

    def _s_for_statement(self, node: Node) -> Stmt:
        with self.scopes.inner():
            start: list[Stmt] = []
            first = node.child_by_field_name("initializer")
            if first is not None and first.type == "declaration":
                lowered = self.statement(first)
                assert isinstance(lowered, Block)
                start.extend(lowered.statements)
            elif first is not None:
                start.append(Do(self.lower(first)))
            test = node.child_by_field_name("condition")
            condition = self.truth(self.lower(test)) if test is not None else Lit(BOOL, True)
            label, body = self.body(node)
            step = node.child_by_field_name("update")
            update = Block((Do(self.lower(step)),)) if step is not None else EMPTY
            return Block((*start, Loop(condition, body, update, label)))

    def _s_break_statement(self, node: Node) -> Stmt:
        return self._jump("break")

    def _s_continue_statement(self, node: Node) -> Stmt:
        return self._jump("continue")

    def _jump(self, how: str) -> Stmt:
        labels = [label for kind, label in self.targets if kind == how]
        if not labels:
            raise Unsupported(f"{how} outside of a loop")
        return Leave(how, None, labels[-1])  # type: ignore[arg-type]

    def _s_return_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if not inside:
            return Leave("return")
        value = self.lower(inside[0])
        if self.result == VOID:
            return Block((Do(value), Leave("return")))
        return Leave("return", self.converted(value, self.result))
