"""What is known about the value of an expression: a whole number, a length."""

from tree_sitter import Node

from equimut.semantics.names import is_tame, occurrences, use_of
from equimut.semantics.program import Program

MAX_DEPTH = 12


def compact(program: Program, node: Node) -> str:
    """The text of an expression without parentheses around it and without white space."""
    return "".join(program.text(program.inner(node)).split())


def is_integer(program: Program, node: Node) -> bool:
    """Whether an expression is a whole number by its declaration; boxes and unknowns are not.

    Where types are only hints, all that a name ever gets must be a whole number: literals, lengths,
    ranges, arithmetic.
    """
    if program.dialect.dynamic_types:
        return _is_integer_value(program, node, frozenset())
    return program.type_of(program.inner(node)) in program.dialect.expressions.integers


def _is_integer_value(program: Program, node: Node, seen: frozenset[str]) -> bool:
    node = program.inner(node)
    role = program.role(node)
    if role == "integer" or is_length(program, node):
        return True
    if role == "name":
        return _holds_integers(program, node, seen)
    if role == "unary" and program.operator(node) != "not":
        operand = program.operand(node)
        return operand is not None and _is_integer_value(program, operand, seen)
    binary = program.binary(node) if role == "binary" else None
    if binary is None or binary.spelling not in ("+", "-", "*", "//", "%", "&", "|", "^"):
        return False
    return all(_is_integer_value(program, side, seen) for side in (binary.left, binary.right))


def _holds_integers(program: Program, node: Node, seen: frozenset[str]) -> bool:
    """Whether a name only ever gets whole numbers."""
    function = program.enclosing(node, program.dialect.functions)
    name = program.text(node)
    if function is None or name in seen or not is_tame(program, function, name):
        return False
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(
        _gives_integer(program, one, use, seen | {name}) for one, use in uses if use != "read"
    )


def _gives_integer(program: Program, node: Node, use: str, seen: frozenset[str]) -> bool:
    parent = program.parent(node)
    if parent is None or use == "other":
        return False
    if use == "declaration":
        kind = parent.child_by_field_name("type")
        return kind is not None and program.text(kind) == "int"
    right = parent.child_by_field_name("right")
    if parent.type == "for_statement":
        return right is not None and program.text(right).startswith("range(")
    if right is None or program.operator(parent) in ("/=", "**="):
        return False
    return _is_integer_value(program, right, seen)


def is_length(program: Program, node: Node) -> bool:
    """Whether an expression is the length or size of something whose type is known."""
    node = program.inner(node)
    if program.role(node) not in ("call", "field"):
        return False
    parts = [node.child_by_field_name(part) for part in ("function", "name", "field")]
    name = next((program.text(part) for part in parts if part is not None), "")
    owners = program.dialect.expressions.lengths.get(name)
    owner = node.child_by_field_name("object")
    if owners is None or owner is None:
        return owners == frozenset() and program.role(node) == "call"
    found = program.type_of(owner)
    if program.role(node) == "field":
        return program.declarations.kind_of_type(found) == "array"
    return found in owners
