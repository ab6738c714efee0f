"""Results of methods without parameters, and types of inherited fields, as declarations tell."""

from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.lowering.members import TYPES, declarations_of
from equimut.languages.java.lowering.scopes import plain_type
from equimut.languages.lowered import Type
from equimut.languages.scopes import named_parts, nodes_below

Results = dict[str, dict[str, Type]]


def results_of(root: Node, source: bytes, function: Node | None = None) -> Results:
    """By the name of a type that is in sight of a function: its methods without parameters."""
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
    for node in declarations_of(body) if body is not None else ():
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        given = node.child_by_field_name("parameters")
        if node.type != "method_declaration" or name is None or kind is None or given is None:
            continue
        type_named = plain_type(kind, source)
        plain = node.child_by_field_name("dimensions") is None and not named_parts(given)
        if plain and type_named.name.replace("[]", "") not in variables | {"void"}:
            found[_text(name, source)] = type_named
    return found


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
