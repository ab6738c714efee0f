"""C's variables: on their own, in memory, or outliving the call."""

from tree_sitter import Node

from equimut.languages.c.lowering.calls import Calls
from equimut.languages.c.lowering.declared import FUNCTION
from equimut.languages.c.lowering.footprints import in_some_order
from equimut.languages.c.lowering.surroundings import Surroundings
from equimut.languages.c.lowering.types import CHAR, SIZE, array, characters, is_pointer, pointer
from equimut.languages.lowered import (
    BOOL,
    EMPTY,
    Address,
    Assign,
    Block,
    Declare,
    Do,
    Expr,
    Filled,
    Lit,
    Local,
    Memory,
    Stmt,
    Type,
    Unset,
    Unsupported,
)
from equimut.languages.scopes import named_parts

_TEXTS = ("string_literal", "concatenated_string")


class Variables(Calls):
    """Lowers declarations."""

    def __init__(self, source: bytes, file: Surroundings, escaped: frozenset[str]) -> None:
        super().__init__(source, file, escaped)
        self.declared: list[Local] = []
        """All locals that live on their own."""

    def statement(self, node: Node) -> Stmt:
        """The statement of a node."""
        if node.type == "comment":
            return EMPTY
        handler = getattr(self, f"_s_{node.type}", None)
        if handler is None:
            raise Unsupported(node.type)
        found: Stmt = handler(node)
        return found

    def _s_declaration(self, node: Node) -> Stmt:
        kind = self.part(node, "type")
        words = [
            self.text(child)
            for child in node.children
            if child.type in ("storage_class_specifier", "type_qualifier")
        ]
        if any(child.type.startswith("attribute") for child in node.children):
            raise Unsupported("an attribute")
        if self.scopes.find(self.text(kind)) is not None:
            raise Unsupported("a name that is no type")
        base = self.file.specifier(kind)
        found: list[Stmt] = []
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value")
            if declarator.type == "init_declarator":
                declarator = self.part(declarator, "declarator")
            else:
                value = None
            found.extend(self._variable(declarator, base, value, words))
        return Block(tuple(found))

    def _variable(
        self, declarator: Node, base: Type, value: Node | None, words: list[str]
    ) -> list[Stmt]:
        name, type_ = self._typed(declarator, base, value)
        if name in self.file.macros or type_ == FUNCTION or "extern" in words:
            raise Unsupported("a declaration of something else")
        fixed = "const" in words and "const" not in self.file.macros and _holds_numbers(type_)
        if "static" in words and not fixed:
            # Like a global that nobody else can name, with a first value from before all calls.
            given = f" = {self.text(value)}" if value is not None else ""
            self.scopes.declare(name, type_, f"static{given} ")
            return []
        local = self.scopes.declare(name, type_)
        place = self.home(local)
        first = self._first(value, type_) if value is not None else None
        if isinstance(place, Memory):
            if isinstance(first, Filled):
                return [*self._stored(place, first)]
            return [Do(Assign(type_, place, first))] if first is not None else []
        self.declared.append(local)
        return [Declare(local, first if first is not None else Unset(type_, local.name))]

    def _typed(self, declarator: Node, base: Type, value: Node | None) -> tuple[str, Type]:
        """Name and type; the length of an array may be that of its initialiser."""
        self.fixed_lengths(declarator)
        size = declarator.child_by_field_name("size")
        inner = declarator.child_by_field_name("declarator")
        if declarator.type == "array_declarator" and size is None and value is not None:
            assert inner is not None
            if value.type == "string_literal":
                count = len(self._letters(value)) + 1
            elif value.type == "initializer_list":
                count = len(named_parts(value))
            else:
                raise Unsupported("an array without a length")
            return self.file.declared(inner, array(base, count))
        return self.file.declared(declarator, base)

    def _first(self, value: Node, type_: Type) -> Expr:
        if type_.kind != "array":
            if value.type == "initializer_list":
                inside = named_parts(value)
                if len(inside) != 1 or type_.kind == "any":
                    raise Unsupported("an initialiser of several parts")
                value = inside[0]
            return self.converted(self.lower(value), type_)
        items: list[Expr] = []
        self._items(value, type_, items)
        if in_some_order(items):
            raise Unsupported("an initialiser whose parts have no order")
        while items and isinstance(items[-1], Lit) and items[-1].value == 0:
            items.pop()  # the rest is zero anyway
        return Filled(type_, tuple(items))

    def _items(self, value: Node, type_: Type, items: list[Expr]) -> None:
        """The elements of an initialiser, one after the other, with the zeros between rows."""
        element, start = type_.element, len(items)
        assert element is not None
        if value.type == "string_literal" and element == CHAR:
            text = self._letters(value)[: type_.count]
            items.extend(Lit(CHAR, each - 256 if each > 127 else each) for each in text)
        elif value.type == "initializer_list":
            parts = named_parts(value)
            if element.kind == "array" and any(
                part.type != "initializer_list" for part in parts if self.text(part) != "0"
            ):
                raise Unsupported("an initialiser without inner braces")
            for part in parts:
                if part.type == "initializer_pair":
                    raise Unsupported("an initialiser by name")
                if part.type in _TEXTS and not is_pointer(element):
                    raise Unsupported("a string in braces")
                if element.kind != "array":
                    items.append(self.converted(self.lower(part), element))
                elif part.type == "initializer_list":
                    self._items(part, element, items)
        else:
            raise Unsupported("an initialiser of another kind")
        total = _scalars(type_)
        zero = self._zero(type_)
        items.extend([zero] * (total - (len(items) - start)))
        if len(items) - start > total or total > 512:
            raise Unsupported("an initialiser of this size")

    def _letters(self, value: Node) -> list[int]:
        """The bytes of a string, without the one that ends it."""
        text = self.text(value)
        if not text.startswith('"'):
            raise Unsupported("a string of other characters")
        return characters(text[1:-1])

    def _zero(self, type_: Type) -> Lit:
        while type_.kind == "array":
            assert type_.element is not None
            type_ = type_.element
        if type_.kind == "any":
            raise Unsupported("an array of structs")
        return Lit(type_, False if type_ == BOOL else 0.0 if type_.kind == "float" else 0)

    def _stored(self, place: Memory, first: Filled) -> list[Stmt]:
        """An initialiser of an array in memory, element by element."""
        type_, scalar = place.type, place.type
        while scalar.kind == "array":
            assert scalar.element is not None
            scalar = scalar.element
        size, total = self.file.size(scalar), _scalars(type_)
        if size is None or total > 64:
            raise Unsupported("an initialiser of this size")
        items = [*first.items, *([self._zero(type_)] * (total - len(first.items)))]
        return [
            Do(Assign(scalar, self._at(scalar, place, number * size), item))
            for number, item in enumerate(items)
        ]

    def _at(self, type_: Type, place: Memory, start: int) -> Memory:
        assert isinstance(place.base, Address)
        base = Address(pointer(type_), place.base.name)
        return Memory(type_, base, Lit(SIZE, start), checked=False)


def _holds_numbers(type_: Type) -> bool:
    """Whether `const` makes all of a variable constant: not what a pointer points to."""
    while type_.kind == "array":
        assert type_.element is not None
        type_ = type_.element
    return type_.element is None and type_.kind != "any"


def _scalars(type_: Type) -> int:
    """How many values an array holds, in all its dimensions."""
    if type_.kind != "array":
        return 1
    assert type_.element is not None
    return type_.count * _scalars(type_.element)
