"""What is known of names and values: uses of a local, whole numbers, harmless expressions."""

import re
from typing import Literal

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.semantics.constants import literal_value
from equimut.semantics.program import Program

Use = Literal["read", "write", "update", "declaration", "other"]
"""`other`: its address is taken, it is captured, or something we do not understand."""

_CAPTURES = frozenset(
    {"lambda_expression", "class_body", "lambda", "class_definition", "generator_expression",
     "list_comprehension", "set_comprehension", "dictionary_comprehension"}
)  # fmt: skip
_LOCAL_DECLARATIONS = frozenset(
    {"local_variable_declaration", "declaration", "formal_parameter", "parameter_declaration",
     "enhanced_for_statement"}
)  # fmt: skip
_TARGETS = frozenset({"pattern_list", "tuple_pattern", "as_pattern_target", "list_pattern"})


def occurrences(program: Program, scope: Node, name: str) -> list[Node]:
    """The identifiers of that name in the order of the text."""
    return [
        node for node in walk(scope) if node.type == "identifier" and program.text(node) == name
    ]


def use_of(program: Program, node: Node) -> Use:
    """What an identifier does with the variable it names."""
    parent, field = program.parent(node), program.field(node)
    if parent is None:
        return "other"
    role = program.role(parent)
    if role == "assign" and field == "left":
        return "write" if program.operator(parent) == "=" else "update"
    if role == "update":
        return "update"
    if role == "declarator" and field in ("name", "declarator"):
        return "declaration"
    if parent.type in _LOCAL_DECLARATIONS and field in ("name", "declarator"):
        return "declaration"
    if parent.type == "for_statement" and field == "left":
        return "write"
    if parent.type == "named_expression" and field == "name":
        return "write"
    if role == "pointer" and program.operator(parent) == "&":
        return "other"
    if parent.type in _TARGETS or parent.type in ("global_statement", "nonlocal_statement"):
        return "other"
    if parent.type in ("parameters", "typed_parameter") or (
        parent.type.endswith("_parameter") and field == "name"
    ):
        return "declaration"
    if parent.type in ("array_declarator", "pointer_declarator", "function_declarator"):
        return "other"
    if parent.type in ("delete_statement", "labeled_statement", "keyword_argument"):
        return "other"
    return "read"


def is_tame(program: Program, function: Node, name: str) -> bool:
    """Whether a name is a variable of the function that nothing else can see or change.

    A parameter or a local that is never captured by a closure, never has its address taken, and
    is not `static`, `volatile` or `global`.
    """
    found = occurrences(program, function, name)
    uses = [use_of(program, node) for node in found]
    if "other" in uses:
        return False
    for node in found:
        around = program.enclosing(node, _CAPTURES | program.dialect.functions)
        if around is not None and around.id != function.id:
            return False
    if program.dialect.assignment_declares:
        return any(use in ("write", "declaration") for use in uses)
    declared = [node for node, use in zip(found, uses, strict=True) if use == "declaration"]
    if len(declared) != 1 and program.dialect.locals_shadow:
        return False  # one name for two variables: the text alone does not tell them apart
    if not all(_is_declared(program, function, node, declared) for node in found):
        return False  # outside of its scope the name is a field or a global
    return bool(declared) and not any(_is_lasting(program, node) for node in declared)


def _is_declared(program: Program, function: Node, use: Node, declared: list[Node]) -> bool:
    """Whether a use stands behind a declaration, in the scope of that declaration."""
    around = {node.id for node in program.ancestors(use)} | {function.id}
    return any(
        node.start_byte <= use.start_byte and _owner(program, node) in around for node in declared
    )


def _is_lasting(program: Program, name: Node) -> bool:
    around = program.enclosing(name, _LOCAL_DECLARATIONS)
    words = program.text(around).split("=")[0].split() if around is not None else ["static"]
    return bool({"static", "volatile", "extern"} & set(words))


def scope_of(program: Program, function: Node, name: Node) -> Node:
    """The innermost scope around a use that holds a declaration of the name; else the function."""
    if program.dialect.assignment_declares:
        return function
    text = program.text(name)
    for around in program.ancestors(name):
        if around.id == function.id:
            break
        if around.type in program.dialect.scopes and any(
            use_of(program, node) == "declaration" and _owner(program, node) == around.id
            for node in occurrences(program, around, text)
        ):
            return around
    return function


def _owner(program: Program, name: Node) -> int:
    """The scope in which a declaration stands."""
    around = program.enclosing(name, program.dialect.scopes)
    return around.id if around is not None else 0


def is_written(program: Program, scope: Node, name: str) -> bool:
    """Whether a name gets another value somewhere inside a node."""
    return any(use_of(program, node) != "read" for node in occurrences(program, scope, name))


MAX_DEPTH = 12


def compact(program: Program, node: Node) -> str:
    """The text of an expression without parentheses around it and without white space."""
    return "".join(program.text(program.inner(node)).split())


def is_integer(program: Program, node: Node) -> bool:
    """Whether an expression is a whole number by its declaration; boxes and unknowns are not.

    Where types are only hints, all that a name ever gets must be a whole number: literals, lengths,
    ranges, arithmetic.
    """
    if program.dialect.dynamic_types:
        return _is_integer_value(program, node, frozenset())
    return program.type_of(program.inner(node)) in program.dialect.expressions.integers


def _is_integer_value(program: Program, node: Node, seen: frozenset[str]) -> bool:
    node = program.inner(node)
    role = program.role(node)
    if role == "integer" or is_length(program, node):
        return True
    if role == "name":
        return _holds_integers(program, node, seen)
    if role == "unary" and program.operator(node) != "not":
        operand = program.operand(node)
        return operand is not None and _is_integer_value(program, operand, seen)
    binary = program.binary(node) if role == "binary" else None
    if binary is None or binary.spelling not in ("+", "-", "*", "//", "%", "&", "|", "^"):
        return False
    return all(_is_integer_value(program, side, seen) for side in (binary.left, binary.right))


def _holds_integers(program: Program, node: Node, seen: frozenset[str]) -> bool:
    """Whether a name only ever gets whole numbers."""
    function = program.enclosing(node, program.dialect.functions)
    name = program.text(node)
    if function is None or name in seen or not is_tame(program, function, name):
        return False
    uses = [(one, use_of(program, one)) for one in occurrences(program, function, name)]
    return all(
        _gives_integer(program, one, use, seen | {name}) for one, use in uses if use != "read"
    )


def _gives_integer(program: Program, node: Node, use: str, seen: frozenset[str]) -> bool:
    parent = program.parent(node)
    if parent is None or use == "other":
        return False
    if use == "declaration":
        kind = parent.child_by_field_name("type")
        return kind is not None and program.text(kind) == "int"
    right = parent.child_by_field_name("right")
    if parent.type == "for_statement":
        return right is not None and program.text(right).startswith("range(")
    if right is None or program.operator(parent) in ("/=", "**="):
        return False
    return _is_integer_value(program, right, seen)


def is_length(program: Program, node: Node) -> bool:
    """Whether an expression is the length or size of something whose type is known."""
    node = program.inner(node)
    if program.role(node) not in ("call", "field"):
        return False
    parts = [node.child_by_field_name(part) for part in ("function", "name", "field")]
    name = next((program.text(part) for part in parts if part is not None), "")
    owners = program.dialect.expressions.lengths.get(name)
    owner = node.child_by_field_name("object")
    if owners is None or owner is None:
        return owners == frozenset() and program.role(node) == "call"
    found = program.type_of(owner)
    if program.role(node) == "field":
        return program.declarations.kind_of_type(found) == "array"
    return found in owners


_LITERALS = frozenset({"integer", "float", "char", "boolean", "string", "null"})
_CHANGES = frozenset({"assign", "update"})


def has_effects(program: Program, node: Node) -> bool:
    """Whether computing the expression changes anything, as far as its text tells."""
    role = program.role(node)
    if node.type in program.dialect.expressions.deferred:
        return False
    if role in _CHANGES or (role == "call" and not _is_harmless_call(program, node)):
        return True
    return any(has_effects(program, child) for child in node.named_children)


def _is_harmless_call(program: Program, node: Node) -> bool:
    name, owner = node.child_by_field_name("name"), node.child_by_field_name("object")
    spelled = program.text(name) if name is not None else ""
    of_whom = program.text(owner) if owner is not None else ""
    arguments, rules = node.child_by_field_name("arguments"), program.dialect.expressions
    bare = arguments is not None and not arguments.named_child_count
    if bare and re.match(rules.getters, spelled):
        return True
    forms = {spelled, f"{of_whom}.*", spelled if bare else f"{spelled}(_)"}
    return not forms.isdisjoint(rules.harmless_calls)


def is_harmless(program: Program, node: Node, *, typed: bool = True, depth: int = 0) -> bool:
    """Whether evaluating an expression changes nothing and cannot fail.

    Names, literals and arithmetic on primitive numbers; no call, no element, no field, no division
    but by a literal. Without declared types arithmetic counts only between numbers known as such.
    Not `typed`: names are taken to be what the operators around them want, and nothing is divided.
    """
    node = program.inner(node)
    role, rules = program.role(node), program.dialect.expressions
    if depth > MAX_DEPTH:
        return False
    if role in _LITERALS:
        return all(child.type != "interpolation" for child in node.named_children)
    if role == "name":
        return not typed or _is_safe_name(program, node)
    if role == "unary":
        operand = program.operand(node)
        sides = [operand] if operand is not None else []
        is_logic = False
    elif binary := program.binary(node):
        sides = [binary.left, binary.right]
        is_logic = binary.spelling in program.dialect.logical
        divides = binary.spelling in ("/", "%", "//") and literal_value(program, binary.right)
        if binary.spelling in rules.failing and not (typed and divides):
            return False
    else:
        return not typed and node.type == rules.receiver
    return bool(sides) and all(
        is_harmless(program, side, typed=typed, depth=depth + 1)
        and (is_logic or not typed or _is_plain_number(program, side))
        for side in sides
    )


def _is_safe_name(program: Program, node: Node) -> bool:
    """A name that can be read without harm: no box to open, and surely bound."""
    if program.dialect.dynamic_types:
        function = program.enclosing(node, program.dialect.functions)
        found = occurrences(program, function, program.text(node)) if function is not None else []
        uses = [use_of(program, one) for one in found]
        return "declaration" in uses and "other" not in uses
    return not program.dialect.expressions.boxes or _is_primitive(program, node)


def _is_plain_number(program: Program, node: Node) -> bool:
    node = program.inner(node)
    if program.role(node) in ("binary", "unary"):
        return True  # its own operands are looked at
    if program.dialect.dynamic_types:
        return literal_value(program, node) is not None or is_integer(program, node)
    if program.dialect.expressions.boxes:
        return _is_primitive(program, node)
    return program.role(node) != "string"


def _is_primitive(program: Program, node: Node) -> bool:
    return program.type_of(node) in program.dialect.expressions.boxes.values()
