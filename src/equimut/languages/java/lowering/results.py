"""Results of methods, and types of inherited fields, as declarations tell."""

import re
from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from equimut.languages.declared import without_arguments
from equimut.languages.java.lowering.scopes import Member, Members, plain_type
from equimut.languages.java.type_bodies import TYPES, declarations_of
from equimut.languages.lowered import Type
from equimut.languages.scopes import named_parts, nodes_below

Results = dict[str, dict[str, Type]]
_WORD = re.compile(r"\w+")


def results_of(root: Node, source: bytes, function: Node | None = None) -> Results:
    """By the name of a type that is in sight of a function: what its methods return."""
    seen = {root.id} if function is None else _in_sight(function, root, source)
    found = _all(root, source, function is not None)
    return {name: mine for name, (where, mine) in found.items() if where in seen}


def types_in_sight(members: Members, root: Node, function: Node) -> Members:
    """The members with what is known of the types that names stand for at the function."""
    source, found = members.source, dict[str, dict[str, Member]]()
    here = _names_in_sight(function, root, source)
    for name, fields in members.classes.items():
        body = _body(_declared(root, source).get(name))
        if name not in here or body is None:
            continue
        other = _declared(root, source).keys() - _names_in_sight(body, root, source)
        found[name] = {
            label: each
            for label, each in fields.items()
            if other.isdisjoint(_WORD.findall(" ".join((each.type.name, *each.type.arguments))))
        }
    enums = {name: each for name, each in members.enums.items() if name in here}
    types = {name: each if name in here else None for name, each in members.types.items()}
    return replace(members, classes=found, enums=enums, types=types)


def _names_in_sight(at: Node, root: Node, source: bytes) -> set[str]:
    """The types of a file that their names stand for at a place."""
    seen, around = _in_sight(at, root, source), set()
    while at.parent is not None:
        at = at.parent
        around.add(at.id)
    return {
        name
        for name, node in _declared(root, source).items()
        if node is not None and (node.id in around or _place(node) in seen)
    }


def _body(type_: Node | None) -> Node | None:
    return type_.child_by_field_name("body") if type_ is not None else None


def _place(type_: Node) -> int:
    return type_.parent.id if type_.parent is not None else -1


def _in_sight(at: Node, root: Node, source: bytes) -> set[int]:
    """What is around a node, up to a type that is one of others, which may bring types of its own.

    One of these is in sight first, under whatever name the file has further out.
    """
    found, around = {at.id}, at.parent
    while around is not None:
        found.add(around.id)
        if _brings(around, root, source, MOST_ABOVE):
            break
        around = around.parent
    return found


def _brings(type_: Node, root: Node, source: bytes, most: int) -> bool:
    """Whether types may come into sight in the body of a type that its file does not show."""
    if type_.type == "object_creation_expression":
        return any(each.type == "class_body" for each in type_.children)
    for child in type_.children if type_.type in TYPES else ():
        if child.type not in _ABOVE:
            continue
        text = without_arguments(re.sub(r"^(extends|implements)\b", "", _text(child, source)))
        for name in {each.removeprefix("java.lang.") for each in text.split(",")} - _PLAIN:
            mine = _declared(root, source).get(name)
            if mine is None or most == 0 or _brings(mine, root, source, most - 1):
                return True
    return False


@lru_cache(maxsize=8)
def _declared(root: Node, source: bytes) -> dict[str, Node | None]:
    """The types of a file by name; None where there is more than one, or a type parameter."""
    found: dict[str, Node | None] = {}
    for node in nodes_below(root):
        name = node.child_by_field_name("name")
        if node.type in TYPES and name is not None:
            label = _text(name, source)
            found[label] = None if label in found else node
    return found | dict.fromkeys(_variables(root, source))


def _variables(root: Node, source: bytes) -> set[str]:
    return {
        _text(each, source)
        for node in nodes_below(root)
        if node.type == "type_parameter"
        for each in node.children
        if each.type == "type_identifier"
    }


MOST_ABOVE = 12
_ABOVE = ("superclass", "super_interfaces", "extends_interfaces")
_PLAIN = frozenset({
    "Object", "Comparable", "Iterable", "Runnable", "Cloneable", "AutoCloseable", "CharSequence",
    "Exception", "RuntimeException", "Error", "Throwable", "IllegalArgumentException",
    "IllegalStateException", "Serializable", "java.io.Serializable", "Iterator", "Comparator",
    "ListIterator", "Enumeration", "Collection", "List", "Set", "Queue", "Deque", "SortedSet",
    "RandomAccess", "AbstractCollection", "AbstractList", "AbstractSet", "AbstractQueue",
})  # fmt: skip
"""Types of the JDK without types inside."""


@lru_cache(maxsize=8)
def _all(root: Node, source: bytes, strict: bool) -> dict[str, tuple[int, dict[str, Type]]]:
    """The same of all types whose name is there once, with what they stand in.

    In a file of a project a name in the type of a result may mean something else where it is used.
    """
    declared, variables = _declared(root, source), _variables(root, source)
    found: dict[str, tuple[int, dict[str, Type]]] = {}
    for label, node in declared.items():
        body = _body(node)
        if node is None or body is None:
            continue
        other = declared.keys() - _names_in_sight(body, root, source) if strict else set[str]()
        found[label] = _place(node), _results(node, source, variables, other)
    return found


def _results(type_: Node, source: bytes, variables: set[str], other: set[str]) -> dict[str, Type]:
    """The results of a type's methods; `other`: names that mean something else there, maybe."""
    body = type_.child_by_field_name("body")
    found: dict[str, Type] = {}
    every: dict[str, set[Type | None]] = {}
    given: set[str] = set()
    for node in declarations_of(body) if body is not None else ():
        label, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        inside = node.child_by_field_name("parameters")
        if node.type != "method_declaration" or label is None or kind is None or inside is None:
            continue
        name, result = _text(label, source), plain_type(kind, source)
        plain = node.child_by_field_name("dimensions") is None
        plain &= result.name.replace("[]", "") not in variables | {"void"}
        plain &= other.isdisjoint(_WORD.findall(_text(kind, source)))
        every.setdefault(name, set()).add(result if plain else None)
        if named_parts(inside):
            given.add(name)
        elif plain:
            found[name] = result
    for name in given - OF_OBJECTS if not _heads(type_) else ():
        (result_of_all, *others) = every[name]
        if not others and result_of_all is not None:
            found[name + ANY_ARGUMENTS] = result_of_all
    return found


ANY_ARGUMENTS = " *"
"""Behind the name of a method: whatever it is given, its result has this type."""
OF_OBJECTS = frozenset({"equals", "hashCode", "toString", "getClass", "wait", "notify", "notifyAll",
                        "clone", "finalize", "compareTo"})  # fmt: skip
"""Methods that a type may have without declaring them."""


def _heads(type_: Node) -> bool:
    """Whether a type is one of others, or an enum or a record, so that it has more methods."""
    return type_.type not in ("class_declaration", "interface_declaration") or any(
        child.type in ("superclass", "super_interfaces", "extends_interfaces")
        for child in type_.children
    )


def fields_of(type_: Node, source: bytes) -> dict[str, Type]:
    """The types of the fields that a class declares."""
    body = type_.child_by_field_name("body")
    found: dict[str, Type] = {}
    for node in declarations_of(body) if body is not None else ():
        kind = node.child_by_field_name("type")
        for each in node.children_by_field_name("declarator") if kind is not None else ():
            name = each.child_by_field_name("name")
            if name is not None and kind is not None:
                found[_text(name, source)] = plain_type(kind, source)
    return found


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()
