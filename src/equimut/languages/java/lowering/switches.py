"""Java's switches, lowered to chains of tests."""

from tree_sitter import Node

from equimut.languages.java.lowering.loops import Loops
from equimut.languages.java.lowering.types import (
    INT,
    OBJECT,
    STRING,
)
from equimut.languages.lowered import (
    BOOL,
    Assign,
    Binary,
    Block,
    Call,
    Declare,
    Do,
    Expr,
    If,
    Labeled,
    Lit,
    Local,
    Logic,
    Stmt,
    Type,
    Unsupported,
)
from equimut.languages.scopes import named_parts

_BOXED = ("Integer", "Character", "Byte", "Short")


class Switches(Loops):
    """Lowers switches."""

    def _s_expression_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if inside and inside[0].type == "switch_expression":
            return self._switch(inside[0])
        return Do(self.lower(inside[0]))

    def _s_switch_expression(self, node: Node) -> Stmt:
        return self._switch(node)

    def _switch(self, node: Node) -> Stmt:
        """A switch as a chain of tests; `matched` carries what falls through."""
        selector = self.lower(self._part(node, "condition"))
        body = self._part(node, "body")
        groups = named_parts(body)
        if any(group.type != "switch_block_statement_group" for group in groups):
            return self.opaque_statement(node)
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
            name = chosen.type.name.split(".")[-1]  # `Outer.Kind` is `Kind`
            if name in ("this", "?") or self.members.types.get(name, OBJECT) is None:
                raise Unsupported("a case of an enum whose name is not certain")
            constant = Lit(Type("ref", name=name or "?"), ("enum", name, self.text(value)))
            if chosen.type.kind == "ref" and chosen.type.name not in _BOXED:
                return Binary(BOOL, "==", chosen, constant)
        raise Unsupported("a case of unknown type")
