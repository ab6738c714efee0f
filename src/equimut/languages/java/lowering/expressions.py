"""Java's expressions, lowered: calls and new objects on top of names and operators."""

from tree_sitter import Node

from equimut.languages.java.lowering.names import THIS
from equimut.languages.java.lowering.operators import Operators
from equimut.languages.java.lowering.types import (
    INT,
    LONG,
    NULL,
    STRING,
    element,
    named,
    promoted,
    unboxed,
)
from equimut.languages.lowered import (
    ANY,
    Call,
    Expr,
    Lit,
    New,
    Type,
)
from equimut.languages.scopes import named_parts


class Expressions(Operators):
    """Lowers the expressions of one function."""

    def _method_invocation(self, node: Node) -> Expr:
        name = self.text(self._part(node, "name"))
        arguments = self.arguments(self._part(node, "arguments"))
        owner = node.child_by_field_name("object")
        key = " ".join(
            str(argument.type) if argument.type is not ANY else self.text(at)
            for argument, at in zip(
                arguments, named_parts(self._part(node, "arguments")), strict=True
            )
        )
        if owner is None or owner.type == "this":
            result = self.members.methods.get(
                (name, tuple(argument.type.name for argument in arguments)), ANY
            )
            return Call(result, name, THIS, arguments, "this", key)
        if owner.type == "super":
            return Call(ANY, name, THIS, arguments, "super", key)
        if self._is_class(owner):
            class_ = self.text(owner).split(".")[-1]
            return self._library_call(class_, name, None, arguments, key)
        receiver = self.lower(owner)
        return self._library_call(receiver.type.name, name, receiver, arguments, key)

    def _library_call(
        self, owner: str, name: str, receiver: Expr | None, arguments: tuple[Expr, ...], key: str
    ) -> Expr:
        """A call of a method that another class declares."""
        if owner in self.members.enums:
            owner = "Enum"
        elif owner.startswith("java.util.") and owner.count(".") == 2:
            owner = owner.removeprefix("java.util.")
        elif not self.members.is_library(owner):
            owner = f"{owner}, not of the JDK"
        elif owner == "String" and any(_foreign(each.type) for each in arguments):
            owner = "String with code of others" if name != "equals" else owner
        count = len(arguments)
        if (owner, name, count) not in self.returns and receiver is not None:
            inherited = ("Object", name, count) in self.returns
            owner = "Object" if inherited else owner
        known = self.returns.get((owner, name, count), "")
        result = named(known) if known else ANY
        if known == "=":
            result = promoted(*(each.type for each in arguments))
        elif known == "a0":
            result = unboxed(arguments[0].type)
        if known and known != "=":  # contracts compare whole numbers of one width
            wide = LONG if owner == "Long" else INT
            arguments = tuple(
                self.converted(each, wide)
                if each.type.kind == "int" and each.type.bits < wide.bits
                else each
                for each in arguments
            )
        return Call(result, name, receiver, arguments, owner, key)

    def arguments(self, node: Node) -> tuple[Expr, ...]:
        """The arguments of a call."""
        return tuple(self.lower(child) for child in named_parts(node))

    def _object_creation_expression(self, node: Node) -> Expr:
        if any(child.type == "class_body" for child in node.children) or (
            node.children and node.children[0].type != "new"
        ):
            return self._opaque(node)
        type_ = named(self.text(self._part(node, "type")))
        arguments = self.arguments(self._part(node, "arguments"))
        key = " ".join(str(argument.type) for argument in arguments)
        return New(type_, arguments, key=f"{type_.name} {key}")

    def _array_creation_expression(self, node: Node) -> Expr:
        dimensions = [c for c in node.children if c.type == "dimensions_expr"]
        empty = [c for c in node.children if c.type == "dimensions"]
        value = node.child_by_field_name("value")
        base = self.text(self._part(node, "type"))
        if value is not None:
            type_ = named(base + "".join(self.text(each) for each in empty))
            return self.initialiser(value, type_)
        if len(dimensions) != 1:
            return self._opaque(node)
        rest = "".join(self.text(each) for each in empty)
        inside = named_parts(dimensions[0])
        length = self.converted(self.lower(inside[0]), INT)
        return New(named(f"{base}{rest}[]"), (), length)

    def initialiser(self, node: Node, type_: Type) -> Expr:
        """`{1, 2}` as an array of this type."""
        inner = element(type_)
        items = tuple(
            self.initialiser(child, inner)
            if child.type == "array_initializer"
            else self.converted(self.lower(child), inner)
            for child in named_parts(node)
        )
        return New(type_, (), Lit(INT, len(items)), items)


def _foreign(type_: Type) -> bool:
    """Whether a method that is handed this may run code that is not the JDK's."""
    return type_.kind not in ("int", "bool", "float") and type_ not in (STRING, NULL)
