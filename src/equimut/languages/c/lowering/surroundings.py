"""What a C file tells: typedefs, structs, enums, constants, globals, functions."""

import re
from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages.c.api import RETURNS
from equimut.languages.c.lowering.constants import STANDARD
from equimut.languages.c.lowering.declared import FUNCTION, Types, as_passed, literal
from equimut.languages.c.lowering.types import VOID, pointer, spelt
from equimut.languages.lowered import Type, Unsupported
from equimut.languages.scopes import declared_name, named_parts, nodes_below

_CHANGING = re.compile(r"\b(volatile|__volatile__|_Atomic)\b")
_ELSEWHERE = re.compile(r"__attribute\w*\s*\(\([^;]*\b_*(weak|weakref|alias|ifunc)_*\b")
"""What a name means is decided where programs are linked."""
_MACRO = re.compile(r"[A-Z_][A-Z0-9_]*|__\w+")
_KEYWORDS = frozenset(
    {"static", "extern", "const", "volatile", "struct", "union", "enum", "typedef", "inline",
     "unsigned", "signed", "char", "short", "int", "long", "float", "double", "void", "bool",
     "size_t"}
)  # fmt: skip
_MEANT = frozenset(
    {"break", "case", "const", "continue", "default", "do", "else", "for", "goto", "if", "register",
     "return", "sizeof", "static", "struct", "switch", "union", "volatile", "while"}
)  # fmt: skip
"""Keywords that a function is read by; those of types are looked up where they stand."""
_LEFT_OUT = frozenset({"const", "register", "static", "volatile"})
"""What may be defined as nothing: what is lowered says no less without it."""
LITERAL = re.compile(r"\(?\s*([+-]?\s*[0-9][0-9a-zA-Z.]*|'(?:[^'\\]|\\.[0-7]*)')\s*\)?")


@dataclass
class Prototype:
    """A declared function; `parameters` is None where they are not known."""

    result: Type
    parameters: tuple[Type, ...] | None


class Surroundings(Types):
    """The declarations of a file that are in sight of a function."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.globals: dict[str, Type] = {}
        self.functions: dict[str, Prototype] = {}
        self.taken: set[str] = set()
        """Constants of other files."""
        self.words: set[str] = set()
        """Keywords that mean something else here."""

    def take(self, other: "Surroundings") -> None:
        """Add the constants of other files, where this one says nothing of their names."""
        known = {*self.macros, *self.constants, *self.globals, *self.functions, *self.typedefs}
        for name, value in other.macros.items():
            if name not in known:
                self.macros[name] = value
                self.taken.add(name)
        for name, number in other.constants.items():
            if name not in known:
                self.constants[name] = number
                self.taken.add(name)

    def copy(self, source: bytes) -> "Surroundings":
        """The same for another text, which may declare more."""
        other = Surroundings(source)
        for name, table in vars(self).items():
            if isinstance(table, dict | set):
                setattr(other, name, table.copy())
        return other

    def read(self, root: Node, before: int) -> None:
        """Read a file up to the function that begins at a byte, and prototypes of what follows."""
        for node in nodes_below(root):
            if node.type.startswith("preproc"):
                self._macro(node, root, before)
        for node in named_parts(root):
            if _CHANGING.search(self.text(node)) and node.type != "function_definition":
                # Something may change by itself: no name of it is one that is understood.
                names = {*re.findall(r"[A-Za-z_]\w*", self.text(node))} - _KEYWORDS
                self.macros |= dict.fromkeys(sorted(names))
            elif node.type == "function_definition" or node.start_byte < before:
                try:
                    self._declaration(node)
                except Unsupported:
                    continue  # what is not understood is not declared
            if node.type.startswith("preproc"):
                self._perhaps(node)

    def _perhaps(self, condition: Node) -> None:
        """What is declared under a condition may hide what the standard says of a name."""
        for node in nodes_below(condition):
            kind = node.type
            if kind not in ("type_definition", "function_definition", "declaration"):
                continue
            for declarator in node.children_by_field_name("declarator"):
                name = self.text(declared_name(declarator))
                if kind != "type_definition" and (name in RETURNS or name in STANDARD):
                    self.macros[name] = None
                elif kind == "type_definition" and spelt([name]) is not None:
                    self.typedefs[name] = Type("any", name=name)

    def _macro(self, node: Node, root: Node, before: int) -> None:
        name = node.child_by_field_name("name")
        if node.type == "preproc_call":  # #undef and the like
            for word in re.findall(r"\w+", self.text(node)):
                self.macros[word] = None
        if name is None or node.type not in ("preproc_def", "preproc_function_def"):
            return
        word, value = self.text(name), node.child_by_field_name("value")
        left_out = value is None and node.type == "preproc_def" and word in _LEFT_OUT
        if word in _MEANT and not left_out:
            self.words.add(word)
        plain = node.type == "preproc_def" and node.parent == root and word not in self.macros
        plain = plain and node.start_byte < before  # further down the name is another one yet
        matched = LITERAL.fullmatch(self.text(value).strip()) if value is not None else None
        try:
            self.macros[word] = literal(matched[1]) if plain and matched else None
        except Unsupported:
            self.macros[word] = None

    def _declaration(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        if node.type in ("struct_specifier", "union_specifier", "enum_specifier"):
            self.specifier(node)
        if kind is None or node.type not in (
            "declaration",
            "type_definition",
            "function_definition",
        ):
            return
        if self._asks(node, kind):
            raise Unsupported("a type or name that an attribute changes")
        base = self.specifier(kind)
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type == "init_declarator":
                inner = declarator.child_by_field_name("declarator")
                assert inner is not None
                declarator = inner
            name, type_ = self.declared(declarator, base)
            if node.type == "type_definition":
                self.typedefs[name] = type_
            elif type_ == FUNCTION:
                self.functions[name] = self._prototype(declarator, base)
            else:
                self.globals[name] = type_

    def _asks(self, node: Node, kind: Node) -> bool:
        """Whether an attribute, or a macro in its place, changes what a declaration declares."""
        names = node.children_by_field_name("declarator")
        if node.type == "declaration" and kind.child_by_field_name("body") is not None:
            words = [self.text(each) for each in names if each.type == "identifier"]
            if any(word in self.macros or _MACRO.fullmatch(word) for word in words):
                self.forget(kind)  # `struct s { ... } PACKED;`
                return True
        if node.type == "type_definition":
            return any(
                "attribute" in each.type for name in (node, *names) for each in name.children
            )
        if node.type != "declaration" or not _ELSEWHERE.search(self.text(node)):
            return False
        self.macros |= dict.fromkeys(re.findall(r"\w+", self.text(node)))
        return True

    def _prototype(self, declarator: Node, base: Type) -> Prototype:
        while declarator.type == "pointer_declarator":
            base, inner = pointer(base), declarator.child_by_field_name("declarator")
            assert inner is not None
            declarator = inner
        parameters = declarator.child_by_field_name("parameters")
        assert parameters is not None
        types: list[Type] = []
        for each in named_parts(parameters):
            kind = each.child_by_field_name("type")
            if each.type != "parameter_declaration" or kind is None:
                return Prototype(base, None)
            inside = each.child_by_field_name("declarator")
            type_ = self.specifier(kind)
            if inside is not None:
                type_ = self.declared(inside, type_, True)[1]
            types.append(as_passed(type_))
        return (
            Prototype(base, tuple(types) if types != [VOID] else ())
            if types
            else Prototype(base, None)
        )
