"""C's operators, lowered: promotions and conversions written out."""

from tree_sitter import Node

from equimut.languages.c.lowering.conversions import one, same_kind
from equimut.languages.c.lowering.declared import FUNCTION
from equimut.languages.c.lowering.footprints import footprint
from equimut.languages.c.lowering.places import Places
from equimut.languages.c.lowering.types import (
    DOUBLE,
    INT,
    LONG,
    SIZE,
    VOID,
    characters,
    common,
    is_integer,
    is_number,
    is_pointer,
    number,
    pointer,
    promoted,
    wrapped,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Address,
    Assign,
    Binary,
    Cell,
    Choice,
    Convert,
    Expr,
    Lit,
    Local,
    Logic,
    Memory,
    Then,
    Type,
    Unary,
    Unsupported,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SHIFTS = ("<<", ">>")


class Operators(Places):
    """Lowers operators and literals."""

    def _number_literal(self, node: Node) -> Expr:
        return number(self.text(node))

    def _char_literal(self, node: Node) -> Expr:
        found = characters(self.text(node)[1:-1])
        if not self.text(node).startswith("'") or len(found) != 1:
            raise Unsupported("a character literal")
        return Lit(INT, found[0] - 256 if found[0] > 127 else found[0])

    def _true(self, node: Node) -> Expr:
        if self.text(node) in self.file.macros:
            raise Unsupported("a truth value of the file's own")
        return Lit(INT, int(node.type == "true"))

    _false = _true

    def _null(self, node: Node) -> Expr:
        return Lit(pointer(VOID), 0)

    def _parenthesized_expression(self, node: Node) -> Expr:
        return self.lower(self.inside(node))

    def _comma_expression(self, node: Node) -> Expr:
        first, value = (self.lower(self.part(node, side)) for side in ("left", "right"))
        return Then(value.type, first, value)

    def _unary_expression(self, node: Node) -> Expr:
        op = self.text(self.part(node, "operator"))
        operand = self.lower(self.part(node, "argument"))
        if op == "!":
            return Unary(BOOL, "!", self.truth(operand))
        if op not in ("-", "+", "~") or is_pointer(operand.type):
            raise Unsupported(f"the operator {op}")
        inner = self.promoted(operand)
        if op == "+":
            return inner
        if op == "-" and isinstance(inner, Lit) and isinstance(inner.value, int | float):
            value = -inner.value
            if isinstance(value, int):
                value = wrapped(value, inner.type)
            if value != inner.value or value == 0:  # the least number has no opposite
                return Lit(inner.type, value)
        if op == "~" and inner.type.kind == "float":
            raise Unsupported("the bits of a fraction")
        return Unary(inner.type, op, inner)

    def _update_expression(self, node: Node) -> Expr:
        target = self.assigned(self.place(self.part(node, "argument")))
        sign = self.text(self.part(node, "operator"))
        result = "new" if node.children[0].type == sign else "old"
        type_ = target.type
        if is_pointer(type_):
            step = self._step(Lit(INT, 1), type_, sign[0])
            return Assign(type_, target, step, "+", type_, result)  # type: ignore[arg-type]
        if type_.kind == "float":
            step = Lit(type_, 1.0)
            return Assign(type_, target, step, sign[0], type_, result)  # type: ignore[arg-type]
        computed = promoted(type_)
        return Assign(type_, target, one(computed), sign[0], computed, result)  # type: ignore[arg-type]

    def assigned(self, place: Expr) -> Local | Memory | Cell:
        """A place that may be written."""
        if not isinstance(place, Local | Memory | Cell) or place.type.kind == "array":
            raise Unsupported("assignment to something else")
        return place

    def _step(self, index: Expr, type_: Type, op: str) -> Expr:
        """What is added to a pointer to move it by so many elements."""
        assert type_.element is not None
        if type_.element in (VOID, FUNCTION):
            raise Unsupported("a step of a pointer of unknown type")
        step = self.scaled(index, type_.element)
        if op == "-":
            if isinstance(step, Lit) and isinstance(step.value, int):
                return Lit(type_, wrapped(-step.value, SIZE))
            step = Binary(SIZE, "-", Lit(SIZE, 0), step)
        return self.converted(step, type_)

    def _binary_expression(self, node: Node) -> Expr:
        op = self.text(self.part(node, "operator"))
        left, right = (self.lower(self.part(node, side)) for side in ("left", "right"))
        if op in ("&&", "||"):
            word = "and" if op == "&&" else "or"
            return Logic(BOOL, word, self.truth(left), self.truth(right))  # type: ignore[arg-type]
        return self.unsequenced(node, self.binary(op, left, right), (left, right))

    def binary(self, op: str, left: Expr, right: Expr) -> Expr:
        """A strict operator on lowered operands."""
        if is_pointer(left.type) or is_pointer(right.type):
            return self._of_pointers(op, left, right)
        if op in _SHIFTS:
            type_ = promoted(left.type)
            return Binary(type_, op, self.converted(left, type_), self.distance(right, type_))
        type_ = common(left.type, right.type)
        if type_ is ANY:
            return Binary(BOOL if op in _COMPARISONS else ANY, op, left, right)
        if op in ("%", "&", "|", "^") and type_.kind != "int":
            raise Unsupported("an operator of integers on fractions")
        sides = (self.converted(left, type_), self.converted(right, type_))
        return Binary(BOOL if op in _COMPARISONS else type_, op, *sides)

    def distance(self, right: Expr, type_: Type) -> Expr:
        """The right operand of a shift, in the type of the left one."""
        own = promoted(right.type)
        if not is_integer(own) or not is_integer(type_):
            raise Unsupported("a shift of something that is no integer")
        if own.bits > type_.bits and not isinstance(right, Lit):
            raise Unsupported("a distance that is wider than what is shifted")
        return self.converted(self.converted(right, own), type_)

    def _of_pointers(self, op: str, left: Expr, right: Expr) -> Expr:
        both = is_pointer(left.type) and is_pointer(right.type)
        if op in _COMPARISONS:
            type_ = left.type if is_pointer(left.type) else right.type
            if not both and not (is_integer(left.type) or is_integer(right.type)):
                raise Unsupported("a pointer compared with something else")
            return Binary(BOOL, op, self.converted(left, type_), self.converted(right, type_))
        if op == "-" and both:
            element = left.type.element
            assert element is not None
            size = self.file.size(element)
            if size is None or left.type != right.type:
                raise Unsupported("a difference of pointers of unknown type")
            apart = Convert(LONG, Binary(left.type, "-", left, right))
            return apart if size == 1 else Binary(LONG, "/", apart, Lit(LONG, size))
        if op not in ("+", "-") or both or (op == "-" and is_pointer(right.type)):
            raise Unsupported(f"{op} on pointers")
        if is_pointer(right.type):
            left, right = right, left
        return Binary(left.type, "+", left, self._step(right, left.type, op))

    def _conditional_expression(self, node: Node) -> Expr:
        condition = self.truth(self.lower(self.part(node, "condition")))
        then = self.lower(self.part(node, "consequence"))
        otherwise = self.lower(self.part(node, "alternative"))
        left, right = then.type, otherwise.type
        type_ = common(left, right)
        if type_ is ANY:
            type_ = same_kind(left, right)
        sides = (self.converted(then, type_), self.converted(otherwise, type_))
        return Choice(type_, condition, *sides)

    def _assignment_expression(self, node: Node) -> Expr:
        target = self.assigned(self.place(self.part(node, "left")))
        value = self.lower(self.part(node, "right"))
        op = self.text(self.part(node, "operator"))[:-1]
        whole = self.assignment(target, value, op)
        parts = [part for part in self._operands(target) if part is not None]
        if isinstance(target, Memory) and op:
            parts = [target]  # the old value is read at any time
        self._once(target, value)
        return self.unsequenced(node, whole, (*parts, value))

    def _operands(self, target: Expr) -> list[Expr | None]:
        if isinstance(target, Memory):
            return [Then(VOID, target.base, target.offset) if target.offset else target.base]
        return list(target.indices) if isinstance(target, Cell) else []

    def _once(self, target: Expr, value: Expr) -> None:
        """`i = i++` is undefined."""
        local = target.local if isinstance(target, Cell) else target
        if isinstance(local, Local) and local.name in footprint(value).written:
            raise Unsupported("a variable that is changed twice in no order")

    def assignment(self, target: Expr, value: Expr, op: str = "") -> Expr:
        """`target op= value`."""
        type_ = target.type
        if not op:
            return Assign(type_, target, self.converted(value, type_))
        if is_pointer(type_):
            if op not in ("+", "-") or not is_integer(value.type):
                raise Unsupported(f"{op}= on a pointer")
            return Assign(type_, target, self._step(value, type_, op), "+", type_)
        if op in _SHIFTS:
            computed = promoted(type_)
            return Assign(type_, target, self.distance(value, computed), op, computed)
        computed = common(type_, value.type)
        if computed is ANY:
            return Assign(type_, target, value, op, ANY)
        if op in ("%", "&", "|", "^") and computed.kind != "int":
            raise Unsupported("an operator of integers on fractions")
        return Assign(type_, target, self.converted(value, computed), op, computed)

    def _pointer_expression(self, node: Node) -> Expr:
        if self.text(self.part(node, "operator")) == "*":
            return self.value(self._target(node))
        place = self.place(self.part(node, "argument"))
        if isinstance(place, Address):
            return place
        if not isinstance(place, Memory | Local | Cell):
            raise Unsupported("an address of a value")
        where = self.address(place)
        type_ = pointer(place.type)
        if not isinstance(place, Memory) or place.offset is None or not is_pointer(place.base.type):
            return self.converted(where, type_)
        return self.converted(Binary(place.base.type, "+", place.base, place.offset), type_)

    def _cast_expression(self, node: Node) -> Expr:
        type_ = self.described(self.part(node, "type"))
        operand = self.lower(self.part(node, "value"))
        if type_ == VOID:
            return Then(VOID, operand, Lit(INT, 0)) if operand.type != VOID else operand
        if type_.kind == "array" or (type_.kind == "any") != (operand.type.kind == "any"):
            return Convert(type_, operand)
        if is_pointer(type_) and operand.type.kind == "float":
            raise Unsupported("a fraction as an address")
        return self.converted(operand, type_)

    def described(self, node: Node) -> Type:
        """The type that a cast or `sizeof` names."""
        kind = self.part(node, "type")
        if self.scopes.find(self.text(kind)) is not None:
            raise Unsupported("a name that is no type")
        inside = node.child_by_field_name("declarator")
        base = self.file.specifier(kind)
        self.fixed_lengths(node)
        return self.file.declared(inside, base)[1] if inside is not None else base

    def _sizeof_expression(self, node: Node) -> Expr:
        described, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if described is not None:
            local = self.scopes.find(self.text(described))
            type_ = local.type if local is not None else self.described(described)
        else:
            assert value is not None
            while value.type == "parenthesized_expression":
                value = self.inside(value)
            place = self.place(value)
            if not isinstance(place, Local | Memory | Cell):
                raise Unsupported("the size of a value")
            type_ = place.type
        size = self.file.size(type_)
        return Lit(SIZE, size if size is not None else f"size of {type_}")

    def argument(self, operand: Expr, type_: Type | None) -> Expr:
        """An argument as it is passed: to the declared type, or by default promotion."""
        if type_ is not None:
            return self.converted(operand, type_)
        if operand.type.kind == "float":
            return self.converted(operand, DOUBLE)
        return self.promoted(operand) if is_number(operand.type) else operand
