"""What is known of names: what a use does, and which variables nothing else can see or change."""

import re
from typing import Literal

from tree_sitter import Node

from equimut.parsing.text_diff import byte_difference
from equimut.parsing.tree import parse, walk
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
_SPLATS = frozenset({"list_splat_pattern", "dictionary_splat_pattern"})
_BINDERS = _SPLATS | {
    "pattern_list", "tuple_pattern", "list_pattern", "as_pattern", "as_pattern_target",
    "dotted_name", "splat_pattern", "keyword_pattern", "aliased_import", "type_parameter",
    "global_statement", "nonlocal_statement", "function_definition", "class_definition",
    "array_declarator", "pointer_declarator", "function_declarator", "parenthesized_declarator",
    "delete_statement", "labeled_statement", "keyword_argument",
}  # fmt: skip
"""What binds a name in a way of its own, or names it without reading it."""
_DISPLAYS = frozenset({"tuple", "list", "list_splat", "parenthesized_expression"})
_LASTING = re.compile(r"\b(static|volatile|extern|__attribute__|cleanup)\b|\[\[")


def occurrences(program: Program, scope: Node, name: str) -> list[Node]:
    """The identifiers of that name in the order of the text."""
    start, end = scope.start_byte, scope.end_byte
    found = program.identifiers.get(name, ())
    return [node for node in found if start <= node.start_byte < end]


def use_of(program: Program, node: Node) -> Use:
    """What an identifier does with the variable it names."""
    node = program.outer(node)
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
    if parent.type in ("parameters", "typed_parameter") or (
        parent.type.endswith("_parameter") and field == "name"
    ):
        return "declaration"
    if parent.type in _SPLATS:
        around = program.parent(parent)
        return "declaration" if around is not None and around.type == "parameters" else "other"
    if parent.type == "type" and _is_alias(program, parent):
        return "other"
    if parent.type in _BINDERS or _gives_address(program, parent, role):
        return "other"
    return "other" if _is_unpacked(program, parent) else "read"


def _is_unpacked(program: Program, node: Node) -> bool:
    """`with a as (n, m)`, whose names look like those of a display."""
    around: Node | None = node
    while around is not None and around.type in _DISPLAYS:
        around = program.parent(around)
    return around is not None and around.type == "as_pattern_target"


def _is_alias(program: Program, node: Node) -> bool:
    """The `n` of `type n = int`, which binds it."""
    around = program.parent(node)
    return around is not None and around.type == "type_alias_statement"


def _gives_address(program: Program, parent: Node, role: str) -> bool:
    """`&x`; and `s.a`, which may be an array or have its address taken in turn."""
    if not program.dialect.has_pointers:
        return False
    sign = program.operator(parent) if role in ("pointer", "field") else ""
    return (role, sign) in (("pointer", "&"), ("field", "."))


def is_tame(program: Program, function: Node, name: str) -> bool:
    """Whether a name is a variable of the function that nothing else can see or change.

    A parameter or a local that is never captured by a closure, never has its address taken, and
    is not `static`, `volatile` or `global`; and no macro may hide a use of it.
    """
    key = "tame", function.id, name
    if key not in program.answers:
        program.answers[key] = _is_tame(program, function, name)
    return program.answers[key]


def _is_tame(program: Program, function: Node, name: str) -> bool:
    found = occurrences(program, function, name)
    uses = [use_of(program, node) for node in found]
    if "other" in uses or may_hide_uses(program, function):
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
    return around is None or bool(_LASTING.search(program.text(around)))


def may_hide_uses(program: Program, function: Node) -> bool:
    """Whether a macro may stand in a function: it may read, change or jump to anything there.

    Every name that the text does not declare may be one, but for those of the standard library.
    """
    if not program.tree.language.lexicon.preprocessor:
        return False
    key = "hides", function.id, None
    if key not in program.answers:
        program.answers[key] = any(
            node.type.startswith("preproc_")
            or (node.type == "identifier" and may_be_macro(program, node))
            for node in walk(function)
        )
    return program.answers[key]


def may_be_macro(program: Program, node: Node) -> bool:
    """Whether the text does not tell what a name is: the preprocessor may replace it."""
    name = program.text(node)
    if name in program.macros:
        return True
    declarations = program.declarations
    known = name in declarations.functions or name in program.dialect.library
    return not known and declarations.lookup(node) is None


def is_builtin(program: Program, name: str) -> bool:
    """Whether nothing in the text gives a well-known name another meaning."""
    if name in program.declarations.functions or name in program.rebound:
        return False
    uses = program.identifiers.get(name, ())
    return not program.dialect.dynamic_types or all(use_of(program, u) == "read" for u in uses)


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


def outside_names(origin: str, mutant: str, language: str) -> tuple[str, ...]:
    """Names in a changed expression that mean something outside of the function, sorted.

    Variables it does not declare, fields of objects, and functions that are neither its own nor
    the library's.
    """
    before, after = origin.encode(), mutant.encode()
    start, *ends = byte_difference(before, after)
    found: set[str] = set()
    for text, end in zip((origin, mutant), ends, strict=True):
        program = Program(parse(text, language))
        changed = _changed_node(program, start, end)
        found.update(
            program.text(node) for node in walk(changed) if _is_from_outside(program, node)
        )
    return tuple(sorted(found))


def _changed_node(program: Program, start: int, end: int) -> Node:
    """The smallest named node around a span, with the object whose field it is."""
    node: Node | None = program.tree.root
    inner = node
    while inner is not None:
        node = inner
        inside = (c for c in node.named_children if c.start_byte <= start and end <= c.end_byte)
        inner = next(inside, None)
    assert node is not None
    around = program.parent(node)
    while around is not None and program.role(around) == "field":
        node, around = around, program.parent(around)
    return node


def _is_from_outside(program: Program, node: Node) -> bool:
    name, parent, place = program.text(node), program.parent(node), program.field(node)
    if parent is None or not node.type.endswith("identifier"):
        return False
    if place in ("field", "attribute"):
        is_method = program.field(parent) == "function"
        return not is_method and name not in program.dialect.read_only_fields
    if node.type != "identifier" or (parent.type == "keyword_argument" and place == "name"):
        return False
    if name in program.dialect.library or name in program.declarations.functions:
        return False
    if program.role(parent) == "call" and place == "name":
        return parent.child_by_field_name("object") is None
    if program.dialect.assignment_declares:
        return not _is_bound(program, name)
    return program.declarations.lookup(node) is None


def _is_bound(program: Program, name: str) -> bool:
    """Whether an assignment, a parameter, a loop or the like makes it a name of the function."""
    places = [(program.parent(node), node) for node in program.identifiers[name]]
    kinds = {parent.type for parent, _ in places if parent is not None}
    if kinds & {"global_statement", "nonlocal_statement"}:
        return False
    return any(
        (parent.type == "for_in_clause" and program.field(node) == "left")
        or use_of(program, node) in ("write", "declaration", "other")
        for parent, node in places
        if parent is not None and parent.type != "keyword_argument"
    )
