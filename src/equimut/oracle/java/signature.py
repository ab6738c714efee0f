"""The signature of a Java method, and the class it is compiled in."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equimut.errors import OracleError
from equimut.oracle.signature import Parameter, Signature, ValueType, array, integer
from equimut.parsing.tree import SyntaxTree, parse

if TYPE_CHECKING:
    from tree_sitter import Node

CHAR = ValueType("char", 0, 0xFFFF, 2)
STRING = ValueType("string", nullable=True)
SCALARS = {
    "byte": integer(8),
    "short": integer(16),
    "int": integer(32),
    "long": integer(64),
    "float": ValueType("float", size=4),
    "double": ValueType("float"),
    "boolean": ValueType("bool"),
    "char": CHAR,
    "String": STRING,
    "CharSequence": STRING,
    "Object": STRING,
}
BOXES = {
    "Byte": "byte", "Short": "short", "Integer": "int", "Long": "long", "Float": "float",
    "Double": "double", "Boolean": "boolean", "Character": "char",
}  # fmt: skip
TYPES = ("class_declaration", "record_declaration", "enum_declaration", "interface_declaration")
WRAPPER = "Subject"
PROVIDED = ("java.util", "java.util.function", "java.util.stream", "java.math")
IMPORTS = "".join(f"import {package}.*; " for package in PROVIDED)


@dataclass(frozen=True)
class JavaHome:
    """Where the method under test lives: in a class of its own, or in the wrapper."""

    class_name: str
    wrapped: bool


def _named(node: "Node", tree: SyntaxTree) -> str:
    name = node.child_by_field_name("name")
    return tree.text(name) if name is not None else ""


def _candidates(tree: SyntaxTree) -> list[tuple["Node", JavaHome]]:
    """Methods at the top level, or else those directly in a top-level class."""
    bare = [node for node in tree.root.children if node.type == "method_declaration"]
    if bare:
        return [(node, JavaHome(WRAPPER, True)) for node in bare]
    found = []
    for type_ in (node for node in tree.root.children if node.type in TYPES):
        body = type_.child_by_field_name("body")
        name = _named(type_, tree)
        # A fragment is parsed inside a class that is not in the text: it has no name here.
        home = JavaHome(name or WRAPPER, not name)
        members = body.children if body is not None else []
        found += [(member, home) for member in members if member.type == "method_declaration"]
    return found


def _checked(source: str, whose: str) -> SyntaxTree:
    tree = parse(source, "java")
    if tree.errors:
        first = tree.errors[0]
        raise OracleError(
            f"the {whose} does not parse: line {first.line}, column {first.column}: {first.message}"
        )
    return tree


def find_method(source: str, name: str | None) -> tuple[SyntaxTree, "Node", JavaHome]:
    """The method under test: the last one, or the last one of that name."""
    tree = _checked(source, "origin")
    found = _candidates(tree)
    if name is not None:
        found = [(node, home) for node, home in found if _named(node, tree) == name]
    if not found:
        wanted = f"method {name}" if name else "method"
        raise OracleError(f"the origin has no {wanted}; name one with --function")
    return tree, *found[-1]


def _type_of(text: str, dimensions: int) -> ValueType | None:
    text = re.sub(r"@\w+|\bfinal\b", " ", text)
    compact = re.sub(r"\s+", "", text)
    base = compact.rstrip("[]")
    dimensions += compact.count("[")
    base = base.rsplit(".", 1)[-1]
    scalar = SCALARS.get(base)
    if scalar is None and base in BOXES:
        from dataclasses import replace

        scalar = replace(SCALARS[BOXES[base]], nullable=True)
    if scalar is None or dimensions > 2:
        return None
    type_ = scalar
    for level in range(dimensions):
        type_ = array(type_, nullable=level == dimensions - 1)
    return type_


def read_signature(source: str, name: str | None) -> Signature:
    """Read the parameters of the method under test."""
    tree, method, _ = find_method(source, name)
    found = []
    title = _named(method, tree)
    formal = method.child_by_field_name("parameters")
    for node in formal.named_children if formal is not None else ():
        if node.type not in ("formal_parameter", "spread_parameter"):
            continue
        text = tree.text(node)
        match = re.match(r"(?s)(.*?)([A-Za-z_$][\w$]*)\s*((?:\[\s*\]\s*)*)$", text.strip())
        written, parameter, after = match.groups() if match else (text, "?", "")
        spread = written.rstrip().endswith("...")
        dimensions = after.count("[") + spread
        type_ = _type_of(written.replace("...", ""), dimensions)
        if type_ is None:
            shown = " ".join((written + after).split())
            raise OracleError(
                f"parameter {parameter} of {title}: type {shown} is not supported; the oracle "
                "knows primitive types, their boxes, String, Object and arrays of them"
            )
        found.append(Parameter(parameter, type_))
    result = method.child_by_field_name("type")
    return Signature(title, tuple(found), tree.text(result) if result is not None else "void")


def simple_types(source: str, name: str | None) -> str:
    """The parameter types as `Class.getSimpleName` gives them, to tell overloads apart."""
    tree, method, _ = find_method(source, name)
    return " ".join(type_ for _, type_ in erased_parameters(tree, method))


def erased_parameters(tree: SyntaxTree, method: "Node") -> list[tuple[str, str]]:
    """Names of parameters, with the simple names of their types without type arguments."""
    found = []
    formal = method.child_by_field_name("parameters")
    for node in formal.named_children if formal is not None else ():
        if node.type in ("formal_parameter", "spread_parameter"):
            text = re.sub(r"@\w+(\([^)]*\))?|\bfinal\b", " ", tree.text(node))
            text = text.replace("...", "[] ").strip()
            match = re.match(r"(?s)(.*?)([A-Za-z_$][\w$]*)\s*((?:\[\s*\]\s*)*)$", text)
            written = re.sub(r"\s+", "", match[1] + match[3]) if match else text
            while "<" in written and (bare := re.sub(r"<[^<>]*>", "", written)) != written:
                written = bare
            found.append((match[2] if match else "?", re.sub(r"^(\w+\.)+", "", written)))
    return found
