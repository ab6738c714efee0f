"""Operators on assignment operators."""

from tree_sitter import Node

from equimut.mutation.edit import Edit
from equimut.mutation.operands import is_constant
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.program import Program


def _sides(program: Program, node: Node) -> tuple[Node, Node, Node] | None:
    left, sign, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
    return None if left is None or sign is None or right is None else (left, sign, right)


def _sar(program: Program, node: Node) -> Edits:
    sides = _sides(program, node)
    if sides is None:
        return
    left, sign, right = sides
    spelled, kinds = program.text(sign), (program.kind(left), program.kind(right))
    if any(kind in ("string", "array", "object") for kind in kinds) or kinds[1] == "pointer":
        return
    for family in program.dialect.compound:
        if spelled not in family:
            continue
        for other in family:
            is_fraction = "float" in kinds and not program.dialect.numbers.float_remainder
            on_bits = other == "%=" and is_fraction
            on_pointer = kinds[0] == "pointer" and other not in ("+=", "-=")
            if other != spelled and not on_bits and not on_pointer:
                yield Edit(sign.start_byte, sign.end_byte, other)


def to_plain_assignment(program: Program, node: Node) -> Edits:
    """`v += e` becomes `v = e`, where the type of `e` fits without the hidden cast."""
    sides = _sides(program, node)
    if sides is None or program.text(sides[1]) == "=":
        return
    left, sign, right = sides
    if not _fits(program, left, right) or program.kind(left) == "pointer":
        return
    yield Edit(sign.start_byte, sign.end_byte, "=")


def _fits(program: Program, left: Node, right: Node) -> bool:
    """Whether the compiler takes the value as it is."""
    if program.dialect.dynamic_types or program.dialect.numbers.silent_conversions:
        return True
    target, value = program.type_of(left), program.type_of(right)
    if program.kind(left) == "string":
        return value == target
    if program.kind(left) == "small":
        return is_constant(program, right) or target == value
    if program.kind(right) == "float":
        return target == "double" or target == value
    return not (target == "int" and value == "long")


def _asrs(program: Program, node: Node) -> Edits:
    yield from _sar(program, node)
    yield from to_plain_assignment(program, node)


OPERATORS: Functions = {
    "SAR": (("assign",), _sar),
    "ASRS": (("assign",), _asrs),
}
