"""Expressions in the order in which javac puts them into bytecode, with its line table."""

from dataclasses import replace

from tree_sitter import Node

from equimut.reports.pit.points import Point
from equimut.semantics.constants import Constants
from equimut.semantics.program import Program
from equimut.semantics.values import literal_value

_ORDER = frozenset({"<", "<=", ">", ">="})
_EQUAL = frozenset({"==", "!="})
_MATH = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"})
_NO_VALUES = frozenset(
    {
        "type_arguments", "dimensions", "annotation", "marker_annotation", "type_pattern",
        "record_pattern", "modifiers",
    }
)  # fmt: skip
_SEPARATE = frozenset({"lambda_expression", "class_body", "class_declaration"})
"""Code that javac puts into methods of their own."""


class ExpressionLayout:
    """Walks expressions as javac's code generator does; points gather in `points`.

    Two facts of the compiler matter. A line starts at a statement, a call, or a branch of
    `?:`, and holds until the next one: an operator on a later line does not count. And jumps
    are taken where the condition fails, except on the left of `||` and at the end of `do`.
    """

    def __init__(self, program: Program, constants: Constants) -> None:
        self.points: list[Point] = []
        self._program = program
        self._types = program.types
        self._constants = constants
        self._pending: int | None = None
        self._line = 0
        self._certain = True
        self._filtered = False

    def begin(self, byte: int) -> None:
        """What is emitted next belongs to the line of this byte."""
        self._pending = self._program.tree.line(byte)

    def emit(self, point: Point | None = None) -> None:
        """Emit an instruction; the line of `point` is set here."""
        if self._pending is not None:
            self._line, self._pending = self._pending, None
        if point is not None:
            certain = point.certain and self._certain
            filtered = point.filtered or self._filtered or not point.written
            self.points.append(replace(point, line=self._line, certain=certain, filtered=filtered))

    def value(self, node: Node) -> None:
        """Emit what computes the value of an expression."""
        constant = self._constants.is_constant(node)
        if constant:
            self.emit()
            return
        before = self._certain
        self._certain = before and constant is not None
        handler = getattr(self, f"_{node.type}", None)
        if node.type in _SEPARATE:
            self.emit()
        elif handler is not None:
            handler(node)
        else:
            self._children(node)
            self.emit()
        self._certain = before

    def condition(self, node: Node, jumps_if: bool) -> None:
        """Emit a condition and a jump that is taken when its value is `jumps_if`."""
        node = self._program.inner(node)
        if self._constants.truth(node) is not None:
            return
        operator = self._program.operator(node) if node.type != "method_invocation" else ""
        if node.type == "binary_expression" and operator in ("&&", "||"):
            self._short_circuit(node, operator == "||", jumps_if)
        elif node.type == "unary_expression" and operator == "!":
            operand = self._program.operand(node)
            if operand is not None:
                self.condition(operand, not jumps_if)
        elif node.type == "ternary_expression":
            self._branches(node, jumps_if)
        else:
            self._leaf(node, operator, jumps_if)

    def _leaf(self, node: Node, operator: str, jumps_if: bool) -> None:
        certain = self._constants.is_constant(node) is False
        comparing = node.type == "binary_expression" and operator in _ORDER | _EQUAL
        if comparing:
            self._children(node)
        else:
            self.value(node)
        family = "comparison" if comparing and operator in _ORDER else "equality"
        self.emit(Point("jump", node, 0, certain, family=family, jumps_if=jumps_if))
        if binds(node):
            self.begin(self.position(node))  # the cast, and the variable that gets its value
            self.emit()

    def _short_circuit(self, node: Node, is_or: bool, jumps_if: bool) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        first = self._constants.truth(left)
        if first is not None:  # javac keeps one side, or neither
            if first is not is_or:
                self.condition(right, jumps_if)
            return
        self.condition(left, is_or)
        self.condition(right, jumps_if)

    def _branches(self, node: Node, jumps_if: bool | None) -> None:
        """`c ? a : b`, as a value (None) or as a condition."""
        parts = [node.child_by_field_name(n) for n in ("condition", "consequence", "alternative")]
        if None in parts:
            return
        test, yes, no = (part for part in parts if part is not None)
        truth = self._constants.truth(test)
        if jumps_if is None:
            self.begin(self.position(test))
        if truth is None:
            self.condition(test, False)
        for branch, skipped, sense in ((yes, False, False), (no, True, jumps_if)):
            if truth is skipped:
                continue
            if jumps_if is None:
                self.begin(self.position(branch))
                self.value(branch)
            else:
                self.condition(branch, bool(sense))

    def _ternary_expression(self, node: Node) -> None:
        self._branches(node, None)

    def _parenthesized_expression(self, node: Node) -> None:
        inner = self._program.inner(node)
        if inner.id != node.id:
            self.value(inner)

    def _binary_expression(self, node: Node) -> None:
        operator = self._program.operator(node)
        if operator in _ORDER | _EQUAL or operator in ("&&", "||"):
            if self._binds_below(node):
                self.begin(self.position(node))
            self.condition(node, False)
            self.emit()
            return
        self._children(node)
        sides = [node.child_by_field_name(name) for name in ("left", "right")]
        self._math(node, operator, [side for side in sides if side is not None])

    def _math(self, node: Node, operator: str, operands: list[Node]) -> None:
        types = [self._types.of(operand) for operand in operands]
        if operator not in _MATH or (operator == "+" and "String" in types):
            self.emit()
            return
        certain = operator != "+" or all(types)
        shift = operator in ("<<", ">>", ">>>")
        number = self._types.of_arithmetic(*(operands[:1] if shift else operands))
        number = "integer" if number == "int" else number  # PIT's word
        self.emit(Point("math", node, 0, certain, operator=operator, number=number))

    def _unary_expression(self, node: Node) -> None:
        operator, operand = self._program.operator(node), self._program.operand(node)
        if operand is None:
            return
        if operator == "!":
            self.condition(node, False)
            self.emit()
            return
        self.value(operand)
        if operator == "-":
            self.emit(Point("negation", node, 0))
        elif operator == "~":  # x ^ -1
            self._math(node, "^", [operand])

    def _update_expression(self, node: Node) -> None:
        operand = self._program.operand(node)
        negations = []
        while operand is not None and operand.type == "unary_expression":
            negations.append(operand)  # the grammar takes `-i++` for `(-i)++`
            operand = self._program.operand(operand)
        if operand is None:
            return
        operator = "+" if self._program.operator(node) == "++" else "-"
        declared, local = self._types.of(operand), self._is_local(operand)
        before = self._certain
        self._certain = before and not (local and not declared)  # `var`: either of the two
        if local and declared in ("int", ""):
            amount = 1 if operator == "+" else -1
            self.emit(Point("increment", node, 0, amount=amount))
        if not local or declared != "int":
            self._children(operand)
            self._math(node, operator, [operand])
        self._certain = before
        for negation in reversed(negations):
            if self._program.operator(negation) == "-":
                self.emit(Point("negation", negation, 0))

    def _assignment_expression(self, node: Node) -> None:
        operator = self._program.operator(node).removesuffix("=")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if left.type != "identifier":
            self._children(left)
        if operator in ("+", "-") and self._is_local(left):
            constant = self._constants.is_constant(right)
            small = self._types.of(right) in ("int", "short", "char", "byte", "")
            if constant is not False and small and self._types.of(left) in ("int", ""):
                value = literal_value(self._program, right)
                amount = value if operator == "+" or value is None else -value
                certain = constant is True and self._types.of(left) == "int"
                self.emit(Point("increment", node, 0, certain, amount=amount))
                if certain:
                    return
                before, self._certain = self._certain, False
                self.value(right)
                self._math(node, operator, [left, right])
                self._certain = before
                return
        self.value(right)
        if operator:
            self._math(node, operator, [left, right])
        self.emit()

    def _method_invocation(self, node: Node) -> None:
        owner = node.child_by_field_name("object")
        if owner is not None:
            self.value(owner)
        arguments, name = node.child_by_field_name("arguments"), node.child_by_field_name("name")
        if arguments is None or name is None:
            return
        self._children(arguments)
        self.begin(arguments.start_byte)
        self.emit(Point("call", node, 0, name=self._program.text(name)))

    def _object_creation_expression(self, node: Node) -> None:
        self.emit()
        created = node.child_by_field_name("type")
        self._children(node)
        keyword = next((child for child in node.children if child.type == "new"), node)
        self.begin(keyword.start_byte)
        plain = self._program.text(created).split("<")[0] if created is not None else ""
        self.emit(Point("new", node, 0, name=plain.rpartition(".")[2].strip()))

    def _switch_expression(self, node: Node) -> None:
        raise NotImplementedError  # statements inside: see pit_layout

    def _children(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in ("identifier", "this", "super"):
                self.emit()
            elif "comment" not in child.type and not _is_type(child):
                self.value(child)

    def _binds_below(self, node: Node) -> bool:
        """Whether a pattern binds a variable in an expression over several lines.

        javac declares it in front of the whole expression, on the line of its operator.
        """
        line = self._program.tree.line
        if line(node.start_byte) == line(node.end_byte):
            return False
        stack = [node]
        while stack:
            current = stack.pop()
            if binds(current):
                return True
            stack.extend(c for c in current.named_children if c.type not in _SEPARATE)
        return False

    def _is_local(self, node: Node) -> bool:
        """Whether a name is a local variable or parameter, and no field."""
        if node.type != "identifier":
            return False
        declarations = self._program.declarations
        for around in self._program.ancestors(node):
            if around.type in ("class_body", "enum_body", "interface_body", "program"):
                return False
            if around.type in self._program.dialect.scopes and not declarations.declared_outside(
                node, around
            ):
                return True
        return False

    def position(self, node: Node) -> int:
        """Where javac puts an expression: at its operator, or at its arguments."""
        if node.type in ("binary_expression", "assignment_expression"):
            operator = node.child_by_field_name("operator")
            return operator.start_byte if operator is not None else node.start_byte
        if node.type == "method_invocation":
            arguments = node.child_by_field_name("arguments")
            return arguments.start_byte if arguments is not None else node.start_byte
        signs = {
            "ternary_expression": "?",
            "lambda_expression": "->",
            "instanceof_expression": "instanceof",
            "field_access": ".",
            "array_access": "[",
            "object_creation_expression": "new",
        }
        if node.type in signs:
            found = [child for child in node.children if child.type == signs[node.type]]
            return found[-1].start_byte if found else node.start_byte
        if node.type == "update_expression":
            found = [child for child in node.children if child.type in ("++", "--")]
            return found[0].start_byte if found else node.start_byte
        return node.start_byte


def binds(node: Node) -> bool:
    """Whether a node is `x instanceof T y`, which declares y."""
    return node.type == "instanceof_expression" and any(
        node.child_by_field_name(name) is not None for name in ("name", "pattern")
    )


def _is_type(node: Node) -> bool:
    return node.type.endswith(("_type", "type_identifier")) or node.type in _NO_VALUES
