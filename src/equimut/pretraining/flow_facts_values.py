"""What is known about the value of an expression: harmless to evaluate, never negative."""

import re

from tree_sitter import Node

from equimut.mutation.program import Program
from equimut.pretraining.flow_facts_names import is_tame, is_written, occurrences, use_of

INTEGERS = frozenset({"int", "long", "short", "byte", "char"})
_PRIMITIVES = INTEGERS | {"boolean", "float", "double"}
_UNSIGNED = frozenset({"unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
                       "uintptr_t"})  # fmt: skip
_SIGNED_C = frozenset({"int", "long", "short", "signed", "ssize_t", "ptrdiff_t", "int8_t",
                       "int16_t", "int32_t", "int64_t"})  # fmt: skip
_SIZED = frozenset({"List", "ArrayList", "LinkedList", "Map", "HashMap", "TreeMap", "Set",
                    "HashSet", "TreeSet", "Collection", "Deque", "ArrayDeque", "Queue", "Vector",
                    "LinkedHashMap", "LinkedHashSet"})  # fmt: skip
_TEXTS = frozenset({"String", "StringBuilder", "StringBuffer", "CharSequence"})
_FUNCTIONS = frozenset({"method_declaration", "function_definition", "constructor_declaration"})
MAX_DEPTH = 12


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
        return found in _SIGNED_C | _UNSIGNED | {"char"}
    return is_python_integer_value(program, node, frozenset())


def _is_python_integer(program: Program, node: Node, seen: frozenset[str] = frozenset()) -> bool:
    """A name that only ever holds whole numbers: hints, literals, lengths, ranges, arithmetic."""
    function = program.enclosing(node, _FUNCTIONS)
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
        return program.dialect.name != "java" or program.type_of(node) in _PRIMITIVES
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


def _is_plain_number(program: Program, node: Node) -> bool:
    node = program.inner(node)
    if program.role(node) in ("binary", "unary"):
        return True  # its own operands are looked at
    if program.dialect.name == "python":
        return literal_value(program, node) is not None or is_integer(program, node)
    if program.dialect.name == "java":
        return program.type_of(node) in _PRIMITIVES
    return program.role(node) != "string"


def is_non_negative(program: Program, node: Node, depth: int = 0) -> bool:
    """Whether a whole number can never be below zero."""
    node = program.inner(node)
    if depth > MAX_DEPTH:
        return False
    value = literal_value(program, node)
    if value is not None:
        return value >= 0
    role = program.role(node)
    found = program.type_of(node)
    if program.dialect.name == "c" and role == "name" and found in _UNSIGNED:
        return True
    if program.dialect.name == "java" and role == "name" and found == "char":
        return True
    if role == "name":
        return _is_counter(program, node) or _is_never_lowered(program, node, depth)
    if role in ("call", "field"):
        return is_length(program, node)
    binary = program.binary(node) if role == "binary" else None
    return binary is not None and _is_non_negative_result(
        program, binary.spelling, binary.left, binary.right, depth
    )


def _is_non_negative_result(
    program: Program, sign: str, left: Node, right: Node, depth: int
) -> bool:
    both = [is_non_negative(program, side, depth + 1) for side in (left, right)]
    python = program.dialect.name == "python"
    if sign == "%":
        if python:
            value = literal_value(program, right)
            return value is not None and value > 0 and is_integer(program, left)
        return both[0] and is_integer(program, left) and is_integer(program, right)
    if sign == "&":
        return any(both) and not python
    if sign in ("/", "//", ">>"):
        return all(both) and (sign != "/" or not python)
    if sign == ">>>":
        amount = literal_value(program, right)
        return amount is not None and 0 < amount < 32
    # Sums overflow, but not in Python.
    return python and sign in ("+", "*") and all(both)


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


def _is_never_lowered(program: Program, node: Node, depth: int) -> bool:
    """A local that only gets values that are not negative, and in C and Python also goes up.

    Going up by one could overflow: in Java to a negative number, in C that is undefined, in
    Python it does not exist.
    """
    function = program.enclosing(node, _FUNCTIONS)
    name = program.text(node)
    if function is None or not is_tame(program, function, name) or not is_integer(program, node):
        return False
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(_is_raised(program, one, use, name, depth) for one, use in uses if use != "read")


def _is_raised(program: Program, node: Node, use: str, name: str, depth: int) -> bool:
    parent = program.parent(node)
    if parent is None:
        return False
    sign = program.operator(parent)
    if use == "update":
        if program.dialect.name == "java":
            return False
        step = parent.child_by_field_name("right")
        if program.role(parent) == "update":
            return sign == "++"
        return sign in ("+=", "*=", "//=", "%=") and _is_given(program, step, name, depth)
    if parent.type == "for_statement":
        return _range_rises(program, parent)
    if program.role(parent) not in ("assign", "declarator") or parent.type == "typed_parameter":
        return False
    value = parent.child_by_field_name("value") or parent.child_by_field_name("right")
    return _is_given(program, value, name, depth)


def _is_given(program: Program, value: Node | None, name: str, depth: int) -> bool:
    """Whether a value is not negative without help from the variable that gets it."""
    if value is None or occurrences(program, value, name):
        return False
    return is_non_negative(program, value, depth + 4)


def _is_counter(program: Program, node: Node) -> bool:
    """A loop variable that starts at zero or above and only goes up."""
    if program.dialect.name == "python":
        return _range_loop(program, node) is not None
    loop = counting_loop(program, node)
    return loop is not None


def counting_loop(program: Program, node: Node) -> Node | None:
    """The `for` around a name that counts it up by one from a start that is not negative.

    `for (i = S; i < E; i++)` without another write to `i` inside: it stays at or below `E`, so it
    never overflows.
    """
    name = program.text(node)
    for around in program.ancestors(node):
        if around.type in _FUNCTIONS:
            return None
        if around.type == "for_statement" and counted_name(program, around) == name:
            start = loop_start(program, around)
            inside_start = start is not None and _contains(start, node)
            if start is not None and not inside_start and is_non_negative(program, start, 1):
                return around
            return None
    return None


def counted_name(program: Program, loop: Node) -> str:
    """The variable of `for (i = S; i < E; i++)` if nothing else in the loop writes it."""
    update, condition = (loop.child_by_field_name(part) for part in ("update", "condition"))
    if update is None or condition is None or program.role(update) != "update":
        return ""
    operand = program.operand(update)
    if operand is None or program.operator(update) != "++" or operand.type != "identifier":
        return ""
    name = program.text(operand)
    binary = program.binary(program.inner(condition))
    bounded = binary is not None and binary.spelling == "<" and program.text(binary.left) == name
    body = loop.child_by_field_name("body")
    function = program.enclosing(loop, _FUNCTIONS)
    if not bounded or body is None or function is None or not is_tame(program, function, name):
        return ""
    if is_written(program, body, name) or is_written(program, condition, name):
        return ""
    return name if is_integer(program, operand) else ""


def loop_start(program: Program, loop: Node) -> Node | None:
    """`S` of `for (i = S; ...)`, declared there or not."""
    start = loop.child_by_field_name("init") or loop.child_by_field_name("initializer")
    if start is None:
        return None
    if start.type in ("local_variable_declaration", "declaration"):
        declarators = start.children_by_field_name("declarator")
        return declarators[0].child_by_field_name("value") if len(declarators) == 1 else None
    if program.role(start) == "assign" and program.operator(start) == "=":
        return start.child_by_field_name("right")
    return None


def _range_loop(program: Program, node: Node) -> Node | None:
    """The Python loop over a range from zero or above that a name is the variable of."""
    if program.dialect.name != "python":
        return None
    name = program.text(node)
    for around in program.ancestors(node):
        if around.type in _FUNCTIONS:
            return None
        left, right, body = (around.child_by_field_name(p) for p in ("left", "right", "body"))
        if around.type != "for_statement" or left is None or program.text(left) != name:
            continue
        if right is None or body is None or not _contains(body, node):
            return None
        rises = _range_rises(program, around)
        function = program.enclosing(around, _FUNCTIONS)
        tame = function is not None and is_tame(program, function, name)
        return around if rises and tame and not is_written(program, body, name) else None
    return None


def _range_rises(program: Program, loop: Node) -> bool:
    """Whether a Python loop runs over a range that starts at zero or above and goes up."""
    right = loop.child_by_field_name("right")
    if right is None:
        return False
    called, arguments = (right.child_by_field_name(p) for p in ("function", "arguments"))
    if called is None or arguments is None or program.text(called) != "range":
        return False
    given = arguments.named_children
    return len(given) == 1 or (len(given) == 2 and is_non_negative(program, given[0], 4))


def _contains(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
