"""The names that Python source declares: parameters, and whatever is assigned."""

from tree_sitter import Node

from equimut.languages.declared import Names, Variable, plain_type

_LITERALS = {
    "integer": "int", "float": "float", "true": "bool", "false": "bool", "string": "str",
    "list": "list", "dictionary": "dict", "set": "set", "tuple": "tuple",
    "list_comprehension": "list", "comparison_operator": "bool", "not_operator": "bool",
}  # fmt: skip


def read(node: Node, names: Names) -> None:
    """Declare what a node declares."""
    text = names.text
    name = node.child_by_field_name("name")
    if node.type in ("typed_parameter", "typed_default_parameter"):
        name = name or next(iter(node.named_children), None)
        kind = node.child_by_field_name("type")
        if name is not None and kind is not None:
            names.declare(node, text(name), Variable(plain_type(text(kind))))
    elif node.type == "default_parameter":
        if name is not None:
            names.declare(node, text(name), Variable(""))
    elif node.type == "identifier" and names.field(node) == "":
        parent = names.parent(node)
        if parent is not None and parent.type == "parameters":
            names.declare(node, text(node), Variable(""))
    elif node.type in ("assignment", "for_statement", "augmented_assignment"):
        left, right = (node.child_by_field_name(part) for part in ("left", "right"))
        if left is not None and left.type == "identifier":
            _declare_assigned(node, text(left), right, names)
    elif node.type == "function_definition":
        result = node.child_by_field_name("return_type")
        if name is not None:
            names.functions[text(name)] = plain_type(text(result)) if result is not None else ""


def _declare_assigned(node: Node, name: str, right: Node | None, names: Names) -> None:
    annotation = node.child_by_field_name("type")
    found = ""
    if annotation is not None:
        found = plain_type(names.text(annotation))
    elif right is not None and node.type == "for_statement":
        is_range = right.type == "call" and names.text(right).startswith("range(")
        found = "int" if is_range else ""
    elif right is not None and node.type == "assignment":
        found = _LITERALS.get(right.type, "")
    if not found:
        # A later assignment of unknown type takes away what an earlier literal told,
        # unless it only updates the value in place.
        known = names.local(node, name)
        if known is not None and node.type == "assignment" and known.type in ("list", "dict"):
            names.forget_type(node, name)
    names.declare(node, name, Variable(found))
