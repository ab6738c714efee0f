"""The names that Java source declares."""

from tree_sitter import Node

from equimut.languages.declared import Names, Variable, plain_type

_UNTYPED = frozenset(
    {"lambda_expression", "instanceof_expression", "type_pattern", "record_pattern_component"}
)
"""What brings names whose types are not read: they hide those of outer scopes."""


def read(node: Node, names: Names) -> None:
    """Declare what a node declares."""
    text = names.text
    kind = node.child_by_field_name("type")
    name = node.child_by_field_name("name")
    if node.type in ("local_variable_declaration", "field_declaration") and kind is not None:
        _declare_variables(node, kind, names)
    elif node.type in ("formal_parameter", "enhanced_for_statement", "resource"):
        if name is not None and kind is not None:
            final = _is_final(node, names) or node.type == "resource"
            names.declare(node, text(name), Variable(plain_type(text(kind)), final))
    elif node.type == "catch_formal_parameter":
        if name is not None:
            names.declare(node, text(name), Variable("Exception"))
    elif node.type in _UNTYPED:
        for one in _untyped_names(node):
            names.hide(node, text(one))
    elif node.type == "method_declaration" and kind is not None and name is not None:
        known = names.functions.get(text(name))
        result = plain_type(text(kind))
        # Overloads that differ in what they return say nothing about a call.
        names.functions[text(name)] = result if known in (None, result) else ""


def _untyped_names(node: Node) -> list[Node]:
    if node.type == "lambda_expression":
        given = node.child_by_field_name("parameters")
        inside = [given, *given.named_children] if given is not None else []
        return [one for one in inside if one.type == "identifier"]
    name = node.child_by_field_name("name")
    if node.type == "instanceof_expression":
        return [name] if name is not None else []
    return [child for child in node.named_children if child.type == "identifier"]


def _declare_variables(node: Node, kind: Node, names: Names) -> None:
    final = _is_final(node, names)
    for declarator in node.children_by_field_name("declarator"):
        name, value, dimensions = (
            declarator.child_by_field_name(part) for part in ("name", "value", "dimensions")
        )
        if name is None:
            continue
        full = plain_type(names.text(kind)) + ("[]" if dimensions is not None else "")
        names.declare(node, names.text(name), Variable(full, final, value is not None))
        if node.type == "field_declaration":
            names.declare_field(names.text(name), Variable(full, final))


def _is_final(node: Node, names: Names) -> bool:
    return any(
        child.type == "modifiers" and "final" in names.text(child).split()
        for child in node.children
    )
