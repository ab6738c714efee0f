"""Whether a Java method would be rejected for its flow: unreachable code, a missing result.

The rules of the language specification (reachability, section "Unreachable Statements"), on the
statements alone. They are checked on the mutant, so no operator has to think of them.
"""

from collections.abc import Iterator

from tree_sitter import Node

from equimut.languages.java.syntax import LANGUAGE

_JUMPS = frozenset({"return_statement", "throw_statement", "continue_statement", "yield_statement"})
MAX_DEPTH = 150
"""Statements inside each other that are looked into."""


def is_rejected(root: Node, source: bytes) -> bool:
    """Whether the first method below the root cannot compile because of its flow."""
    types = ("method_declaration", "constructor_declaration")
    method = next((node for node in _below(root) if node.type in types), None)
    body = method.child_by_field_name("body") if method is not None else None
    if method is None or body is None:
        return False
    flow = _Flow(source)
    falls_through = flow.completes(body)
    kind = method.child_by_field_name("type")
    needs_result = kind is not None and source[kind.start_byte : kind.end_byte] != b"void"
    if flow.too_deep:
        return False  # the compiler will tell
    return flow.unreachable or (falls_through and needs_result)


def _below(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.named_children))


class _Flow:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self.unreachable = False
        self.too_deep = False
        self._depth = 0

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def completes(self, node: Node | None) -> bool:
        """Whether the statement can complete normally; notes unreachable statements on the way."""
        if node is None or self.too_deep:
            return True
        if node.type in _JUMPS or node.type == "break_statement":
            return False
        handler = {
            "block": self._sequence,
            "constructor_body": self._sequence,
            "switch_block_statement_group": self._sequence,
            "if_statement": self._branch,
            "while_statement": self._loop,
            "for_statement": self._loop,
            "do_statement": self._do,
            "enhanced_for_statement": self._each,
            "switch_expression": self._switch,
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "synchronized_statement": self._inside,
            "labeled_statement": self._labeled,
        }.get(node.type)
        if handler is None:
            return True
        self._depth += 1
        self.too_deep |= self._depth > MAX_DEPTH
        result = handler(node)
        self._depth -= 1
        return result

    def _sequence(self, node: Node) -> bool:
        reachable = True
        for child in node.named_children:
            if "comment" in child.type or child.type == "switch_label":
                continue
            if not reachable:
                self.unreachable = True
            reachable = self.completes(child)
        return reachable

    def _branch(self, node: Node) -> bool:
        taken = self.completes(node.child_by_field_name("consequence"))
        other = node.child_by_field_name("alternative")
        return self.completes(other) or taken if other is not None else True

    def _loop(self, node: Node) -> bool:
        condition = node.child_by_field_name("condition")
        value = self._constant(condition) if condition is not None else True
        if value is False:
            self.unreachable = True
        self.completes(node.child_by_field_name("body"))
        return value is not True or self._has_break(node)

    def _do(self, node: Node) -> bool:
        body, condition = (node.child_by_field_name(name) for name in ("body", "condition"))
        ends = self.completes(body) or self._has_jump(body, "continue_statement", LANGUAGE.loops)
        value = self._constant(condition) if condition is not None else None
        return (ends and value is not True) or self._has_break(node)

    def _each(self, node: Node) -> bool:
        self.completes(node.child_by_field_name("body"))
        return True

    def _inside(self, node: Node) -> bool:
        return self.completes(node.child_by_field_name("body"))

    def _labeled(self, node: Node) -> bool:
        label = self._text(node.named_children[0])
        inside = self.completes(node.named_children[-1])
        return inside or any(
            jump.type == "break_statement"
            and jump.named_child_count == 1
            and self._text(jump.named_children[0]) == label
            for jump in _below(node)
        )

    def _switch(self, node: Node) -> bool:
        body = node.child_by_field_name("body")
        cases = body.named_children if body is not None else []
        groups = [case for case in cases if case.type.startswith("switch_")]
        labels = [label for case in groups for label in case.named_children[:8]]
        has_default = any(
            label.type == "switch_label" and self._text(label).startswith("default")
            for label in labels
        )
        ends = [self._case(group) for group in groups]
        runs_out = (
            any(ends) if groups and groups[-1].type == "switch_rule" else not ends or ends[-1]
        )
        return not has_default or runs_out or self._has_break(node)

    def _case(self, node: Node) -> bool:
        return (
            self.completes(node.named_children[-1])
            if node.type == "switch_rule"
            else self._sequence(node)
        )

    def _try(self, node: Node) -> bool:
        ends = [self.completes(node.child_by_field_name("body"))]
        last = True
        for child in node.named_children:
            if child.type == "catch_clause":
                ends.append(self.completes(child.child_by_field_name("body")))
            elif child.type == "finally_clause":
                last = self.completes(child.named_children[-1])
        return any(ends) and last

    def _has_break(self, node: Node) -> bool:
        return any(
            self._has_jump(child, "break_statement", LANGUAGE.loops | {"switch_expression"})
            for child in node.named_children
        )

    def _has_jump(self, node: Node | None, kind: str, stops: frozenset[str]) -> bool:
        """Whether an unlabelled jump inside leaves this statement and not one within it."""
        stack = [node] if node is not None else []
        while stack:
            current = stack.pop()
            if current.type == kind and not current.named_child_count:
                return True
            if current.type not in stops and current.type != "lambda_expression":
                stack.extend(current.named_children)
        return False

    def _constant(self, node: Node) -> bool | None:
        """The value of a constant condition, None for one that depends on anything."""
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self._constant(node.named_children[0])
        if node.type in ("true", "false"):
            return node.type == "true"
        if node.type == "unary_expression":
            operand = node.child_by_field_name("operand")
            value = self._constant(operand) if operand is not None else None
            return None if value is None else not value
        left, right = (node.child_by_field_name(name) for name in ("left", "right"))
        sign = node.child_by_field_name("operator")
        if node.type != "binary_expression" or left is None or right is None or sign is None:
            return None
        values = (self._constant(left), self._constant(right))
        if values[0] is None or values[1] is None:
            return None
        return {"&&": all, "||": any}.get(self._text(sign), lambda _: None)(values)
