"""Whole numbers that are never negative: lengths, counters, and what is made from them."""

from tree_sitter import Node

from equimut.semantics.constants import literal_value
from equimut.semantics.names import is_tame, is_written, occurrences, use_of
from equimut.semantics.program import Program
from equimut.semantics.values import FUNCTIONS, MAX_DEPTH, UNSIGNED, is_integer, is_length

_WIDE_SIGNED = frozenset({"int", "long", "ssize_t", "ptrdiff_t", "int32_t", "int64_t"})


def is_unsigned(program: Program, node: Node) -> bool:
    """Whether a number is of an unsigned type of C, lengths included."""
    if program.dialect.name != "c":
        return False
    return program.type_of(node) in UNSIGNED or is_length(program, node)


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
    if program.dialect.name == "c" and role == "name" and found in UNSIGNED:
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


def _is_never_lowered(program: Program, node: Node, depth: int) -> bool:
    """A local that only gets values that are not negative, and in C and Python also goes up.

    Going up by one could overflow: in Java to a negative number, in C that is undefined, in
    Python it does not exist.
    """
    function = program.enclosing(node, FUNCTIONS)
    name = program.text(node)
    if function is None or not is_tame(program, function, name) or not is_integer(program, node):
        return False
    if program.dialect.name == "c" and program.type_of(node) not in _WIDE_SIGNED:
        return False  # narrow types wrap to negative numbers
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
    if program.dialect.name == "c" and not _keeps_sign(program, value):
        return False
    return is_non_negative(program, value, depth + 4)


def _keeps_sign(program: Program, value: Node) -> bool:
    """Whether a value that is not negative stays so in a signed variable of C."""
    literal = literal_value(program, value) is not None
    return literal or program.type_of(program.inner(value)) in _WIDE_SIGNED


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
        if around.type in FUNCTIONS:
            return None
        if around.type == "for_statement" and counted_name(program, around) == name:
            start = loop_start(program, around)
            inside_start = start is not None and _contains(start, node)
            if start is None or inside_start or not is_non_negative(program, start, 1):
                return None
            if program.dialect.name != "c" or _keeps_sign(program, start):
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
    function = program.enclosing(loop, FUNCTIONS)
    if not bounded or body is None or function is None or not is_tame(program, function, name):
        return ""
    if is_written(program, body, name) or is_written(program, condition, name):
        return ""
    bound = program.type_of(binary.right) if binary is not None else ""
    if program.dialect.name == "java" and bound in ("long", "float", "double", ""):
        return ""  # an int may overflow before it meets such a bound
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
        if around.type in FUNCTIONS:
            return None
        left, right, body = (around.child_by_field_name(p) for p in ("left", "right", "body"))
        if around.type != "for_statement" or left is None or program.text(left) != name:
            continue
        if right is None or body is None or not _contains(body, node):
            return None
        rises = _range_rises(program, around)
        function = program.enclosing(around, FUNCTIONS)
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
