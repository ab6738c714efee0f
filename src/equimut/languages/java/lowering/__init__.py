"""Java's functions, lowered for symbolic execution."""

from tree_sitter import Node

from equimut.languages.java.api import RETURNS
from equimut.languages.java.lowering.expressions import THIS, Expressions, named_parts, nodes_below
from equimut.languages.java.lowering.members import members_around
from equimut.languages.java.lowering.scopes import Members, plain_type
from equimut.languages.java.lowering.types import (
    INT,
    OBJECT,
    STRING,
    VOID,
    element,
    erased,
    named,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Assign,
    Binary,
    Block,
    Call,
    Catch,
    Convert,
    Declare,
    Do,
    Element,
    Expr,
    Function,
    If,
    Labeled,
    Leave,
    Length,
    Lit,
    Local,
    Logic,
    Loop,
    OpaqueStmt,
    Stmt,
    Try,
    Type,
    Unsupported,
)

_FUNCTIONS = ("method_declaration", "constructor_declaration")


def lower_function(node: Node, source: bytes, members: Members) -> Function:
    """A method or constructor; raises `Unsupported` for what cannot be lowered."""
    if node.type not in _FUNCTIONS:
        raise Unsupported(node.type)
    return _Statements(source, members).function(node)


def lower_text(node: Node, source: bytes) -> Function:
    """The first function of a text, with what the text around it tells."""
    return lower_function(node, source, members_around(node, source, _constant))


def _constant(node: Node, source: bytes) -> Lit | None:
    """The value of a constant field, where it is a literal."""
    try:
        found = Expressions(source, Members(), RETURNS).lower(node)
    except Unsupported:
        return None
    return found if isinstance(found, Lit) else None


class _Statements(Expressions):
    """Lowers the statements of one function."""

    def __init__(self, source: bytes, members: Members) -> None:
        super().__init__(source, members, RETURNS)
        self._result = VOID
        self._loops: list[str] = []
        """Labels that `break` leaves, innermost last; those of loops begin with `loop`."""
        self._number = 0
        self._named_labels: dict[str, str] = {}
        """Labels of the source -> ours."""

    def function(self, node: Node) -> Function:
        self.constructor = node.type == "constructor_declaration"
        name = self.text(self._part(node, "name"))
        result = node.child_by_field_name("type")
        self._result = plain_type(result, self.source) if result is not None else VOID
        parameters = []
        for child in named_parts(self._part(node, "parameters")):
            if child.type == "formal_parameter":
                kind = plain_type(
                    self._part(child, "type"), self.source, child.child_by_field_name("dimensions")
                )
                parameters.append(self.scopes.declare(self.text(self._part(child, "name")), kind))
            elif child.type == "spread_parameter":
                declarator = next(c for c in child.children if c.type == "variable_declarator")
                kind_node = next(
                    c
                    for c in named_parts(child)
                    if c.type not in ("modifiers", "variable_declarator")
                )
                kind = named(self.text(kind_node) + "[]")
                parameters.append(
                    self.scopes.declare(self.text(self._part(declarator, "name")), kind)
                )
        body = self.statement(self._part(node, "body"))
        return Function(name, tuple(parameters), body, self._result)

    def statement(self, node: Node) -> Stmt:
        """The statement of a node."""
        handler = getattr(self, f"_s_{node.type}", None)
        if handler is not None:
            found: Stmt = handler(node)
            return found
        if node.type in ("line_comment", "block_comment", ";"):
            return Block(())
        return self._opaque_statement(node)

    def _s_block(self, node: Node) -> Stmt:
        with self.scopes.inner():
            return Block(tuple(self._sequence(named_parts(node))))

    _s_constructor_body = _s_block

    def _sequence(self, nodes: list[Node]) -> list[Stmt]:
        found: list[Stmt] = []
        for child in nodes:
            lowered = self.statement(child)
            if isinstance(lowered, Block) and child.type == "local_variable_declaration":
                found.extend(lowered.statements)
            else:
                found.append(lowered)
        return found

    def _s_explicit_constructor_invocation(self, node: Node) -> Stmt:
        arguments = self.arguments(self._part(node, "arguments"))
        return Do(Call(ANY, "<init>", THIS, arguments, "super", self.text(node)))

    def _s_expression_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if inside and inside[0].type == "switch_expression":
            return self._switch(inside[0])
        return Do(self.lower(inside[0]))

    def _s_switch_expression(self, node: Node) -> Stmt:
        return self._switch(node)

    def _s_local_variable_declaration(self, node: Node) -> Stmt:
        kind = self._part(node, "type")
        found: list[Stmt] = []
        for declarator in node.children_by_field_name("declarator"):
            type_ = plain_type(kind, self.source, declarator.child_by_field_name("dimensions"))
            value_node = declarator.child_by_field_name("value")
            value: Expr | None = None
            if value_node is not None:
                if value_node.type == "array_initializer":
                    value = self.initialiser(value_node, type_)
                else:
                    value = self.lower(value_node)
                if type_.name == "var":
                    type_ = value.type
                value = self.converted(value, type_)
            name = self.text(self._part(declarator, "name"))
            found.append(Declare(self.scopes.declare(name, type_), value))
        return Block(tuple(found))

    def _s_if_statement(self, node: Node) -> Stmt:
        condition = self.condition(self.lower(self._part(node, "condition")))
        then = self._scoped(self._part(node, "consequence"))
        other = node.child_by_field_name("alternative")
        return If(condition, then, self._scoped(other) if other is not None else Block(()))

    def _scoped(self, node: Node) -> Stmt:
        with self.scopes.inner():
            return self.statement(node)

    def _enter_loop(self) -> str:
        self._number += 1
        self._loops.append(f"loop{self._number}")
        return self._loops[-1]

    def _s_while_statement(self, node: Node) -> Stmt:
        condition = self.condition(self.lower(self._part(node, "condition")))
        label = self._enter_loop()
        body = self._scoped(self._part(node, "body"))
        self._loops.pop()
        return Loop(condition, body, Block(()), label)

    def _s_do_statement(self, node: Node) -> Stmt:
        label = self._enter_loop()
        body = self._scoped(self._part(node, "body"))
        self._loops.pop()
        condition = self.condition(self.lower(self._part(node, "condition")))
        return Loop(condition, body, Block(()), label, post=True)

    def _s_for_statement(self, node: Node) -> Stmt:
        with self.scopes.inner():
            start: list[Stmt] = []
            for child in node.children_by_field_name("init"):
                if child.type == "local_variable_declaration":
                    lowered = self.statement(child)
                    assert isinstance(lowered, Block)
                    start.extend(lowered.statements)
                elif child.is_named:
                    start.append(Do(self.lower(child)))
            test = node.child_by_field_name("condition")
            condition = self.condition(self.lower(test)) if test is not None else Lit(BOOL, True)
            label = self._enter_loop()
            body = self._scoped(self._part(node, "body"))
            self._loops.pop()
            steps = [
                Do(self.lower(child))
                for child in node.children_by_field_name("update")
                if child.is_named
            ]
            return Block((*start, Loop(condition, body, Block(tuple(steps)), label)))

    def _s_enhanced_for_statement(self, node: Node) -> Stmt:
        with self.scopes.inner():
            value = self.lower(self._part(node, "value"))
            kind = plain_type(self._part(node, "type"), self.source)
            name = self.text(self._part(node, "name"))
            if value.type.name.endswith("[]"):
                return self._over_array(node, value, kind, name)
            walker = self.scopes.hidden("$iterator", Type("ref", name="Iterator"))
            start = Declare(
                walker,
                self.converted(
                    Call(walker.type, "iterator", value, (), value.type.name), walker.type
                ),
            )
            condition = Call(BOOL, "hasNext", walker, (), "Iterator")
            item = Call(ANY if kind.name == "var" else OBJECT, "next", walker, (), "Iterator")
            local = self.scopes.declare(name, item.type if kind.name == "var" else kind)
            first = Declare(local, self._element_of(item, local.type))
            label = self._enter_loop()
            body = self._scoped(self._part(node, "body"))
            self._loops.pop()
            return Block((start, Loop(condition, Block((first, body)), Block(()), label)))

    def _element_of(self, item: Expr, type_: Type) -> Expr:
        if type_.kind == "ref" and item.type.kind == "ref":
            return Convert(type_, item, checked=True)
        return self.converted(item, type_)

    def _over_array(self, node: Node, value: Expr, kind: Type, name: str) -> Stmt:
        array = self.scopes.hidden("$array", value.type)
        place = self.scopes.hidden("$index", INT)
        inner = element(value.type)
        local = self.scopes.declare(name, inner if kind.name == "var" else kind)
        item = self.converted(Element(inner, array, place), local.type)
        label = self._enter_loop()
        body = self._scoped(self._part(node, "body"))
        self._loops.pop()
        step = Do(Assign(INT, place, Lit(INT, 1), "+", INT, "new"))
        return Block(
            (
                Declare(array, value),
                Do(Length(INT, array)),
                Declare(place, Lit(INT, 0)),
                Loop(
                    Binary(BOOL, "<", place, Length(INT, array)),
                    Block((Declare(local, item), body)),
                    Block((step,)),
                    label,
                ),
            )
        )

    def _s_labeled_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        name = self.text(inside[0])
        before = dict(self._named_labels)
        if inside[1].type in ("while_statement", "for_statement", "do_statement",
                              "enhanced_for_statement"):  # fmt: skip
            self._named_labels[name] = f"loop{self._number + 1}"
            body = self.statement(inside[1])
            self._named_labels = before
            return body
        label = f"label {name}"
        self._named_labels[name] = label
        body = self.statement(inside[1])
        self._named_labels = before
        return Labeled(label, body)

    def _s_break_statement(self, node: Node) -> Stmt:
        return Leave("break", None, self._jump_target(node, "break"))

    def _s_continue_statement(self, node: Node) -> Stmt:
        return Leave("continue", None, self._jump_target(node, "continue"))

    def _jump_target(self, node: Node, how: str) -> str:
        inside = named_parts(node)
        if inside:
            name = self.text(inside[0])
            if name not in self._named_labels:
                raise Unsupported("a jump to a label that is not there")
            return self._named_labels[name]
        targets = [label for label in self._loops if how == "break" or label.startswith("loop")]
        if not targets:
            raise Unsupported(f"{how} outside of a loop")
        return targets[-1]

    def _s_return_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if not inside:
            return Leave("return")
        return Leave("return", self.converted(self.lower(inside[0]), self._result))

    def _s_throw_statement(self, node: Node) -> Stmt:
        return Leave("throw", self.lower(named_parts(node)[0]))

    def _s_synchronized_statement(self, node: Node) -> Stmt:
        lock, body = named_parts(node)[0], self._part(node, "body")
        return Block((Do(self.lower(lock)), self._scoped(body)))

    def _s_try_statement(self, node: Node) -> Stmt:
        body = self._scoped(self._part(node, "body"))
        catches, always = [], Block(())
        for child in node.children:
            if child.type == "catch_clause":
                catches.append(self._catch(child))
            elif child.type == "finally_clause":
                lowered = self._scoped(named_parts(child)[0])
                assert isinstance(lowered, Block)
                always = lowered
        return Try(body, tuple(catches), always)

    def _catch(self, node: Node) -> Catch:
        with self.scopes.inner():
            parameter = next(c for c in node.children if c.type == "catch_formal_parameter")
            kinds = next(c for c in parameter.children if c.type == "catch_type")
            names = tuple(erased(self.text(child)).split(".")[-1] for child in named_parts(kinds))
            local = self.scopes.declare(
                self.text(self._part(parameter, "name")), Type("ref", name=names[0])
            )
            return Catch(names, local, self.statement(self._part(node, "body")))

    # Switch

    def _switch(self, node: Node) -> Stmt:
        """A switch as a chain of tests; `matched` carries what falls through."""
        selector = self.lower(self._part(node, "condition"))
        body = self._part(node, "body")
        groups = named_parts(body)
        if any(group.type != "switch_block_statement_group" for group in groups):
            return self._opaque_statement(node)
        with self.scopes.inner():
            chosen = self.scopes.hidden("$selector", selector.type)
            matched = self.scopes.hidden("$matched", BOOL)
            self._number += 1
            label = f"switch{self._number}"
            self._loops.append(label)
            parts: list[Stmt] = [Declare(chosen, selector)]
            if selector.type.kind == "ref":
                parts.append(Do(Call(INT, "hashCode", chosen, (), selector.type.name)))
            parts.append(Declare(matched, Lit(BOOL, False)))
            for place, group in enumerate(groups):
                tests: Expr = matched
                for child in named_parts(group):
                    if child.type != "switch_label":
                        continue
                    values = named_parts(child)
                    if not values:
                        if place != len(groups) - 1:
                            raise Unsupported("default before other cases")
                        tests = Lit(BOOL, True)
                    for value in values:
                        tests = Logic(BOOL, "or", tests, self._case(chosen, value))
                body_parts = self._sequence(
                    [child for child in named_parts(group) if child.type != "switch_label"]
                )
                mark = Do(Assign(BOOL, matched, Lit(BOOL, True)))
                parts.append(If(tests, Block((mark, *body_parts)), Block(())))
            self._loops.pop()
        return Labeled(label, Block(tuple(parts)))

    def _case(self, chosen: Local, value: Node) -> Expr:
        if chosen.type.kind == "int":
            return self.binary("==", chosen, self.lower(value))
        if chosen.type == STRING:
            return Call(BOOL, "equals", chosen, (self.lower(value),), "String", "String")
        if value.type == "identifier" and chosen.type.kind in ("ref", "any"):
            constant = Lit(
                Type("ref", name=chosen.type.name or "?"),
                ("enum", chosen.type.name, self.text(value)),
            )
            if chosen.type.kind == "ref" and chosen.type.name not in _BOXED:
                return Binary(BOOL, "==", chosen, constant)
        raise Unsupported("a case of unknown type")

    def _opaque_statement(self, node: Node) -> Stmt:
        below = nodes_below(node)
        writes: dict[str, Local] = {}
        leaves: set[tuple[str, str]] = set()
        for child in below:
            if child.type in ("assignment_expression", "update_expression"):
                target = child.child_by_field_name("left") or next(iter(named_parts(child)), None)
                if target is not None and target.type == "identifier":
                    local = self.scopes.find(self.text(target))
                    if local is not None:
                        writes[local.name] = local
            elif child.type in ("break_statement", "continue_statement", "yield_statement"):
                raise Unsupported(f"a jump inside {node.type}")
            elif child.type == "return_statement":
                leaves.add(("return", ""))
        if node.type in ("class_declaration", "record_declaration", "local_class_declaration"):
            raise Unsupported("a local class")
        return OpaqueStmt(
            self.text(node),
            self.reads(node),
            tuple(writes[name] for name in sorted(writes)),
            tuple(sorted(leaves)),
        )


_BOXED = ("Integer", "Character", "Byte", "Short")
