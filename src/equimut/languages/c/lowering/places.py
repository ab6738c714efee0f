"""C's names, subscripts, members and pointers, lowered to places."""

from tree_sitter import Node

from equimut.languages.c.lowering.constants import STANDARD
from equimut.languages.c.lowering.conversions import Conversions, Escapes
from equimut.languages.c.lowering.declared import FUNCTION
from equimut.languages.c.lowering.types import (
    CHAR,
    INT,
    SIZE,
    VOID,
    is_pointer,
    pointer,
    wrapped,
)
from equimut.languages.lowered import (
    ANY,
    Address,
    Binary,
    Cell,
    Convert,
    Expr,
    Lit,
    Local,
    Memory,
    Type,
    Unsupported,
)
from equimut.languages.scopes import named_parts


class Places(Conversions):
    """Lowers what has a place, and reads it."""

    def place(self, node: Node) -> Expr:
        """A node that may be assigned to, as a place; anything else as its value."""
        if node.type == "parenthesized_expression":
            return self.place(self.inside(node))
        if node.type == "identifier":
            return self.name(node)
        if node.type == "subscript_expression":
            return self._element(node)
        if node.type == "field_expression":
            return self._member(node)
        if node.type == "pointer_expression" and self.text(self.part(node, "operator")) == "*":
            return self._target(node)
        return self.lower(node)

    def inside(self, node: Node) -> Node:
        """What stands in parentheses."""
        found = named_parts(node)
        if len(found) != 1 or found[0].type == "compound_statement":
            raise Unsupported("a statement in parentheses")
        return found[0]

    def value(self, place: Expr) -> Expr:
        """The value of a place: an array's is its address."""
        if place.type == FUNCTION or place.type.kind != "array":
            return place
        if isinstance(place, Memory):
            assert place.type.element is not None
            return Convert(pointer(place.type.element), self.address(place))
        raise Escapes(self.owner(place))

    def owner(self, place: Expr) -> str:
        """The name of the local that a place is part of."""
        local = place.local if isinstance(place, Cell) else place
        if not isinstance(local, Local):
            raise Unsupported("an address of something else")
        return local.name.partition("#")[0].partition(".")[0]

    def address(self, place: Expr) -> Expr:
        """Where a place in memory is, in bytes."""
        if not isinstance(place, Memory):
            raise Escapes(self.owner(place))
        if place.offset is None:
            return place.base
        return Binary(SIZE, "+", Convert(SIZE, place.base), place.offset)

    def _identifier(self, node: Node) -> Expr:
        return self.value(self.name(node))

    def _subscript_expression(self, node: Node) -> Expr:
        return self.value(self._element(node))

    def _field_expression(self, node: Node) -> Expr:
        return self.value(self._member(node))

    def name(self, node: Node) -> Expr:
        """What a name stands for."""
        name = self.text(node)
        if name in self.file.macros:
            known = self.file.macros[name]
            return known if known is not None else self.macro(node)
        local = self.scopes.find(name)
        if local is not None:
            return self.home(local)
        if name in self.file.constants:
            return Lit(INT, self.file.constants[name])
        if name in self.file.globals:
            type_ = self.file.globals[name]
            return Memory(type_, Address(pointer(type_), f"global {name}"), None, checked=False)
        if name in self.file.functions:
            return Address(pointer(FUNCTION), f"function {name}")
        if name in STANDARD:
            return STANDARD[name]
        return self.macro(node)

    def home(self, local: Local) -> Expr:
        """A local where it lives: on its own, or in memory."""
        if " " in local.name or self.in_memory(local.name, local.type):
            return Memory(local.type, Address(pointer(local.type), local.name), None, checked=False)
        return local

    def in_memory(self, name: str, type_: Type) -> bool:
        """Whether a local has an address that something else may know."""
        plain = name.partition("#")[0]
        return type_.kind == "any" or "*" in self.escaped or plain in self.escaped

    def _element(self, node: Node) -> Expr:
        base = self.place(self.part(node, "argument"))
        index = self.lower(self.part(node, "index"))
        if base.type.kind != "array" and not is_pointer(base.type) and is_pointer(index.type):
            base, index = index, base
        return self.indexed(node, base, index)

    def indexed(self, node: Node, base: Expr, index: Expr) -> Expr:
        """`base[index]`."""
        element = base.type.element
        if element is None or element in (VOID, FUNCTION):
            raise Unsupported("an element of something that is no array")
        found: Expr
        if base.type.kind == "array" and not isinstance(base, Memory):
            local = base.local if isinstance(base, Cell) else base
            before = base.indices if isinstance(base, Cell) else ()
            assert isinstance(local, Local)
            found = Cell(element, local, (*before, self.converted(index, SIZE)))
            if self.unsequenced(node, found, found.indices) is not found:
                raise Unsupported("indices in no order")
            return found
        step = self.scaled(index, element)
        if isinstance(base, Memory) and base.type.kind == "array":
            found = Memory(element, base.base, self.sum(base.offset, step))
            parts: tuple[Expr, ...] = (base.offset, step) if base.offset is not None else (step,)
        else:
            found, parts = Memory(element, base, step), (base, step)
        if self.unsequenced(node, found, parts) is not found:
            raise Unsupported("an index in no order")
        return found

    def sum(self, one: Expr | None, other: Expr) -> Expr:
        """Two offsets as one."""
        if one is None:
            return other
        if isinstance(one, Lit) and isinstance(other, Lit):
            values = (one.value, other.value)
            if isinstance(values[0], int) and isinstance(values[1], int):
                return Lit(SIZE, wrapped(values[0] + values[1], SIZE))
        return Binary(SIZE, "+", one, other)

    def _target(self, node: Node) -> Expr:
        argument = self.part(node, "argument")
        while argument.type == "parenthesized_expression":
            argument = self.inside(argument)
        if argument.type == "binary_expression":
            sides = [self.part(argument, side) for side in ("left", "right")]
            if self.text(self.part(argument, "operator")) == "+":
                base, index = self.place(sides[0]), self.lower(sides[1])
                if base.type.element is not None and index.type.element is None:
                    return self.indexed(node, base, index)  # *(p + i) is p[i]
        base = self.place(argument)
        if base.type.kind == "array":
            return self.indexed(node, base, Lit(INT, 0))
        if base.type.element is None or base.type.element == VOID:
            raise Unsupported("what a pointer of unknown type points to")
        return base if base.type.element == FUNCTION else Memory(base.type.element, base)

    def _member(self, node: Node) -> Expr:
        name = self.text(self.part(node, "field"))
        argument = self.part(node, "argument")
        arrow = self.text(self.part(node, "operator")) == "->"
        base = self.lower(argument) if arrow else self.place(argument)
        struct = base.type.element if arrow else base.type
        if arrow and struct is None and base.type.kind == "any":
            base, struct = Convert(pointer(ANY), base), ANY  # of a type that is declared elsewhere
        if struct is None or struct.kind != "any":
            raise Unsupported("a member of something that is no struct")
        layout = self.file.layouts.get(struct.name)
        if layout is not None and name not in layout.members:
            raise Unsupported("a member that is not declared")
        type_, start = layout.members[name] if layout is not None else (ANY, None)
        offset = Lit(SIZE, start if start is not None else f"offset of {name}")
        if arrow:
            return Memory(type_, base, offset)
        if not isinstance(base, Memory):
            raise Unsupported("a member of a value")
        return Memory(type_, base.base, self.sum(base.offset, offset), base.checked)

    def _string_literal(self, node: Node) -> Expr:
        text = self.text(node)
        if not text.startswith('"'):
            raise Unsupported("a string of wide characters")
        return Address(pointer(CHAR), text)

    _concatenated_string = _string_literal
