"""What a Java file tells of the class around a function: fields, constants, results of methods."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.api import QUIET_SUPERCLASSES
from equimut.languages.java.hierarchy import declared_types
from equimut.languages.java.io_api import INHERITED
from equimut.languages.java.lowering.scopes import Member, Members, plain_type
from equimut.languages.java.lowering.types import named
from equimut.languages.java.making import shared_names
from equimut.languages.java.superclasses import asks_below, left_alone, reaches_this
from equimut.languages.java.type_bodies import (
    TYPES,
    declarations_of,
    erased,
    every_declared,
    modifiers,
    names_declared,
    root_of,
    text_of,
    types_around,
)
from equimut.languages.lowered import Expr, Type
from equimut.languages.scopes import nodes_below

ConstantReader = Callable[[Node, bytes, Type, dict[str, Member]], Expr | None]
"""Reads the value of a constant field of a type, given the fields before it."""
_AROUND_TYPES = ("program", "class_body", "interface_body", "enum_body", "enum_body_declarations",
                 *TYPES)  # fmt: skip


def members_around(function: Node, source: bytes, constant: ConstantReader) -> Members:
    """The members in sight of a function that stands in its whole file."""
    fields: dict[str, Member] = {}
    methods: dict[tuple[str, tuple[str, ...]], object] = {}
    own, complete = True, False
    small: dict[str, Node] = {}
    longer: dict[str, Node] = {}
    for type_ in types_around(function):
        if type_.type not in TYPES:
            break  # an anonymous class: what it has is not known
        body = type_.child_by_field_name("body")
        name = type_.child_by_field_name("name")
        if body is None or name is None:
            break
        owner = text_of(name, source)
        complete |= bool(owner)  # a bare function stands in a class without a name
        mine: dict[str, Member] = {}  # what initialisers see: no field of a class inside
        # Whether anybody may ask for the fields that are still to be set, of an object or a class.
        asked = {False: type_.child_by_field_name("superclass") is not None, True: False}
        for declaration in declarations_of(body):
            for field, member in _fields(declaration, source, owner, own, constant, mine):
                made = member.made and not asked[member.static]
                mine.setdefault(field, replace(member, made=made))
                fields.setdefault(field, mine[field])
            asked[_is_shared(declaration, source)] |= _may_ask(declaration, source)
            if own and declaration.type == "method_declaration":
                key, result = _method(declaration, source)
                methods[key] = None if key in methods and methods[key] != result else result
        if own:
            small, longer = _closed(type_, body, source)
        inherits = type_.child_by_field_name("superclass") or type_.child_by_field_name(
            "interfaces"
        )
        if inherits is not None or type_.type != "class_declaration":
            break  # an inherited name would hide one of the class around
        own = False
    known = {key: result for key, result in methods.items() if result is not None}
    root = root_of(function)
    own_name, extended, ancestors = _head(function, source)
    members = Members(
        fields,
        known,  # type: ignore[arg-type]
        enums_of(root, source),
        complete,
        _imports(root, source),
        names_declared(source),
        small,
        source,
        own_name,
        extended,
        ancestors,
        _initial(function, source),
        classes_of(root, source),
        longer=longer,
        volatile=_volatile(root, source),
        statics=_statics(root, source),
        eager=_eager(root, source),
        shared=shared_names(function, source, names_declared(source)) if own_name else frozenset(),
    )
    members = replace(members, types=declared_types(function, source, members.is_library))
    quiet = extended in QUIET_SUPERCLASSES and members.is_library(extended)
    if extended and not quiet and not left_alone(function, source, members.is_library):
        # It may call what sets fields, unless its own file tells otherwise.
        members = replace(members, initial=(), latent=members.initial)
    if members.latent and extended in members.declared and asks_below(extended, root, source):
        members = replace(members, latent=())
    if extended and members.is_library(extended):
        for field, type_name in INHERITED.get(extended, {}).items():
            fields.setdefault(field, Member(named(type_name), False, False, owner=own_name))
    return members


def _initial(function: Node, source: bytes) -> tuple[tuple[str, Node | None], ...]:
    """The fields of a class and their initialisers, if none of these can set another field."""
    type_ = next(types_around(function), None)
    body = type_.child_by_field_name("body") if type_ is not None else None
    if type_ is None or body is None or type_.type != "class_declaration":
        return ()
    found: list[tuple[str, Node | None]] = []
    mine = names_declared(source)
    for declaration in declarations_of(body):
        if declaration.type == "block":
            return ()
        if declaration.type != "field_declaration" or "static" in modifiers(declaration, source):
            continue
        for each in declaration.children_by_field_name("declarator"):
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            if name is None or (value is not None and reaches_this(value, source, mine)):
                return ()
            found.append((text_of(name, source), value))
    return tuple(found)


def _is_shared(node: Node, source: bytes) -> bool:
    """Whether a part of a class is executed when the class is made, not an object of it."""
    apart = node.type in ("enum_constant", "constant_declaration", "static_initializer")
    return apart or "static" in modifiers(node, source)


def _may_ask(node: Node, source: bytes) -> bool:
    """Whether code of the file may run when a part of a class is made, and ask for other fields."""
    mine = names_declared(source)
    if node.type == "enum_constant":
        around = declarations_of(node.parent) if node.parent is not None else ()
        return node.child_by_field_name("body") is not None or any(
            each.type in ("constructor_declaration", "block")
            or (each.type == "field_declaration" and reaches_this(each, source, mine))
            for each in around
        )
    if node.type not in _SETS:
        return False
    return reaches_this(node, source, mine) or any(
        each.type == "method_invocation"
        and (owner := each.child_by_field_name("object")) is not None
        and text_of(owner, source).split(".")[0] in mine
        for each in nodes_below(node)
    )


_SETS = ("field_declaration", "constant_declaration", "static_initializer", "block")


def _head(function: Node, source: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Of the class around a function: its name, what it extends, and all that it is."""
    type_ = next(types_around(function), None)
    name = type_.child_by_field_name("name") if type_ is not None else None
    if type_ is None or type_.type not in TYPES or name is None or not text_of(name, source):
        return "", "", ()
    own = text_of(name, source)
    if every_declared(source).count(own) != 1:
        return "", "", ()
    above = [
        child
        for part in ("superclass", "interfaces")
        if (head := type_.child_by_field_name(part)) is not None
        for child in nodes_below(head)
        if child.type in ("type_identifier", "generic_type", "scoped_type_identifier")
        and child.parent is not None
        and child.parent.type in ("superclass", "type_list")
    ]
    ancestors = tuple(erased(text_of(child, source)) for child in above)
    extends = type_.child_by_field_name("superclass")
    return own, ancestors[0] if extends is not None and ancestors else "", (own, *ancestors)


@lru_cache(maxsize=8)
def classes_of(root: Node, source: bytes) -> dict[str, dict[str, Member]]:
    """The fields of every class of a file whose name is there once.

    A field that a subclass in the file may hide, and classes named like a type parameter, are not.
    """
    names = every_declared(source)
    found: dict[str, dict[str, Member]] = {}
    seen: dict[str, int] = {}
    parameters, related = set(), False
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _AROUND_TYPES or node.type in ("method_declaration", "type_parameters",
                                                       "constructor_declaration"):  # fmt: skip
            stack.extend(node.named_children)
        if node.type == "type_parameter":
            parameters.add(text_of(node.named_children[0], source))
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if node.type != "class_declaration" or name is None or body is None:
            continue
        extends = node.child_by_field_name("superclass")
        if extends is not None:
            above = text_of(extends, source).removeprefix("extends")
            related |= erased(above).split(".")[-1] in names
        mine = found.setdefault(text_of(name, source), {})
        for declaration in declarations_of(body):
            for field, member in _fields(declaration, source, text_of(name, source), False,
                                         lambda *_: None, {}):  # fmt: skip
                mine[field] = member
                seen[field] = seen.get(field, 0) + 1
    return {
        name: {each: member for each, member in mine.items() if not related or seen[each] == 1}
        for name, mine in found.items()
        if names.count(name) == 1 and name not in parameters
    }


@lru_cache(maxsize=8)
def _volatile(root: Node, source: bytes) -> frozenset[str]:
    """The names of all fields that are declared volatile."""
    found: set[str] = set()
    for node in nodes_below(root) if b"volatile" in source else ():
        if node.type == "field_declaration" and "volatile" in modifiers(node, source):
            labels = (
                each.child_by_field_name("name")
                for each in node.children_by_field_name("declarator")
            )
            found |= {text_of(each, source) for each in labels if each is not None}
    return frozenset(found)


@lru_cache(maxsize=8)
def _statics(root: Node, source: bytes) -> frozenset[str]:
    """The names of all methods and fields that belong to a class, not to an object."""
    found: set[str] = set()
    for node in nodes_below(root) if b"static" in source else ():
        if node.type in ("field_declaration", "method_declaration") and "static" in modifiers(
            node, source
        ):
            named = [node, *node.children_by_field_name("declarator")]
            labels = (each.child_by_field_name("name") for each in named)
            found |= {text_of(each, source) for each in labels if each is not None}
    return frozenset(found)


@lru_cache(maxsize=8)
def _eager(root: Node, source: bytes) -> frozenset[str]:
    """The classes whose initialisers, or those of the classes above, do more than make values."""
    found: set[str] = set()
    for type_ in nodes_below(root):
        name, body = type_.child_by_field_name("name"), type_.child_by_field_name("body")
        if type_.type not in TYPES or name is None or body is None:
            continue
        below = type_.child_by_field_name("superclass") is not None
        if below or any(_does(each, source) for each in (*body.named_children,
                                                         *declarations_of(body))):  # fmt: skip
            found.add(text_of(name, source))
    return frozenset(found)


def _does(node: Node, source: bytes) -> bool:
    shared = node.type in ("enum_constant", "constant_declaration") or (
        node.type == "field_declaration" and "static" in modifiers(node, source)
    )
    parts = (each.type for each in nodes_below(node)) if shared else ()
    return node.type == "static_initializer" or any(each in _DOES for each in parts)


_DOES = ("method_invocation", "object_creation_expression", "assignment_expression",
         "update_expression")  # fmt: skip


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
    words = modifiers(node, source)
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
            text_of(name, source),
            Member(type_, final, shared or "static" in words, known, owner, own, made, elements),
        )


def _made(value: Node, source: bytes) -> tuple[bool, int | None]:
    """Whether an initialiser is a new object, and how many elements the array has."""
    if value.type == "object_creation_expression":
        return True, None
    if value.type == "array_creation_expression":
        sizes = [child for child in value.children if child.type == "dimensions_expr"]
        text = text_of(sizes[0], source).strip("[] ") if sizes else ""
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
_MOST_NODES, _MOST_BYTES, _LARGEST = 120, 1_000, 6_000


def _closed(type_: Node, body: Node, source: bytes) -> tuple[dict[str, Node], dict[str, Node]]:
    """Methods that no subclass can override: short ones without loops, and others."""
    closed = "final" in modifiers(type_, source) or type_.type == "record_declaration"
    small: dict[str, Node] = {}
    longer: dict[str, Node] = {}
    for node in declarations_of(body):
        size = node.end_byte - node.start_byte
        if (
            node.type != "method_declaration"
            or size > _LARGEST
            or node.child_by_field_name("body") is None
        ):
            continue
        (name, types), result = _method(node, source)
        words = modifiers(node, source)
        if result is None or not (closed or words & {"private", "static", "final"}):
            continue
        # Where it takes a lock, others may have written before and may write behind it.
        short = "synchronized" not in words
        short = short and size <= _MOST_BYTES and len(below := nodes_below(node)) <= _MOST_NODES
        short = short and not any(each.type in _LONG for each in below)
        (small if short else longer)[" ".join((name, *types))] = node
    return small, longer


def _method(node: Node, source: bytes) -> tuple[tuple[str, tuple[str, ...]], object]:
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
    parameters = node.child_by_field_name("parameters")
    types = []
    for child in parameters.named_children if parameters is not None else []:
        given = child.child_by_field_name("type")
        if child.type == "formal_parameter" and given is not None:
            types.append(plain_type(given, source, child.child_by_field_name("dimensions")).name)
        else:
            types.append("...")  # any number of arguments: never matched
    assert name is not None
    generic = node.child_by_field_name("type_parameters") is not None
    empty = node.child_by_field_name("dimensions")  # `int f()[]`
    result = plain_type(kind, source, empty) if kind is not None and not generic else None
    return (text_of(name, source), tuple(types)), result


def _imports(root: Node, source: bytes) -> frozenset[str]:
    """What import and package bring into sight."""
    found = set()
    for node in root.named_children:
        if node.type == "import_declaration":
            found.add(text_of(node, source).removeprefix("import").strip(" ;\n\t"))
        elif node.type == "package_declaration":
            found.add(text_of(node, source).removeprefix("package").strip(" ;\n\t") + ".*")
    return frozenset("".join(each.split()) for each in found)


def constants_in(body: Node, source: bytes, constant: ConstantReader) -> dict[str, Expr]:
    """The constants that the body of a type declares."""
    fields: dict[str, Member] = {}
    for declaration in declarations_of(body):
        for name, member in _fields(declaration, source, "", False, constant, fields):
            fields.setdefault(name, member)
    return {name: each.constant for name, each in fields.items() if each.constant is not None}


def enums_of(root: Node, source: bytes) -> dict[str, tuple[str, ...]]:
    """The constants of every enum below a node, by its name if no other one has it."""
    found: dict[str, tuple[str, ...]] = {}
    seen: list[str] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _AROUND_TYPES:
            stack.extend(node.named_children)
        if node.type == "enum_declaration":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                seen.append(text_of(name, source))
                found[seen[-1]] = tuple(
                    text_of(label, source)
                    for each in body.named_children
                    if each.type == "enum_constant"
                    and (label := each.child_by_field_name("name")) is not None
                )
    return {name: each for name, each in found.items() if seen.count(name) == 1}
