"""Deleted statements, emptied blocks, swapped jumps."""

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from equimut.mutation.edit import Edit
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.defaults import enclosing_function, is_void
from equimut.semantics.program import Program

_KEPT = ("declaration", "labeled", "yield")
"""Statements that others depend on: without them little compiles."""


def statement_kind(program: Program, node: Node) -> str:
    """`assignment`, `call`, `if`, `while`, ...; empty for what may not be deleted."""
    kind = program.dialect.statements.get(node.type, "")
    if kind in _KEPT or program.is_value(node):
        return ""
    if kind == "switch" and not _is_in_block(program, node):
        return ""
    if kind != "expression":
        return kind
    inside = next((ch for ch in node.named_children if "comment" not in ch.type), None)
    if inside is None:
        return ""
    role = program.role(inside)
    if role in ("assign", "update"):
        return "assignment" if _is_safe_to_lose(program, inside) else ""
    if role in ("string", "integer", "name", "float"):
        return ""  # a docstring, or a statement that does nothing
    return "call" if role in ("call", "new") else "expression"


def _is_in_block(program: Program, node: Node) -> bool:
    parent = program.parent(node)
    return parent is not None and program.role(parent) == "block"


def _is_safe_to_lose(program: Program, node: Node) -> bool:
    """A compiler that checks flow rejects a variable that may be read before it is assigned, and a
    constructor that leaves a final field alone."""
    if program.dialect.rejects_flow is None or program.role(node) != "assign":
        return True
    left = node.child_by_field_name("left")
    if left is None:
        return True
    field = program.declarations.fields.get(program.text(left).removeprefix("this."))
    if field is not None and field.constant:
        return False
    if program.role(left) != "name":
        return True
    variable = program.declarations.lookup(left)
    return (
        variable is None
        or variable.initialised
        or program.text(left) in program.declarations.fields
    )


def _deleted(program: Program, node: Node) -> Edit:
    parent = program.parent(node)
    if parent is not None and parent.type == "switch_rule":
        return Edit(node.start_byte, node.end_byte, "{}")
    return Edit(node.start_byte, node.end_byte, program.dialect.no_operation)


def _delete(kinds: tuple[str, ...], program: Program, node: Node) -> Edits:
    """The deletion of a statement, if it is of the kinds; no kinds means all of them."""
    if node.type == "elif_clause":
        if not kinds or "if" in kinds:
            yield Edit(node.start_byte, node.end_byte, "")
        return
    kind = statement_kind(program, node)
    if kind and (not kinds or kind in kinds):
        yield _deleted(program, node)


def _deletes(*kinds: str) -> Callable[[Program, Node], Edits]:
    return partial(_delete, kinds)


def _blk(program: Program, node: Node) -> Edits:
    parent = program.parent(node)
    inside = [child for child in node.named_children if "comment" not in child.type]
    needed = ("explicit_constructor_invocation", "case_clause")
    if parent is None or not inside or inside[0].type in needed:
        return
    is_body = enclosing_function(program, node) == parent
    if is_body and not is_void(program, parent):
        return
    if program.dialect.has_braces:
        yield Edit(node.start_byte, node.end_byte, "{}")
    elif program.text(node) not in ("pass", "..."):
        yield Edit(node.start_byte, node.end_byte, "pass")


def _bcr(program: Program, node: Node) -> Edits:
    kind = program.dialect.statements.get(node.type)
    if kind not in ("break", "continue") or node.named_child_count:
        return  # with a label the target may not be a loop
    end = ";" if program.dialect.has_braces else ""
    function_node = enclosing_function(program, node)
    for around in program.ancestors(node):
        if around == function_node:
            break
        if around.type in program.tree.language.loops:
            other = "continue" if kind == "break" else "break"
            yield Edit(node.start_byte, node.end_byte, other + end)
            break
    if kind == "break" and function_node is not None and is_void(program, function_node):
        yield Edit(node.start_byte, node.end_byte, "return" + end)


_OTHER_STATEMENTS = (
    "do", "switch", "return", "break", "continue", "throw", "try", "synchronized", "assert", "goto",
    "with", "delete", "expression",
)  # fmt: skip

OPERATORS: Functions = {
    "ADL": (("statement",), _deletes("assignment")),
    "FCDL": (("statement",), _deletes("call")),
    "ISDL": (("statement", "condition"), _deletes("if")),
    "WLDL": (("statement",), _deletes("while")),
    "FLDL": (("statement",), _deletes("for")),
    "OSDL": (
        ("statement",),
        _deletes(
            "do",
            "switch",
            "return",
            "break",
            "continue",
            "throw",
            "try",
            "synchronized",
            "assert",
            "goto",
            "with",
            "delete",
            "expression",
        ),
    ),
    "SDL": (("statement", "condition"), _deletes()),
    "BLK": (("block",), _blk),
    "BCR": (("statement",), _bcr),
}
