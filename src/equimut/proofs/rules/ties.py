"""The rule that of two equal values either may be taken."""

from tree_sitter import Node

from equimut.proofs.rules.change import Change
from equimut.semantics.constants import literal_value
from equimut.semantics.effects import is_harmless
from equimut.semantics.program import Program
from equimut.semantics.values import compact, is_integer


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
    if not all(is_integer(change.origin, side) for side in (old.left, old.right)):
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
