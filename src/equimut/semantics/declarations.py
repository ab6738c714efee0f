"""The names a source declares, with their types: read once, scope by scope."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Node

from equimut.parsing.tree import walk

if TYPE_CHECKING:
    from equimut.semantics.program import Program


@dataclass(frozen=True)
class Variable:
    """A declared name."""

    type: str
    constant: bool = False
    initialised: bool = True
    constant_target: bool = False
    """Whether what it points to, or its elements, may not change (C's `const char *s`)."""


class Declarations:
    """Variables by scope, plus the functions, fields and constants of the whole source."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._scopes: dict[int, dict[str, Variable]] = defaultdict(dict)
        self.functions: dict[str, str] = {}
        self.fields: dict[str, Variable] = {}
        self._aliases: dict[str, str] = {}
        readers = {"java": self._read_java, "c": self._read_c, "python": self._read_python}
        read = readers[program.dialect.name]
        for node in walk(program.tree.root):
            if node.is_named:
                read(node)

    def lookup(self, node: Node) -> Variable | None:
        """The declaration that a name refers to, as far as the source shows it."""
        name = self._program.text(node)
        for scope in self._program.ancestors(node):
            if scope.type in self._program.dialect.scopes:
                found = self._scopes.get(scope.id, {}).get(name)
                if found is not None:
                    return found
        return None

    def declared_outside(self, node: Node, scope: Node) -> bool:
        """Whether a name used in a scope is not declared in it."""
        name = self._program.text(node)
        for around in self._program.ancestors(node):
            if name in self._scopes.get(around.id, {}):
                return False
            if around.id == scope.id:
                return True
        return True

    def kind_of_type(self, name: str) -> str:
        """The kind of a type: `int`, `float`, `string`, `pointer`, ...; empty if unknown."""
        for _ in range(8):  # aliases of aliases; a bound keeps a cycle from looping
            if name not in self._aliases:
                break
            name = self._aliases[name]
        if name.endswith("[]"):
            return "array"
        if name.endswith("*"):
            return "pointer"
        if name == "null":
            return "null"
        known = self._program.dialect.kinds.get(name)
        if known is not None:
            return known
        return "object" if name and self._program.dialect.name == "java" else ""

    def _declare(self, node: Node, name: str, variable: Variable) -> None:
        scope = node
        dialect = self._program.dialect
        while scope.type not in dialect.scopes:
            around = self._program.parent(scope)
            if around is None:
                break
            scope = around
        self._scopes[scope.id].setdefault(name, variable)

    # Java

    def _read_java(self, node: Node) -> None:
        text = self._program.text
        kind = node.child_by_field_name("type")
        if node.type in ("local_variable_declaration", "field_declaration") and kind is not None:
            final = any(c.type == "modifiers" and "final" in text(c).split() for c in node.children)
            for declarator in node.children_by_field_name("declarator"):
                name = declarator.child_by_field_name("name")
                value = declarator.child_by_field_name("value")
                dims = declarator.child_by_field_name("dimensions")
                if name is None:
                    continue
                full = _plain(text(kind)) + ("[]" if dims is not None else "")
                variable = Variable(full, final, value is not None)
                self._declare(node, text(name), variable)
                if node.type == "field_declaration":
                    self.fields[text(name)] = Variable(full, final)
        elif node.type in ("formal_parameter", "enhanced_for_statement", "resource"):
            name = node.child_by_field_name("name")
            if name is not None and kind is not None:
                final = any(
                    c.type == "modifiers" and "final" in text(c).split() for c in node.children
                )
                final = final or node.type == "resource"
                self._declare(node, text(name), Variable(_plain(text(kind)), final))
        elif node.type == "catch_formal_parameter":
            name = node.child_by_field_name("name")
            if name is not None:
                self._declare(node, text(name), Variable("Exception"))
        elif node.type == "method_declaration" and kind is not None:
            name = node.child_by_field_name("name")
            if name is not None:
                known = self.functions.get(text(name))
                result = _plain(text(kind))
                # Overloads that differ in what they return say nothing about a call.
                self.functions[text(name)] = result if known in (None, result) else ""

    # C

    def _read_c(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        if node.type == "preproc_def":
            name, value = (node.child_by_field_name(f) for f in ("name", "value"))
            if name is not None:
                number = value is not None and self._program.text(value).strip("() -").isdigit()
                self._declare(
                    node, self._program.text(name), Variable("int" if number else "", True)
                )
        elif node.type == "enumerator":
            name = node.child_by_field_name("name")
            if name is not None:
                root = self._program.tree.root
                self._scopes[root.id].setdefault(self._program.text(name), Variable("int", True))
        elif kind is not None and node.type in (
            "declaration", "field_declaration", "parameter_declaration",
            "function_definition", "type_definition",
        ):  # fmt: skip
            base = self._c_base_type(kind)
            constant = any(
                c.type == "type_qualifier" and self._program.text(c) == "const"
                for c in node.children
            )
            for declarator in node.children_by_field_name("declarator"):
                self._declare_c(node, declarator, base, constant)

    def _c_base_type(self, kind: Node) -> str:
        words = self._program.text(kind).split()
        if kind.type in ("struct_specifier", "union_specifier"):
            return "struct"
        if kind.type == "enum_specifier":
            return "enum"
        return next((w for w in words if w in ("double", "float")), words[0] if words else "")

    def _declare_c(self, node: Node, declarator: Node, base: str, constant: bool) -> None:
        initialised, suffix, current = False, "", declarator
        while current.type not in ("identifier", "field_identifier", "type_identifier"):
            if current.type == "init_declarator":
                initialised = True
            elif current.type == "pointer_declarator":
                suffix += "*"
            elif current.type == "array_declarator":
                suffix += "[]"
            elif current.type == "function_declarator":
                inner = current.child_by_field_name("declarator")
                if inner is not None and inner.type == "identifier":
                    self.functions.setdefault(self._program.text(inner), base + suffix)
                return
            inside = current.child_by_field_name("declarator")
            if inside is None:
                inside = next((c for c in current.named_children if "declarator" in c.type), None)
            if inside is None:
                return
            current = inside
        name, full = self._program.text(current), base + suffix
        if node.type == "type_definition":
            self._aliases[name] = full
        elif node.type == "field_declaration":
            self.fields.setdefault(name, Variable(full))
        else:
            if node.type == "parameter_declaration" and full.endswith("[]"):
                full = full[:-2] + "*"  # an array parameter is a pointer and may be incremented
            frozen = (constant and not suffix) or full.endswith("[]")
            self._declare(
                node, name, Variable(full, frozen, initialised, constant and bool(suffix))
            )

    # Python

    def _read_python(self, node: Node) -> None:
        text = self._program.text
        if node.type in ("typed_parameter", "typed_default_parameter"):
            name = node.child_by_field_name("name") or next(iter(node.named_children), None)
            kind = node.child_by_field_name("type")
            if name is not None and kind is not None:
                self._declare(node, text(name), Variable(_plain(text(kind))))
        elif node.type == "default_parameter":
            name = node.child_by_field_name("name")
            if name is not None:
                self._declare(node, text(name), Variable(""))
        elif node.type == "identifier" and self._program.field(node) == "":
            parent = self._program.parent(node)
            if parent is not None and parent.type == "parameters":
                self._declare(node, text(node), Variable(""))
        elif node.type in ("assignment", "for_statement", "augmented_assignment"):
            left = node.child_by_field_name("left")
            right = node.child_by_field_name("right")
            if left is not None and left.type == "identifier":
                self._declare_python(node, text(left), right)
        elif node.type == "function_definition":
            name = node.child_by_field_name("name")
            result = node.child_by_field_name("return_type")
            if name is not None:
                self.functions[text(name)] = _plain(text(result)) if result is not None else ""

    def _declare_python(self, node: Node, name: str, right: Node | None) -> None:
        annotation = node.child_by_field_name("type")
        found = ""
        if annotation is not None:
            found = _plain(self._program.text(annotation))
        elif right is not None and node.type == "for_statement":
            is_range = right.type == "call" and self._program.text(right).startswith("range(")
            found = "int" if is_range else ""
        elif right is not None and node.type == "assignment":
            found = _PYTHON_LITERALS.get(right.type, "")
        if not found:
            # A later assignment of unknown type takes away what an earlier literal told,
            # unless it only updates the value in place.
            function = self._program.enclosing(node, self._program.dialect.scopes)
            known = self._scopes[function.id].get(name) if function is not None else None
            if known is not None and node.type == "assignment" and known.type in ("list", "dict"):
                self._scopes[function.id][name] = Variable("")  # type: ignore[union-attr]
        self._declare(node, name, Variable(found))


_PYTHON_LITERALS = {
    "integer": "int", "float": "float", "true": "bool", "false": "bool", "string": "str",
    "list": "list", "dictionary": "dict", "set": "set", "tuple": "tuple",
    "list_comprehension": "list", "comparison_operator": "bool", "not_operator": "bool",
}  # fmt: skip


def _plain(name: str) -> str:
    """A type's name without type arguments and white space: `List<String> []` -> `List[]`."""
    depth, kept = 0, []
    for char in name:
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif depth == 0 and not char.isspace():
            kept.append(char)
    plain = "".join(kept)
    head, bracket, _ = plain.partition("[")
    # In Python `list[int]` is a list; in Java the brackets are empty.
    plain = plain if not bracket or plain.endswith("[]") else head
    return plain.replace("java.lang.", "")
