"""C's statements, lowered."""

from tree_sitter import Node

from equimut.languages.c.lowering.calls import Calls
from equimut.languages.c.lowering.surroundings import FUNCTION, Surroundings
from equimut.languages.c.lowering.types import CHAR, VOID, array, characters, pointer
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
    If,
    Labeled,
    Leave,
    Lit,
    Local,
    Loop,
    Memory,
    Stmt,
    Type,
    Unset,
    Unsupported,
)
from equimut.languages.scopes import named_parts, nodes_below


class Statements(Calls):
    """Lowers the statements of one function."""

    def __init__(self, source: bytes, file: Surroundings, escaped: frozenset[str]) -> None:
        super().__init__(source, file, escaped)
        self.result: Type = VOID
        self.declared: list[Local] = []
        """All locals that live on their own."""
        self.targets: list[tuple[str, str]] = []
        """Labels that `break` and `continue` mean, innermost last."""
        self.number = 0

    def statement(self, node: Node) -> Stmt:
        """The statement of a node."""
        if node.type == "comment":
            return EMPTY
        handler = getattr(self, f"_s_{node.type}", None)
        if handler is None:
            raise Unsupported(node.type)
        found: Stmt = handler(node)
        return found

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
            if each.type == "goto_statement" and self.text(self.part(each, "label")) == label:
                if not start <= each.start_byte < end:
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

    # Declarations

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
        if "static" in words and not ("const" in words and _holds_numbers(type_)):
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
        size = declarator.child_by_field_name("size")
        inner = declarator.child_by_field_name("declarator")
        if declarator.type == "array_declarator" and size is None and value is not None:
            assert inner is not None
            if value.type == "string_literal":
                count = len(characters(self.text(value)[1:-1])) + 1
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
        while items and isinstance(items[-1], Lit) and items[-1].value == 0:
            items.pop()  # the rest is zero anyway
        return Filled(type_, tuple(items))

    def _items(self, value: Node, type_: Type, items: list[Expr]) -> None:
        """The elements of an initialiser, one after the other, with the zeros between rows."""
        element, start = type_.element, len(items)
        assert element is not None
        if value.type == "string_literal" and element == CHAR:
            for each in characters(self.text(value)[1:-1])[: type_.count]:
                items.append(Lit(CHAR, each - 256 if each > 127 else each))
        elif value.type == "initializer_list":
            parts = named_parts(value)
            if element.kind == "array" and any(
                part.type != "initializer_list" for part in parts if self.text(part) != "0"
            ):
                raise Unsupported("an initialiser without inner braces")
            for part in parts:
                if part.type == "initializer_pair":
                    raise Unsupported("an initialiser by name")
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
        from equimut.languages.c.lowering.types import SIZE

        assert isinstance(place.base, Address)
        base = Address(pointer(type_), place.base.name)
        return Memory(type_, base, Lit(SIZE, start), checked=False)

    # Control

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
