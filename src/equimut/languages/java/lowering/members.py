"""What a Java file tells of the class around a function: fields, constants, results of methods."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tree_sitter import Node

from equimut.languages.java.lowering.scopes import Member, Members, plain_type
from equimut.languages.lowered import Expr, Type
from equimut.languages.scopes import nodes_below

ConstantReader = Callable[[Node, bytes, Type, dict[str, Member]], Expr | None]
"""Reads the value of a constant field of a type, given the fields before it."""
_TYPES = (
    "class_declaration", "enum_declaration", "record_declaration", "interface_declaration",
)  # fmt: skip


_AROUND_TYPES = ("program", "class_body", "interface_body", "enum_body", "enum_body_declarations",
                 *_TYPES)  # fmt: skip
_DECLARED = re.compile(rb"\b(?:class|interface|enum|record)\s+(\w+)")


def members_around(function: Node, source: bytes, constant: ConstantReader) -> Members:
    """The members in sight of a function that stands in its whole file."""
    fields: dict[str, Member] = {}
    methods: dict[tuple[str, tuple[str, ...]], object] = {}
    own, complete = True, False
    small: dict[str, Node] = {}
    for type_ in _around(function):
        if type_.type not in _TYPES:
            break  # an anonymous class: what it inherits is not known
        body = type_.child_by_field_name("body")
        name = type_.child_by_field_name("name")
        if body is None or name is None:
            break
        owner = _text(name, source)
        complete |= bool(owner)  # a bare function stands in a class without a name
        for declaration in _declarations(body):
            roots = type_.child_by_field_name("superclass") is None
            for found, member in _fields(declaration, source, owner, own, constant, fields):
                made = member.made and (member.static or roots)
                fields.setdefault(found, replace(member, made=made))
            if own and declaration.type == "method_declaration":
                key, result = _method(declaration, source)
                methods[key] = None if key in methods and methods[key] != result else result
        if own:
            small = _small(type_, body, source)
        inherits = type_.child_by_field_name("superclass") or type_.child_by_field_name(
            "interfaces"
        )
        if inherits is not None or type_.type != "class_declaration":
            break  # an inherited name would hide one of the class around
        own = False
    known = {key: result for key, result in methods.items() if result is not None}
    root = _root(function)
    return Members(
        fields,
        known,  # type: ignore[arg-type]
        _enums(root, source),
        complete,
        _imports(root, source),
        _declared(source),
        small,
        source,
    )


def _around(node: Node) -> Iterator[Node]:
    current = node.parent
    while current is not None:
        if current.type in _TYPES or current.type == "object_creation_expression":
            yield current
        elif current.type == "block":
            return  # a local class: names of the method around it hide members
        current = current.parent


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def _declarations(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()


def _modifiers(node: Node, source: bytes) -> set[str]:
    found = next((child for child in node.children if child.type == "modifiers"), None)
    return set(_text(found, source).split()) if found is not None else set()


def _fields(
    node: Node,
    source: bytes,
    owner: str,
    own: bool,
    constant: ConstantReader,
    before: dict[str, Member],
) -> Iterator[tuple[str, Member]]:
    kind = node.child_by_field_name("type")
    if node.type not in ("field_declaration", "constant_declaration") or kind is None:
        return
    words = _modifiers(node, source)
    shared = node.type == "constant_declaration"  # of an interface
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        value = declarator.child_by_field_name("value")
        if name is None:
            continue
        type_ = plain_type(kind, source, declarator.child_by_field_name("dimensions"))
        final = shared or "final" in words
        known, made, elements = None, False, None
        if final and value is not None:
            known = constant(value, source, type_, before)
            made, elements = _made(value, source)
        yield (
            _text(name, source),
            Member(type_, final, shared or "static" in words, known, owner, own, made, elements),
        )


def _made(value: Node, source: bytes) -> tuple[bool, int | None]:
    """Whether an initialiser is a new object, and how many elements the array has."""
    if value.type == "object_creation_expression":
        return True, None
    if value.type == "array_creation_expression":
        sizes = [child for child in value.children if child.type == "dimensions_expr"]
        text = _text(sizes[0], source).strip("[] ") if sizes else ""
        items = value.child_by_field_name("value")
        if items is not None:
            return _made(items, source)
        return True, int(text) if text.isdecimal() and text.isascii() else None
    if value.type == "array_initializer":
        return True, len([each for each in value.named_children if "comment" not in each.type])
    return False, None


_LONG = ("for_statement", "while_statement", "do_statement", "enhanced_for_statement",
         "try_statement", "try_with_resources_statement", "switch_expression", "lambda_expression",
         "class_body", "synchronized_statement", "labeled_statement")  # fmt: skip
_MOST_NODES, _MOST_BYTES = 120, 1_000


def _small(type_: Node, body: Node, source: bytes) -> dict[str, Node]:
    """Short methods without loops that no subclass can override."""
    closed = "final" in _modifiers(type_, source) or type_.type == "record_declaration"
    found: dict[str, Node] = {}
    for node in _declarations(body):
        if (
            node.type != "method_declaration"
            or node.end_byte - node.start_byte > _MOST_BYTES
            or node.child_by_field_name("body") is None
        ):
            continue
        (name, types), result = _method(node, source)
        words = _modifiers(node, source)
        if result is None or not (closed or words & {"private", "static", "final"}):
            continue
        below = nodes_below(node)
        if len(below) <= _MOST_NODES and not any(each.type in _LONG for each in below):
            found[" ".join((name, *types))] = node
    return found


def _method(node: Node, source: bytes) -> tuple[tuple[str, tuple[str, ...]], object]:
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
    parameters = node.child_by_field_name("parameters")
    types = []
    for child in parameters.named_children if parameters is not None else []:
        given = child.child_by_field_name("type")
        if child.type == "formal_parameter" and given is not None:
            types.append(plain_type(given, source, child.child_by_field_name("dimensions")).name)
        else:
            types.append("?")  # any number of arguments: never matched
    assert name is not None
    generic = node.child_by_field_name("type_parameters") is not None
    result = plain_type(kind, source) if kind is not None and not generic else None
    return (_text(name, source), tuple(types)), result


def _imports(root: Node, source: bytes) -> frozenset[str]:
    """What import and package bring into sight."""
    found = set()
    for node in root.named_children:
        if node.type == "import_declaration":
            found.add(_text(node, source).removeprefix("import").strip(" ;\n\t"))
        elif node.type == "package_declaration":
            found.add(_text(node, source).removeprefix("package").strip(" ;\n\t") + ".*")
    return frozenset("".join(each.split()) for each in found)


def _declared(source: bytes) -> frozenset[str]:
    """The names of all types of the file; a word in a comment may be taken for one more."""
    return frozenset(name.decode() for name in _DECLARED.findall(source))


def _enums(root: Node, source: bytes) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _AROUND_TYPES:
            stack.extend(node.named_children)
        if node.type == "enum_declaration":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                found[_text(name, source)] = tuple(
                    _text(label, source)
                    for each in body.named_children
                    if each.type == "enum_constant"
                    and (label := each.child_by_field_name("name")) is not None
                )
    return found
