"""What lowering any Java expression needs: text, conversions, and what is not looked into."""

from tree_sitter import Node

from equimut.languages.java.api import SUPERTYPES
from equimut.languages.java.lowering.scopes import Members
from equimut.languages.java.lowering.types import (
    VOID,
    unboxed,
)
from equimut.languages.java.type_bodies import erased
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Binary,
    Call,
    Convert,
    Expr,
    Lit,
    Local,
    OpaqueExpr,
    Type,
    Unsupported,
)
from equimut.languages.scopes import Scopes, nodes_below


class Conversions:
    """Texts of nodes, and the conversions that the language makes."""

    def __init__(
        self, source: bytes, members: Members, returns: dict[tuple[str, str, int], str]
    ) -> None:
        self.source = source
        self.members = members
        self.returns = returns
        """What API methods return: (class, method, arguments) -> type."""
        self.scopes = Scopes()
        self.constructor = False
        self.taken: set[str] = set()
        """In words, the constants that were taken from other files."""

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def lower(self, node: Node) -> Expr:
        """The expression of a node."""
        handler = getattr(self, f"_{node.type}", None)
        if handler is None:
            return self._opaque(node)
        found: Expr = handler(node)
        return found

    def _part(self, node: Node, name: str) -> Node:
        found = node.child_by_field_name(name)
        if found is None:
            raise Unsupported(f"{node.type} without {name}")
        return found

    def condition(self, operand: Expr) -> Expr:
        """An expression used as a condition."""
        return self.converted(operand, BOOL)

    def converted(self, operand: Expr, type_: Type) -> Expr:
        """The operand with the conversion that the language makes here."""
        operand = number(operand) if type_.kind in ("int", "float") else operand
        source = operand.type
        if source == type_ or type_ is VOID or (source.kind == "ref" and type_.kind == "ref"):
            return operand
        if isinstance(operand, Lit) and type_.kind == "int" and source.kind == "int":
            value = int(operand.value) & ((1 << type_.bits) - 1)  # type: ignore[call-overload]
            if type_.signed and value >> (type_.bits - 1):
                value -= 1 << type_.bits
            return Lit(type_, value)
        box = unboxed(source)
        if box != source and type_ != box and type_.kind != "any":
            return self.converted(Convert(box, operand), type_)
        return Convert(type_, operand)

    def _opaque(self, node: Node) -> Expr:
        return self.opaque(node, node.type not in ("lambda_expression", "class_literal"))

    def opaque(self, node: Node, effects: bool) -> Expr:
        """An expression that is not looked into: what it reads, and whether it does anything."""
        if _assigns_now(node):
            raise Unsupported(f"assignment inside {node.type}")
        type_ = (
            Type("ref", name="?")
            if node.type in ("lambda_expression", "method_reference", "class_literal",
                             "object_creation_expression", "array_creation_expression")
            else ANY
        )  # fmt: skip
        return OpaqueExpr(type_, self.text(node), self.reads(node), effects)

    def asked_type(self, text: str) -> str:
        """The type that an object is asked for: one that is named like the JDK's is another one."""
        package, _, name = erased(text).rpartition(".")
        if package[:1].islower() and not package.startswith("java."):
            return erased(text)
        foreign = name in self.members.declared or any(
            each.endswith(f".{name}") and each != f"java.lang.{name}"
            for each in self.members.imports
        )
        return f"{name}, not of the JDK" if foreign and name in THROWN else name

    def reads(self, node: Node) -> tuple[Local, ...]:
        """The locals in sight whose names occur in a node."""
        found = {"this": Local(Type("ref", name="this"), "this")}  # of a callee, any object
        for child in nodes_below(node):
            if child.type == "identifier":
                local = self.scopes.find(self.text(child))
                if local is not None:
                    found[local.name] = local
        return tuple(found[name] for name in sorted(found))


THROWN = frozenset(SUPERTYPES).union(*SUPERTYPES.values())
"""Exceptions that the language throws, with the classes above them."""
JOINED = "$plus"
"""A sum, or a text joined with what an object says of itself: nothing tells which."""


def number(operand: Expr) -> Expr:
    """An operand that is used as a number: if it is such a sum, it asks nobody for a text."""
    sides: tuple[Expr, ...] = ()
    if isinstance(operand, Call) and operand.name == JOINED:
        sides = operand.arguments
    elif isinstance(operand, Binary) and operand.op == "+" and operand.type is ANY:
        sides = operand.left, operand.right
    return Binary(ANY, "+", *(number(each) for each in sides)) if sides else operand


def _assigns_now(node: Node) -> bool:
    """Whether an expression assigns anything itself: a lambda or a class does so later."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in ("assignment_expression", "update_expression"):
            return True
        if current.type not in ("lambda_expression", "class_body"):
            stack.extend(current.children)
    return False
