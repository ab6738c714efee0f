"""What is known about an expression: a whole number, a length, harmless to evaluate."""

import re

from tree_sitter import Node

from equimut.proofs.rules.names import is_tame, occurrences, use_of
from equimut.semantics.program import Program

INTEGERS = frozenset({"int", "long", "short", "byte", "char"})
PRIMITIVE_NUMBERS = INTEGERS | {"float", "double"}
_PRIMITIVES = PRIMITIVE_NUMBERS | {"boolean"}
UNSIGNED = frozenset({"unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
                       "uintptr_t"})  # fmt: skip
_SIGNED_C = frozenset({"int", "long", "short", "signed", "ssize_t", "ptrdiff_t", "int8_t",
                       "int16_t", "int32_t", "int64_t"})  # fmt: skip
_SIZED = frozenset({"List", "ArrayList", "LinkedList", "Map", "HashMap", "TreeMap", "Set",
                    "HashSet", "TreeSet", "Collection", "Deque", "ArrayDeque", "Queue", "Vector",
                    "LinkedHashMap", "LinkedHashSet"})  # fmt: skip
_TEXTS = frozenset({"String", "StringBuilder", "StringBuffer", "CharSequence"})
FUNCTIONS = frozenset({"method_declaration", "function_definition", "constructor_declaration"})
MAX_DEPTH = 12


def compact(program: Program, node: Node) -> str:
    """The text of an expression without parentheses around it and without white space."""
    return "".join(program.text(program.inner(node)).split())


def literal_value(program: Program, node: Node) -> int | None:
    """The value of an integer or character literal, with its sign."""
    node = program.inner(node)
    text = program.text(node)
    if program.role(node) == "unary" and program.operator(node) in ("-", "+"):
        operand = program.operand(node)
        value = literal_value(program, operand) if operand is not None else None
        return None if value is None else -value if program.operator(node) == "-" else value
    if program.role(node) == "char":
        return ord(text[1]) if re.fullmatch(r"'[ -&(-\[\]-~]'", text) else None
    if program.role(node) != "integer":
        return None
    plain = re.sub(r"[uUlL]+$", "", text).replace("_", "")
    if re.fullmatch(r"0[0-7]+", plain):
        return int(plain, 8)
    try:
        value = int(plain, 0)
    except ValueError:
        return None
    # A hexadecimal literal of Java may be negative: 0xffffffff is -1.
    return value if value < 1 << 31 else None


def is_integer(program: Program, node: Node) -> bool:
    """Whether an expression is a whole number by its declaration; boxes and unknowns are not."""
    node = program.inner(node)
    found = program.type_of(node)
    if program.dialect.name == "java":
        return found in INTEGERS
    if program.dialect.name == "c":
        return found in _SIGNED_C | UNSIGNED | {"char"}
    return is_python_integer_value(program, node, frozenset())


def _is_python_integer(program: Program, node: Node, seen: frozenset[str] = frozenset()) -> bool:
    """A name that only ever holds whole numbers: hints, literals, lengths, ranges, arithmetic."""
    function = program.enclosing(node, FUNCTIONS)
    name = program.text(node)
    if function is None or name in seen or not is_tame(program, function, name):
        return False
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(
        _gives_python_integer(program, one, use, seen | {name})
        for one, use in uses
        if use != "read"
    )


def _gives_python_integer(program: Program, node: Node, use: str, seen: frozenset[str]) -> bool:
    parent = program.parent(node)
    if parent is None or use == "other":
        return False
    if use == "declaration":
        kind = parent.child_by_field_name("type")
        return kind is not None and program.text(kind) == "int"
    if parent.type == "for_statement":
        right = parent.child_by_field_name("right")
        return right is not None and program.text(right).startswith("range(")
    right = parent.child_by_field_name("right")
    if right is None or program.operator(parent) in ("/=", "**="):
        return False
    return is_python_integer_value(program, right, seen)


def is_python_integer_value(program: Program, node: Node, seen: frozenset[str]) -> bool:
    """Whether an expression is a whole number if the hints are true."""
    node = program.inner(node)
    role = program.role(node)
    if role == "integer" or is_length(program, node):
        return True
    if role == "name":
        return _is_python_integer(program, node, seen)
    if role == "unary" and program.operator(node) != "not":
        operand = program.operand(node)
        return operand is not None and is_python_integer_value(program, operand, seen)
    binary = program.binary(node) if role == "binary" else None
    if binary is None or binary.spelling not in ("+", "-", "*", "//", "%", "&", "|", "^"):
        return False
    sides = (binary.left, binary.right)
    return all(is_python_integer_value(program, side, seen) for side in sides)


def is_harmless(program: Program, node: Node, depth: int = 0) -> bool:
    """Whether evaluating an expression changes nothing and cannot fail.

    Names, literals and arithmetic on primitive numbers; no call, no element, no field, no division
    but by a literal. Arithmetic of Python counts only between numbers known as such.
    """
    node = program.inner(node)
    role = program.role(node)
    if depth > MAX_DEPTH:
        return False
    if role in ("integer", "float", "char", "boolean", "string", "null"):
        return program.dialect.name != "python" or not program.text(node).startswith(("f", "F"))
    if role == "name":
        return _is_safe_name(program, node)
    if role == "unary":
        operand = program.operand(node)
        return (
            operand is not None
            and is_harmless(program, operand, depth + 1)
            and _is_plain_number(program, operand)
        )
    binary = program.binary(node) if role == "binary" else None
    if binary is None:
        return False
    if binary.spelling in ("/", "%", "//"):
        divisor = literal_value(program, binary.right)
        if not divisor:
            return False
    elif binary.spelling in ("<<", ">>", "**", "in", "not in", "@"):
        return False
    sides = (binary.left, binary.right)
    is_logic = binary.spelling in program.dialect.logical
    return all(
        is_harmless(program, side, depth + 1) and (is_logic or _is_plain_number(program, side))
        for side in sides
    )


def _is_safe_name(program: Program, node: Node) -> bool:
    """A name that can be read without harm: no box to open, and in Python surely bound."""
    if program.dialect.name == "java":
        return program.type_of(node) in _PRIMITIVES
    function = program.enclosing(node, FUNCTIONS)
    if program.dialect.name == "c" or function is None:
        return program.dialect.name == "c"
    uses = [use_of(program, one) for one in occurrences(program, function, program.text(node))]
    return "declaration" in uses and "other" not in uses


def _is_plain_number(program: Program, node: Node) -> bool:
    node = program.inner(node)
    if program.role(node) in ("binary", "unary"):
        return True  # its own operands are looked at
    if program.dialect.name == "python":
        return literal_value(program, node) is not None or is_integer(program, node)
    if program.dialect.name == "java":
        return program.type_of(node) in _PRIMITIVES
    return program.role(node) != "string"


def is_length(program: Program, node: Node) -> bool:
    """Whether an expression is the length or size of something whose type is known."""
    node = program.inner(node)
    text = program.text(node)
    if program.dialect.name == "python":
        called = node.child_by_field_name("function")
        return program.role(node) == "call" and called is not None and program.text(called) == "len"
    if program.dialect.name == "c":
        return program.role(node) == "call" and text.startswith("strlen(")
    owner = node.child_by_field_name("object")
    if owner is None:
        return False
    kind = program.type_of(owner)
    if program.role(node) == "field":
        return text.endswith(".length") and program.declarations.kind_of_type(kind) == "array"
    name = node.child_by_field_name("name")
    called_name = program.text(name) if name is not None else ""
    return (called_name == "length" and kind in _TEXTS) or (
        called_name == "size" and kind in _SIZED
    )
