"""Rules about comparisons and conditions."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.proofs.rules.change import Change
from equimut.proofs.rules.ranges import is_non_negative
from equimut.semantics.program import Program
from equimut.semantics.values import is_harmless, is_integer, is_length, is_unsigned, literal_value

MOST_OPERANDS, MOST_LITERALS = 3, 3
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
Truth = Callable[[tuple[int, ...]], int]


@dataclass
class _Operands:
    """The whole numbers that a condition compares, in the order in which they were met."""

    texts: list[str] = field(default_factory=list)
    non_negative: list[bool] = field(default_factory=list)
    literals: set[int] = field(default_factory=set)
    unsigned: set[bool] = field(default_factory=set)
    harmless: bool = True
    logic: bool = False

    def position(self, program: Program, node: Node) -> int:
        text = "".join(program.text(program.inner(node)).split())
        if text not in self.texts:
            self.texts.append(text)
            self.non_negative.append(is_non_negative(program, node))
        self.harmless = self.harmless and is_harmless(program, node)
        self.unsigned.add(is_unsigned(program, node))
        return self.texts.index(text)

    @property
    def too_many(self) -> bool:
        return len(self.texts) > MOST_OPERANDS or len(self.literals) > MOST_LITERALS


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
    new = None if old is None else _truth(change.mutant, pair[1], operands)
    if old is None or new is None or operands.too_many or not operands.texts:
        return False
    if not operands.harmless and (operands.logic or not _same_operands(change, pair)):
        return False
    if True in operands.unsigned and (
        False in operands.unsigned or min(operands.literals, default=0) < 0
    ):
        return False  # C compares a negative number with an unsigned one as a large one
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
    if role == "integer":
        return _is_truth_value(program, node)
    binary = program.binary(node) if role == "binary" else None
    if binary is None:
        return False
    return (
        binary.spelling in _COMPARE
        or binary.spelling in program.dialect.logical
        or _compares_truths(program, node)
    )


def _is_truth_value(program: Program, node: Node) -> bool:
    """`true` and `false` as the language writes them: 1 and 0 in C."""
    return program.text(node) in (program.dialect.true, program.dialect.false)


def _truth(program: Program, node: Node, operands: _Operands) -> Truth | None:
    """The truth of a condition as a function of the values of its operands."""
    if operands.too_many:
        return None
    node = program.inner(node)
    role, text = program.role(node), program.text(node)
    if role == "boolean" or _is_truth_value(program, node):
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
        if is_unsigned(program, program.inner(node)):
            operands.unsigned.add(True)
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
    position = operands.position(program, inner)
    return lambda row: row[position]


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
