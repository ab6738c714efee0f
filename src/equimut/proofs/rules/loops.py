"""The rule that a counter meets its bound exactly."""

from tree_sitter import Node

from equimut.proofs.rules.change import Change
from equimut.proofs.rules.ranges import counted_name, counting_loop, is_non_negative, loop_start
from equimut.semantics.constants import literal_value
from equimut.semantics.names import is_tame, is_written
from equimut.semantics.program import Program
from equimut.semantics.values import compact, is_length


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
    return compact(program, limit.right) == compact(program, bound) and not is_written(
        program, outer, compact(program, bound).split(".")[0]
    )
