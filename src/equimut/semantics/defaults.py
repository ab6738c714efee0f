"""Values that can stand for any value of a type, and the type that is expected of a node."""

from tree_sitter import Node

from equimut.semantics.program import Program


def default_values(program: Program, type_name: str) -> tuple[str, ...]:
    """The values a value of this type is replaced by, the plainest first; none if unknown."""
    return program.dialect.plain_values.get(program.declarations.kind_of_type(type_name), ())


def enclosing_function(program: Program, node: Node) -> Node | None:
    """The function, method or lambda that a node belongs to."""
    return program.enclosing(node, program.dialect.callables)


def return_type(program: Program, node: Node) -> str:
    """The declared result of the function around a node, or an empty string."""
    function = enclosing_function(program, node)
    if function is None:
        return ""
    if program.tree.language.function_types.get(function.type) == "declarator":
        return _type_by_declarator(program, function)
    kind = function.child_by_field_name("type") or function.child_by_field_name("return_type")
    return "".join(program.text(kind).split("<")[0].split()) if kind is not None else ""


def _type_by_declarator(program: Program, function: Node) -> str:
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "identifier":
        declarator = declarator.child_by_field_name("declarator")
    name = program.text(declarator) if declarator is not None else ""
    return program.declarations.functions.get(name, "")


def is_void(program: Program, function: Node) -> bool:
    """Whether a function gives nothing back."""
    if program.dialect.dynamic_types:
        return True  # falling off the end gives null
    if function.type in ("constructor_declaration", "lambda_expression"):
        return function.type == "constructor_declaration"
    body = function.child_by_field_name("body")
    return body is not None and return_type(program, body) == "void"


def expected_type(program: Program, node: Node) -> str:
    """The type that an expression must have where it stands; else the one it has."""
    around = program.outer(node)
    parent = program.parent(around)
    own = program.type_of(node)
    if parent is None:
        return own
    role = program.role(parent)
    if program.dialect.statements.get(parent.type) == "return":
        return return_type(program, parent) or own
    if role == "assign":
        left = parent.child_by_field_name("left")
        return (program.type_of(left) if left is not None else "") or own
    if role == "declarator":
        name = parent.child_by_field_name("name") or parent.child_by_field_name("declarator")
        while name is not None and name.type != "identifier":
            name = name.child_by_field_name("declarator")
        return (_declared(program, name) if name is not None else "") or own
    return own


def _declared(program: Program, name: Node) -> str:
    variable = program.declarations.lookup(name)
    return variable.type if variable else ""
