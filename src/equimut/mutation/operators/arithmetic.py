"""Operators on arithmetic: replaced, deleted and inserted signs."""

from tree_sitter import Node

from equimut.languages import UNARY_LEVEL
from equimut.mutation.edit import Edit, prefixed, replace, replace_by, with_operator
from equimut.mutation.operands import (
    VARIABLE_ROLES,
    is_assignable,
    is_number,
    is_used_variable,
    keeps_type,
)
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.program import Binary, Program


def replaceable_signs(program: Program, binary: Binary) -> tuple[str, ...]:
    """The arithmetic operators that make sense on these operands, the present one included."""
    kinds = (program.kind(binary.left), program.kind(binary.right))
    dialect = program.dialect
    if any(kind in ("string", "array", "object", "bool", "null") for kind in kinds):
        if not dialect.has_pointers:
            return ()
        return ("+", "-") if binary.spelling == "+" else ()
    if "pointer" in kinds:
        return ("+", "-") if kinds != ("pointer", "pointer") and binary.spelling in "+-" else ()
    if dialect.ambiguous_plus and kinds == ("", "") and binary.spelling == "+":
        return ()  # as likely two strings as two numbers
    if "float" in kinds and not dialect.numbers.float_remainder:
        return tuple(sign for sign in dialect.arithmetic if sign != "%")
    return dialect.arithmetic


def _aorb(program: Program, node: Node) -> Edits:
    binary = program.binary(node)
    if binary is None or binary.spelling not in (*program.dialect.arithmetic, "**"):
        return
    signs = replaceable_signs(program, binary)
    for sign in signs:
        if sign != binary.spelling:
            yield with_operator(program, binary, sign)
    if signs:
        for kept in (binary.left, binary.right):
            if program.kind(kept) != "pointer" or len(signs) == 2:
                yield replace_by(program, node, kept)


def _aors(program: Program, node: Node) -> Edits:
    sign = next(child for child in node.children if child.type in ("++", "--"))
    other = "--" if sign.type == "++" else "++"
    yield Edit(sign.start_byte, sign.end_byte, other)


def _aods(program: Program, node: Node) -> Edits:
    operand, parent = program.operand(node), program.parent(node)
    if operand is None or parent is None:
        return
    kind = program.dialect.statements.get(parent.type)
    if kind == "expression":
        yield Edit(parent.start_byte, parent.end_byte, program.dialect.no_operation)
    elif kind == "for" or parent.type == "comma_expression":
        if program.field(node) == "update" and len(parent.children_by_field_name("update")) == 1:
            yield Edit(node.start_byte, node.end_byte, "")
    else:
        yield replace_by(program, node, operand)


def _aodu(program: Program, node: Node) -> Edits:
    if program.role(node) != "unary":
        yield from _without_sign(program, node)
        return
    operand = program.operand(node)
    if operand is None or program.operator(node) not in ("-", "+"):
        return
    yield replace_by(program, node, operand)
    if program.role(operand) == "integer" and program.text(operand) == "1":
        yield replace(program, node, "0")


def _without_sign(program: Program, node: Node) -> Edits:
    """The grammar of C makes `-1` one literal."""
    text = program.text(node)
    if text.startswith("-"):
        yield replace(program, node, text[1:].lstrip())
        if text[1:].strip() == "1":
            yield replace(program, node, "0")


def _uor(program: Program, node: Node) -> Edits:
    if program.role(node) != "unary":
        if program.text(node).startswith("-"):
            yield Edit(node.start_byte, node.start_byte + 1, "+")
        return
    sign = node.child_by_field_name("operator")
    if sign is not None and program.text(sign) in ("-", "+"):
        other = "+" if program.text(sign) == "-" else "-"
        yield Edit(sign.start_byte, sign.end_byte, other)


def _aois(program: Program, node: Node) -> Edits:
    if not is_used_variable(program, node) or not is_assignable(program, node):
        return
    if not program.dialect.has_increments:
        if program.role(node) == "name" and is_number(program, node):
            yield from _walrus(program, node)
        return
    if _is_countable(program, node):
        text = program.text(node)
        prefix_target = f"({text})" if program.role(node) == "pointer" else text
        for sign in ("++", "--"):
            yield replace(program, node, f"{sign}{text}", UNARY_LEVEL)
            yield replace(program, node, f"{prefix_target}{sign}", UNARY_LEVEL + 1)


def _is_countable(program: Program, node: Node) -> bool:
    """A number; where there are pointers, those too: an unknown type is mostly one of the two."""
    is_pointer = program.dialect.has_pointers and program.kind(node) in ("pointer", "")
    return is_pointer or is_number(program, node)


def _walrus(program: Program, node: Node) -> Edits:
    """Where there is no `++`, an assignment expression does the same."""
    name = program.text(node)
    for sign, back in (("+", "-"), ("-", "+")):
        yield Edit(node.start_byte, node.end_byte, f"({name} := {name} {sign} 1)")
        yield Edit(node.start_byte, node.end_byte, f"(({name} := {name} {sign} 1) {back} 1)")


def _aoiu(program: Program, node: Node) -> Edits:
    role = program.role(node)
    if not program.is_value(node) or not keeps_type(program, node):
        return
    parent = program.parent(node)
    if parent is not None and program.role(parent) == "unary" and program.operator(parent) in "-+":
        return
    if role in ("integer", "float"):
        if program.text(node).startswith("-"):
            return
        is_zero = program.text(node).strip("0.lLfFdD") == ""
        yield replace(program, node, "-1" if is_zero else f"-{program.text(node)}", UNARY_LEVEL)
    elif role in VARIABLE_ROLES and is_used_variable(program, node) and is_number(program, node):
        yield prefixed(program, node, "-")


def _absi(program: Program, node: Node) -> Edits:
    if not is_used_variable(program, node) or not keeps_type(program, node):
        return
    kind, dialect = program.kind(node), program.dialect
    if not _is_countable(program, node):
        return
    parent = program.parent(program.outer(node))
    if kind == "pointer" and parent is not None and program.role(parent) == "binary":
        return  # an integer where a pointer is counted from or compared
    call = f"{dialect.absolute}({program.text(node)})"
    yield replace(program, node, call)
    if kind != "pointer":
        yield replace(program, node, f"-{call}", UNARY_LEVEL)


_ANY = (*VARIABLE_ROLES,)

OPERATORS: Functions = {
    "AOIS": (_ANY, _aois),
    "AOIU": ((*_ANY, "integer", "float"), _aoiu),
    "AORB": (("binary",), _aorb),
    "AORS": (("update",), _aors),
    "AODU": (("unary", "integer", "float"), _aodu),
    "AODS": (("update",), _aods),
    "ABSI": (_ANY, _absi),
    "UOR": (("unary", "integer", "float"), _uor),
}
