"""Rules about jumps that go where control goes anyway, and about code that is never reached."""

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.proofs.rules.change import Change
from equimut.semantics.program import Program

_BLOCKS = ("block", "compound_statement")
_BINDERS = frozenset(
    {"assignment", "augmented_assignment", "named_expression", "for_statement", "with_statement",
     "import_statement", "import_from_statement", "function_definition", "class_definition",
     "delete_statement", "global_statement", "nonlocal_statement", "except_clause"}
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
    text = program.text(function)
    return "yield" in text or "goto" in text or "case " in text
