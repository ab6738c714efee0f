"""The names that a source declares, by scope, and which of them a use refers to."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tree_sitter import Node

from equimut.languages.declared import Variable
from equimut.parsing.tree import walk_named

if TYPE_CHECKING:
    from equimut.semantics.program import Program

_MEMBERS = frozenset(
    {"class_body", "interface_body", "enum_body", "enum_body_declarations", "program"}
)
"""Scopes whose names may be used before they are declared."""


class Declarations:
    """Variables by scope, plus the functions, fields and constants of the whole source.

    The language reads its declarations into it (`languages.declared.Names`).
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._scopes: dict[int, dict[str, Variable]] = defaultdict(dict)
        self._starts: dict[tuple[int, str], int] = {}
        self._unclear: set[tuple[int, str]] = set()
        self.functions: dict[str, str] = {}
        self.fields: dict[str, Variable] = {}
        self.aliases: dict[str, str] = {}
        self.text, self.parent, self.field = program.text, program.parent, program.field
        read = program.dialect.read_declarations
        for node in walk_named(program.tree.root):
            read(node, self)

    def lookup(self, node: Node) -> Variable | None:
        """The declaration that a name refers to, as far as the source shows it."""
        name = self.text(node)
        for scope in self._program.ancestors(node):
            if scope.type in self._program.dialect.scopes:
                found = self._scopes.get(scope.id, {}).get(name)
                if found is not None:
                    return found
        return None

    def resolve(self, node: Node) -> Variable | None:
        """The declaration that a name surely refers to; None where something else may hide it.

        A local counts from its declaration on, and a name with two types in one scope, of unknown
        type, or possibly inherited has none.
        """
        name = self.text(node)
        for scope in self._program.ancestors(node):
            if scope.type not in self._program.dialect.scopes:
                continue
            key = scope.id, name
            if key in self._unclear:
                return None
            found = self._scopes.get(scope.id, {}).get(name)
            early = scope.type not in _MEMBERS and node.start_byte < self._starts.get(key, 0)
            if found is not None and not early:
                return found
            if scope.type in _MEMBERS and self._inherits(scope):
                return None
        return None

    def _inherits(self, body: Node) -> bool:
        owner = self.parent(body)
        if owner is None:
            return False
        kinds = {child.type for child in owner.children}
        above = {"superclass", "super_interfaces", "extends_interfaces"}
        return owner.type == "object_creation_expression" or not kinds.isdisjoint(above)

    def declared_outside(self, node: Node, scope: Node) -> bool:
        """Whether a name used in a scope is not declared in it."""
        name = self.text(node)
        for around in self._program.ancestors(node):
            if name in self._scopes.get(around.id, {}):
                return False
            if around.id == scope.id:
                return True
        return True

    def kind_of_type(self, name: str) -> str:
        """The kind of a type: `int`, `float`, `string`, `pointer`, ...; empty if unknown."""
        name = self.unaliased(name)
        if name.endswith("[]"):
            return "array"
        if name.endswith("*"):
            return "pointer"
        if name in ("null", ""):
            return name
        dialect = self._program.dialect
        return dialect.kinds.get(name, dialect.other_kind)

    def unaliased(self, name: str) -> str:
        """The type that a name of a type stands for."""
        for _ in range(8):  # aliases of aliases; a bound keeps a cycle from looping
            if name not in self.aliases:
                break
            name = self.aliases[name]
        return name

    def at(self, scope: int, name: str) -> Variable | None:
        """What is declared under a name in the scope of that id."""
        return self._scopes.get(scope, {}).get(name)

    def local(self, node: Node, name: str) -> Variable | None:
        """What is declared so far under this name in the innermost scope around a node."""
        scope = self._program.enclosing(node, self._program.dialect.scopes)
        return self._scopes[scope.id].get(name) if scope is not None else None

    def declare(self, node: Node, name: str, variable: Variable) -> None:
        """Declare a name in the scope of a node; the first declaration counts."""
        scope = self._scope(node)
        known = self._scopes[scope.id].setdefault(name, variable)
        self._starts.setdefault((scope.id, name), node.start_byte)
        if known.type != variable.type:
            self._unclear.add((scope.id, name))

    def hide(self, node: Node, name: str) -> None:
        """In the scope of a node a name belongs to something of unknown type."""
        self._unclear.add((self._scope(node).id, name))

    def declare_field(self, name: str, variable: Variable) -> None:
        """Declare a field of some type of the source; one name with two types has none."""
        known = self.fields.get(name, variable)
        clear = known.type == variable.type
        self.fields[name] = variable if clear else Variable("", variable.constant)

    def _scope(self, node: Node) -> Node:
        scope = node
        while scope.type not in self._program.dialect.scopes:
            around = self.parent(scope)
            if around is None:
                break
            scope = around
        return scope

    def forget_type(self, node: Node, name: str) -> None:
        """Take away the type of a name in the innermost scope around a node."""
        scope = self._program.enclosing(node, self._program.dialect.scopes)
        if scope is not None:
            self._scopes[scope.id][name] = Variable("")

    def declare_everywhere(self, name: str, variable: Variable) -> None:
        """Declare a name for the whole source."""
        self._scopes[self._program.tree.root.id].setdefault(name, variable)
