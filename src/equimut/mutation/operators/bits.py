"""Operators on bits: complement, and, or, exclusive or, shifts."""

from tree_sitter import Node

from equimut.mutation.edit import prefixed, replace_by, with_operator
from equimut.mutation.operands import VARIABLE_ROLES, is_number, is_used_variable, keeps_type
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.program import Program


def _loi(program: Program, node: Node) -> Edits:
    if (
        is_used_variable(program, node)
        and is_number(program, node, integral=True)
        and keeps_type(program, node)
    ):
        yield prefixed(program, node, "~")


def _lor(program: Program, node: Node) -> Edits:
    binary = program.binary(node)
    if binary is not None and binary.spelling in program.dialect.bitwise:
        for sign in program.dialect.bitwise:
            if sign != binary.spelling:
                yield with_operator(program, binary, sign)


def _lod(program: Program, node: Node) -> Edits:
    if program.role(node) == "unary":
        operand = program.operand(node)
        if program.operator(node) == "~" and operand is not None:
            yield replace_by(program, node, operand)
        return
    binary = program.binary(node)
    if binary is not None and binary.spelling in program.dialect.bitwise:
        yield replace_by(program, node, binary.left)
        yield replace_by(program, node, binary.right)


def _sor(program: Program, node: Node) -> Edits:
    binary = program.binary(node)
    if binary is not None and binary.spelling in program.dialect.shifts:
        for sign in program.dialect.shifts:
            if sign != binary.spelling:
                yield with_operator(program, binary, sign)


OPERATORS: Functions = {
    "LOI": (VARIABLE_ROLES, _loi),
    "LOR": (("binary",), _lor),
    "LOD": (("unary", "binary"), _lod),
    "SOR": (("binary",), _sor),
}
