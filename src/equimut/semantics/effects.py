"""What evaluating an expression does besides giving its value: changes, and failures."""

import re

from tree_sitter import Node

from equimut.semantics.constants import literal_value
from equimut.semantics.names import occurrences, use_of
from equimut.semantics.program import Program
from equimut.semantics.values import MAX_DEPTH, is_integer

_LITERALS = frozenset({"integer", "float", "char", "boolean", "string", "null"})
_CHANGES = frozenset({"assign", "update"})


def has_effects(program: Program, node: Node) -> bool:
    """Whether computing the expression changes anything, as far as its text tells."""
    role = program.role(node)
    if node.type in program.dialect.expressions.deferred:
        return False
    if role in _CHANGES or (role == "call" and not _is_harmless_call(program, node)):
        return True
    return any(has_effects(program, child) for child in node.named_children)


def _is_harmless_call(program: Program, node: Node) -> bool:
    name, owner = node.child_by_field_name("name"), node.child_by_field_name("object")
    spelled = program.text(name) if name is not None else ""
    of_whom = program.text(owner) if owner is not None else ""
    arguments, rules = node.child_by_field_name("arguments"), program.dialect.expressions
    bare = arguments is not None and not arguments.named_child_count
    if bare and re.match(rules.getters, spelled):
        return True
    forms = {spelled, f"{of_whom}.*", spelled if bare else f"{spelled}(_)"}
    return not forms.isdisjoint(rules.harmless_calls)


def is_harmless(program: Program, node: Node, *, typed: bool = True, depth: int = 0) -> bool:
    """Whether evaluating an expression changes nothing and cannot fail.

    Names, literals and arithmetic on primitive numbers; no call, no element, no field, no division
    but by a literal. Without declared types arithmetic counts only between numbers known as such.
    Not `typed`: names are taken to be what the operators around them want, and nothing is divided.
    """
    node = program.inner(node)
    role, rules = program.role(node), program.dialect.expressions
    if depth > MAX_DEPTH:
        return False
    if role in _LITERALS:
        return all(child.type != "interpolation" for child in node.named_children)
    if role == "name":
        return not typed or _is_safe_name(program, node)
    if role == "unary":
        operand = program.operand(node)
        sides = [operand] if operand is not None else []
        is_logic = False
    elif binary := program.binary(node):
        sides = [binary.left, binary.right]
        is_logic = binary.spelling in program.dialect.logical
        divides = binary.spelling in ("/", "%", "//") and literal_value(program, binary.right)
        if binary.spelling in rules.failing and not (typed and divides):
            return False
    else:
        return not typed and node.type == rules.receiver
    return bool(sides) and all(
        is_harmless(program, side, typed=typed, depth=depth + 1)
        and (is_logic or not typed or _is_plain_number(program, side))
        for side in sides
    )


def _is_safe_name(program: Program, node: Node) -> bool:
    """A name that can be read without harm: no box to open, and surely bound."""
    if program.dialect.dynamic_types:
        function = program.enclosing(node, program.dialect.functions)
        found = occurrences(program, function, program.text(node)) if function is not None else []
        uses = [use_of(program, one) for one in found]
        return "declaration" in uses and "other" not in uses
    return not program.dialect.expressions.boxes or _is_primitive(program, node)


def _is_plain_number(program: Program, node: Node) -> bool:
    node = program.inner(node)
    if program.role(node) in ("binary", "unary"):
        return True  # its own operands are looked at
    if program.dialect.dynamic_types:
        return literal_value(program, node) is not None or is_integer(program, node)
    if program.dialect.expressions.boxes:
        return _is_primitive(program, node)
    return program.role(node) != "string"


def _is_primitive(program: Program, node: Node) -> bool:
    return program.type_of(node) in program.dialect.expressions.boxes.values()
