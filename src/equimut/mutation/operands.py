"""Which expressions an operator may touch, so that few mutants fail to compile."""

from tree_sitter import Node

from equimut.semantics.program import Program

VARIABLE_ROLES = ("name", "element", "field", "pointer")
INTEGER_KINDS = ("int", "small")
NUMBER_KINDS = ("int", "small", "float")


def is_number(program: Program, node: Node, *, integral: bool = False) -> bool:
    """Whether the node's value is a number, as far as declarations and literals tell."""
    return program.kind(node) in (INTEGER_KINDS if integral else NUMBER_KINDS)


def keeps_type(program: Program, node: Node) -> bool:
    """Whether the result of arithmetic on the node still fits where the node stands.

    In Java `-c` of a char is an int: it fits in an expression, not in a char variable.
    """
    if program.kind(node) != "small":
        return True
    parent = program.parent(program.outer(node))
    return parent is not None and program.role(parent) in ("binary", "element", "cast")


def is_used_variable(program: Program, node: Node) -> bool:
    """Whether the node reads a variable, an element or a field where its value is used."""
    if program.role(node) not in VARIABLE_ROLES or not program.is_value(node):
        return False
    # The operand of `&` is an address, not a value; so is `*p` on the left of an assignment.
    return not _is_bare_statement(program, node)


def _is_bare_statement(program: Program, node: Node) -> bool:
    parent = program.parent(program.outer(node))
    return parent is not None and program.dialect.statements.get(parent.type) == "expression"


def is_assignable(program: Program, node: Node) -> bool:
    """Whether the node may stand on the left of an assignment."""
    role, dialect = program.role(node), program.dialect
    if role not in dialect.assignable:
        return False
    if role == "name":
        variable = program.declarations.lookup(node)
        if variable is None:
            name = program.text(node)
            is_function = name in program.declarations.functions
            return not (dialect.assignment_declares or name.isupper() or is_function)
        return not variable.constant and not _is_captured(program, node)
    if role == "field":
        name = program.text(node).replace("->", ".").rpartition(".")[2]
        known = program.declarations.fields.get(name)
        is_fixed = name in dialect.read_only_fields or (known is not None and known.constant)
        return not (name.isupper() or is_fixed)
    return (role == "element" or program.operator(node) == "*") and not _is_read_only(program, node)


def _is_read_only(program: Program, node: Node) -> bool:
    """Whether an element or a target belongs to something declared constant."""
    base: Node | None = node
    while base is not None and program.role(base) != "name":
        inner = base.child_by_field_name("array") or program.operand(base)
        base = program.inner(inner) if inner is not None else None
    variable = program.declarations.lookup(base) if base is not None else None
    return variable is not None and variable.constant_target


def _is_captured(program: Program, node: Node) -> bool:
    """A local variable of an outer function may not change inside a closure."""
    closure = program.enclosing(node, program.dialect.closures)
    if closure is None or closure.type == "class_body":
        return False
    # Where an assignment declares, it would declare a name of the closure.
    declares = program.dialect.assignment_declares
    return declares or program.declarations.declared_outside(node, closure)


def is_condition(program: Program, node: Node) -> bool:
    """Whether the node is the whole condition of a branch, a loop or a conditional expression."""
    around = program.outer(node)
    parent = program.parent(around)
    if parent is None:
        return False
    if program.field(around) == "condition":
        return program.dialect.statements.get(parent.type) != "switch"
    if program.role(parent) == "ternary" and parent.child_by_field_name("condition") is None:
        # Python's grammar names no fields here; the condition stands between the values.
        named = [child for child in parent.named_children if "comment" not in child.type]
        return len(named) == 3 and named[1].id == around.id
    return parent.type == "if_clause"


def is_loop_condition(program: Program, node: Node) -> bool:
    """Whether the node is the condition of a loop."""
    parent = program.parent(program.outer(node))
    is_loop = parent is not None and parent.type in program.tree.language.loops
    return is_loop and is_condition(program, node)


def is_boolean(program: Program, node: Node) -> bool:
    """Whether the node is a truth value: by its operator, its type or where it stands."""
    inner = program.inner(node)
    binary = program.binaries(inner) if program.role(inner) == "binary" else []
    if binary:
        sign = binary[0].spelling
        truths = (*program.dialect.relational, *program.dialect.logical)
        if sign in truths or sign in ("is", "is not", "in", "not in", "instanceof"):
            return True
    if program.operator(inner) in ("!", "not") and program.role(inner) == "unary":
        return True
    if program.kind(inner) == "bool":
        return True
    return is_condition(program, node) or is_logical_operand(program, node)


def is_logical_operand(program: Program, node: Node) -> bool:
    """Whether the node is an operand of a short-circuit operator or of a negation."""
    around = program.outer(node)
    parent = program.parent(around)
    if parent is None:
        return False
    if program.role(parent) == "unary":
        return program.operator(parent) in ("!", "not")
    binary = program.binary(parent)
    return binary is not None and binary.spelling in program.dialect.logical


def is_constant(program: Program, node: Node) -> bool:
    """Whether the node is a literal or a name that is a constant."""
    inner = program.inner(node)
    while program.role(inner) == "unary":
        operand = program.operand(inner)
        if operand is None:
            return False
        inner = program.inner(operand)
    role = program.role(inner)
    if role in ("integer", "float", "char", "string", "boolean", "null"):
        return True
    return role in ("name", "field") and program.text(inner).rpartition(".")[2].isupper()


def holds_variable(program: Program, node: Node) -> bool:
    """Whether a variable is read somewhere in the expression."""
    stack = [node]
    while stack:
        current = stack.pop()
        if program.role(current) in VARIABLE_ROLES and not is_constant(program, current):
            return True
        stack.extend(current.named_children)
    return False
