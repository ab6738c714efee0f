"""Operators on conditions: and, or, not, and conditions as a whole."""

from tree_sitter import Node

from equimut.mutation.edit import negated, replace, replace_by, with_operator
from equimut.mutation.operands import is_boolean, is_condition, is_logical_operand
from equimut.mutation.operator import Edits, Functions
from equimut.mutation.operators.comparisons import constants
from equimut.semantics.program import Binary, Program


def _seor(program: Program, node: Node) -> Edits:
    dialect = program.dialect
    if program.role(node) == "boolean":
        flipped = dialect.false if program.text(node) == dialect.true else dialect.true
        if program.text(node) in (dialect.true, dialect.false):
            yield replace(program, node, flipped)
        return
    binary = program.binary(node)
    if binary is not None and binary.spelling in dialect.logical:
        yield with_operator(program, binary, _other_logical(program, binary))


def _other_logical(program: Program, binary: Binary) -> str:
    dialect = program.dialect
    return dialect.disjunction if binary.spelling == dialect.conjunction else dialect.conjunction


def _is_truth(program: Program, node: Node) -> bool:
    """A condition, a comparison or an operand of logic; never a mere boolean argument."""
    if program.role(node) in ("group", "", "boolean", "assign") or not (
        program.is_value(node) or is_condition(program, node)
    ):
        return False
    if program.role(node) == "binary":
        return is_boolean(program, node)
    return is_condition(program, node) or is_logical_operand(program, node)


def _seoi(program: Program, node: Node) -> Edits:
    if not _is_truth(program, node):
        return
    is_negation = program.role(node) == "unary" and program.operator(node) in ("!", "not")
    if not is_negation:
        yield negated(program, node)


def _cod(program: Program, node: Node) -> Edits:
    operand = program.operand(node)
    if program.operator(node) in ("!", "not") and operand is not None:
        yield replace_by(program, node, operand)


def _seod(program: Program, node: Node) -> Edits:
    if program.role(node) == "unary":
        yield from _cod(program, node)
        return
    binary = program.binary(node)
    if binary is not None and binary.spelling in program.dialect.logical:
        yield replace_by(program, node, binary.left)
        yield replace_by(program, node, binary.right)
        yield from constants(program, node)


def _cor(program: Program, node: Node) -> Edits:
    binary = program.binary(node)
    dialect = program.dialect
    if binary is None or binary.spelling not in dialect.logical:
        return
    yield with_operator(program, binary, _other_logical(program, binary))
    yield with_operator(program, binary, "==" if binary.spelling == dialect.conjunction else "!=")
    if dialect.boolean_xor:  # elsewhere `^` works on bits, not on truth values
        yield with_operator(program, binary, "^")
    yield replace_by(program, node, binary.left)
    yield replace_by(program, node, binary.right)
    yield from constants(program, node)


def _ccr(program: Program, node: Node) -> Edits:
    if program.role(node) not in ("", "group") and is_condition(program, node):
        yield from constants(program, node)


_TRUTH_ROLES = (
    "binary", "unary", "name", "field", "element", "call", "pointer", "update", "ternary", "cast",
)  # fmt: skip

OPERATORS: Functions = {
    "SEOR": (("binary", "boolean"), _seor),
    "SEOI": (_TRUTH_ROLES, _seoi),
    "SEOD": (("unary", "binary"), _seod),
    "COR": (("binary",), _cor),
    "COD": (("unary",), _cod),
    "COI": (_TRUTH_ROLES, _seoi),
    "CCR": ((*_TRUTH_ROLES, "boolean"), _ccr),
}
