"""What lowering any C expression needs: text, conversions, and what is not looked into."""

from collections.abc import Sequence

from tree_sitter import Node

from equimut.languages.c.lowering.footprints import Footprint, footprint
from equimut.languages.c.lowering.surroundings import Surroundings
from equimut.languages.c.lowering.types import (
    INT,
    SIZE,
    VOID,
    is_integer,
    is_pointer,
    promoted,
    wrapped,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Binary,
    Convert,
    Expr,
    Lit,
    Local,
    OpaqueExpr,
    Type,
    Unsupported,
)
from equimut.languages.scopes import Scopes, nodes_below

_WITHOUT_BRACKETS = frozenset(
    {"binary_expression", "unary_expression", "pointer_expression", "update_expression",
     "field_expression", "subscript_expression", "cast_expression", "conditional_expression",
     "assignment_expression", "comma_expression", "call_expression"}
)  # fmt: skip


class Escapes(Exception):
    """The address of a local gets out: the function is lowered again, with the local in memory."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Conversions:
    """Texts of nodes, and the conversions that the language makes."""

    def __init__(self, source: bytes, file: Surroundings, escaped: frozenset[str]) -> None:
        self.source = source
        self.file = file
        self.escaped = escaped
        """Names of locals that live in memory; `*`: all of them."""
        self.scopes = Scopes()
        self.start = 0
        """Where the function begins."""
        self.jumps: list[tuple[str, str]] = []
        """Where code may go from here, other than on."""

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def part(self, node: Node, name: str) -> Node:
        """A child by its field."""
        found = node.child_by_field_name(name)
        if found is None:
            raise Unsupported(f"{node.type} without {name}")
        return found

    def lower(self, node: Node) -> Expr:
        """The value of a node."""
        handler = getattr(self, f"_{node.type}", None)
        if handler is None:
            raise Unsupported(node.type)
        found: Expr = handler(node)
        return found

    def converted(self, operand: Expr, type_: Type) -> Expr:
        """The operand with the conversion that the language makes here."""
        source = operand.type
        if source == type_ or type_ == VOID:
            return operand
        if type_ == BOOL:
            return self.truth(operand)
        if isinstance(operand, Lit) and isinstance(operand.value, int):
            if type_.kind == "int":
                return Lit(type_, wrapped(operand.value, type_))
            if type_.kind == "float" and abs(operand.value) < 1 << 24:
                return Lit(type_, float(operand.value))
        return Convert(type_, operand)

    def fixed_lengths(self, declarator: Node) -> None:
        """Refuses lengths of arrays that name a local: it hides a constant of that name."""
        for each in nodes_below(declarator):
            size = each.child_by_field_name("size") if "array_decl" in each.type else None
            names = nodes_below(size) if size is not None else []
            if any(self.scopes.find(self.text(name)) is not None for name in names):
                raise Unsupported("an array whose length is computed")

    def truth(self, operand: Expr) -> Expr:
        """An expression used as a condition."""
        type_ = operand.type
        if type_ == BOOL:
            return operand
        if isinstance(operand, Convert) and operand.operand.type == BOOL and is_integer(type_):
            return operand.operand
        if isinstance(operand, Lit) and isinstance(operand.value, int | float):
            return Lit(BOOL, operand.value != 0)
        if type_.kind in ("int", "float"):
            zero = Lit(type_, 0 if type_.kind == "int" else 0.0)
            return Binary(BOOL, "!=", operand, zero)
        if type_.kind != "any" or type_ == VOID:
            raise Unsupported("a condition without a truth value")
        return Convert(BOOL, operand)

    def promoted(self, operand: Expr) -> Expr:
        """The operand after integer promotion."""
        return self.converted(operand, promoted(operand.type))

    def scaled(self, index: Expr, element: Type) -> Expr:
        """An index in bytes."""
        if not is_integer(index.type) and index.type != ANY:
            raise Unsupported("an index that is no integer")
        wide = self.converted(index, SIZE)
        size = self.file.size(element)
        factor = Lit(SIZE, size if size is not None else f"size of {element}")
        if size == 1:
            return wide
        if isinstance(wide, Lit) and isinstance(wide.value, int) and size is not None:
            return Lit(SIZE, wrapped(wide.value * size, SIZE))
        return Binary(SIZE, "*", wide, factor)

    # What is not looked into

    def row(self, node: Node) -> int:
        """Lines from the start of the function to a node."""
        return self.source.count(b"\n", self.start, node.start_byte)

    def macro(self, node: Node) -> Expr:
        """Something that may be a macro: it may do anything with the locals, and go anywhere."""
        if "*" not in self.escaped:
            raise Escapes("*")
        place = self.row(node)  # __LINE__
        leaves = tuple(sorted({("return", ""), *self.jumps}))
        key = f"{place}: {self.text(node)} {self._operators_around(node)}"
        return OpaqueExpr(ANY, key, (), True, (), leaves)

    def _operators_around(self, node: Node) -> str:
        """What a macro without parentheses falls apart under: `!M` may be `!a < 3`."""
        found: list[str] = []
        while (around := node.parent) is not None and around.type in _WITHOUT_BRACKETS:
            if around.type == "subscript_expression" and around.children[0] != node:
                break
            signs = [self.text(child) if not child.is_named else "_" for child in around.children]
            found.append(f"{around.children.index(node)} of {' '.join(signs)}")
            node = around
        return ", ".join(found)

    def unsequenced(self, node: Node, whole: Expr, parts: Sequence[Expr]) -> Expr:
        """An expression whose operands are evaluated in any order: refused if that matters."""
        prints = [footprint(part) for part in parts]
        for place, one in enumerate(prints):
            for other in prints[place + 1 :]:
                if one.clashes(other):
                    raise Unsupported("operands in no order change and use one variable")
                if one.depends(other):
                    return self._unordered(node, whole)
        return whole

    def _unordered(self, node: Node, whole: Expr) -> Expr:
        """The compiler chooses the order: the same for the same text."""
        seen: Footprint = footprint(whole)
        reads = tuple(seen.locals[name] for name in sorted(seen.locals))
        writes = tuple(seen.locals[name] for name in sorted(seen.written))
        if any(isinstance(each, Local) and each.name.startswith("$") for each in writes):
            raise Unsupported("an order that is not known")
        return OpaqueExpr(whole.type, self.text(node), reads, True, writes)


def same_kind(left: Type, right: Type) -> Type:
    """The type of a conditional expression of these two; raises for a mixture."""
    if left == right:
        return left
    if is_pointer(left) and (is_pointer(right) or is_integer(right)):
        return left
    if is_pointer(right) and is_integer(left):
        return right
    raise Unsupported("a conditional expression of two types")


def one(type_: Type) -> Lit:
    """The step of `++` where it computes in a type."""
    return Lit(type_ if type_.kind == "int" else INT, 1)
