"""Deleted variables and constants: what MutantBench calls VDL and CDL."""

from collections.abc import Callable

from tree_sitter import Node

from equimut.mutation.edit import Edit, replace, replace_by
from equimut.mutation.operands import (
    holds_variable,
    is_boolean,
    is_condition,
    is_constant,
    is_logical_operand,
)
from equimut.mutation.operator import Edits, Functions
from equimut.mutation.operators.arithmetic import replaceable_signs
from equimut.mutation.operators.assignments import to_plain_assignment
from equimut.mutation.operators.comparisons import constants, dropped_from_logic, is_comparison
from equimut.semantics.defaults import default_values, expected_type
from equimut.semantics.program import Program


def _without_operand(program: Program, node: Node, goes: Callable[[Program, Node], bool]) -> Edits:
    """A binary expression without the operands that go."""
    binary = program.binary(node)
    if binary is None:
        return
    if is_comparison(program, node):
        if goes(program, binary.left) or goes(program, binary.right):
            yield from constants(program, node)
            yield from dropped_from_logic(program, node)
    elif binary.spelling in program.dialect.arithmetic and replaceable_signs(program, binary):
        if goes(program, binary.left):
            yield replace_by(program, node, binary.right)
        if goes(program, binary.right):
            yield replace_by(program, node, binary.left)


def _vdl(program: Program, node: Node) -> Edits:
    role = program.role(node)
    if role == "binary":
        yield from _without_operand(program, node, holds_variable)
        return
    if role == "assign":
        yield from to_plain_assignment(program, node)
    if role in ("assign", "update"):
        yield from _without_update(program, node)
        return
    if is_condition(program, node) or is_logical_operand(program, node):
        yield from constants(program, node)
        yield from dropped_from_logic(program, node)
        return
    parent = program.parent(node)
    if parent is not None and program.dialect.statements.get(parent.type) == "return":
        values = default_values(program, expected_type(program, node))
        kept = values if is_boolean(program, node) or len(values) < 2 else values[:1]
        for value in kept:
            yield replace(program, node, value)


def _without_update(program: Program, node: Node) -> Edits:
    parent = program.parent(node)
    if parent is None or program.field(node) != "update":
        return
    updates = parent.children_by_field_name("update")
    yield Edit(updates[0].start_byte, updates[-1].end_byte, "")


def _cdl(program: Program, node: Node) -> Edits:
    yield from _without_operand(program, node, is_constant)


OPERATORS: Functions = {
    "VDL": (("binary", "assign", "update", "name", "field", "element", "call", "pointer"), _vdl),
    "CDL": (("binary",), _cdl),
}
