"""What still happens in a PIT mutant that drops a value: the value is computed, then popped."""

import re

from tree_sitter import Node

from equimut.semantics.program import Program

_CLOSED = frozenset({"lambda_expression", "class_body"})
_CHANGES = frozenset({"assignment_expression", "update_expression"})
_STATEMENTS = frozenset({*_CHANGES, "method_invocation"})
_HARMLESS = frozenset(
    {
        *("length", "size", "isEmpty", "charAt", "equals", "hashCode", "compareTo", "contains"),
        *("indexOf", "lastIndexOf", "substring", "trim", "toString", "startsWith", "endsWith"),
        *("containsKey", "valueOf", "parseInt", "parseLong", "parseDouble", "intValue", "of"),
        *("longValue", "doubleValue", "empty", "emptyList", "asList", "ordinal", "name", "format"),
    }
)
_SIMPLE = frozenset(
    {
        *("identifier", "true", "false", "null_literal", "this", "character_literal"),
        *("decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal"),
        *("string_literal", "parenthesized_expression", "binary_expression", "unary_expression"),
        *("string_fragment", "escape_sequence"),
    }
)


def has_effects(program: Program, node: Node) -> bool:
    """Whether computing the expression changes anything, as far as its text tells."""
    if node.type in _CLOSED:
        return False
    if node.type in _CHANGES:
        return True
    if node.type == "method_invocation" and not _harmless(program, node):
        return True
    return any(has_effects(program, child) for child in node.named_children)


def is_simple(program: Program, node: Node) -> bool:
    """Whether the expression has no effect and cannot fail: names, literals and operators."""
    if node.type not in _SIMPLE:
        return False
    if node.type == "binary_expression" and program.operator(node) in ("/", "%"):
        return False
    return all(is_simple(program, child) for child in node.named_children)


def kept(program: Program, nodes: list[Node], kind: str = "var") -> list[str]:
    """Statements that do what computing these expressions does."""
    found: list[str] = []
    for node in nodes:
        inner = program.inner(node)
        if not has_effects(program, inner):
            continue
        text = program.text(inner)
        name = "ignored" if not found else f"ignored{len(found) + 1}"
        found.append(f"{text};" if inner.type in _STATEMENTS else f"{kind} {name} = {text};")
    return found


def _harmless(program: Program, node: Node) -> bool:
    name = node.child_by_field_name("name")
    spelled = program.text(name) if name is not None else ""
    owner = node.child_by_field_name("object")
    if spelled in _HARMLESS or (owner is not None and program.text(owner) == "Math"):
        return True
    arguments = node.child_by_field_name("arguments")
    bare = arguments is not None and not arguments.named_child_count
    if spelled == "get":  # of a list or a map; without arguments it is a supplier's
        return not bare
    return bare and re.match(r"(get|is|has)(?!And)[A-Z]", spelled) is not None
