"""Java's functions, lowered for symbolic execution."""

from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.api import RETURNS
from equimut.languages.java.lowering.expressions import Expressions
from equimut.languages.java.lowering.members import members_around
from equimut.languages.java.lowering.scopes import Members, plain_type
from equimut.languages.java.lowering.switches import Switches
from equimut.languages.java.lowering.types import (
    VOID,
    named,
)
from equimut.languages.lowered import (
    Function,
    Home,
    Lit,
    Unsupported,
)
from equimut.languages.scopes import named_parts

_FUNCTIONS = ("method_declaration", "constructor_declaration")


def lower_function(node: Node, source: bytes, members: Members) -> Function:
    """A method or constructor; raises `Unsupported` for what cannot be lowered."""
    if node.type not in _FUNCTIONS:
        raise Unsupported(node.type)
    return _Functions(source, members).function(node)


def lower_text(node: Node, source: bytes, home: Home | None = None) -> Function:
    """The function of a text, with what the text around it tells, or the file it belongs to."""
    if home is None:
        return lower_function(node, source, members_around(node, source, _constant))
    return lower_function(node, source, _members_at(home))


@lru_cache(maxsize=64)
def _members_at(home: Home) -> Members:
    return members_around(home.node, home.source, _constant)


def _constant(node: Node, source: bytes) -> Lit | None:
    """The value of a constant field, where it is a literal."""
    try:
        found = Expressions(source, Members(), RETURNS).lower(node)
    except Unsupported:
        return None
    return found if isinstance(found, Lit) else None


class _Functions(Switches):
    """Lowers one function."""

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
