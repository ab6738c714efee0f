"""Java's loops, lowered to one form."""

from tree_sitter import Node

from equimut.languages.java.lowering.scopes import plain_type
from equimut.languages.java.lowering.statements import Statements
from equimut.languages.java.lowering.types import (
    INT,
    OBJECT,
    element,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Assign,
    Binary,
    Block,
    Call,
    Convert,
    Declare,
    Do,
    Element,
    Expr,
    Length,
    Lit,
    Loop,
    Stmt,
    Type,
)


class Loops(Statements):
    """Lowers loops; those over arrays and collections get the counter or iterator they hide."""

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
            empty = node.child_by_field_name("dimensions")
            kind = plain_type(self._part(node, "type"), self.source, empty)
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
