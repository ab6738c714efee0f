"""Values that can stand for any value of a type, and the type a place expects."""

from tree_sitter import Node

from equimut.semantics.program import Program

_FUNCTIONS = frozenset(
    {
        "method_declaration", "constructor_declaration", "function_definition",
        "lambda_expression", "lambda",
    }
)  # fmt: skip


def default_values(program: Program, type_name: str) -> tuple[str, ...]:
    """The values a value of this type is replaced by, the plainest first; none if unknown."""
    kind, dialect = program.declarations.kind_of_type(type_name), program.dialect
    if kind == "void" and dialect.name != "python":
        return ()
    by_kind = {
        "int": ("0", "1", "-1"),
        "small": ("0",),
        "float": ("0.0", "1.0", "-1.0"),
        "bool": (dialect.false, dialect.true),
        "string": ('""', dialect.null) if dialect.name != "python" else ('""',),
        "pointer": (dialect.null,),
    }
    if dialect.name == "c" and kind in ("array", "object", ""):
        return ()
    if dialect.name == "java":
        by_kind |= {"object": (dialect.null,), "array": (dialect.null,)}
    return by_kind.get(kind, ())


def enclosing_function(program: Program, node: Node) -> Node | None:
    """The function, method or lambda that a node belongs to."""
    return program.enclosing(node, _FUNCTIONS)


def return_type(program: Program, node: Node) -> str:
    """The declared result of the function around a node, or an empty string."""
    function = enclosing_function(program, node)
    if function is None:
        return ""
    if program.dialect.name == "c":
        return _c_return_type(program, function)
    kind = function.child_by_field_name("type") or function.child_by_field_name("return_type")
    return "".join(program.text(kind).split("<")[0].split()) if kind is not None else ""


def _c_return_type(program: Program, function: Node) -> str:
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "identifier":
        declarator = declarator.child_by_field_name("declarator")
    name = program.text(declarator) if declarator is not None else ""
    return program.declarations.functions.get(name, "")


def is_void(program: Program, function: Node) -> bool:
    """Whether a function gives nothing back."""
    if program.dialect.name == "python":
        return True  # falling off the end gives None
    if function.type in ("constructor_declaration", "lambda_expression"):
        return function.type == "constructor_declaration"
    body = function.child_by_field_name("body")
    return body is not None and return_type(program, body) == "void"


def expected_type(program: Program, node: Node) -> str:
    """The type that the place of an expression asks for; its own type where that is all we know."""
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
