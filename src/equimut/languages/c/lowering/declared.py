"""The types that a C file declares: typedefs, structs, enums, declarators, constants."""

import re
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.languages.c.lowering.types import (
    INT,
    UNSIGNED,
    array,
    characters,
    number,
    pointer,
    spelt,
)
from equimut.languages.lowered import BOOL, Lit, Type, Unsupported
from equimut.languages.scopes import named_parts, nodes_below

FUNCTION = Type("any", name="function")

_PLACED = re.compile(r"\b(_Alignas|alignas)\b|^enum\b[^{]*:")


@dataclass
class Layout:
    """Where the members of a struct are."""

    members: dict[str, tuple[Type, int]] = field(default_factory=dict)
    size: int = 0
    alignment: int = 1


class Types:
    """Reads types; what it meets on the way is declared."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.typedefs: dict[str, Type] = {}
        self.layouts: dict[str, Layout | None] = {}
        """Struct or union -> where its members are; None where that is not known."""
        self.enums: dict[str, Type] = {}
        self.constants: dict[str, int] = {}
        self.macros: dict[str, Lit | None] = {}
        """Every name that is #defined; None: not by one literal."""

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def specifier(self, node: Node) -> Type:
        """The type that the words before a declarator name."""
        text = self.text(node)
        if any(word in self.macros for word in re.findall(r"\w+", text)):
            raise Unsupported("a type that may be a macro")
        if node.type in ("primitive_type", "sized_type_specifier"):
            if text in self.typedefs:
                return self.typedefs[text]
            found = spelt(text.split())
            return found if found is not None else Type("any", name=text)
        if node.type == "type_identifier":
            known = self.typedefs.get(text) or spelt([text])
            return known if known is not None else Type("any", name=text)
        if node.type in ("struct_specifier", "union_specifier"):
            return self._struct(node)
        if node.type == "enum_specifier":
            return self._enum(node)
        raise Unsupported(node.type)

    def _enum(self, node: Node) -> Type:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        key = self.text(name) if name is not None else f"enum at {node.start_byte}"
        if body is not None:
            following, negative = 0, False
            for each in named_parts(body):
                label, value = each.child_by_field_name("name"), each.child_by_field_name("value")
                if each.type != "enumerator" or label is None:
                    raise Unsupported("an enumerator")
                following = self.constant(value) if value is not None else following
                if not -(2**31) <= following < 2**31:
                    raise Unsupported("a large enumerator")
                negative |= following < 0
                self.constants[self.text(label)] = following
                following += 1
            self.enums[key] = INT if negative else UNSIGNED  # as gcc chooses
            if self.is_laid_out_otherwise(node):
                self.enums[key] = Type("any", name=f"enum {key}")
        return self.enums.get(key, Type("any", name=f"enum {key}"))

    def _struct(self, node: Node) -> Type:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        union = node.type == "union_specifier"
        key = self.text(name) if name is not None else f"at {node.start_byte}"
        type_ = Type("any", name=f"{'union' if union else 'struct'} {key}")
        if body is not None:
            self.layouts[type_.name] = None
            if not self.is_laid_out_otherwise(node):
                self.layouts[type_.name] = self._layout(body, union)
        return type_

    def forget(self, node: Node) -> None:
        """Values of a struct, union or enum lie in memory as nobody knows."""
        type_ = self.specifier(node)
        name = node.child_by_field_name("name")
        self.layouts[type_.name] = None
        if node.type == "enum_specifier" and name is not None:
            self.enums[self.text(name)] = Type("any", name=f"enum {self.text(name)}")

    def is_laid_out_otherwise(self, node: Node) -> bool:
        """Whether a definition, or the file, says how its values lie in memory."""
        asked = any("attribute" in child.type for child in nodes_below(node))
        return asked or "pack" in self.macros or _PLACED.search(self.text(node)) is not None

    def _layout(self, body: Node, union: bool) -> Layout | None:
        layout = Layout()
        for each in named_parts(body):
            kind = each.child_by_field_name("type")
            inside = each.children_by_field_name("declarator")
            if each.type != "field_declaration" or kind is None or not inside:
                return None
            if any(child.type == "bitfield_clause" for child in each.children):
                return None
            base = self.specifier(kind)
            for declarator in inside:
                name, type_ = self.declared(declarator, base)
                size = self.size(type_)
                if size is None:
                    return None
                step = self.alignment(type_)
                start = 0 if union else -(-layout.size // step) * step
                layout.members[name] = (type_, start)
                layout.size = max(layout.size, start + size)
                layout.alignment = max(layout.alignment, step)
        layout.size = -(-layout.size // layout.alignment) * layout.alignment
        return layout

    def size(self, type_: Type) -> int | None:
        """Bytes of a value; None where nobody knows."""
        if type_.kind == "array":
            assert type_.element is not None
            inner = self.size(type_.element)
            return inner * type_.count if inner is not None else None
        if type_.kind == "any":
            layout = self.layouts.get(type_.name)
            return layout.size if layout is not None else None
        return 1 if type_ == BOOL else type_.bits // 8

    def alignment(self, type_: Type) -> int:
        """What addresses of values are multiples of."""
        if type_.kind == "array":
            assert type_.element is not None
            return self.alignment(type_.element)
        layout = self.layouts.get(type_.name) if type_.kind == "any" else None
        return layout.alignment if layout is not None else self.size(type_) or 1

    def declared(self, node: Node, base: Type, parameter: bool = False) -> tuple[str, Type]:
        """Name and type of a declarator; an array parameter is a pointer."""
        inner = node.child_by_field_name("declarator")
        if node.type in ("identifier", "field_identifier", "type_identifier", "primitive_type"):
            return self.text(node), as_passed(base) if parameter else base
        if node.type in ("pointer_declarator", "abstract_pointer_declarator"):
            base = pointer(base)
        elif node.type in ("array_declarator", "abstract_array_declarator"):
            size = node.child_by_field_name("size")
            if parameter and (inner is None or inner.type == "identifier"):
                base = pointer(base)
            else:
                if size is None:
                    raise Unsupported("an array without a length")
                base = array(base, self.constant(size))
        elif node.type in ("function_declarator", "abstract_function_declarator"):
            base = FUNCTION
        elif node.type in ("parenthesized_declarator", "abstract_parenthesized_declarator"):
            inner = named_parts(node)[0]
        else:
            raise Unsupported(node.type)
        if inner is not None:
            return self.declared(inner, base, parameter)
        return "", as_passed(base) if parameter else base

    def constant(self, node: Node) -> int:
        """The value of an integer constant expression."""
        text = self.text(node)
        if node.type == "number_literal" and isinstance(value := number(text).value, int):
            return value
        if node.type == "char_literal":
            return int(literal(text).value)  # type: ignore[call-overload, no-any-return]
        if node.type == "parenthesized_expression":
            return self.constant(named_parts(node)[0])
        if node.type == "identifier":
            known = self.macros.get(text)
            if known is not None and isinstance(known.value, int):
                return known.value
            if text in self.constants and text not in self.macros:
                return self.constants[text]
        if node.type in ("binary_expression", "unary_expression"):
            return self._computed(node)
        raise Unsupported("a constant expression")

    def _computed(self, node: Node) -> int:
        if re.search(r"\d[uUlL]", self.text(node)):
            raise Unsupported("a constant expression of another type")
        names = ("argument",) if node.type == "unary_expression" else ("left", "right")
        parts = [node.child_by_field_name(name) for name in names]
        values = [self.constant(part) for part in parts if part is not None]
        if any(not -(2**31) <= value < 2**31 for value in values):
            raise Unsupported("a constant expression of another type")
        sign = node.child_by_field_name("operator")
        op = self.text(sign) if sign is not None else ""
        if len(values) == 1 and op in "+-":
            value = -values[0] if op == "-" else values[0]
        elif len(values) == 2 and op in ("+", "-", "*"):
            left, right = values
            value = {"+": left + right, "-": left - right, "*": left * right}[op]
        elif len(values) == 2 and op == "<<" and 0 <= values[1] < 31 and values[0] >= 0:
            value = values[0] << values[1]
        else:
            raise Unsupported("a constant expression")
        if not -(2**31) <= value < 2**31:
            raise Unsupported("a large constant")
        return value


def as_passed(type_: Type) -> Type:
    """The type of a parameter that is declared so: an array's, by a typedef too, is a pointer."""
    return pointer(type_.element) if type_.kind == "array" and type_.element else type_


def literal(text: str) -> Lit:
    """A number or a character as it is written."""
    if text.startswith("'"):
        found = characters(text[1:-1])
        if len(found) != 1:
            raise Unsupported("a character of several bytes")
        return Lit(INT, found[0] - 256 if found[0] > 127 else found[0])
    return number(text.replace(" ", ""))
