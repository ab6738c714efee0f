"""Facts about comparisons and conditions."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.mutation.program import Program
from equimut.pretraining.flow_facts_change import Change
from equimut.pretraining.flow_facts_names import is_tame, is_written
from equimut.pretraining.flow_facts_values import (
    counted_name,
    counting_loop,
    is_harmless,
    is_integer,
    is_length,
    is_non_negative,
    literal_value,
    loop_start,
)

MOST_OPERANDS, MOST_LITERALS = 3, 3
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_NARROW = frozenset({"int", "char", "short", "int8_t", "int16_t", "int32_t", "uint8_t",
                     "uint16_t"})  # fmt: skip
Truth = Callable[[tuple[int, ...]], int]


@dataclass
class _Operands:
    """The whole numbers that a condition compares, in the order in which they were met."""

    texts: list[str] = field(default_factory=list)
    non_negative: list[bool] = field(default_factory=list)
    literals: set[int] = field(default_factory=set)
    harmless: bool = True
    logic: bool = False

    def place(self, program: Program, node: Node) -> int:
        text = "".join(program.text(program.inner(node)).split())
        if text not in self.texts:
            self.texts.append(text)
            self.non_negative.append(is_non_negative(program, node))
        self.harmless = self.harmless and is_harmless(program, node)
        return self.texts.index(text)


def same_truth(change: Change) -> bool:
    """Two conditions with the same truth for all values of what they compare.

    Comparisons of whole numbers with each other and with literals depend on the order of these
    values only, so trying the values around each literal tries all cases. Lengths and sizes are
    never negative. Operands whose evaluation matters must stand in a single comparison, where
    they are evaluated on both sides.
    """
    pair = _conditions(change)
    if pair is None:
        return False
    operands = _Operands()
    old = _truth(change.origin, pair[0], operands)
    new = _truth(change.mutant, pair[1], operands)
    if old is None or new is None or len(operands.texts) > MOST_OPERANDS:
        return False
    if not operands.texts or len(operands.literals) > MOST_LITERALS:
        return False
    if not operands.harmless and (operands.logic or not _same_operands(change, pair)):
        return False
    points = sorted({at + d for at in (operands.literals or {0}) for d in range(-3, 4)})
    domains = [
        [point for point in {0, *points} if point >= 0] if low else points
        for low in operands.non_negative
    ]
    return all(bool(old(row)) == bool(new(row)) for row in itertools.product(*domains))


def _conditions(change: Change) -> tuple[Node, Node] | None:
    """The largest conditions around the change, or None where it is not inside one."""
    before, after = change.before, change.after
    found = None
    while True:
        if _is_condition(change.origin, before) and _is_condition(change.mutant, after):
            found = (before, after)
        elif found is not None and change.origin.role(before) != "group":
            return found
        old, new = change.origin.parent(before), change.mutant.parent(after)
        if old is None or new is None or old.type in change.origin.dialect.statements:
            return found
        before, after = old, new


def _is_condition(program: Program, node: Node) -> bool:
    role = program.role(node)
    if role == "boolean":
        return True
    if role == "unary":
        return program.operator(node) in ("!", "not")
    if role == "integer" and program.dialect.name == "c":
        return program.text(node) in ("0", "1")
    binary = program.binary(node) if role == "binary" else None
    if binary is None:
        return False
    return (
        binary.spelling in _COMPARE
        or binary.spelling in program.dialect.logical
        or _compares_truths(program, node)
    )


def _truth(program: Program, node: Node, operands: _Operands) -> Truth | None:
    """The truth of a condition as a function of the values of its operands."""
    node = program.inner(node)
    role, text = program.role(node), program.text(node)
    if role == "boolean" or (program.dialect.name == "c" and text in ("0", "1")):
        value = int(text in ("true", "True", "1"))
        return lambda row: value
    if role == "unary" and program.operator(node) in ("!", "not"):
        operand = program.operand(node)
        inner = _truth(program, operand, operands) if operand is not None else None
        return (lambda row: int(not inner(row))) if inner is not None else None
    binary = program.binary(node) if role == "binary" else None
    if binary is None:
        return None
    if binary.spelling in program.dialect.logical or _compares_truths(program, node):
        operands.logic = True
        left, right = (_truth(program, side, operands) for side in (binary.left, binary.right))
        if left is None or right is None:
            return None
        if binary.spelling == program.dialect.conjunction:
            return lambda row: int(bool(left(row)) and bool(right(row)))
        if binary.spelling == program.dialect.disjunction:
            return lambda row: int(bool(left(row)) or bool(right(row)))
        compare = _COMPARE["!=" if binary.spelling == "^" else binary.spelling]
        return lambda row: int(compare(left(row), right(row)))
    if binary.spelling not in _COMPARE:
        return None
    values = [_value(program, side, operands) for side in (binary.left, binary.right)]
    first, second = values
    if first is None or second is None:
        return None
    decide = _COMPARE[binary.spelling]
    return lambda row: int(decide(first(row), second(row)))


def _compares_truths(program: Program, node: Node) -> bool:
    """`a < b == c < d`: the operands are truths themselves."""
    binary = program.binary(node)
    if binary is None or binary.spelling not in ("==", "!=", "^"):
        return False
    return all(
        _is_condition(program, program.inner(side))
        and program.role(program.inner(side)) == "binary"
        for side in (binary.left, binary.right)
    )


def _value(program: Program, node: Node, operands: _Operands) -> Truth | None:
    literal = literal_value(program, node)
    if literal is not None:
        operands.literals.add(literal)
        return lambda row: literal
    # A number of unknown type may be a fraction or no number at all.
    if not (is_integer(program, node) or is_length(program, node)):
        return None
    inner = program.inner(node)
    binary = program.binary(inner)
    is_rest = binary is not None and binary.spelling == "%"
    if program.role(inner) not in ("name", "field", "call", "element") and not is_rest:
        return None
    if program.role(inner) == "call" and not is_length(program, inner):
        return None
    place = operands.place(program, inner)
    return lambda row: row[place]


def _same_operands(change: Change, pair: tuple[Node, Node]) -> bool:
    """Whether two single comparisons have the same two operands, or differ in a literal only."""
    old, new = change.origin.binary(pair[0]), change.mutant.binary(pair[1])
    if old is None or new is None:
        return False
    for left, right in ((old.left, new.left), (old.right, new.right)):
        literal = literal_value(change.origin, left) is not None
        both = literal and literal_value(change.mutant, right) is not None
        if change.origin.text(left) != change.mutant.text(right) and not both:
            return False
    return True


def tie(change: Change) -> bool:
    """`a < b ? a : b` and `a <= b ? a : b`: when both are equal it does not matter which.

    Also `if (x > top) top = x;` with `>=`: storing an equal value changes nothing. Whole numbers
    only: 0.0 and -0.0 are equal and not the same.
    """
    old = change.origin.binary(change.before)
    new = change.mutant.binary(change.after)
    if old is None or new is None:
        return False
    signs = frozenset((old.spelling, new.spelling))
    if signs not in (frozenset(("<", "<=")), frozenset((">", ">="))):
        return False
    texts = [_compact(change.origin, side) for side in (old.left, old.right)]
    if texts != [_compact(change.mutant, side) for side in (new.left, new.right)]:
        return False
    if not all(is_integer(change.origin, side) for side in (old.left, old.right)):
        return False
    around = change.origin.parent(change.origin.outer(change.before))
    if around is None or change.origin.field(change.origin.outer(change.before)) != "condition":
        return False
    results = _results(change.origin, around)
    if results is None:
        return False
    return sorted(results) == sorted(texts) and _repeatable(change.origin, old.left, old.right)


def _compact(program: Program, node: Node) -> str:
    return "".join(program.text(program.inner(node)).split())


def _results(program: Program, around: Node) -> tuple[str, str] | None:
    """The values of a conditional expression, or the sides of the one assignment of an `if`."""
    then, other = (around.child_by_field_name(part) for part in ("consequence", "alternative"))
    if then is None:
        return None
    if program.role(around) == "ternary":
        return (_compact(program, then), _compact(program, other)) if other is not None else None
    if program.dialect.statements.get(around.type) != "if" or other is not None:
        return None
    body = then
    if program.role(then) == "block":
        inside = [child for child in then.named_children if "comment" not in child.type]
        if len(inside) != 1:
            return None
        body = inside[0]
    if program.dialect.statements.get(body.type) != "expression" or not body.named_children:
        return None
    assign = body.named_children[0]
    left, right = (assign.child_by_field_name(part) for part in ("left", "right"))
    if program.role(assign) != "assign" or program.operator(assign) != "=":
        return None
    if left is None or right is None:
        return None
    return _compact(program, left), _compact(program, right)


def _repeatable(program: Program, *nodes: Node) -> bool:
    """Names, fields and elements by harmless index: evaluating them once more changes nothing."""
    for node in nodes:
        inner = program.inner(node)
        role = program.role(inner)
        if role == "element":
            index = inner.child_by_field_name("index")
            base = inner.child_by_field_name("array") or inner.child_by_field_name("argument")
            if index is None or base is None or program.role(base) != "name":
                return False
            if not is_harmless(program, index):
                return False
        elif role != "name" and literal_value(program, inner) is None:
            return False
    return True


def loop_exit(change: Change) -> bool:
    """`for (i = 0; i < n; i++)` with `i != n`: counting up by one, `i` meets `n` exactly.

    Nothing else in the loop changes `i` or `n`, and `i` starts at or below `n`: at zero under a
    length, or at the counter (or its successor) of a loop around it with the same bound.
    """
    old, new = change.origin.binary(change.before), change.mutant.binary(change.after)
    if old is None or new is None or (old.spelling, new.spelling) != ("<", "!="):
        return False
    program = change.origin
    loop = program.parent(program.outer(change.before))
    if loop is None or loop.type != "for_statement" or program.role(old.left) != "name":
        return False
    if counted_name(program, loop) != program.text(old.left):
        return False
    start = loop_start(program, loop)
    if start is None or not _is_fixed(program, change.function, loop, old.right):
        return False
    if literal_value(program, start) == 0:
        return is_non_negative(program, old.right) or _is_under(program, start, old.right, loop)
    return _is_under(program, start, old.right, loop)


def _is_fixed(program: Program, function: Node, loop: Node, bound: Node) -> bool:
    """Whether the bound of a loop is the same all the time the loop runs."""
    inner = program.inner(bound)
    if literal_value(program, inner) is not None:
        return True
    base = inner
    if program.role(inner) in ("field", "call"):
        owner = inner.child_by_field_name("object")
        if owner is None or not is_length(program, inner):
            return False
        # Arrays and texts keep their length; lists and builders do not.
        kind = program.type_of(owner)
        if program.declarations.kind_of_type(kind) != "array" and kind != "String":
            return False
        base = owner
    if program.role(base) != "name":
        return False
    name = program.text(base)
    return is_tame(program, function, name) and not is_written(program, loop, name)


def _is_under(program: Program, start: Node, bound: Node, loop: Node) -> bool:
    """Whether a start `j` or `j + 1` lies at or below a bound that limits `j` in an outer loop."""
    name, text = start, program.text(start)
    binary = program.binary(program.inner(start))
    if binary is not None and binary.spelling == "+" and literal_value(program, binary.right) == 1:
        name, text = binary.left, program.text(binary.left)
    if program.role(program.inner(name)) != "name":
        return False
    outer = counting_loop(program, program.inner(name))
    if outer is None or outer == loop:
        return False
    condition = outer.child_by_field_name("condition")
    limit = program.binary(program.inner(condition)) if condition is not None else None
    if limit is None or program.text(limit.left) != text or limit.spelling != "<":
        return False
    return _compact(program, limit.right) == _compact(program, bound) and not is_written(
        program, outer, _compact(program, bound).split(".")[0]
    )


def absolute_of_non_negative(change: Change) -> bool:
    """`abs(x)` is `x` for a whole number that is never negative."""
    program, mutant = change.origin, change.mutant
    after = mutant.inner(change.after)
    if mutant.role(after) != "call" or not is_non_negative(program, change.before):
        return False
    if change.language == "c" and program.type_of(change.before) not in _NARROW:
        return False  # `abs` of C takes an int, and makes one of what is wider
    called = mutant.text(after).partition("(")[0].strip()
    arguments = after.child_by_field_name("arguments")
    if called not in ("abs", "Math.abs") or arguments is None:
        return False
    return "".join(mutant.text(arguments).split()) == f"({_compact(program, change.before)})"


def negated_zero_test(change: Change) -> bool:
    """`-x == 0` is `x == 0`."""
    program, mutant = change.origin, change.mutant
    if mutant.role(change.after) != "unary" or mutant.operator(change.after) != "-":
        return False
    operand = mutant.operand(change.after)
    same = operand is not None and mutant.text(operand) == program.text(change.before)
    parent = program.parent(program.outer(change.before))
    binary = program.binary(parent) if parent is not None else None
    if not same or binary is None or binary.spelling not in ("==", "!="):
        return False
    literals = [literal_value(program, side) for side in (binary.left, binary.right)]
    return 0 in literals and is_integer(program, change.before)


def shift_of_non_negative(change: Change) -> bool:
    """`>>` and `>>>` agree on a number that is never negative."""
    old, new = change.origin.binary(change.before), change.mutant.binary(change.after)
    if old is None or new is None or {old.spelling, new.spelling} != {">>", ">>>"}:
        return False
    return is_non_negative(change.origin, old.left)


def divisor_sign(change: Change) -> bool:
    """Java's `a % m` has the sign of `a`, so the sign of `m` does not matter.

    And whether `a % m` is zero does not depend on the sign of `a` either.
    """
    program = change.origin
    if change.language != "java" or not _flips_sign(change):
        return False
    around = program.outer(change.before)
    parent = program.parent(around)
    binary = program.binary(parent) if parent is not None else None
    if parent is None or binary is None or binary.spelling != "%":
        return False
    if not all(is_integer(program, side) for side in (binary.left, binary.right)):
        return False
    if binary.right == around:
        return True
    test = program.parent(program.outer(parent))
    compared = program.binary(test) if test is not None else None
    if compared is None or compared.spelling not in ("==", "!="):
        return False
    return 0 in (literal_value(program, compared.left), literal_value(program, compared.right))


def _flips_sign(change: Change) -> bool:
    """Whether the mutant has `-x`, `abs(x)` or `-abs(x)` for `x`."""
    text = "".join(change.mutant.text(change.after).split())
    name = _compact(change.origin, change.before)
    return text in (f"-{name}", f"Math.abs({name})", f"-Math.abs({name})")
