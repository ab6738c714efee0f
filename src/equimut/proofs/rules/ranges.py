"""Whole numbers that are never negative: lengths, counters, and what is made from them."""

from tree_sitter import Node

from equimut.semantics.names import is_tame, is_written, occurrences, use_of
from equimut.semantics.program import Program
from equimut.semantics.values import MAX_DEPTH, is_integer, is_length, is_range, literal_value


def is_non_negative(program: Program, node: Node, depth: int = 0) -> bool:
    """Whether a whole number can never be below zero."""
    node = program.inner(node)
    if depth > MAX_DEPTH:
        return False
    key = "not negative", node.id, depth
    if key not in program.answers:
        program.answers[key] = _is_never_negative(program, node, depth)
    return program.answers[key]


def _is_never_negative(program: Program, node: Node, depth: int) -> bool:
    value = literal_value(program, node)
    if value is not None:
        return value >= 0
    role = program.role(node)
    if role == "name":
        return (
            program.type_of(node) in program.dialect.numbers.unsigned
            or _is_counter(program, node, depth)
            or _is_never_lowered(program, node, depth)
        )
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
    numbers = program.dialect.numbers
    if sign == "%":
        if numbers.remainder_sign == "divisor":
            value = literal_value(program, right)
            return value is not None and value > 0 and is_integer(program, left)
        return both[0] and is_integer(program, left) and is_integer(program, right)
    if sign == "&":
        return any(both) and not program.dialect.dynamic_types
    if sign in ("/", "//", ">>"):
        return all(both) and not (sign == "/" and numbers.true_division)
    if sign == ">>>":
        amount = literal_value(program, right)
        return amount is not None and 0 < amount < 32
    # Sums overflow, where numbers have an end.
    return numbers.overflow == "none" and sign in ("+", "*") and all(both)


def _is_never_lowered(program: Program, node: Node, depth: int) -> bool:
    """A local that only gets values that are not negative, or goes up and does not wrap.

    Going up by one could overflow: in Java to a negative number, in C that is undefined, in
    Python it does not exist.
    """
    function = program.enclosing(node, program.dialect.functions)
    name = program.text(node)
    if function is None or not is_tame(program, function, name) or not is_integer(program, node):
        return False
    numbers = program.dialect.numbers
    if numbers.silent_conversions and program.type_of(node) not in numbers.wide_signed:
        return False  # narrow types wrap to negative numbers
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(_is_raised(program, one, use, depth) for one, use in uses if use != "read")


def _is_raised(program: Program, node: Node, use: str, depth: int) -> bool:
    parent = program.parent(program.outer(node))
    if parent is None:
        return False
    sign = program.operator(parent)
    if use == "update":
        if program.dialect.numbers.overflow == "wraps":
            return False
        step = parent.child_by_field_name("right")
        if program.role(parent) == "update":
            return sign == "++"
        return sign in ("+=", "*=", "//=", "%=") and _is_given(program, step, node, depth)
    if parent.type == "for_statement":
        return _range_rises(program, parent, depth)
    if program.role(parent) not in ("assign", "declarator") or parent.type == "typed_parameter":
        return False
    value = parent.child_by_field_name("value") or parent.child_by_field_name("right")
    return _is_given(program, value, node, depth)


def _is_given(program: Program, value: Node | None, name: Node, depth: int) -> bool:
    """Whether a value is not negative without help from the variable that gets it."""
    if value is None or occurrences(program, value, program.text(name)):
        return False
    kept = _keeps_sign(program, value, program.type_of(name))
    return kept and is_non_negative(program, value, depth + 4)


def _keeps_sign(program: Program, value: Node, target: str) -> bool:
    """Whether a value that is not negative stays so in a signed variable of that type."""
    numbers = program.dialect.numbers
    if not numbers.silent_conversions or literal_value(program, value) is not None:
        return True
    bits = numbers.wide_signed
    given = bits.get(program.type_of(program.inner(value)))
    return given is not None and given <= bits.get(target, 0)


def _is_counter(program: Program, node: Node, depth: int) -> bool:
    """A loop variable that starts at zero or above and only goes up."""
    if program.dialect.range_call:
        return _range_loop(program, node, depth) is not None
    return counting_loop(program, node, depth) is not None


def counting_loop(program: Program, node: Node, depth: int = 0) -> Node | None:
    """The `for` around a name that counts it up by one from a start that is not negative.

    `for (i = S; i < E; i++)` without another write to `i` inside: it stays at or below `E`, so it
    never overflows.
    """
    name = program.text(node)
    for around in program.ancestors(node):
        if around.type in program.dialect.functions:
            return None
        if around.type == "for_statement" and counted_name(program, around) == name:
            start = loop_start(program, around)
            inside_start = start is not None and _contains(start, node)
            if start is None or inside_start or not is_non_negative(program, start, depth + 1):
                return None
            return around if _keeps_sign(program, start, program.type_of(node)) else None
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
    function = program.enclosing(loop, program.dialect.functions)
    if not bounded or body is None or function is None or not is_tame(program, function, name):
        return ""
    if program.type_of(operand) not in program.dialect.numbers.counters:
        return ""  # narrow numbers wrap before they meet the bound
    if is_written(program, body, name) or is_written(program, condition, name):
        return ""
    bound = program.type_of(binary.right) if binary is not None else ""
    if program.dialect.numbers.overflow == "wraps" and bound in ("long", "float", "double", ""):
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


def _range_loop(program: Program, node: Node, depth: int) -> Node | None:
    """The loop over a range from zero or above that a name is the variable of."""
    name = program.text(node)
    for around in program.ancestors(node):
        if around.type in program.dialect.functions:
            return None
        left, right, body = (around.child_by_field_name(p) for p in ("left", "right", "body"))
        if around.type != "for_statement" or left is None or program.text(left) != name:
            continue
        if right is None or body is None or not _contains(body, node):
            return None
        rises = _range_rises(program, around, depth)
        function = program.enclosing(around, program.dialect.functions)
        tame = function is not None and is_tame(program, function, name)
        return around if rises and tame and not is_written(program, body, name) else None
    return None


def _range_rises(program: Program, loop: Node, depth: int) -> bool:
    """Whether a loop runs over a range that starts at zero or above and goes up."""
    right = loop.child_by_field_name("right")
    if right is None:
        return False
    arguments = right.child_by_field_name("arguments")
    if arguments is None or not is_range(program, right):
        return False
    given = arguments.named_children
    if any(one.type in ("list_splat", "keyword_argument") for one in given):
        return False
    return len(given) == 1 or (len(given) == 2 and is_non_negative(program, given[0], depth + 4))


def _contains(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
