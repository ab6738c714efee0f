"""Operators on literals: numbers, strings, truth values, collections."""

import re

from tree_sitter import Node

from equimut.languages import ATOM_LEVEL, UNARY_LEVEL
from equimut.mutation.edit import Edit, replace
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.program import Program

_QUOTED = re.compile(r"""^(?P<prefix>\w*)(?P<quote>\"""|'''|"|')(?P<body>.*)(?P=quote)$""", re.S)
_SUFFIX = {"integer": re.compile(r"[lLuU]+$"), "float": re.compile(r"[fFdDlL]$")}


def _signed(program: Program, node: Node) -> tuple[Node, str]:
    """A number with the minus before it, if there is one: `-1` is one constant to a reader."""
    parent = program.parent(node)
    if parent is not None and program.role(parent) == "unary" and program.operator(parent) == "-":
        return parent, "-"
    return node, ""


def _bare(program: Program, node: Node) -> tuple[str, str]:
    """The digits of a number and its type suffix."""
    text, role = program.text(node), program.role(node)
    found = _SUFFIX[role].search(text)
    is_hex_float = role == "float" and text.lower().startswith("0x")
    if found is None or is_hex_float:
        return text, ""
    return text[: found.start()], found.group()


def _numbers(program: Program, node: Node) -> Edits:
    """0, 1, -1 and the negation, in the type of the literal."""
    if not program.is_value(node):
        return
    target, sign = _signed(program, node)
    digits, suffix = _bare(program, node)
    if digits.startswith("-"):  # the grammar of C makes `-1` one literal
        sign, digits = "-", digits[1:].lstrip()
    zero, one = ("0.0", "1.0") if program.role(node) == "float" else ("0", "1")
    now = sign + digits
    negation = digits if sign else f"-{digits}"
    is_zero = digits.strip("0.") == ""
    for value in dict.fromkeys((zero, one, f"-{one}", negation)):
        if value == now or (is_zero and value in (zero, negation)):
            continue
        level = UNARY_LEVEL if value.startswith("-") else ATOM_LEVEL
        yield replace(program, target, value + suffix, level)


def _icr(program: Program, node: Node) -> Edits:
    """The next and the previous number."""
    if not program.is_value(node):
        return
    digits, suffix = _bare(program, node)
    try:
        if program.role(node) == "float":
            values = [repr(float(digits) + step) for step in (1, -1)]
        else:
            is_octal = re.fullmatch(r"0[0-7]+", digits) is not None
            now = int(digits, 8) if is_octal else int(digits, 0)
            values = [str(now + 1), str(now - 1)]
    except ValueError:  # a spelling of another standard; nothing is lost but this operator
        return
    for value in values:
        level = UNARY_LEVEL if value.startswith("-") else ATOM_LEVEL
        yield replace(program, node, value + suffix, level)


def _lvr(program: Program, node: Node) -> Edits:
    role = program.role(node)
    if role in ("integer", "float"):
        yield from _numbers(program, node)
    elif role == "boolean" and program.is_value(node):
        dialect = program.dialect
        was_true = program.text(node).lower() == "true"
        yield replace(program, node, dialect.false if was_true else dialect.true)
    elif role == "char" and program.is_value(node):
        yield replace(program, node, "'\\0'")
    elif role == "string" and program.is_value(node):
        yield from _emptied(program, node)


def _emptied(program: Program, node: Node) -> Edits:
    found = _QUOTED.match(program.text(node))
    if found and found["body"]:
        yield replace(program, node, f"{found['prefix']}{found['quote'] * 2}")


def _slr(program: Program, node: Node) -> Edits:
    found = _QUOTED.match(program.text(node))
    if found is None or not program.is_value(node):
        return
    body, start, end = found["body"], found["prefix"] + found["quote"], found["quote"]
    if not body:
        yield replace(program, node, f"{start}mutant{end}")
        return
    yield replace(program, node, f"{start}XX{body}XX{end}")
    # Case matters inside escapes, format directives and replacement fields.
    if not set(body) & set("\\%{"):
        for other in (body.lower(), body.upper()):
            if other != body:
                yield replace(program, node, f"{start}{other}{end}")


_EMPTY = {
    "array_initializer": "{}", "initializer_list": "{0}", "list": "[]", "dictionary": "{}",
    "set": "set()", "tuple": "()",
}  # fmt: skip


def _cel(program: Program, node: Node) -> Edits:
    if node.named_child_count and program.text(node).replace(" ", "") != _EMPTY[node.type]:
        yield Edit(node.start_byte, node.end_byte, _EMPTY[node.type])


OPERATORS: Functions = {
    "CR": (("integer", "float"), _numbers),
    "LVR": (("integer", "float", "boolean", "string", "char"), _lvr),
    "ICR": (("integer", "float"), _icr),
    "SLR": (("string",), _slr),
    "CEL": (("collection",), _cel),
}
