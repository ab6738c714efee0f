"""Operators on bits: complement, and, or, exclusive or, shifts."""

from tree_sitter import Node

from equimut.mutation.edit import prefixed, replace_by, with_operator
from equimut.mutation.operands import VARIABLE_ROLES, is_number, is_used_variable, keeps_type
from equimut.mutation.operator import (
    MAJOR,
    MUTANTBENCH,
    MUTMUT,
    PIT,
    STRYKER,
    Edits,
    Operator,
    c,
    java,
    python,
)
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


OPERATORS = (
    Operator(
        "LOI",
        "Inserts a bitwise complement before an integer variable that is read.",
        (MUTANTBENCH,),
        VARIABLE_ROLES,
        _loi,
        (
            java("x = xs[a];", "x = xs[~a];"),
            c("x = a - b;", "x = a - ~b;"),
            python("x = a + b", "x = ~a + b"),
        ),
    ),
    Operator(
        "LOR",
        "Replaces `&`, `|` and `^` by each other.",
        (MUTANTBENCH, MAJOR, PIT, MUTMUT),
        ("binary",),
        _lor,
        (
            java("x = a & b;", "x = a ^ b;"),
            java("x = a & b | c;", "x = a ^ b | c;"),
            c("x = a | b;", "x = a & b;"),
            python("x = a ^ b", "x = a | b"),
        ),
    ),
    Operator(
        "LOD",
        "Deletes `~`, or replaces `a & b`, `a | b` and `a ^ b` by an operand.",
        (MUTANTBENCH, STRYKER, MUTMUT),
        ("unary", "binary"),
        _lod,
        (
            java("x = ~a;", "x = a;"),
            c("x = a & b;", "x = b;"),
            python("x = a | b", "x = a"),
        ),
    ),
    Operator(
        "SOR",
        "Replaces a shift operator by each other one.",
        (MUTANTBENCH, MAJOR, PIT, MUTMUT),
        ("binary",),
        _sor,
        (
            java("x = a << b;", "x = a >>> b;"),
            c("x = a << b;", "x = a >> b;"),
            python("x = a >> b", "x = a << b"),
        ),
    ),
)
