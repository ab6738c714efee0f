"""The type of an expression, from declarations and literals alone; unknown is an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from equimut.parsing.tree import walk

if TYPE_CHECKING:
    from equimut.semantics.program import Binary, Program

_LITERALS: dict[str, dict[str, str]] = {
    "integer": {"java": "int", "c": "int", "python": "int"},
    "boolean": {"java": "boolean", "c": "int", "python": "bool"},
    "string": {"java": "String", "c": "char*", "python": "str"},
    "char": {"java": "char", "c": "int", "python": ""},
    "null": {"java": "null", "c": "void*", "python": "null"},
}
_NUMERIC = ("int", "small", "float")


def boolean_type(program: Program) -> str:
    """What a comparison gives."""
    return _LITERALS["boolean"][program.dialect.name]


def infer(program: Program, node: Node) -> str:
    """The type's name, `null` for the null value, or an empty string."""
    role = program.role(node)
    if role in _LITERALS:
        if role == "integer" and program.dialect.name == "java":
            return "long" if program.text(node)[-1] in "lL" else "int"
        return _LITERALS[role][program.dialect.name]
    if role == "float":
        return "float" if program.dialect.name == "python" else "double"
    if role == "group":
        inside = program.inner(node)
        return program.type_of(inside) if inside.id != node.id else ""
    handler = _HANDLERS.get(role)
    return handler(program, node) if handler else ""


def numeric_names(program: Program) -> frozenset[tuple[int, str]]:
    """Names of unknown type that are used as numbers somewhere in their function."""
    found = set()
    for node in walk(program.tree.root):
        role = program.role(node)
        for used in _numeric_operands(program, node, role):
            inner = program.inner(used)
            if program.role(inner) == "name" and not program.type_of(inner):
                found.add((_function_id(program, inner), program.text(inner)))
    return frozenset(found)


def _numeric_operands(program: Program, node: Node, role: str) -> list[Node]:
    """The parts of a node that can only be numbers, or hardly anything else."""
    if role == "binary":
        binary = program.binary(node)
        if binary is None:
            return []
        sides = [binary.left, binary.right]
        if binary.spelling in ("-", "/", "//", "<<", ">>", ">>>"):
            return sides
        kinds = {program.kind(side) for side in sides}
        is_order = binary.spelling in ("<", "<=", ">", ">=", "%", "*", "+", "==", "!=")
        return sides if is_order and kinds & {"int", "float"} else []
    if role == "element" and program.dialect.name != "python":
        index = node.child_by_field_name("index")
        return [index] if index is not None else []
    if role == "update":
        operand = program.operand(node)
        return [operand] if operand is not None and program.dialect.name == "java" else []
    if role == "call" and program.text(node).startswith("range("):
        arguments = node.child_by_field_name("arguments")
        return list(arguments.named_children) if arguments is not None else []
    return []


def _function_id(program: Program, node: Node) -> int:
    types = frozenset(program.tree.language.function_types)
    function = program.enclosing(node, types)
    return function.id if function is not None else 0


def _name(program: Program, node: Node) -> str:
    variable = program.declarations.lookup(node)
    if variable is not None and variable.type:
        return variable.type
    key = (_function_id(program, node), program.text(node)) if program.numeric_names else None
    return "int" if key in program.numeric_names else ""


def _element(program: Program, node: Node) -> str:
    for field in ("array", "argument", "value"):
        base = node.child_by_field_name(field)
        if base is not None:
            whole = program.type_of(base)
            for suffix in ("[]", "*"):
                if whole.endswith(suffix):
                    return whole.removesuffix(suffix)
    return ""


def _field(program: Program, node: Node) -> str:
    name = node.child_by_field_name("field") or node.child_by_field_name("attribute")
    base = node.child_by_field_name("object") or node.child_by_field_name("argument")
    if name is None:
        return ""
    spelled = program.text(name)
    if program.dialect.name == "java":
        if spelled == "length":
            return "int"
        owner = program.text(base) if base is not None else ""
        if owner in ("Integer", "Long", "Double", "Character"):
            return {"Integer": "int", "Long": "long", "Double": "double"}.get(owner, "char")
        if owner != "this":
            return ""
    found = program.declarations.fields.get(spelled)
    return found.type if found else ""


def _binary(program: Program, node: Node) -> str:
    found = program.binaries(node)
    if not found:
        return ""
    sign, dialect = found[0].spelling, program.dialect
    if sign in dialect.relational or sign in ("is", "is not", "in", "not in", "instanceof"):
        return boolean_type(program)
    if sign in dialect.logical:
        return boolean_type(program) if dialect.name != "python" else ""
    return _arithmetic(program, found[0])


def _arithmetic(program: Program, binary: Binary) -> str:
    left, right = program.type_of(binary.left), program.type_of(binary.right)
    kinds = tuple(map(program.declarations.kind_of_type, (left, right)))
    if "string" in kinds and binary.spelling in ("+", "%", "*"):
        return left if kinds[0] == "string" else right
    if "pointer" in kinds or "array" in kinds:
        both = kinds[0] == kinds[1]
        return "int" if both and binary.spelling == "-" else (left if kinds[0] != "int" else right)
    if binary.spelling in program.dialect.shifts:
        return "int" if kinds[0] == "small" else left
    if kinds == ("bool", "bool") and binary.spelling in program.dialect.bitwise:
        return left
    if "float" in kinds:
        return left if kinds[0] == "float" else right
    if binary.spelling == "/" and program.dialect.name == "python":
        return "float"
    if all(kind in _NUMERIC for kind in kinds):
        return "long" if "long" in (left, right) else "int"
    return ""


def _unary(program: Program, node: Node) -> str:
    operand = program.operand(node)
    if operand is None:
        return ""
    if program.operator(node) in ("!", "not"):
        return boolean_type(program)
    found = program.type_of(operand)
    return "int" if program.declarations.kind_of_type(found) == "small" else found


def _pointer(program: Program, node: Node) -> str:
    operand = program.operand(node)
    if operand is None:
        return ""
    found = program.type_of(operand)
    if program.operator(node) == "&":
        return f"{found}*" if found else "void*"
    return found[:-1] if found.endswith("*") else ""


def _assigned(program: Program, node: Node) -> str:
    left = node.child_by_field_name("left") or program.operand(node)
    return program.type_of(left) if left is not None else ""


def _cast(program: Program, node: Node) -> str:
    kind = node.child_by_field_name("type")
    if kind is None:
        return ""
    words = program.text(kind).split()
    stars = "*" * program.text(kind).count("*")
    base = next((w.rstrip("*") for w in words if w in ("double", "float", "struct")), "")
    plain = base or words[0].rstrip("*")
    return plain + stars if program.dialect.name == "c" else "".join(words)


def _ternary(program: Program, node: Node) -> str:
    value = node.child_by_field_name("consequence")
    if value is None and node.named_children:
        value = node.named_children[0]
    found = program.type_of(value) if value is not None else ""
    other = node.child_by_field_name("alternative")
    return program.type_of(other) if found in ("", "null") and other is not None else found


def _call(program: Program, node: Node) -> str:
    called = node.child_by_field_name("name") or node.child_by_field_name("function")
    if called is None:
        return ""
    owner = node.child_by_field_name("object")
    member = called.child_by_field_name("attribute")
    name = program.text(member if member is not None else called)
    own = program.declarations.functions.get(name)
    if own is not None and (owner is None or program.text(owner) == "this"):
        return own
    known = program.dialect.returns.get(name, "")
    if known != "=":
        return known
    arguments = node.child_by_field_name("arguments")
    values = arguments.named_children if arguments is not None else []
    kinds = [program.type_of(value) for value in values]
    if not kinds:
        return "String" if program.dialect.name == "java" else ""
    floats = [kind for kind in kinds if program.declarations.kind_of_type(kind) == "float"]
    return floats[0] if floats else kinds[0]


def _collection(program: Program, node: Node) -> str:
    return {"dictionary": "dict"}.get(node.type, node.type) if node.is_named else ""


def _new(program: Program, node: Node) -> str:
    kind = node.child_by_field_name("type")
    plain = program.text(kind).split("<")[0] if kind is not None else ""
    return plain + ("[]" if program.role(node) == "new_array" else "")


_HANDLERS = {
    "name": _name,
    "element": _element,
    "field": _field,
    "binary": _binary,
    "unary": _unary,
    "update": _assigned,
    "assign": _assigned,
    "pointer": _pointer,
    "cast": _cast,
    "ternary": _ternary,
    "call": _call,
    "collection": _collection,
    "new": _new,
    "new_array": _new,
}
