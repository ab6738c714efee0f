"""Operators on comparisons: replaced, moved, dropped, fixed to a constant."""

from tree_sitter import Node

from equimut.mutation.edit import Edit, replace, replace_by, with_operator
from equimut.mutation.operands import is_loop_condition, is_number
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.program import Binary, Program

_OPPOSITE = {
    "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_WORDS = ("is", "is not", "in", "not in")


def _comparable(program: Program, binary: Binary) -> tuple[str, ...]:
    """The comparisons that make sense on these operands."""
    dialect = program.dialect
    if binary.spelling in _WORDS:
        return (_OPPOSITE[binary.spelling],)
    if binary.spelling not in ("==", "!="):
        return dialect.relational
    kinds = {program.kind(binary.left), program.kind(binary.right)}
    # In Java only numbers have an order; two unknown operands may be references.
    is_known = not dialect.ordered_kinds or kinds & dialect.ordered_kinds
    is_ordered = is_known and not kinds & dialect.unordered_kinds
    return dialect.relational if is_ordered else ("==", "!=")


def is_comparison(program: Program, node: Node) -> bool:
    """Whether the node compares two values."""
    found = program.binaries(node) if program.role(node) == "binary" else []
    return bool(found) and found[0].spelling in (*program.dialect.relational, *_WORDS)


def constants(program: Program, node: Node) -> Edits:
    """The condition fixed to true and to false."""
    for value in (program.dialect.true, program.dialect.false):
        if program.text(node) != value:
            yield replace(program, node, value)


def dropped_from_logic(program: Program, node: Node) -> Edits:
    """The condition dropped from the `and` or `or` it is an operand of."""
    around = program.outer(node)
    parent = program.parent(around)
    binary = program.binary(parent) if parent is not None else None
    if binary is not None and binary.spelling in program.dialect.logical:
        kept = binary.right if binary.left.id == around.id else binary.left
        yield replace_by(program, binary.node, kept)


def _ror(program: Program, node: Node) -> Edits:
    if not is_comparison(program, node):
        return
    for binary in program.binaries(node):
        for sign in _comparable(program, binary):
            if sign != binary.spelling:
                yield with_operator(program, binary, sign)
    yield from constants(program, node)


def _rod(program: Program, node: Node) -> Edits:
    if not is_comparison(program, node):
        return
    yield from constants(program, node)
    yield from dropped_from_logic(program, node)
    parent = program.parent(node)
    is_for = parent is not None and program.dialect.statements.get(parent.type) == "for"
    if is_for and program.field(node) == "condition":
        yield Edit(node.start_byte, node.end_byte, "")


def _cbr(program: Program, node: Node) -> Edits:
    for binary in program.binaries(node):
        if binary.spelling in _BOUNDARY:
            yield with_operator(program, binary, _BOUNDARY[binary.spelling])


def _ncr(program: Program, node: Node) -> Edits:
    for binary in program.binaries(node):
        if binary.spelling in _OPPOSITE:
            yield with_operator(program, binary, _OPPOSITE[binary.spelling])


def _lbr(program: Program, node: Node) -> Edits:
    """The bound of a loop, moved by one."""
    if program.role(node) == "call":
        yield from _range_bound(program, node)
        return
    binary = program.binary(node)
    if binary is None or binary.spelling not in _BOUNDARY:
        return
    if is_loop_condition(program, node) and is_number(program, binary.right):
        yield from _moved(program, binary.right)


def _range_bound(program: Program, node: Node) -> Edits:
    called, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if called is None or arguments is None or program.text(called) != program.dialect.range_call:
        return
    if arguments.named_children:
        yield from _moved(
            program, arguments.named_children[min(1, arguments.named_child_count - 1)]
        )


def _moved(program: Program, node: Node) -> Edits:
    level = program.dialect.precedence["+"]
    text = program.text(node)
    grouped = text if program.level(node) >= level else f"({text})"
    for sign in ("-", "+"):
        yield replace(program, node, f"{grouped} {sign} 1", level)


OPERATORS: Functions = {
    "ROR": (("binary",), _ror),
    "ROD": (("binary",), _rod),
    "CBR": (("binary",), _cbr),
    "NCR": (("binary",), _ncr),
    "LBR": (("binary", "call"), _lbr),
}
