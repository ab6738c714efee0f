"""Rules about values that nobody reads."""

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.proofs.rules.change import Change
from equimut.proofs.rules.liveness import is_dead_after
from equimut.semantics.names import is_builtin, may_be_macro, occurrences, use_of
from equimut.semantics.program import Program
from equimut.semantics.values import is_defined, is_harmless, is_integer, is_range


def dead_update(change: Change) -> bool:
    """`return x` and `return x++`: the value is the same, and the new `x` is never read.

    The expression gives the old value on both sides, so only the variable differs afterwards; the
    walk over all paths finds no read of it. In C the variable stands once in the expression: a
    second use would have no order.
    """
    old = _value_name(change.origin, change.before)
    if not old or old != _value_name(change.mutant, change.after):
        return False
    dialect = change.origin.dialect
    if not dialect.ordered_operands and not _is_orderly(change, old):
        return False
    name = next(iter(occurrences(change.origin, change.before, old)), None)
    if name is None or (dialect.dynamic_types and not _stays_a_number(change.origin, name)):
        return False
    if _may_be_empty(change.origin, name):
        return False
    return is_dead_after(change.origin, change.function, change.before, old)


def _is_orderly(change: Change, name: str) -> bool:
    """Whether an update is defined in C: one use in the expression, and no overflow.

    Types that wrap or are narrower than int; a signed int may overflow at the end of its range.
    """
    node = next(iter(occurrences(change.origin, change.before, name)), None)
    if node is None or not _alone(change.origin, change.before, name):
        return False
    return change.origin.type_of(node) in change.origin.dialect.numbers.always_incremented


def _stays_a_number(program: Program, name: Node) -> bool:
    """Whether adding one and taking it away again is not seen: True would become 1.

    It is not where a condition, arithmetic, `abs` or `range` takes the value.
    """
    if is_integer(program, name, exact=True):
        return True
    value = program.outer(name)
    around = program.parent(value)
    if around is None or not is_integer(program, name):
        return False
    if program.field(value) == "condition" or program.role(around) == "unary":
        return True
    if around.type == "argument_list":
        call = program.parent(around)
        called = call.child_by_field_name("function") if call is not None else None
        spelled = program.text(called) if called is not None else ""
        known = spelled in (program.dialect.absolute, program.dialect.range_call)
        return known and is_builtin(program, spelled)
    binary = program.binary(around)
    if binary is None:
        return False
    dialect, sides = program.dialect, (binary.left, binary.right)
    if binary.spelling in dialect.bitwise:
        return any(is_integer(program, side, exact=True) for side in sides)
    signs = dialect.arithmetic + dialect.relational
    return binary.spelling in signs and all(is_integer(program, side) for side in sides)


def _may_be_empty(program: Program, node: Node) -> bool:
    """Whether a number may be in a box, and the box empty."""
    never_empty = program.dialect.numbers.never_empty
    return bool(never_empty) and program.type_of(node) not in never_empty


def _value_name(program: Program, node: Node) -> str:
    """`x` for `x`, `x++` and `x--`, whose value is that of `x`; Python's spelling of it too."""
    node = program.inner(node)
    if program.role(node) == "name":
        return program.text(node)
    operand = program.operand(node) if program.role(node) == "update" else None
    if (
        operand is not None
        and operand.type == "identifier"
        and operand.start_byte == node.start_byte
    ):
        return program.text(operand)
    binary = program.binary(node) if program.role(node) == "binary" else None
    if binary is None or program.inner(binary.left).type != "named_expression":
        return ""
    named = program.inner(binary.left)
    name, value = (named.child_by_field_name(part) for part in ("name", "value"))
    inner = program.binary(value) if value is not None else None
    if name is None or inner is None or program.text(inner.left) != program.text(name):
        return ""
    undone = {("+", "-"), ("-", "+")}
    same = program.text(inner.right) == program.text(binary.right) == "1"
    return program.text(name) if same and (inner.spelling, binary.spelling) in undone else ""


def _alone(program: Program, node: Node, name: str) -> bool:
    """Whether a name stands once in the statement around it."""
    statements = program.dialect.statements
    around = program.enclosing(node, frozenset(statements))
    if around is None:
        return False
    if statements[around.type] in ("for", "if", "while", "do"):
        condition = around.child_by_field_name("condition")
        inside = condition is not None and condition.start_byte <= node.start_byte
        if condition is None or not inside or node.end_byte > condition.end_byte:
            return False
        around = condition
    return len(occurrences(program, around, name)) == 1


def dead_store(change: Change) -> bool:
    """A store whose value is never read may store anything, or not happen.

    The variable is a local that nothing else sees, no path reads it before its next write, and
    what was or is computed for it changes nothing and cannot fail.
    """
    old = _store(change.origin, change.before)
    if old is None:
        return False
    node, name, value = old
    if value is not None and not is_harmless(change.origin, value):
        return False
    if not _is_deleted(change):
        new = _store(change.mutant, change.after)
        if new is None or new[1] != name:
            return False
        if new[2] is not None and not is_harmless(change.mutant, new[2]):
            return False
        if not _is_always_defined(change, node, new[0], new[2]):
            return False
    elif change.origin.role(node) == "declarator" or _makes_local(change, name):
        return False
    if _is_used(change.origin, node) or not _keeps_lifetimes(change, name):
        return False
    if not _cannot_fail(change.origin, node):
        return False
    if not _is_deleted(change):
        after = _store(change.mutant, change.after)
        if after is None or not _cannot_fail(change.mutant, after[0]):
            return False
    return is_dead_after(change.origin, change.function, node, name)


def _is_always_defined(change: Change, old: Node, new: Node, value: Node | None) -> bool:
    """Whether a store of the mutant has no undefined behaviour that the origin does not have."""
    program = change.mutant
    if program.dialect.numbers.overflow != "undefined":
        return True
    left = new.child_by_field_name("left") or new.child_by_field_name("declarator")
    left = left or program.operand(new)
    kind = program.type_of(left) if left is not None else ""
    if program.role(new) != "declarator" and program.operator(new) != "=":
        first = change.origin.operator(old) if change.origin.role(old) != "declarator" else "="
        if first == "=" or kind not in program.dialect.numbers.always_incremented:
            return False  # it reads the variable, or overflows
    return value is None or is_defined(program, value, kind)


def _keeps_lifetimes(change: Change, name: str) -> bool:
    """Whether no object lives shorter or longer: a store drops what the variable held before.

    Numbers, truths and texts may be dropped and kept unseen; a file is closed by it.
    """
    if not change.origin.dialect.dynamic_types:
        return True
    for program, function in (
        (change.origin, change.function),
        (change.mutant, change.mutant.enclosing(change.after, change.mutant.dialect.functions)),
    ):
        uses = occurrences(program, function, name) if function is not None else []
        if not all(_is_plain_store(program, use) for use in uses if use_of(program, use) != "read"):
            return False
    return True


def _is_plain_store(program: Program, name: Node) -> bool:
    around = program.parent(program.outer(name))
    if around is None:
        return False
    right = around.child_by_field_name("right") or around.child_by_field_name("value")
    if around.type == "for_statement":
        return right is not None and is_range(program, right)
    if use_of(program, name) == "declaration" or right is None:
        return is_integer(program, name)
    value = program.inner(right)
    plain = program.role(value) in ("float", "boolean", "string", "null", "binary", "unary")
    return is_integer(program, value) or (plain and is_harmless(program, value))


def _makes_local(change: Change, name: str) -> bool:
    """Whether a store is what makes a name local that is read elsewhere."""
    if not change.origin.dialect.assignment_declares:
        return False
    uses = [use_of(change.origin, one) for one in occurrences(change.origin, change.function, name)]
    return "read" in uses and len(uses) - uses.count("read") < 2


def _cannot_fail(program: Program, store: Node) -> bool:
    """Whether the operator of a store is as harmless as its value.

    `x /= 0` fails, an empty box cannot be incremented, and Python's `x += y` may change a list
    that has another name.
    """
    if program.role(store) == "declarator" or program.operator(store) == "=":
        return True
    if program.dialect.dynamic_types or program.operator(store) in ("/=", "%=", "<<=", ">>="):
        return False
    left = store.child_by_field_name("left") or program.operand(store)
    return left is not None and not _may_be_empty(program, left)


def _is_deleted(change: Change) -> bool:
    before = change.origin.dialect.statements.get(change.before.type, "")
    text = change.mutant.text(change.after).strip()
    return before == "expression" and text in (";", "pass", "{}", "")


def _store(program: Program, node: Node) -> tuple[Node, str, Node | None] | None:
    """The store around a node: itself, the variable's name, what is stored."""
    current: Node | None = node
    if program.dialect.statements.get(node.type, "") == "expression" and node.named_children:
        current = node.named_children[0]
    while current is not None:
        role = program.role(current)
        if role == "assign":
            left, value = (current.child_by_field_name(part) for part in ("left", "right"))
        elif role == "declarator":
            left = current.child_by_field_name("name") or current.child_by_field_name("declarator")
            value = current.child_by_field_name("value")
        elif role == "update":
            left, value = program.operand(current), None
        else:
            if program.dialect.statements.get(current.type, ""):
                return None
            current = program.parent(current)
            continue
        if left is None or left.type != "identifier":
            return None
        return current, program.text(left), value
    return None


def _is_used(program: Program, node: Node) -> bool:
    """Whether the value of an assignment is used in turn: `y = x = 1`."""
    if program.role(node) == "declarator":
        return False
    parent = program.parent(program.outer(node))
    if parent is None:
        return True
    if program.dialect.statements.get(parent.type, "") == "expression":
        return _gives_value(program, parent)
    return not (parent.type == "for_statement" and program.field(node) == "update")


def _gives_value(program: Program, statement: Node) -> bool:
    """Whether a statement is the value of a switch, or of GNU C's block in parentheses."""
    around = program.parent(statement)
    if around is None:
        return False
    if around.type == "switch_rule":
        outside = (node for node in program.ancestors(around) if "switch" not in node.type)
        holder = next(outside, None)
        if holder is not None and program.dialect.statements.get(holder.type) == "expression":
            return _gives_value(program, holder)
        return holder is None or program.role(holder) != "block"
    beyond = program.parent(around)
    in_parentheses = beyond is not None and program.role(beyond) == "group"
    return in_parentheses and around.named_children[-1] == statement


def unused_update_value(change: Change) -> bool:
    """`x++;` and `++x;` as statements of their own: nobody looks at the value."""
    nodes = ((change.origin, change.before), (change.mutant, change.after))
    names = []
    for program, node in nodes:
        operand = program.operand(node) if program.role(node) == "update" else None
        if operand is None or _may_have_macros(program, operand):
            return False
        names.append((program.operator(node), program.text(operand)))
    return names[0] == names[1] and not _is_used(change.origin, change.before)


def _may_have_macros(program: Program, node: Node) -> bool:
    """Whether `++x` and `x++` may be `++*p` and `*p++`."""
    if not program.tree.language.lexicon.preprocessor:
        return False
    return any(each.type == "identifier" and may_be_macro(program, each) for each in walk(node))
