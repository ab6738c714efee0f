"""Java's expressions, lowered: calls and new objects on top of names and operators."""

import re
from dataclasses import replace

from tree_sitter import Node

from equimut.languages.java.api import CAPACITIES, CONTRACTS, MADE
from equimut.languages.java.collections_api import ELEMENTS
from equimut.languages.java.lowering.names import DECLARED, THIS
from equimut.languages.java.lowering.operators import Operators
from equimut.languages.java.lowering.results import ANY_ARGUMENTS
from equimut.languages.java.lowering.types import (
    BOXES,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    OBJECT,
    PRIMITIVES,
    STRING,
    element,
    named,
    promoted,
    unboxed,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    CLASS_LITERAL,
    Call,
    Convert,
    Expr,
    Lit,
    New,
    Type,
)
from equimut.languages.scopes import named_parts

_OF_NUMBERS = {
    "Math": DOUBLE,
    "Character": INT,
    "Integer": INT,
    "Long": LONG,
    "Double": DOUBLE,
    "Float": FLOAT,
}
"""Classes whose functions in the table take numbers and characters, but for those that parse."""
_LITERAL = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*\.class")
_OF_PLACES = ("String", "StringBuilder", "StringBuffer", "CharSequence")
_PLACES = frozenset({
    "charAt", "codePointAt", "substring", "subSequence", "indexOf", "lastIndexOf", "startsWith",
    "getChars", "split", "deleteCharAt", "delete",
})  # fmt: skip


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
        if owner is None and name == "getClass" and not arguments:
            return self._library_call("Object", name, THIS, arguments, key)  # nothing overrides it
        far = self._far_call(owner, name, arguments)
        if far is not None:
            return far
        if owner is None or owner.type == "this":
            return self._own_call(name, THIS, arguments, key)
        if owner.type == "super":
            return self._super_call(name, arguments, key)
        if self._is_class(owner):
            class_ = self.text(owner).removeprefix("java.lang.")
            if self.text(owner) == self.members.own:
                return self._own_call(name, THIS, arguments, key)
            simple = owner.type == "identifier"
            return self._library_call(class_, name, None, arguments, key, simple)
        if owner.type == "class_literal" and not arguments:
            known = self._named_by(name, self.text(owner))
            if known:
                return Call(STRING, name, None, (), CLASS_LITERAL, known)
        receiver = self.lower(owner)
        if name in self.members.statics and not self.members.is_library(receiver.type.name):
            return self.opaque(node, True)  # of a class, maybe, which needs no object
        if self.members.own and receiver.type.name == self.members.own:
            mine = self._own_call(name, receiver, arguments, key)
            if f"{name} {key}".strip() in self.members.small:
                return mine
            found = self._library_call(receiver.type.name, name, receiver, arguments, key)
            return replace(found, type=mine.type) if found.type is ANY else found
        return self._library_call(receiver.type.name, name, receiver, arguments, key)

    def _named_by(self, name: str, text: str) -> str:
        """What tells of the name that a method of `X.class` answers with; empty where unclear.

        It ends as `X` does. In `A.X`, where `A` is imported, `X` is inside of another class.
        """
        first = text.partition(".")[0]
        if not _LITERAL.fullmatch(text) or first in self.members.declared:
            return ""  # a type of the file may be a local one of another method
        imported = any(
            each.endswith(f".{first}") and not each.startswith("static")
            for each in self.members.imports
        )
        if name == "getCanonicalName" and not imported:  # a local class has none
            return ""
        if name not in ("getName", "getTypeName", "getCanonicalName", "getSimpleName"):
            return ""
        return f"inside {text}" if imported and text.count(".") > 1 else text

    def _far_call(self, owner: Node | None, name: str, arguments: tuple[Expr, ...]) -> Call | None:
        """A call of the one method that another file declares; None for any other."""
        if owner is not None and (owner.type != "identifier" or not self._is_class(owner)):
            return None
        type_ = self.text(owner) if owner is not None else ""
        far = self.members.far.get((type_, name, len(arguments)))
        if far is None or _compares(type_, name, arguments):
            return None
        given = [self._handed(*each) for each in zip(arguments, far.parameters, strict=True)]
        result = far.result
        if result.kind == "ref":  # a name that may mean something else here
            told = self._declared(type_, name, len(arguments)) if type_ else ANY
            result = Type("ref", name="?") if told is ANY else told
        if None in given or result.kind not in ("int", "bool", "float", "ref"):
            return None
        if result.name == "?" and far.result.name in BOXES:
            return None
        shown = f"{type_}.{name}".strip(".")
        self.taken.add(f"`{shown}` is the method that another file of the project declares")
        return Call(
            result, name, None, tuple(each for each in given if each is not None), far.owner,
            far.key,
        )  # fmt: skip

    def _handed(self, given: Expr, type_: Type) -> Expr | None:
        """What a parameter of this type holds; None where a box is made or opened."""
        kinds = given.type.kind, type_.kind
        numbers = {"int", "float"}
        if given.type == type_ or (type_.kind == "ref" and given.type.kind == "ref"):
            return given
        if set(kinds) <= numbers or kinds == ("any", "ref"):
            return self.converted(given, type_)
        return None

    def _own_call(self, name: str, receiver: Expr, arguments: tuple[Expr, ...], key: str) -> Call:
        """A call of a method of this class."""
        types = tuple(argument.type.name for argument in arguments)
        result = self.members.methods.get((name, types), ANY)
        if result is ANY:
            result = self._declared("super", name, len(arguments))
        return Call(result, name, receiver, arguments, "this", key)

    def _super_call(self, name: str, arguments: tuple[Expr, ...], key: str) -> Expr:
        """A call of what this class overrides: of its contract, only what every result keeps."""
        if name == "equals" and len(arguments) == 1:
            return Call(BOOL, name, THIS, arguments, "Object", f"super {key}")
        place = (self.members.extended, name, len(arguments))
        contract = CONTRACTS.get(place)
        if contract is None or contract.pure or not self.members.is_library(place[0]):
            result = self._declared("super", name, len(arguments))
            return Call(result, name, THIS, arguments, "super", key)
        return Call(named(contract.result), name, THIS, arguments, place[0], f"super {key}")

    def _library_call(
        self,
        owner: str,
        name: str,
        receiver: Expr | None,
        arguments: tuple[Expr, ...],
        key: str,
        simple: bool = True,
    ) -> Expr:
        """A call of a method that another class declares."""
        class_ = owner
        if owner in self.members.enums:
            owner = "Enum"
        elif owner in ("Map.Entry", "Entry") and self._is_entry(owner):
            owner = "Map.Entry"
        elif owner.startswith("java.util.") and owner.count(".") == 2:
            owner = owner.removeprefix("java.util.")
        elif not self.members.is_library(owner):
            owner = f"{owner}, not of the JDK"
        elif owner == "String" and any(_foreign(each.type) for each in arguments):
            owner = "String with code of others" if name != "equals" else owner
        count = len(arguments)
        known = (owner, name, count) in self.returns
        if receiver is None and not known and _compares(class_, name, arguments):
            return Call(BOOL, "equals", None, arguments, "Objects", f"{owner} {key}")
        if not known and receiver is not None:
            inherited = ("Object", name, count) in self.returns
            owner = "Object" if inherited else owner
        given = self.returns.get((owner, name, count), "")
        if (owner, name) == ("Object", "toString") and class_ in self.members.declared:
            owner = "Object of the file"
        result = named(given) if given else ANY
        told = self._told_by_arguments((owner, name, count), receiver)
        if told is not None and not given:  # the cast that the compiler writes
            return Convert(told, Call(OBJECT, name, receiver, arguments, owner, key), checked=True)
        result = told or result
        if result is ANY and not given and simple:
            result = self._declared(class_, name, count)
        if given == "=":
            result = promoted(*(each.type for each in arguments))
        elif given == "a0":
            result = unboxed(arguments[0].type)
        if given and given != "=":  # contracts compare whole numbers of one width
            wide = LONG if owner == "Long" else INT
            arguments = tuple(
                self.converted(each, wide)
                if each.type.kind == "int" and each.type.bits < wide.bits
                else each
                for each in arguments
            )
        takes_numbers = owner in _OF_NUMBERS and not name.startswith("parse")  # that takes a text
        if known and (takes_numbers or (owner in _OF_PLACES and name in _PLACES)):
            arguments = tuple(self._opened(each, owner) for each in arguments)
        return Call(result, name, receiver, arguments, owner, key)

    def _opened(self, given: Expr, owner: str) -> Expr:
        """What is handed over where a number or character is expected: a box is opened."""
        plain = unboxed(given.type)
        if given.type.kind == "any" and owner in _OF_NUMBERS:
            plain = _OF_NUMBERS[owner]
        return self.converted(given, plain)

    def _declared(self, class_: str, name: str, count: int) -> Type:
        """What a method of another class returns, as that declares it."""
        key = name + ANY_ARGUMENTS if count else name
        found = self.members.results.get(class_, {}).get(key, ANY)
        if found is not ANY and class_ in self.members.told:
            self.taken.add(DECLARED)
        return found

    def _is_entry(self, owner: str) -> bool:
        """Whether a name stands for the JDK's entries of maps."""
        if owner == "Map.Entry":
            return self.members.is_library("Map")
        return owner not in self.members.declared and "java.util.Map.Entry" in self.members.imports

    def _told_by_arguments(self, place: tuple[str, str, int], receiver: Expr | None) -> Type | None:
        """The result that the type arguments of a receiver tell; None where they do not."""
        form = ELEMENTS.get(place)
        if form is None or receiver is None:
            return None
        mine = [each.removeprefix("? extends ").strip() for each in receiver.type.arguments]
        if len(mine) != (2 if "Map" in place[0] or place[0] == "Hashtable" else 1):
            return None
        if not form.isdecimal():
            return named(re.sub(r"\d", lambda found: mine[int(found[0])], form))
        told = named(mine[int(form)])
        plain = told.name.replace("[]", "")
        if plain.startswith("java.util.") and plain.count(".") == 2:
            return told
        known = self._is_entry(plain) or self.members.is_library(plain) or plain in PRIMITIVES
        ours = plain == self.members.own or plain in {*self.members.classes, *self.members.enums}
        return told if told.kind == "ref" and (known or ours) else None

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
        if key == "int" and type_.name in CAPACITIES and self.members.is_library(type_.name):
            return New(type_, arguments, key=f"{type_.name} of a capacity", quiet=True)
        plain = not any(_foreign(each.type) for each in arguments)
        quiet = plain and type_.name in MADE and self.members.is_library(type_.name)
        return New(type_, arguments, key=f"{type_.name} {key}", quiet=quiet)

    def _array_creation_expression(self, node: Node) -> Expr:
        dimensions = [c for c in node.children if c.type == "dimensions_expr"]
        empty = [c for c in node.children if c.type == "dimensions"]
        value = node.child_by_field_name("value")
        base = self.text(self._part(node, "type"))
        if value is not None:
            type_ = named(base + "".join(self.text(each) for each in empty))
            return self.initialiser(value, type_)
        rest = "".join(self.text(each) for each in empty)
        sizes = [self.converted(self.lower(named_parts(each)[0]), INT) for each in dimensions]
        type_ = named(f"{base}{rest}{'[]' * len(sizes)}")
        return New(type_, tuple(sizes[1:]), sizes[0])

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


def _compares(class_: str, name: str, arguments: tuple[Expr, ...]) -> bool:
    """Whether a function of some class compares two objects as `Objects.equals` does, by name.

    Not numbers with a fraction, of which one that is none need not equal itself; nor may objects
    whose own class compares them in a way besides `equals`.
    """
    return (
        name in ("equal", "equals")
        and len(arguments) == 2
        and all(each.type.kind == "ref" for each in arguments)
        and not any(
            {each.type.name.replace("[]", "")} & {*_FRACTIONS, class_} for each in arguments
        )
    )


_FRACTIONS = frozenset({"float", "double", "Float", "Double"})


def _foreign(type_: Type) -> bool:
    """Whether a method that is handed this may run code that is not the JDK's."""
    plain = type_ in (STRING, NULL) or element(type_) in PRIMITIVES.values()
    return type_.kind not in ("int", "bool", "float") and not plain
