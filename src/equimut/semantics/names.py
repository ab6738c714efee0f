"""Where a local variable is written and read, as far as the tree of one function tells."""

from typing import Literal

from tree_sitter import Node

from equimut.parsing.tree import walk
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
    return bool(declared) and not any(_is_lasting(program, node) for node in declared)


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
