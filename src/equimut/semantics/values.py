"""What is known of values: whole numbers, lengths, harmless and defined expressions."""

import re

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.semantics.names import is_builtin, is_tame, occurrences, use_of
from equimut.semantics.program import Program

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


def is_unsigned(program: Program, node: Node) -> bool:
    """Whether a number makes unsigned what it is compared with (in C; lengths do too)."""
    numbers = program.dialect.numbers
    is_one = program.type_of(node) in numbers.unsigned or is_length(program, node)
    return numbers.silent_conversions and is_one


def is_integer(program: Program, node: Node, *, exact: bool = False) -> bool:
    """Whether an expression is a whole number by its declaration; boxes and unknowns are not.

    Where types are only hints, all that a name ever gets must be a whole number: literals, lengths,
    ranges, arithmetic. A truth value is one too, unless it must be `exact`.
    """
    if program.dialect.dynamic_types:
        return _is_integer_value(program, node, frozenset(), exact)
    inner = program.inner(node)
    if program.type_of(inner) not in program.dialect.expressions.integers:
        return False
    return all(_is_sure(program, one) for one in walk(inner))


def _is_sure(program: Program, node: Node) -> bool:
    """Whether the type of a member does not rest on its name alone: anything may have a `size`."""
    rules, role = program.dialect.expressions, program.role(node)
    if not rules.receiver or role not in ("call", "field"):
        return True
    owner, name = (node.child_by_field_name(p) for p in ("object", "name"))
    of_whom = program.text(owner) if owner is not None else ""
    if role == "field" or name is None:
        called = node.child_by_field_name("field")
        by_name = called is not None and f".{program.text(called)}" in rules.returns
        declared = called is not None and program.text(called) in program.declarations.fields
        return not by_name or is_length(program, node) or (of_whom == rules.receiver and declared)
    if of_whom in ("", rules.receiver) or is_length(program, node):
        return True
    known = {f"{of_whom}.{program.text(name)}", f"{of_whom}.*"} & rules.returns.keys()
    text = rules.literals["string"]
    return bool(known) or (owner is not None and program.type_of(owner) == text)


def _is_integer_value(program: Program, node: Node, seen: frozenset[str], exact: bool) -> bool:
    node = program.inner(node)
    key = "integer", node.id, exact
    if key in program.answers:
        return True
    found = len(seen) <= MAX_DEPTH and _finds_integer(program, node, seen, exact)
    if found:  # no doubt came in by the way on which it was asked
        program.answers[key] = True
    return found


def _finds_integer(program: Program, node: Node, seen: frozenset[str], exact: bool) -> bool:
    role = program.role(node)
    if role == "integer" or is_length(program, node):
        return True
    if role == "name":
        return _holds_integers(program, node, seen, exact)
    if role == "unary" and program.operator(node) != "not":
        operand = program.operand(node)
        return operand is not None and _is_integer_value(program, operand, seen, False)
    binary = program.binary(node) if role == "binary" else None
    if binary is None or binary.spelling not in ("+", "-", "*", "//", "%", "&", "|", "^"):
        return False
    sides = (binary.left, binary.right)
    makes_truth = exact and binary.spelling in program.dialect.bitwise  # of two truths one more
    if makes_truth and not any(_is_integer_value(program, side, seen, True) for side in sides):
        return False
    return all(_is_integer_value(program, side, seen, False) for side in sides)


def _holds_integers(program: Program, node: Node, seen: frozenset[str], exact: bool) -> bool:
    """Whether a name only ever gets whole numbers."""
    function = program.enclosing(node, program.dialect.functions)
    name = program.text(node)
    if function is None or name in seen or not is_tame(program, function, name):
        return False
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(
        _gives_integer(program, one, use, seen | {name}, exact)
        for one, use in uses
        if use != "read"
    )


def _gives_integer(
    program: Program, node: Node, use: str, seen: frozenset[str], exact: bool
) -> bool:
    parent = program.parent(program.outer(node))
    if parent is None or use == "other":
        return False
    if use == "declaration":
        kind, default = (parent.child_by_field_name(part) for part in ("type", "value"))
        if kind is None or program.text(kind) != "int" or exact or not is_builtin(program, "int"):
            return False
        return default is None or _is_integer_value(program, default, seen, exact)
    right = parent.child_by_field_name("right")
    if parent.type == "for_statement":
        return right is not None and is_range(program, right)
    if right is None:
        right = parent.child_by_field_name("value")  # of a named expression
    if right is None or program.operator(parent) in ("/=", "**="):
        return False
    return _is_integer_value(program, right, seen, exact)


def is_range(program: Program, node: Node) -> bool:
    """Whether an expression is a range of whole numbers."""
    called, name = node.child_by_field_name("function"), program.dialect.range_call
    is_call = bool(name) and called is not None and program.text(called) == name
    return is_call and is_builtin(program, name)


def is_length(program: Program, node: Node) -> bool:
    """Whether an expression is the length or size of something whose type is known."""
    node = program.inner(node)
    if program.role(node) not in ("call", "field"):
        return False
    parts = [node.child_by_field_name(part) for part in ("function", "name", "field")]
    name = next((program.text(part) for part in parts if part is not None), "")
    owners = program.dialect.expressions.lengths.get(name)
    owner = node.child_by_field_name("object")
    if owners is None or owner is None:
        is_function = owners == frozenset() and program.role(node) == "call"
        return is_function and is_builtin(program, name)
    found = program.type_of(owner)
    if program.role(node) == "field":
        return program.declarations.kind_of_type(found) == "array"
    return found in owners and found not in program.types_of_its_own


_LITERALS = frozenset({"integer", "float", "char", "boolean", "string", "null"})
_CHANGES = frozenset({"assign", "update"})


def has_effects(program: Program, node: Node) -> bool:
    """Whether computing the expression changes anything, as far as its text tells."""
    stack = [node]
    while stack:
        node = stack.pop()
        role = program.role(node)
        if node.type in program.dialect.expressions.deferred:
            continue
        if role in _CHANGES or (role == "call" and not _is_harmless_call(program, node)):
            return True
        stack.extend(node.named_children)
    return False


def _is_harmless_call(program: Program, node: Node) -> bool:
    name, owner = node.child_by_field_name("name"), node.child_by_field_name("object")
    spelled = program.text(name) if name is not None else ""
    of_whom = program.text(owner) if owner is not None else ""
    arguments, rules = node.child_by_field_name("arguments"), program.dialect.expressions
    bare = arguments is not None and not arguments.named_child_count
    if bare and re.match(rules.getters, spelled):
        return True
    forms = {spelled, f"{of_whom}.*", spelled if bare else f"{spelled}(_)"}
    return not forms.isdisjoint(rules.harmless_calls)


def is_harmless(program: Program, node: Node, *, typed: bool = True, depth: int = 0) -> bool:
    """Whether evaluating an expression changes nothing and cannot fail.

    Names, literals and arithmetic on primitive numbers; no call, no element, no field, no division
    but by a literal. Without declared types arithmetic counts only between numbers known as such.
    Not `typed`: names are taken to be what the operators around them want, and nothing is divided.
    """
    node = program.inner(node)
    role, rules = program.role(node), program.dialect.expressions
    if depth > MAX_DEPTH:
        return False
    if role in _LITERALS:
        return all(child.type != "interpolation" for child in node.named_children)
    if role == "name":
        return not typed or _is_safe_name(program, node)
    if role == "unary":
        operand = program.operand(node)
        sides = [operand] if operand is not None else []
    elif binary := program.binary(node):
        sides = [binary.left, binary.right]
        divides = binary.spelling in ("/", "%", "//") and literal_value(
            program, binary.right
        ) not in (None, 0, -1)  # the smallest number has no opposite
        if binary.spelling in rules.failing and not (typed and divides):
            return False
    else:
        return not typed and node.type == rules.receiver
    return bool(sides) and all(
        is_harmless(program, side, typed=typed, depth=depth + 1)
        and (not typed or _is_plain_number(program, side))
        for side in sides
    )


def _is_safe_name(program: Program, node: Node) -> bool:
    """A name that can be read without harm: no box to open, and surely bound."""
    if program.dialect.dynamic_types:
        function = program.enclosing(node, program.dialect.functions)
        found = occurrences(program, function, program.text(node)) if function is not None else []
        uses = [use_of(program, one) for one in found]
        return "declaration" in uses and "other" not in uses
    return not program.dialect.expressions.boxes or _is_primitive(program, node)


def _is_plain_number(program: Program, node: Node) -> bool:
    node = program.inner(node)
    if program.role(node) in ("binary", "unary"):
        return True  # its own operands are looked at
    if program.dialect.dynamic_types:
        return literal_value(program, node) is not None or is_integer(program, node)
    if program.dialect.expressions.boxes:
        return _is_primitive(program, node)
    return program.role(node) != "string"


def _is_primitive(program: Program, node: Node) -> bool:
    return program.type_of(node) in program.dialect.expressions.boxes.values()


def is_defined(program: Program, node: Node, target: str) -> bool:
    """Whether a harmless expression has a value that the target's type can take.

    Where an overflow is undefined, sums of signed numbers are not; nor is what has no value yet.
    """
    if program.dialect.numbers.overflow != "undefined":
        return True
    kinds = [program.declarations.kind_of_type(t) for t in (program.type_of(node), target)]
    if kinds[0] == "float" and kinds[1] != "float":
        return False
    return all(_is_defined_part(program, part) for part in walk(node))


def _is_defined_part(program: Program, node: Node) -> bool:
    role = program.role(node)
    if role == "name":
        return _has_value(program, node)
    if role == "unary":
        sign = program.operator(node)
        is_literal = literal_value(program, node) is not None
        return sign != "-" or is_literal or _wraps(program, node)
    binary = program.binary(node) if role == "binary" else None
    return binary is None or binary.spelling not in ("+", "-", "*") or _wraps(program, node)


def _wraps(program: Program, node: Node) -> bool:
    return program.type_of(node) in program.dialect.numbers.unsigned


def _has_value(program: Program, name: Node) -> bool:
    """Whether a variable has a value from its declaration on."""
    function = program.enclosing(name, program.dialect.functions)
    found = occurrences(program, function, program.text(name)) if function is not None else []
    declared = [node for node in found if use_of(program, node) == "declaration"]
    parents = [program.parent(node) for node in declared]
    return bool(parents) and all(
        parent is not None
        and (parent.type == "parameter_declaration" or program.role(parent) == "declarator")
        for parent in parents
    )
