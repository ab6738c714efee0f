"""Operators on whole values: results, expressions, calls and their arguments."""

from tree_sitter import Node

from equimut.languages import UNARY_LEVEL
from equimut.mutation.edit import Edit, replace, replace_by
from equimut.mutation.operator import Edits, Functions
from equimut.semantics.defaults import default_values, expected_type, return_type
from equimut.semantics.program import Program

_LITERALS = ("integer", "float", "string", "char", "boolean", "null")


def _rvr(program: Program, node: Node) -> Edits:
    """The result of a function, replaced by plain values of its type."""
    if program.dialect.statements.get(node.type) != "return":
        return
    value = next((child for child in node.named_children if "comment" not in child.type), None)
    if value is None:
        return
    inner = program.inner(value)
    values = default_values(program, return_type(program, node) or program.type_of(inner))
    if program.dialect.dynamic_types:
        values = (*values, program.dialect.null)
    for other in values:
        if other != program.text(inner):
            yield Edit(inner.start_byte, inner.end_byte, other)


def _evr(program: Program, node: Node) -> Edits:
    """An expression that is assigned or passed, replaced by the default value of its type."""
    around = program.outer(node)
    parent = program.parent(around)
    null_fits = program.dialect.dynamic_types
    if parent is None or (program.role(node) in _LITERALS and not null_fits):
        return  # a literal has operators of its own; null for one is something else
    role, is_argument = program.role(parent), parent.type == "argument_list"
    is_return = program.dialect.statements.get(parent.type) == "return"
    is_value = role in ("assign", "declarator") and program.field(around) in ("right", "value")
    if not (is_return or is_value or is_argument) or program.role(node) == "collection":
        return
    values = default_values(program, expected_type(program, node))
    if is_argument and values and values[0] == program.dialect.null:
        return  # `f(null)` is ambiguous where `f` is overloaded
    if null_fits and not is_argument:
        values = (program.dialect.null,)
    if values and values[0] != program.text(node):
        yield replace(program, node, values[0])


def _call_name(program: Program, node: Node) -> Node | None:
    called = node.child_by_field_name("name") or node.child_by_field_name("function")
    member = called.child_by_field_name("attribute") if called is not None else None
    return member if member is not None else called


def _arguments(program: Program, node: Node) -> list[Node]:
    found = node.child_by_field_name("arguments")
    children = found.named_children if found is not None else []
    return [child for child in children if "comment" not in child.type]


def _rmc(program: Program, node: Node) -> Edits:
    """A call replaced by its receiver, by an argument, or by the default value of its type."""
    if not program.is_value(node):
        return
    result = program.type_of(node)
    called = node.child_by_field_name("function")
    receiver = node.child_by_field_name("object") or (
        called.child_by_field_name("object") if called is not None else None
    )
    for kept in (*([receiver] if receiver is not None else []), *_arguments(program, node)):
        if result and program.type_of(kept) == result:
            yield replace_by(program, node, kept)
    for value in default_values(program, result)[:1]:
        if value != program.dialect.null:
            yield replace(program, node, value, UNARY_LEVEL)


def _mcr(program: Program, node: Node) -> Edits:
    name = _call_name(program, node)
    other = program.dialect.method_swaps.get(program.text(name)) if name is not None else None
    if name is not None and other is not None:
        yield Edit(name.start_byte, name.end_byte, other)


def _arg(program: Program, node: Node) -> Edits:
    """Calls with an argument null or missing, where no compiler minds."""
    if not program.dialect.dynamic_types:
        return
    null = program.dialect.null
    arguments = _arguments(program, node)
    for index, argument in enumerate(arguments):
        if argument.type in ("list_splat", "dictionary_splat", "generator_expression"):
            continue
        value = (
            argument.child_by_field_name("value") if argument.type == "keyword_argument" else None
        )
        target = value if value is not None else argument
        if program.role(target) != "null":
            yield Edit(target.start_byte, target.end_byte, null)
        if len(arguments) > 1:
            last = index + 1 == len(arguments)
            start = arguments[index - 1].end_byte if last else argument.start_byte
            end = argument.end_byte if last else arguments[index + 1].start_byte
            yield Edit(start, end, "")


def _lmr(program: Program, node: Node) -> Edits:
    body = node.child_by_field_name("body")
    if body is not None and program.dialect.dynamic_types:
        other = "0" if program.role(body) == "null" else program.dialect.null
        yield Edit(body.start_byte, body.end_byte, other)


_EXPRESSIONS = (
    "binary", "unary", "update", "name", "element", "field", "pointer", "call", "ternary", "cast",
    "new", "new_array", "lambda",
)  # fmt: skip

OPERATORS: Functions = {
    "RVR": (("statement",), _rvr),
    "EVR": ((*_EXPRESSIONS, *_LITERALS), _evr),
    "RMC": (("call",), _rmc),
    "MCR": (("call",), _mcr),
    "ARG": (("call",), _arg),
    "LMR": (("lambda",), _lmr),
}
