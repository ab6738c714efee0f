"""Statements in the order in which javac puts them into bytecode."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tree_sitter import Node

from equimut.reports.pit.layout_expressions import ExpressionLayout
from equimut.reports.pit.points import Point

MAX_POINTS = 100_000
"""Copies of nested `finally` blocks double with each level: no sane method comes near this."""

_JUMPS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})


@dataclass
class _Around:
    """A statement that jumps may leave: a loop, a switch, a label, or a `try` with `finally`."""

    kind: str
    node: Node
    label: str = ""
    copied: bool = False


class MethodLayout(ExpressionLayout):
    """Walks the statements of one method body."""

    _around: list[_Around]

    def body(self, *parts: Node) -> list[Point]:
        """The points of these statements or blocks, one after the other."""
        self._around = []
        for part in parts:
            self.statement(part)
        return self.points

    def returned(self, node: Node) -> list[Point]:
        """The points of a lambda whose body is an expression."""
        self._around = []
        self.begin(node.start_byte)
        self.value(node)
        self.begin(node.start_byte)
        # A lambda that returns nothing has no such point: it can be matched, but need not be.
        self.emit(Point("return", node, 0, certain=False, name=self._short(node)))
        return self.points

    def initialiser(self, declarator: Node) -> None:
        """A variable with a value: javac puts it on the line of the name."""
        name = declarator.child_by_field_name("name")
        value = declarator.child_by_field_name("value")
        if name is not None and value is not None:
            self.begin(name.start_byte)
            self.value(value)
            self.emit()

    _on_variable_declarator = initialiser

    def _on_argument_list(self, node: Node) -> None:
        self._children(node)

    def statement(self, node: Node) -> None:
        """Emit one statement."""
        if len(self.points) > MAX_POINTS:
            raise RecursionError
        if "comment" in node.type or not node.is_named:
            return
        self.begin(node.start_byte)
        handler = getattr(self, f"_on_{node.type}", None)
        if handler is not None:
            handler(node)
        elif node.type.endswith("_declaration"):
            return  # a local class has methods of its own
        else:
            for child in node.named_children:
                self._part(child)

    def _part(self, node: Node) -> None:
        """A child of a statement that is not treated specially: statement or expression."""
        if node.type.endswith("_statement") or node.type in ("block", "finally_clause"):
            self.statement(node)
        elif "comment" not in node.type:
            self.value(node)

    def _on_block(self, node: Node) -> None:
        for child in node.named_children:
            self.statement(child)

    _on_constructor_body = _on_block

    def _on_local_variable_declaration(self, node: Node) -> None:
        for declarator in node.children_by_field_name("declarator"):
            self.initialiser(declarator)

    def _on_if_statement(self, node: Node) -> None:
        test, yes, no = (
            node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")
        )
        truth = self._constants.truth(test) if test is not None else None
        if test is not None and truth is None:
            self.condition(test, False)
        for branch, skipped in ((yes, False), (no, True)):
            if branch is not None and (truth is None or truth is not skipped):
                self.statement(branch)

    def _loop(self, node: Node, test: Node | None, body: Node | None, updates: list[Node]) -> None:
        """The test comes first, then the body, then what a `for` does after each round."""
        if test is not None:
            self.begin(self.position(test))
            self.condition(test, False)
        self._inside("loop", node, body)
        before, self._filtered = self._filtered, True  # PIT leaves loop counters alone
        for update in updates:
            self.begin(update.start_byte)
            self.value(update)
        self._filtered = before

    def _on_while_statement(self, node: Node) -> None:
        test, body = (node.child_by_field_name(name) for name in ("condition", "body"))
        self._loop(node, test, body, [])

    def _on_for_statement(self, node: Node) -> None:
        for start in node.children_by_field_name("init"):
            if start.type == "local_variable_declaration":
                self.statement(start)
            else:
                self.begin(start.start_byte)
                self.value(start)
        test, body = (node.child_by_field_name(name) for name in ("condition", "body"))
        self._loop(node, test, body, node.children_by_field_name("update"))

    def _on_do_statement(self, node: Node) -> None:
        test, body = (node.child_by_field_name(name) for name in ("condition", "body"))
        self._inside("loop", node, body)
        if test is not None:
            self.begin(self.position(test))
            self.condition(test, True)

    def _on_enhanced_for_statement(self, node: Node) -> None:
        values, body = (node.child_by_field_name(name) for name in ("value", "body"))
        if values is None:
            return
        start = values.start_byte
        self.begin(start)
        self.value(values)
        kind = self._types.of(values)
        family = ("comparison" if kind.endswith("[]") else "equality") if kind else ""
        self._added(Point("jump", values, 0, certain=False, family=family))
        self._inside("loop", node, body)
        if not kind or kind.endswith("[]"):
            self.begin(start)
            self._added(Point("increment", values, 0, certain=False, amount=1))

    def _added(self, point: Point) -> None:
        """Code that is not in the text: it has a place in the order, and nothing to change."""
        self.emit(replace(point, written=False))

    def _inside(self, kind: str, node: Node, body: Node | None) -> None:
        parent = self._program.parent(node)
        label = ""
        if parent is not None and parent.type == "labeled_statement":
            label = self._program.text(parent.named_children[0])
        self._around.append(_Around(kind, node, label))
        if body is not None:
            self.statement(body)
        self._around.pop()

    def _on_labeled_statement(self, node: Node) -> None:
        name, *rest = node.named_children
        self._around.append(_Around("label", node, self._program.text(name)))
        for child in rest:
            self.statement(child)
        self._around.pop()

    def _on_switch_expression(self, node: Node) -> None:
        test, body = (node.child_by_field_name(name) for name in ("condition", "body"))
        if test is None or body is None:
            return
        self.begin(test.start_byte)
        self.value(self._program.inner(test))
        groups = [child for child in body.named_children if "comment" not in child.type]
        labels = [
            value
            for group in groups
            for label in group.named_children
            if label.type == "switch_label"
            for value in label.named_children
        ]
        for value in labels:
            if value.type == "string_literal":  # compared one by one, by equals()
                self._added(Point("jump", value, 0, certain=False, family="equality"))
        self._around.append(_Around("switch", node))
        for group in groups:
            for child in group.named_children:
                if child.type == "expression_statement" and group.type == "switch_rule":
                    value = child.named_children[0] if child.named_children else child
                    self.begin(value.start_byte)
                    self.value(value)
                elif child.type != "switch_label":
                    self.statement(child)
        self._around.pop()

    _switch_expression = _on_switch_expression

    def _on_return_statement(self, node: Node) -> None:
        values = [child for child in node.named_children if "comment" not in child.type]
        if values:
            self.value(values[0])
        self._leave(lambda _: False)
        self.begin(node.start_byte)
        if values:
            self.emit(Point("return", node, 0, name=self._short(values[0])))

    def _short(self, node: Node) -> str:
        return self._program.text(node) if node.end_byte - node.start_byte < 60 else ""

    def _on_break_statement(self, node: Node) -> None:
        self._jump(node, ("loop", "switch"))

    def _on_continue_statement(self, node: Node) -> None:
        self._jump(node, ("loop",))

    def _jump(self, node: Node, targets: tuple[str, ...]) -> None:
        named = [self._program.text(child) for child in node.named_children[:1]]
        if named:
            self._leave(lambda around: around.label == named[0])
        else:
            self._leave(lambda around: around.kind in targets)
        self.emit()

    def _leave(self, reached: Callable[[_Around], bool]) -> None:
        """Copy the `finally` blocks between here and the target of a jump."""
        kept = list(self._around)
        while self._around and not reached(self._around[-1]):
            left = self._around.pop()
            if left.kind == "finally":
                self._finally(left)
        self._around = kept

    def _finally(self, around: _Around) -> None:
        before = self._certain
        self._certain = before and not around.copied  # how many copies there are is not counted
        around.copied = True
        for child in around.node.named_children:
            self.statement(child)
        self._certain = before

    def _on_try_statement(self, node: Node) -> None:
        last = next((c for c in node.named_children if c.type == "finally_clause"), None)
        around = _Around("finally", last) if last is not None else None
        if around is not None:
            self._around.append(around)
        resources, body = (node.child_by_field_name(name) for name in ("resources", "body"))
        if resources is not None:
            self._resources(resources, body)
        elif body is not None:
            self.statement(body)
        handlers = [c for c in node.named_children if c.type == "catch_clause"]
        bodies = [handler.child_by_field_name("body") for handler in handlers]
        for number, part in enumerate([body, *bodies]):
            if number and part is not None:
                self.statement(part)
            if part is not None and not _leaves(part):
                self._copy(around)
        self._copy(around)  # for whatever is thrown
        if around is not None:
            self._around.pop()

    _on_try_with_resources_statement = _on_try_statement

    def _copy(self, around: _Around | None) -> None:
        if around is not None:
            kept, self._around = self._around, self._around[:-1]
            self._finally(around)
            self._around = kept

    def _resources(self, node: Node, body: Node | None) -> None:
        """Resources are closed twice, after the body and in a handler, unless they are null."""
        resources = [child for child in node.named_children if child.type == "resource"]
        for resource in resources:
            self.begin(resource.start_byte)
            value = resource.child_by_field_name("value")
            if value is not None:
                self.value(value)
        if body is not None:
            self.statement(body)
        for resource in resources * 2:
            self._added(Point("jump", resource, 0, certain=False, family="equality"))
            self._added(Point("call", resource, 0, certain=False, name="close"))

    def _on_assert_statement(self, node: Node) -> None:
        before, self._filtered = self._filtered, True
        self._added(Point("jump", node, 0, certain=False, family="equality"))
        parts = [child for child in node.named_children if "comment" not in child.type]
        for index, part in enumerate(parts[:2]):
            if index == 0:
                self.condition(part, True)
            else:
                self.value(part)
        self._filtered = before

    def _on_yield_statement(self, node: Node) -> None:
        for child in node.named_children:
            self.value(child)

    def _on_explicit_constructor_invocation(self, node: Node) -> None:
        arguments = node.child_by_field_name("arguments")
        if arguments is not None:
            self.value(arguments)


def _leaves(block: Node) -> bool:
    """Whether a block ends in a jump, so that nothing is reached behind it."""
    statements = [child for child in block.named_children if "comment" not in child.type]
    return bool(statements) and statements[-1].type in _JUMPS
