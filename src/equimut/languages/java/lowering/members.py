"""What a Java file tells of the class around a function: fields, constants, results of methods."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from equimut.languages.java.lowering.scopes import Member, Members, plain_type
from equimut.languages.lowered import Lit

LiteralReader = Callable[[Node, bytes], Lit | None]
"""Reads the value of a constant field."""
_TYPES = (
    "class_declaration", "enum_declaration", "record_declaration", "interface_declaration",
)  # fmt: skip


def members_around(function: Node, source: bytes, literal: LiteralReader) -> Members:
    """The members in sight of a function that stands in its whole file."""
    fields: dict[str, Member] = {}
    methods: dict[tuple[str, tuple[str, ...]], object] = {}
    own, complete = True, False
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
            for found, member in _fields(declaration, source, owner, own, literal):
                fields.setdefault(found, member)
            if own and declaration.type == "method_declaration":
                key, result = _method(declaration, source)
                methods[key] = None if key in methods and methods[key] != result else result
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
        _declared(root, source),
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
    node: Node, source: bytes, owner: str, own: bool, literal: LiteralReader
) -> Iterator[tuple[str, Member]]:
    kind = node.child_by_field_name("type")
    if node.type not in ("field_declaration", "constant_declaration") or kind is None:
        return
    words = _modifiers(node, source)
    constant = node.type == "constant_declaration"  # of an interface
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        value = declarator.child_by_field_name("value")
        if name is None:
            continue
        type_ = plain_type(kind, source, declarator.child_by_field_name("dimensions"))
        final = constant or "final" in words
        known = literal(value, source) if final and value is not None else None
        if known is not None and known.type != type_:
            known = None
        yield (
            _text(name, source),
            Member(type_, final, constant or "static" in words, known, owner, own),
        )


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


def _declared(root: Node, source: bytes) -> frozenset[str]:
    """The names of all types of the file, type parameters included."""
    found, stack = set(), [root]
    while stack:
        node = stack.pop()
        stack.extend(node.named_children)
        name = node.child_by_field_name("name")
        if node.type in _TYPES and name is not None:
            found.add(_text(name, source))
        elif node.type == "type_parameter" and node.named_children:
            found.add(_text(node.named_children[0], source))
    return frozenset(found)


def _enums(root: Node, source: bytes) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    stack = [root]
    while stack:
        node = stack.pop()
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
