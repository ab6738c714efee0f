"""C's switch, lowered to a chain of tests."""

from tree_sitter import Node

from equimut.languages.c.lowering.statements import Statements
from equimut.languages.c.lowering.types import INT, is_integer
from equimut.languages.lowered import (
    BOOL,
    EMPTY,
    Assign,
    Binary,
    Block,
    Declare,
    Do,
    Expr,
    If,
    Labeled,
    Lit,
    Local,
    Logic,
    Stmt,
    Unary,
    Unsupported,
)
from equimut.languages.scopes import named_parts


class Switches(Statements):
    """Lowers `switch`: `matched` carries what falls through."""

    def _s_switch_statement(self, node: Node) -> Stmt:
        selector = self.promoted(self.lower(self.part(node, "condition")))
        if not is_integer(selector.type):
            raise Unsupported("a switch over something that is no integer")
        body = self.part(node, "body")
        groups = named_parts(body)
        if body.type != "compound_statement" or any(g.type != "case_statement" for g in groups):
            raise Unsupported("a switch of another form")
        chosen = self.scopes.hidden("$selector", selector.type)
        matched = self.scopes.hidden("$matched", BOOL)
        self.declared += [chosen, matched]
        self.number += 1
        label = f"switch{self.number}"
        before, self.jumps = self.jumps, [*self.jumps, ("break", label)]
        self.targets.append(("break", label))
        parts: list[Stmt] = [Declare(chosen, selector), Declare(matched, Lit(BOOL, False))]
        with self.scopes.inner():
            values = [self._value(group, chosen) for group in groups]
            for place, group in enumerate(groups):
                parts.append(self._group(group, matched, values, place))
        self.targets.pop()
        self.jumps = before
        return Labeled(label, Block(tuple(parts)))

    def _value(self, group: Node, chosen: Local) -> Expr | None:
        """The test of a label; None for `default`."""
        value = group.child_by_field_name("value")
        if value is None:
            return None
        constant = self.converted(Lit(INT, self.file.constant(value)), chosen.type)
        return Binary(BOOL, "==", chosen, constant)

    def _group(self, group: Node, matched: Local, values: list[Expr | None], place: int) -> Stmt:
        own = values[place]
        if own is None:
            own = Lit(BOOL, True)
            for other in values[place + 1 :]:
                if other is not None:  # a label behind `default` still comes first
                    own = Logic(BOOL, "and", own, Unary(BOOL, "!", other))
        children = [c for c in named_parts(group) if c != group.child_by_field_name("value")]
        if any(child.type == "declaration" for child in children) or any(
            inner.type == "case_statement" for child in children for inner in _reached(child)
        ):
            raise Unsupported("a switch with a declaration, or with a label inside a statement")
        body = self.sequence(children)
        mark = Do(Assign(BOOL, matched, Lit(BOOL, True)))
        return If(Logic(BOOL, "or", matched, own), Block((mark, *body.statements)), EMPTY)


def _reached(node: Node) -> list[Node]:
    """What is below a statement, without the switches in it."""
    if node.type == "switch_statement":
        return []
    return [node, *(inner for child in node.children for inner in _reached(child))]
