"""C's functions, lowered for symbolic execution."""

import re
from functools import lru_cache

from tree_sitter import Node

from equimut.languages.c.lowering.conversions import Escapes
from equimut.languages.c.lowering.declared import FUNCTION
from equimut.languages.c.lowering.surroundings import Surroundings
from equimut.languages.c.lowering.switches import Switches
from equimut.languages.c.lowering.types import VOID, pointer
from equimut.languages.lowered import (
    Assign,
    Block,
    Declare,
    Do,
    Function,
    Home,
    Local,
    Memory,
    Stmt,
    Unset,
    Unsupported,
)
from equimut.languages.scopes import named_parts, nodes_below

_FORBIDDEN = frozenset(
    {"gnu_asm_expression", "compound_literal_expression", "generic_expression", "seh_try_statement",
     "offsetof_expression", "alignof_expression", "attributed_statement", "ERROR"}
)  # fmt: skip
_WORDS = re.compile(
    rb"\b(volatile|_Atomic|__thread|_Thread_local|__volatile__|__COUNTER__|__LINE__|__auto_type"
    rb"|typeof|__typeof__|_Alignas|this|scope)\b"
)
"""Words that change what the code around them means, and names that the engine uses itself."""


_DEFINING = {"enumerator": "name", "struct_specifier": "body", "union_specifier": "body",
             "enum_specifier": "body"}  # fmt: skip
"""What defines names of constants and types, if it has this part."""


def lower_text(node: Node, source: bytes, home: Home | None = None) -> Function:
    """The function of a text, with what the text around it tells, or the file it belongs to."""
    if home is not None:
        return lower_function(node, source, _surroundings(home))
    file = Surroundings(source)
    file.read(_root(node), node.start_byte)
    return lower_function(node, source, file)


@lru_cache(maxsize=64)
def _surroundings(home: Home) -> Surroundings:
    file = Surroundings(home.source)
    file.read(_root(home.node), home.node.start_byte)
    if home.others is not None:
        others = Surroundings(home.others_source)
        others.read(home.others, len(home.others_source))
        file.take(others)
    return file


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def lower_function(node: Node, source: bytes, file: Surroundings) -> Function:
    """A function; raises `Unsupported` for what cannot be lowered."""
    if _WORDS.search(source, node.start_byte, node.end_byte):
        raise Unsupported("a word that changes what code means")
    text = source[node.start_byte : node.end_byte].decode()
    if not file.words.isdisjoint(re.findall(r"\w+", text)):
        raise Unsupported("a keyword that is a macro")
    for each in nodes_below(node):
        if each.type in _FORBIDDEN or each.type.startswith("preproc"):
            raise Unsupported(each.type)
        if each.type in _DEFINING and _is_inside(each, node):
            raise Unsupported("a name of a type or constant that ends with its block")
    escaped: frozenset[str] = frozenset()
    while True:
        try:
            return _Functions(source, file, escaped).function(node)
        except Escapes as found:
            if found.name in escaped:
                raise Unsupported("an address of something else") from None
            escaped |= {found.name}


def _is_inside(node: Node, function: Node) -> bool:
    """Whether a name is defined in a block or a loop inside the function."""
    named = node.child_by_field_name("name") is not None
    if not named or node.child_by_field_name(_DEFINING[node.type]) is None:
        return False
    body, around = function.child_by_field_name("body"), node.parent
    while around is not None and around.type not in ("compound_statement", "for_statement"):
        around = around.parent
    return around != body


class _Functions(Switches):
    """Lowers one function."""

    def function(self, node: Node) -> Function:
        self.start = node.start_byte
        self.file = self.file.copy(self.source)
        base = self.file.specifier(self.part(node, "type"))
        declarator = self.part(node, "declarator")
        while declarator.type == "pointer_declarator":
            base, declarator = pointer(base), self.part(declarator, "declarator")
        self.result = base
        name = self.part(declarator, "declarator")
        if declarator.type != "function_declarator" or name.type != "identifier":
            raise Unsupported("a declarator of this kind")
        parameters, stored = self._parameters(self.part(declarator, "parameters"))
        body = self.statement(self.part(node, "body"))
        unset: list[Stmt] = [
            Declare(local, Unset(local.type, local.name)) for local in self.declared
        ]
        named = set(re.findall(r"\w+", self.text(node))) & self.file.taken
        assumed = tuple(
            f"`{each}` is the constant that a header declares" for each in sorted(named)
        )
        block = Block((*unset, *stored, body))
        return Function(self.text(name), tuple(parameters), block, self.result, assumptions=assumed)

    def _parameters(self, node: Node) -> tuple[list[Local], list[Stmt]]:
        parameters: list[Local] = []
        stored: list[Stmt] = []
        for child in named_parts(node):
            kind, inside = (
                child.child_by_field_name("type"),
                child.child_by_field_name("declarator"),
            )
            if child.type == "variadic_parameter":
                continue
            if child.type != "parameter_declaration" or kind is None:
                raise Unsupported("parameters of this kind")
            base = self.file.specifier(kind)
            if inside is None:
                if base != VOID:
                    raise Unsupported("a parameter without a name")
                continue
            name, type_ = self.file.declared(inside, base, True)
            if name in self.file.macros:
                raise Unsupported("a parameter that is a macro")
            if type_ == FUNCTION:
                type_ = pointer(FUNCTION)
            local = self.scopes.declare(name, type_)
            place = self.home(local)
            parameters.append(local)
            if isinstance(place, Memory):
                stored.append(Do(Assign(type_, place, local)))
        return parameters, stored
