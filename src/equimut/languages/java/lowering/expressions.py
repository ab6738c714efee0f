"""Java's expressions, lowered: names resolved, promotions and conversions written out."""

from tree_sitter import Node

from equimut.languages.java.lowering.scopes import Members, Scopes
from equimut.languages.java.lowering.types import (
    BOXES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    STRING,
    VOID,
    element,
    erased,
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
    Length,
    Lit,
    Local,
    Logic,
    New,
    OpaqueExpr,
    Type,
    Unary,
    Unsupported,
)

THIS = Local(Type("ref", name="this"), "this")
SCOPE = Local(Type("ref", name="?"), "scope")
"""Whatever a name without a declaration belongs to: this object, one around it, a class."""
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SHIFTS = ("<<", ">>", ">>>")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f", "s": " ", "0": "\0",
            "'": "'", '"': '"', "\\": "\\"}  # fmt: skip


class Expressions:
    """Lowers the expressions of one function."""

    def __init__(
        self, source: bytes, members: Members, returns: dict[tuple[str, str], str]
    ) -> None:
        self.source = source
        self.members = members
        self.returns = returns
        """What API methods return: (class, method) -> type."""
        self.scopes = Scopes()
        self.constructor = False

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def lower(self, node: Node) -> Expr:
        """The expression of a node."""
        handler = getattr(self, f"_{node.type}", None)
        if handler is None:
            return self._opaque(node)
        found: Expr = handler(node)
        return found

    def _part(self, node: Node, name: str) -> Node:
        found = node.child_by_field_name(name)
        if found is None:
            raise Unsupported(f"{node.type} without {name}")
        return found

    # Literals

    def _decimal_integer_literal(self, node: Node) -> Expr:
        text = self.text(node).replace("_", "").lower()
        type_ = LONG if text.endswith("l") else INT
        digits = text.rstrip("l")
        base = 10
        if digits.startswith("0x"):
            base = 16
        elif digits.startswith("0b"):
            base = 2
        elif len(digits) > 1 and digits.startswith("0"):
            base = 8
        value = int(digits[2:] if base in (2, 16) else digits, base)
        value &= (1 << type_.bits) - 1
        if value >> (type_.bits - 1):
            value -= 1 << type_.bits
        return Lit(type_, value)

    _hex_integer_literal = _decimal_integer_literal
    _octal_integer_literal = _decimal_integer_literal
    _binary_integer_literal = _decimal_integer_literal

    def _decimal_floating_point_literal(self, node: Node) -> Expr:
        text = self.text(node).replace("_", "").lower()
        type_ = FLOAT if text.endswith("f") else DOUBLE
        return Lit(type_, float(text.rstrip("fd")))

    def _true(self, node: Node) -> Expr:
        return Lit(BOOL, node.type == "true")

    _false = _true

    def _null_literal(self, node: Node) -> Expr:
        return Lit(NULL, None)

    def _string_literal(self, node: Node) -> Expr:
        return Lit(STRING, self.text(node))

    def _character_literal(self, node: Node) -> Expr:
        text = self.text(node)[1:-1]
        if text.startswith("\\u"):
            return Lit(CHAR, int(text.lstrip("\\u"), 16))
        if text.startswith("\\"):
            if text[1:].isdigit():
                return Lit(CHAR, int(text[1:], 8))
            if text[1:] not in _ESCAPES:
                raise Unsupported("character literal")
            return Lit(CHAR, ord(_ESCAPES[text[1:]]))
        if len(text) != 1 or ord(text) > 0xFFFF:
            raise Unsupported("character literal")
        return Lit(CHAR, ord(text))

    # Names

    def _identifier(self, node: Node) -> Expr:
        name = self.text(node)
        local = self.scopes.find(name)
        if local is not None:
            return local
        return self.member(name)

    def member(self, name: str) -> Expr:
        """A field of this class, or of one that it extends or surrounds."""
        known = self.members.fields.get(name)
        if known is None:
            return Field(ANY, SCOPE, name, nullable=False)
        if known.constant is not None:
            return known.constant
        final = known.final and not self.constructor
        if known.static:
            place = Local(Type("ref", name="?"), f"static {known.owner}")
            return Field(known.type, place, name, final, nullable=False)
        if not known.own:
            return Field(known.type, SCOPE, name, final, nullable=False)
        return Field(known.type, THIS, name, final, nullable=False, resolved=True)

    def _this(self, node: Node) -> Expr:
        return THIS

    def _field_access(self, node: Node) -> Expr:
        name = self.text(self._part(node, "field"))
        receiver = self._part(node, "object")
        if receiver.type == "this":
            known = self.members.fields.get(name)
            if known is not None and known.own:
                return self.member(name)
            return Field(ANY, THIS, name, nullable=False)
        if receiver.type == "super" or self._is_class(receiver):
            if name == "class":
                return Lit(Type("ref", name="Class"), ("class", self.text(receiver)))
            owner = self.text(receiver)
            if (limit := _LIMITS.get((owner, name))) is not None:
                return limit
            if name in self.members.enums.get(owner, ()):
                return Lit(named(owner), ("enum", owner, name))
            known = self.members.fields.get(name)
            if known is not None and known.static and known.owner == owner:
                return self.member(name)
            place = Local(Type("ref", name="?"), f"static {owner}")
            return Field(ANY, place, name, nullable=False)
        inner = self.lower(receiver)
        if name == "length" and inner.type.name.endswith("[]"):
            return Length(INT, inner)
        return Field(ANY, inner, name)

    def _is_class(self, node: Node) -> bool:
        """Whether a name before a dot is a type: nothing else is known by it."""
        if node.type == "identifier":
            name = self.text(node)
            return (
                name[:1].isupper()
                and self.scopes.find(name) is None
                and name not in self.members.fields
                and not (name.isupper() and len(name) > 1 and not self.members.complete)
            )
        if node.type in ("field_access", "scoped_identifier"):
            words = self.text(node).split(".")
            return (
                self.scopes.find(words[0]) is None
                and words[-1][:1].isupper()
                and words[0][:1].islower()
                and words[0] in ("java", "javax", "org", "com")
            )
        return False

    def _array_access(self, node: Node) -> Expr:
        array = self.lower(self._part(node, "array"))
        index = self.converted(self.lower(self._part(node, "index")), INT)
        return Element(element(array.type), array, index)

    # Operators

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
        if not isinstance(target, Local | Field | Element):
            raise Unsupported("assignment to something else")
        return target

    def _cast_expression(self, node: Node) -> Expr:
        kinds = node.children_by_field_name("type")
        target = named(self.text(kinds[0]))
        operand = self.lower(self._part(node, "value"))
        if target.kind == "ref" and operand.type.kind == "ref":
            return Convert(target, operand, checked=True)
        return self.converted(operand, target)

    def _instanceof_expression(self, node: Node) -> Expr:
        right = node.child_by_field_name("right")
        if right is None or node.child_by_field_name("name") is not None:
            raise Unsupported("pattern of instanceof")
        return InstanceOf(BOOL, self.lower(self._part(node, "left")), erased(self.text(right)))

    # Calls and objects

    def _method_invocation(self, node: Node) -> Expr:
        name = self.text(self._part(node, "name"))
        arguments = self.arguments(self._part(node, "arguments"))
        owner = node.child_by_field_name("object")
        key = " ".join(
            str(argument.type) if argument.type is not ANY else self.text(at)
            for argument, at in zip(
                arguments, named_parts(self._part(node, "arguments")), strict=True
            )
        )
        if owner is None or owner.type == "this":
            result = self.members.methods.get(
                (name, tuple(argument.type.name for argument in arguments)), ANY
            )
            return Call(result, name, THIS, arguments, "this", key)
        if owner.type == "super":
            return Call(ANY, name, THIS, arguments, "super", key)
        if self._is_class(owner):
            class_ = self.text(owner).split(".")[-1]
            return Call(self._returned(class_, name, arguments), name, None, arguments, class_, key)
        receiver = self.lower(owner)
        result = self._returned(receiver.type.name, name, arguments)
        return Call(result, name, receiver, arguments, receiver.type.name, key)

    def _returned(self, owner: str, name: str, arguments: tuple[Expr, ...]) -> Type:
        known = self.returns.get((owner, name), "")
        if known == "=":
            types = [argument.type for argument in arguments]
            return promoted(*types[:2]) if types else ANY
        return named(known) if known else ANY

    def arguments(self, node: Node) -> tuple[Expr, ...]:
        """The arguments of a call."""
        return tuple(self.lower(child) for child in named_parts(node))

    def _object_creation_expression(self, node: Node) -> Expr:
        if any(child.type == "class_body" for child in node.children) or (
            node.children and node.children[0].type != "new"
        ):
            return self._opaque(node)
        type_ = named(self.text(self._part(node, "type")))
        arguments = self.arguments(self._part(node, "arguments"))
        key = " ".join(str(argument.type) for argument in arguments)
        return New(type_, arguments, key=f"{type_.name} {key}")

    def _array_creation_expression(self, node: Node) -> Expr:
        dimensions = [c for c in node.children if c.type == "dimensions_expr"]
        empty = [c for c in node.children if c.type == "dimensions"]
        value = node.child_by_field_name("value")
        base = self.text(self._part(node, "type"))
        if value is not None:
            type_ = named(base + "".join(self.text(each) for each in empty))
            return self.initialiser(value, type_)
        if len(dimensions) != 1:
            return self._opaque(node)
        rest = "".join(self.text(each) for each in empty)
        inside = named_parts(dimensions[0])
        length = self.converted(self.lower(inside[0]), INT)
        return New(named(f"{base}{rest}[]"), (), length)

    def initialiser(self, node: Node, type_: Type) -> Expr:
        """`{1, 2}` as an array of this type."""
        inner = element(type_)
        items = tuple(
            self.initialiser(child, inner)
            if child.type == "array_initializer"
            else self.converted(self.lower(child), inner)
            for child in named_parts(node)
        )
        return New(type_, (), Lit(INT, len(items)), items)

    # Conversions

    def condition(self, operand: Expr) -> Expr:
        """An expression used as a condition."""
        return self.converted(operand, BOOL)

    def converted(self, operand: Expr, type_: Type) -> Expr:
        """The operand with the conversion that the language makes here."""
        source = operand.type
        if source == type_ or type_ is VOID or (source.kind == "ref" and type_.kind == "ref"):
            return operand
        if isinstance(operand, Lit) and type_.kind == "int" and source.kind == "int":
            value = int(operand.value) & ((1 << type_.bits) - 1)  # type: ignore[call-overload]
            if type_.signed and value >> (type_.bits - 1):
                value -= 1 << type_.bits
            return Lit(type_, value)
        box = unboxed(source)
        if box != source and type_ != box and type_.kind != "any":
            return self.converted(Convert(box, operand), type_)
        return Convert(type_, operand)

    def _opaque(self, node: Node) -> Expr:
        effects = node.type not in ("lambda_expression", "method_reference", "class_literal")
        if any(_assigns(child) for child in nodes_below(node)) and node.type != "lambda_expression":
            raise Unsupported(f"assignment inside {node.type}")
        type_ = (
            Type("ref", name="?")
            if node.type in ("lambda_expression", "method_reference", "class_literal",
                             "object_creation_expression", "array_creation_expression")
            else ANY
        )  # fmt: skip
        return OpaqueExpr(type_, self.text(node), self.reads(node), effects)

    def reads(self, node: Node) -> tuple[Local, ...]:
        """The locals in sight whose names occur in a node."""
        found: dict[str, Local] = {}
        for child in nodes_below(node):
            if child.type in ("identifier", "this"):
                local = self.scopes.find(self.text(child))
                if local is not None:
                    found[local.name] = local
        return tuple(found[name] for name in sorted(found))


_LIMITS = {
    ("Integer", "MAX_VALUE"): Lit(INT, 2**31 - 1), ("Integer", "MIN_VALUE"): Lit(INT, -(2**31)),
    ("Long", "MAX_VALUE"): Lit(LONG, 2**63 - 1), ("Long", "MIN_VALUE"): Lit(LONG, -(2**63)),
}  # fmt: skip


def _common(then: Expr, otherwise: Expr) -> Type:
    """The type of a conditional expression."""
    left, right = then.type, otherwise.type
    if left == right:
        return left
    if unboxed(left) == unboxed(right) and unboxed(left).kind in ("int", "float", "bool"):
        return unboxed(left)
    if left.kind == right.kind == "ref":
        return right if left == NULL else left if right == NULL else Type("ref", name="?")
    numbers = [unboxed(left), unboxed(right)]
    if all(is_number(each) and (each.kind == "float" or each.bits >= 32) for each in numbers):
        return promoted(left, right)
    return ANY  # a constant that fits takes the narrower type: not followed here


def named_parts(node: Node) -> list[Node]:
    """The children of a node without signs and comments."""
    return [child for child in node.named_children if "comment" not in child.type]


def nodes_below(node: Node) -> list[Node]:
    """The node and everything below it."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        found.append(current)
        stack.extend(current.children)
    return found


def _assigns(node: Node) -> bool:
    return node.type in ("assignment_expression", "update_expression")
