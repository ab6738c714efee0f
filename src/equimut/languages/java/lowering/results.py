"""Results of methods, and types of inherited fields, as declarations tell."""

from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.lowering.members import TYPES, declarations_of
from equimut.languages.java.lowering.scopes import plain_type
from equimut.languages.lowered import Type
from equimut.languages.scopes import named_parts, nodes_below

Results = dict[str, dict[str, Type]]


def results_of(root: Node, source: bytes, function: Node | None = None) -> Results:
    """By the name of a type that is in sight of a function: what its methods return."""
    around, at = {root.id}, function
    while at is not None:
        around.add(at.id)
        at = at.parent
    return {name: mine for name, (where, mine) in _all(root, source).items() if where in around}


@lru_cache(maxsize=8)
def _all(root: Node, source: bytes) -> dict[str, tuple[int, dict[str, Type]]]:
    """The same of all types whose name is there once, with what they stand in."""
    below = nodes_below(root)
    variables = {
        _text(each, source)
        for node in below
        if node.type == "type_parameter"
        for each in node.children
        if each.type == "type_identifier"
    }
    found: dict[str, tuple[int, dict[str, Type]]] = {}
    for node in below:
        name = node.child_by_field_name("name")
        if node.type in TYPES and name is not None and node.parent is not None:
            label = _text(name, source)
            once = label not in found and label not in variables
            found[label] = node.parent.id, _results(node, source, variables) if once else {}
    return found


def _results(type_: Node, source: bytes, variables: set[str]) -> dict[str, Type]:
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
