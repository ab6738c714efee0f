"""Java's operators, lowered: promotions and conversions written out."""

from tree_sitter import Node

from equimut.languages.java.lowering.conversions import JOINED, number
from equimut.languages.java.lowering.names import Names
from equimut.languages.java.lowering.types import (
    BOXES,
    INT,
    NULL,
    STRING,
    is_number,
    named,
    promoted,
    unboxed,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Assign,
    Binary,
    Call,
    Choice,
    Convert,
    Element,
    Expr,
    Field,
    InstanceOf,
    Lit,
    Local,
    Logic,
    New,
    OpaqueExpr,
    Then,
    Type,
    Unary,
    Unsupported,
    walk,
)

OBJECT = named("Object")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SHIFTS = ("<<", ">>", ">>>")


class Operators(Names):
    """Lowers operators, assignments and casts."""

    def _parenthesized_expression(self, node: Node) -> Expr:
        inside = [child for child in node.named_children if "comment" not in child.type]
        return self.lower(inside[0])

    def _unary_expression(self, node: Node) -> Expr:
        op = self.text(self._part(node, "operator"))
        operand_node = self._part(node, "operand")
        operand = self.lower(operand_node)
        if op == "!":
            return Unary(BOOL, "!", self.condition(operand))
        type_ = promoted(operand.type)
        inner = self.converted(operand, type_)
        if op == "+":
            return inner
        if op == "-" and isinstance(inner, Lit) and isinstance(inner.value, int | float):
            value = -inner.value
            if inner.type.kind == "int" and value == 1 << (inner.type.bits - 1):
                value = -value
            return Lit(inner.type, value)
        return Unary(type_, op, inner)

    def _update_expression(self, node: Node) -> Expr:
        operand = next(child for child in node.named_children if "comment" not in child.type)
        target = self.lower(operand)
        sign = next(child.type for child in node.children if not child.is_named)
        prefix = node.children[0].type == sign
        computed = promoted(target.type, INT)
        return Assign(
            target.type,
            self._target(target),
            self.converted(Lit(INT, 1), computed),
            sign[0],
            computed,
            "new" if prefix else "old",
        )

    def _binary_expression(self, node: Node) -> Expr:
        op = self.text(self._part(node, "operator"))
        left, right = (self.lower(self._part(node, side)) for side in ("left", "right"))
        if op in ("&&", "||"):
            return Logic(
                BOOL, "and" if op == "&&" else "or", self.condition(left), self.condition(right)
            )
        return self.binary(op, left, right)

    def binary(self, op: str, left: Expr, right: Expr) -> Expr:
        """A strict operator on lowered operands."""
        if op == "+" and STRING in (left.type, right.type):
            return Binary(STRING, "concat", self.shown(left), self.shown(right))
        if op == "+" and _may_ask_for_text(left.type, right.type):
            return Call(ANY, JOINED, None, (left, right))
        if op not in ("+", "==", "!="):
            left, right = number(left), number(right)
        if op in _SHIFTS:
            type_ = promoted(left.type)
            distance = promoted(right.type)
            if type_ is ANY or distance is ANY:
                return Binary(ANY, op, left, right)
            narrow = self.converted(self.converted(right, distance), type_)
            return Binary(type_, op, self.converted(left, type_), narrow)
        if op in _COMPARISONS:
            return self._comparison(op, left, right)
        sides = {unboxed(left.type), unboxed(right.type)}
        if op in "&|^" and sides == {BOOL}:
            return Binary(BOOL, op, self.converted(left, BOOL), self.converted(right, BOOL))
        type_ = promoted(left.type, right.type)
        if type_ is ANY or (op in "&|^" and type_.kind != "int"):
            return Binary(ANY, op, left, right)
        return Binary(type_, op, self.converted(left, type_), self.converted(right, type_))

    def _comparison(self, op: str, left: Expr, right: Expr) -> Expr:
        equality = op in ("==", "!=")
        kinds = (left.type.kind, right.type.kind)
        if equality and kinds == ("ref", "ref"):
            # Two boxes or strings of the same value may be one object or two.
            boxed = {left.type.name, right.type.name} & {*BOXES, "String"}
            return Binary(BOOL, f"boxed{op}" if boxed and NULL not in (left.type, right.type)
                          else op, left, right)  # fmt: skip
        if equality and "ref" in kinds and "any" in kinds:
            if _is_plain(left) or _is_plain(right):
                left, right = (self.converted(side, OBJECT) for side in (left, right))
            return Binary(BOOL, op, left, right)
        if equality and {unboxed(left.type), unboxed(right.type)} == {BOOL}:
            return Binary(BOOL, op, self.converted(left, BOOL), self.converted(right, BOOL))
        type_ = promoted(left.type, right.type)
        if type_ is ANY:
            return Binary(BOOL, op, left, right)
        return Binary(BOOL, op, self.converted(left, type_), self.converted(right, type_))

    def shown(self, operand: Expr) -> Expr:
        """An operand of string concatenation: a primitive or a string as it is, else a call."""
        if operand.type == STRING or operand.type.kind in ("int", "bool", "float"):
            return operand
        if operand.type == NULL:
            return Lit(STRING, '"null"')
        return Call(STRING, "valueOf", None, (operand,), "String", f"valueOf {operand.type}")

    def _ternary_expression(self, node: Node) -> Expr:
        condition = self.condition(self.lower(self._part(node, "condition")))
        then = self.lower(self._part(node, "consequence"))
        otherwise = self.lower(self._part(node, "alternative"))
        type_ = _common(then, otherwise)
        if type_ is ANY and all(unboxed(each.type).kind != "ref" for each in (then, otherwise)):
            # Where one is a box and the other is a number, the box is opened: nothing tells.
            then, otherwise = (
                each if is_number(each.type) else Unary(ANY, "+", self.converted(each, ANY))
                for each in (then, otherwise)
            )
        return Choice(
            type_, condition, self.converted(then, type_), self.converted(otherwise, type_)
        )

    def _assignment_expression(self, node: Node) -> Expr:
        target = self.lower(self._part(node, "left"))
        value = self.lower(self._part(node, "right"))
        op = self.text(self._part(node, "operator"))[:-1]
        place = self._target(target)
        if not op:
            return Assign(target.type, place, self.converted(value, target.type))
        if op == "+" and target.type == STRING:
            return Assign(STRING, place, self.shown(value), "concat", STRING)
        if op == "+" and (
            _may_ask_for_text(target.type, value.type)
            or (value.type == STRING and target.type.kind in ("ref", "any"))
        ):
            if any(isinstance(part, Assign | Call | New | OpaqueExpr) for part in walk(place)):
                raise Unsupported("an operand that would be evaluated twice")
            return Assign(target.type, place, self.binary("+", place, value))
        value = number(value)
        if op in _SHIFTS:
            computed = promoted(target.type)
            if computed is ANY or promoted(value.type) is ANY:
                return Assign(target.type, place, value, op, ANY)
            inner = self.converted(self.converted(value, promoted(value.type)), computed)
            return Assign(target.type, place, inner, op, computed)
        if op in "&|^" and unboxed(target.type) == BOOL and unboxed(value.type) == BOOL:
            return Assign(target.type, place, self.converted(value, BOOL), op, BOOL)
        computed = promoted(target.type, value.type)
        return Assign(target.type, place, self.converted(value, computed), op, computed)

    def _target(self, target: Expr) -> Expr:
        if isinstance(target, Then) and isinstance(target.value, Field):
            target = target.value  # of another class
        if not isinstance(target, Local | Field | Element):
            raise Unsupported("assignment to something else")
        return target

    def _cast_expression(self, node: Node) -> Expr:
        kinds = node.children_by_field_name("type")
        target = named(self.text(kinds[0]))
        operand = self.lower(self._part(node, "value"))
        if target.kind in ("int", "float", "bool") and unboxed(operand.type).kind == "ref":
            boxes = {each: name for name, each in BOXES.items()}
            operand = Convert(named(boxes[target]), operand, checked=True)
        if target.kind == "ref" and operand.type.kind in ("ref", "any"):
            return Convert(target, self.converted(operand, OBJECT), checked=True)
        return self.converted(operand, target)

    def _instanceof_expression(self, node: Node) -> Expr:
        right, name = node.child_by_field_name("right"), node.child_by_field_name("name")
        if right is None:
            raise Unsupported("pattern of instanceof")
        operand, target = self.lower(self._part(node, "left")), self.asked_type(self.text(right))
        if name is None:
            return InstanceOf(BOOL, operand, target)
        if self.text(name) in self.members.fields:
            raise Unsupported("a pattern that is in sight where its name is no field")
        held = operand if isinstance(operand, Local) else self.scopes.hidden("$held", operand.type)
        bound = self.scopes.declare(self.text(name), named(target))
        given = held if held.type.kind == "ref" else Convert(bound.type, held)
        store = Then(BOOL, Assign(bound.type, bound, given), Lit(BOOL, True))
        found = Choice(BOOL, InstanceOf(BOOL, held, target), store, Lit(BOOL, False))
        if held is operand:
            return found
        return Then(BOOL, Assign(operand.type, held, operand), found)


def _may_ask_for_text(left: Type, right: Type) -> bool:
    """Whether `+` may join a text with what an object says of itself: code of others."""
    sides = [left, right]
    plain = any(each.kind in ("int", "bool", "float") or each.name in BOXES for each in sides)
    return not plain and "any" in (left.kind, right.kind)


def _is_plain(operand: Expr) -> bool:
    """Null, or the constant of an enum: what is compared with it can only be a reference."""
    enum = isinstance(operand, Lit) and isinstance(operand.value, tuple)
    return operand.type == NULL or enum


def _common(then: Expr, otherwise: Expr) -> Type:
    """The type of a conditional expression."""
    left, right = then.type, otherwise.type
    if left == right:
        return left
    if unboxed(left) == unboxed(right) and unboxed(left).kind in ("int", "float", "bool"):
        return unboxed(left)
    boxes = left.kind == right.kind == "ref" and left.name in BOXES and right.name in BOXES
    if left.kind == right.kind == "ref" and not boxes:
        return right if left == NULL else left if right == NULL else Type("ref", name="?")
    numbers = [unboxed(left), unboxed(right)]
    if all(is_number(each) and (each.kind == "float" or each.bits >= 32) for each in numbers):
        return promoted(left, right)
    return ANY  # a constant that fits takes the narrower type: not followed here
