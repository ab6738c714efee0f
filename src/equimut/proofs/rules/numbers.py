"""Rules about numbers: signs, absolute values, divisors, and ties between equal values."""

from tree_sitter import Node

from equimut.proofs.rules.change import Change
from equimut.proofs.rules.ranges import is_non_negative
from equimut.semantics.names import is_builtin
from equimut.semantics.program import Program
from equimut.semantics.values import compact, is_harmless, is_integer, is_unsigned, literal_value


def absolute_of_non_negative(change: Change) -> bool:
    """`abs(x)` is `x` for a whole number that is never negative."""
    program, mutant = change.origin, change.mutant
    after = mutant.inner(change.after)
    if mutant.role(after) != "call" or not is_non_negative(program, change.before):
        return False
    numbers = program.dialect.numbers
    is_name = program.role(program.inner(change.before)) == "name"
    if numbers.silent_conversions and not is_name:
        return False
    kept = numbers.absolute_keeps
    if kept and program.type_of(change.before) not in kept:
        return False  # C's `abs` makes an int of what is wider, Java's of a char: seen by `append`
    called = mutant.text(after).partition("(")[0].strip()
    arguments = after.child_by_field_name("arguments")
    absolute = program.dialect.absolute
    if called not in (absolute, absolute.rpartition(".")[2]) or arguments is None:
        return False
    if not is_builtin(mutant, called):
        return False
    return "".join(mutant.text(arguments).split()) == f"({compact(program, change.before)})"


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
    undefined = program.dialect.numbers.overflow == "undefined"
    if undefined and not is_unsigned(program, change.before):
        return False  # the smallest int has no opposite
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
    numbers = program.dialect.numbers
    # Without wrapping, the smallest number has no opposite.
    is_defined = numbers.remainder_sign == "dividend" and numbers.overflow == "wraps"
    if not is_defined or not _flips_sign(change):
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
    name = compact(change.origin, change.before)
    absolute = f"{change.origin.dialect.absolute}({name})"
    return text in (f"-{name}", absolute, f"-{absolute}")


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
    texts = [compact(change.origin, side) for side in (old.left, old.right)]
    if texts != [compact(change.mutant, side) for side in (new.left, new.right)]:
        return False
    if not all(is_integer(change.origin, side, exact=True) for side in (old.left, old.right)):
        return False
    around = change.origin.parent(change.origin.outer(change.before))
    if around is None or change.origin.field(change.origin.outer(change.before)) != "condition":
        return False
    results = _results(change.origin, around)
    if results is None:
        return False
    return sorted(results) == sorted(texts) and _repeatable(change.origin, old.left, old.right)


def _results(program: Program, around: Node) -> tuple[str, str] | None:
    """The values of a conditional expression, or the sides of the one assignment of an `if`."""
    then, other = (around.child_by_field_name(part) for part in ("consequence", "alternative"))
    if then is None:
        return None
    if program.role(around) == "ternary":
        return (compact(program, then), compact(program, other)) if other is not None else None
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
    if program.dialect.has_pointers and program.role(left) != "name":
        return None  # memory that is only read otherwise need not be writable
    return compact(program, left), compact(program, right)


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
