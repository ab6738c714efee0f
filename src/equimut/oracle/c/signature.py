"""The signature of a C function, and which parameter holds the length of which array.

C does not say how long an array is, so names and order do (see docs/oracle.md):
`T *a, int n` is an array of n elements, `char *s` alone a NUL-terminated string, `T *p` alone
points to one element, `T a[8]` has eight.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from equimut.errors import OracleError
from equimut.oracle.signature import Parameter, Signature, ValueType, array, integer
from equimut.parsing.tree import SyntaxTree, parse

if TYPE_CHECKING:
    from tree_sitter import Node

SCALARS = {
    "char": ValueType("char", -128, 127, 1),
    "bool": ValueType("bool", size=1),
    "_Bool": ValueType("bool", size=1),
    "float": ValueType("float", size=4),
    "double": ValueType("float", size=8),
    "size_t": integer(64, signed=False),
    "ssize_t": integer(64),
    "ptrdiff_t": integer(64),
    "intptr_t": integer(64),
    "uintptr_t": integer(64, signed=False),
    **{f"int{bits}_t": integer(bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": integer(bits, signed=False) for bits in (8, 16, 32, 64)},
}
LENGTH_WORDS = "n|len|length|size|sz|count|cnt|num|rows|cap|capacity"
LENGTH_NAME = re.compile(
    rf"^(?:{LENGTH_WORDS})\d*$|_(?:{LENGTH_WORDS})\d*$|^(?:n|num)_|^n[a-z]?\d*$"
    r"|(?:len|length|size|count)$|(?:Len|Length|Size|Count|Num)\d*$"
)
COLUMNS_NAME = re.compile(r"^(?:n_?)?(?:cols|columns)$|_(?:cols|columns)$")
QUALIFIERS = re.compile(r"\b(?:const|volatile|register|restrict|static|inline|extern)\b")
SINGLE = 1
"""Elements behind a pointer without a length."""


@dataclass(frozen=True)
class Declared:
    """A parameter as written: scalar type, pointer depth and array bounds."""

    name: str
    scalar: ValueType
    text: str
    pointers: int
    bounds: tuple[str, ...]


def scalar_type(text: str) -> ValueType | None:
    """The type behind words like `unsigned long int`, in any order."""
    words = QUALIFIERS.sub(" ", text).split()
    if len(words) == 1 and words[0] in SCALARS:
        return SCALARS[words[0]]
    if not words or set(words) - {"unsigned", "signed", "char", "short", "int", "long"}:
        return None
    signed = "unsigned" not in words
    if "char" in words:
        return integer(8, signed)
    bits = 16 if "short" in words else 64 if "long" in words else 32
    return integer(bits, signed)


def _name_of(declarator: "Node", tree: SyntaxTree) -> str:
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier", "type_identifier"):
        node = node.child_by_field_name("declarator") or next(
            (child for child in node.named_children if "declarator" in child.type), None
        )
    return tree.text(node) if node is not None else ""


def find_function(source: str, name: str | None) -> tuple[SyntaxTree, "Node"]:
    """The function under test: the last one, or the one named."""
    tree = parse(source, "c")
    if tree.errors:
        first = tree.errors[0]
        raise OracleError(
            f"the origin does not parse: line {first.line}, column {first.column}: {first.message}"
        )
    found = [node for node in tree.root.children if node.type == "function_definition"]
    if name is not None:
        found = [node for node in found if _function_name(node, tree) == name]
    if not found:
        wanted = f"function {name}" if name else "function"
        raise OracleError(f"the origin has no {wanted}; name one with --function")
    return tree, found[-1]


def _function_name(function: "Node", tree: SyntaxTree) -> str:
    declarator = function.child_by_field_name("declarator")
    return _name_of(declarator, tree) if declarator is not None else ""


def _declared(node: "Node", tree: SyntaxTree, function: str) -> Declared | None:
    """One parameter; None for the `void` of an empty list."""
    declarator = node.child_by_field_name("declarator")
    stop = declarator.start_byte if declarator is not None else node.end_byte
    text = tree.source[node.start_byte : stop].decode()
    if declarator is None and text.strip() == "void":
        return None
    pointers = 0
    bounds: list[str] = []
    part = declarator
    while part is not None and part.type != "identifier":
        if part.type == "pointer_declarator":
            pointers += 1
        elif part.type == "array_declarator":
            size = part.child_by_field_name("size")
            bounds.insert(0, tree.text(size) if size is not None else "")
        else:
            raise _unsupported(function, _name_of(part, tree), tree.text(node))
        part = part.child_by_field_name("declarator")
    scalar = scalar_type(text)
    name = tree.text(part) if part is not None else ""
    if scalar is None or pointers + (1 if bounds else 0) > 1 or len(bounds) > 2:
        raise _unsupported(function, name or "?", tree.text(node))
    written = " ".join(QUALIFIERS.sub(" ", text).split())
    return Declared(name, scalar, written, pointers, tuple(bounds))


def _unsupported(function: str, name: str, text: str) -> OracleError:
    return OracleError(
        f"parameter {name} of {function}: {' '.join(text.split())} is not supported; "
        "the oracle knows scalars, strings and arrays of scalars"
    )


def _following_length(declared: list[Declared], place: int) -> int | None:
    """The place of the length that follows an array, maybe after others that share it."""
    for later in range(place + 1, len(declared)):
        other = declared[later]
        if other.pointers or other.bounds:
            continue
        fits = other.scalar.kind == "int" and LENGTH_NAME.search(other.name)
        return later if fits else None
    return None


def _bound_lengths(declared: list[Declared], bounds: tuple[str, ...]) -> tuple[int, ...] | None:
    """Places of the parameters named in `a[n]` or `a[rows][cols]`."""
    names = [other.name for other in declared]
    places = tuple(names.index(bound) for bound in bounds if bound in names)
    return places if len(places) == len(bounds) else None


def _parameter(declared: list[Declared], place: int) -> Parameter:
    one = declared[place]
    if not one.pointers and not one.bounds:
        return Parameter(one.name, one.scalar)
    type_ = array(one.scalar, nullable=True)
    constants = [int(bound, 0) for bound in one.bounds if re.fullmatch(r"\d+", bound)]
    if one.bounds and len(constants) == len(one.bounds):
        length = constants[0] * (constants[1] if len(constants) > 1 else 1)
        return Parameter(one.name, replace(type_, length=length, nullable=False))
    named = _bound_lengths(declared, one.bounds) if one.bounds and one.bounds[0] else None
    if named is not None:
        return Parameter(one.name, type_, named)
    length_at = _following_length(declared, place)
    if length_at is not None and len(one.bounds) < 2:
        following = declared[length_at + 1] if length_at + 1 < len(declared) else None
        if "row" in declared[length_at].name and following is not None:
            plain = following.scalar.kind == "int" and not following.pointers
            if plain and COLUMNS_NAME.search(following.name):
                return Parameter(one.name, type_, (length_at, length_at + 1))
        return Parameter(one.name, type_, (length_at,))
    if one.text == "char":
        return Parameter(one.name, ValueType("string", nullable=True))
    if len(one.bounds) > 1:
        raise _unsupported("the function", one.name, f"{one.text} {one.name} with open bounds")
    return Parameter(one.name, replace(type_, length=SINGLE))


def read_signature(source: str, name: str | None) -> Signature:
    """Read the parameters of the function under test and tie arrays to their lengths."""
    tree, function = find_function(source, name)
    title = _function_name(function, tree)
    declarator = function.child_by_field_name("declarator")
    assert declarator is not None  # a function definition has one by the grammar
    pointers = 0
    while declarator.type != "function_declarator":
        pointers += declarator.type == "pointer_declarator"
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            raise OracleError(f"{title or 'the origin'} has a declarator that is not supported")
        declarator = inner
    result = QUALIFIERS.sub(" ", tree.source[function.start_byte : _start(function)].decode())
    result = " ".join(result.split())
    if pointers > 1 or (pointers == 0 and result != "void" and scalar_type(result) is None):
        raise OracleError(f"{title} returns {result}{'*' * pointers}, which is not supported")
    formal = declarator.child_by_field_name("parameters")
    nodes = formal.named_children if formal is not None else []
    if any(node.type == "identifier" for node in nodes):
        # K&R: the types stand after the list, and a call without arguments would compile.
        raise OracleError(f"{title} has an old-style parameter list, which is not supported")
    if any(node.type == "variadic_parameter" for node in nodes):
        raise OracleError(f"{title} takes variable arguments, which is not supported")
    found = [_declared(node, tree, title) for node in nodes if node.type == "parameter_declaration"]
    declared = [one for one in found if one is not None]
    parameters = tuple(_parameter(declared, place) for place in range(len(declared)))
    return Signature(title, parameters, result + "*" * pointers)


def _start(function: "Node") -> int:
    declarator = function.child_by_field_name("declarator")
    return declarator.start_byte if declarator is not None else function.end_byte


def top_level_names(source: str) -> tuple[str, ...]:
    """Every name a source defines at its top level, so that units can stand side by side."""
    tree = parse(source, "c")
    names = set()
    for node in tree.root.children:
        if node.type == "function_definition":
            names.add(_function_name(node, tree))
        elif node.type in ("declaration", "type_definition"):
            names |= {_name_of(child, tree) for child in node.children_by_field_name("declarator")}
        for child in [node, *node.named_children]:
            if child.type in ("struct_specifier", "union_specifier", "enum_specifier"):
                tag = child.child_by_field_name("name")
                names |= {tree.text(tag)} if tag is not None else set()
                body = child.child_by_field_name("body")
                if child.type == "enum_specifier" and body is not None:
                    constants = [item.child_by_field_name("name") for item in body.named_children]
                    names |= {tree.text(item) for item in constants if item is not None}
    return tuple(sorted(name for name in names if name))
