"""Rules about control flow: needless jumps, unreachable code, a counter that meets its bound."""

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.proofs.rules.change import Change
from equimut.proofs.rules.ranges import counted_name, counting_loop, is_non_negative, loop_start
from equimut.semantics.names import is_tame, is_written, may_hide_uses
from equimut.semantics.program import Program
from equimut.semantics.values import compact, is_integer, is_length, literal_value

_BLOCKS = ("block", "compound_statement")
_BINDERS = frozenset(
    {"assignment", "augmented_assignment", "named_expression", "for_statement", "with_statement",
     "import_statement", "import_from_statement", "function_definition", "class_definition",
     "delete_statement", "global_statement", "nonlocal_statement", "except_clause",
     "case_clause", "type_alias_statement", "yield"}
)  # fmt: skip
_JUMPS = ("return", "break", "continue", "throw")


def needless_jump(change: Change) -> bool:
    """A `continue` at the end of a loop's body, a bare `return` at the end of a function.

    Without it control takes the same way.
    """
    program = change.origin
    kind = program.dialect.statements.get(change.before.type, "")
    if kind not in ("continue", "return") or change.before.named_child_count:
        return False
    if change.mutant.text(change.after).strip() not in (";", "pass", "{}", ""):
        return False
    node = change.before
    for around in program.ancestors(node):
        around_kind = program.dialect.statements.get(around.type, "")
        if around.id == change.function.id:
            return kind == "return"
        if around.type in program.tree.language.loops:
            return kind == "continue" and program.field(node) == "body"
        if around.type in _BLOCKS:
            if not _is_last(around, node):
                return False
        elif around.type not in ("else_clause", "elif_clause") and around_kind != "if":
            return False
        node = around
    return False


def _is_last(block: Node, node: Node) -> bool:
    inside = [child for child in block.named_children if "comment" not in child.type]
    return bool(inside) and inside[-1].id == node.id


def unreachable(change: Change) -> bool:
    """A change behind a jump in the same block: control never comes there.

    Not where the compiler forbids such code, and not where a label could be jumped to.
    """
    program = change.origin
    if program.dialect.rejects_flow is not None or _has_labels(program, change.function):
        return False
    if program.dialect.assignment_declares and _binds_names(change):
        return False  # even where it is not reached, it makes a name local
    node = change.before
    for around in program.ancestors(node):
        if around.type in _BLOCKS:
            for sibling in around.named_children:
                if sibling.end_byte > node.start_byte:
                    break
                if program.dialect.statements.get(sibling.type, "") in _JUMPS:
                    return True
        if around.id == change.function.id or around.type in ("switch_statement", "case_statement"):
            return False
        node = around
    return False


def _binds_names(change: Change) -> bool:
    sides = ((change.origin, change.before), (change.mutant, change.after))
    for program, side in sides:
        around = [side, *program.ancestors(side)]
        statement = next((node for node in around if node.type in program.dialect.statements), side)
        if any(node.type in _BINDERS for node in walk(statement)):
            return True
    return False


def _has_labels(program: Program, function: Node) -> bool:
    kinds = {"yield", "goto_statement", "labeled_statement", "case_statement"}
    inside = any(node.type in kinds for node in walk(function))
    return inside or may_hide_uses(program, function)


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
    if not (is_integer(program, old.right) or is_length(program, old.right)):
        return False  # a fraction is not met
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
    update = loop.child_by_field_name("update")
    counter = program.operand(update) if update is not None else None
    if counter is None or program.type_of(counter) != program.type_of(program.inner(name)):
        return False  # what fits into one may not fit into the other
    condition = outer.child_by_field_name("condition")
    limit = program.binary(program.inner(condition)) if condition is not None else None
    if limit is None or program.text(limit.left) != text or limit.spelling != "<":
        return False
    return compact(program, limit.right) == compact(program, bound) and not is_written(
        program, outer, compact(program, bound).split(".")[0]
    )
