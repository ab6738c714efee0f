"""Constants that a Java file takes from other files of its project, as declarations of their own.

A type is looked for where the language looks first: in a single-type import, else in the package,
else in the packages that are imported as a whole, where two that fit would not compile. What is
found there is what the name means, unless a type above brings another one into sight.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from equimut.languages.java.api import CONTRACTS, LANGUAGE, PACKAGES, QUIET_SUPERCLASSES
from equimut.languages.java.collections_api import JDK_NAMES
from equimut.languages.java.hierarchy import OF_JDK
from equimut.languages.java.io_api import LEFT_TO_OTHERS
from equimut.languages.java.lowering.files.methods import Calls
from equimut.languages.java.lowering.files.project import MOST_ABOVE, File, Project, types_inside
from equimut.languages.java.lowering.files.signatures import Signatures, type_variables
from equimut.languages.java.superclasses import gives_away
from equimut.languages.java.type_bodies import (
    TYPES,
    declarations_of,
    erased,
    modifiers,
    names_declared,
)
from equimut.languages.lowered import Finder
from equimut.languages.scopes import nodes_below

INHERITED, IMPORTED = "$inherited", "$imported"
"""Ends of names of the classes that stand for what bare names mean."""
QUIET = "$quiet"
"""The end of the name of a class that says: the constructors above leave new objects alone."""
NEARER = "$nearer"
"""The name of the class that holds names of the JDK's classes which mean another one here."""
_OF_JDK = OF_JDK | LANGUAGE | JDK_NAMES | PACKAGES.keys() | {owner for owner, _, _ in CONTRACTS}
_QUALIFIED = re.compile(rb"\b([A-Z]\w*)\s*\.\s*([A-Za-z_]\w*)")
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_MOST_TYPES = 40
"""Other types that one file is given constants of."""


def neighbours(root: Node, source: bytes, find: Finder) -> str:
    """What other files tell of what a file names, in Java; empty where there is nothing."""
    file, project = File(root, source), Project(find)
    declared, words = names_declared(source), {each.decode() for each in _WORD.findall(source)}
    mine = {node.id: (name, node) for name, node in _all_types(file)}
    above = {key: project.above(file, node) for key, (_, node) in mine.items()}
    hidden = {
        name
        for found, _ in above.values()
        for where, node in found
        for name in (*types_inside(where, node), *_constants(where, node))
    }
    written: dict[str, str] = {}
    used: dict[str, set[str]] = {}
    for owner, name in _QUALIFIED.findall(source):
        used.setdefault(owner.decode(), set()).add(name.decode())
    for owner in sorted(used):
        if owner in declared or owner in hidden or len(written) >= _MOST_TYPES:
            continue  # a type above has something of this name, which is in sight first
        other = project.seen_from(file, owner)
        if other is not None:
            written[owner] = _stub(*other, owner, used[owner])
    for key, (name, _) in mine.items():
        if name and sum(each == name for each, _ in mine.values()) == 1:
            written[name + INHERITED] = _inherited(file, above[key][0], name, words)
            written[name + QUIET] = _quiet(project, file, mine[key][1], name)
    if all(complete for _, complete in above.values()):
        variables = _variables(file)  # of the file: any of them may be in sight first
        static = {
            name: place
            for name, place in file.static.items()
            if name not in hidden | LEFT_TO_OTHERS | variables
        }
        written[IMPORTED] = _imported(project, static)
    written[NEARER] = _nearer(project, file, frozenset(hidden), words - declared)
    names = [name for name, _ in mine.values()]
    own = [(name, node, above[key]) for key, (name, node) in mine.items() if names.count(name) == 1]
    written |= Signatures(project, file, frozenset(hidden)).written(own, words)
    told = "\n".join(text for _, text in sorted(written.items()) if text)
    unclear = frozenset(hidden) | _variables(file) | type_variables(file)
    types = [(node, *above[key]) for key, (_, node) in mine.items()]
    return "\n".join(part for part in (told, Calls(project, file, unclear).written(types)) if part)


def _nearer(project: Project, file: File, hidden: frozenset[str], words: set[str]) -> str:
    """Names of classes of the JDK that stand for one of the package, or inside a type above.

    Both are in sight before what is imported as a whole, and before `java.lang`.
    """
    found = {
        each
        for each in words & _OF_JDK
        if each in hidden
        or (
            each not in file.imports
            and file.package not in ("java.lang", PACKAGES.get(each, "java.util"))
            and project.exists(f"{file.package}.{each}".strip("."))
        )
    }
    inside = "".join(f"class {each} {{}} " for each in sorted(found))
    return f"class {NEARER} {{ {inside}}}" if found else ""


def _all_types(file: File) -> Iterator[tuple[str, Node]]:
    """Every type of a file, those inside others and those without a name too."""
    stack = [file.root]
    while stack:
        node = stack.pop()
        name = node.child_by_field_name("name")
        if node.type in TYPES and name is not None:
            yield file.text(name), node
        elif node.type == "object_creation_expression" and _body_of(node) is not None:
            yield "", node
        stack.extend(node.named_children)


_BINDERS = ("variable_declarator", "formal_parameter", "enum_constant", "lambda_expression")


def _variables(file: File) -> frozenset[str]:
    """The names of all fields, parts of records, parameters and locals of a file."""
    labels = (
        each.child_by_field_name("name") or each.child_by_field_name("parameters")
        for each in nodes_below(file.root)
        if each.type in _BINDERS
    )
    words = (_WORD.findall(file.text(each).encode()) for each in labels if each is not None)
    return frozenset(word.decode() for found in words for word in found)


def _body_of(node: Node) -> Node | None:
    return next((each for each in node.named_children if each.type == "class_body"), None)


def _constants(file: File, type_: Node) -> "Constants":
    """Fields of a type, in order: who may see them, their type, and a constant's initialiser."""
    found: Constants = {}
    body = type_.child_by_field_name("body")
    for node in declarations_of(body) if body is not None else ():
        kind = node.child_by_field_name("type")
        if node.type not in ("field_declaration", "constant_declaration") or kind is None:
            continue
        words = modifiers(node, file.source)
        shared = node.type == "constant_declaration"
        access = next((each for each in ("private", "protected", "public") if each in words), "")
        for each in node.children_by_field_name("declarator"):
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            if name is None:
                continue
            fixed = shared or {"static", "final"} <= words
            plain = fixed and each.child_by_field_name("dimensions") is None
            text = file.text(value) if plain and value is not None else None
            if text is not None and {word.decode() for word in _WORD.findall(text.encode())} & (
                file.imports.keys() | names_declared(file.source)
            ):
                text = None  # computed from another type
            access = "public" if shared else access
            found[file.text(name)] = access, file.text(kind), text
    return found


def _enum_constants(file: File, type_: Node) -> list[str]:
    body = type_.child_by_field_name("body")
    if type_.type != "enum_declaration" or body is None:
        return []
    labels = (
        each.child_by_field_name("name")
        for each in body.named_children
        if each.type == "enum_constant"
    )
    return [file.text(label) for label in labels if label is not None]


Constants = dict[str, tuple[str, str, str | None]]


def _closed(constants: Constants, wanted: set[str]) -> list[str]:
    """The constants that are wanted, and those that they are computed from, in their order."""
    names, waiting = set(), [name for name in wanted if name in constants]
    while waiting:
        name = waiting.pop()
        value = constants[name][2]
        if name not in names and value is not None:
            names.add(name)
            words = {each.decode() for each in _WORD.findall(value.encode())}
            waiting += [each for each in words if each in constants]
    return [name for name in constants if name in names]


def _stub(file: File, type_: Node, name: str, wanted: set[str]) -> str:
    """A type with the constants that are wanted; empty where it has none of them."""
    fields = _fields(_constants(file, type_), wanted)
    labels = _enum_constants(file, type_)
    if wanted & set(labels):
        return f"enum {name} {{ {', '.join(labels)}; {fields}}}"
    return f"class {name} {{ {fields}}}" if fields else ""


def _fields(constants: Constants, wanted: set[str]) -> str:
    return "".join(
        f"static final {constants[name][1]} {name} = {constants[name][2]}; "
        for name in _closed(constants, wanted)
    )


def _inherited(file: File, above: list[tuple[File, Node]], name: str, words: set[str]) -> str:
    """What bare names mean in a class, where a type above declares them."""
    known: dict[str, str] = {}
    for where, type_ in above:
        constants = _constants(where, type_)
        near = where.package == file.package
        for each, (access, _, _) in constants.items():
            if access == "private" or (not near and access == ""):
                continue  # it is not inherited
            if each not in known:
                known[each] = _fields(constants, {each}) if each in words else ""
    return _class_of(name + INHERITED, known)


def _quiet(project: Project, file: File, type_: Node, name: str) -> str:
    """A class with the names of all types above, if no constructor there hands its object out."""
    chain: list[tuple[File, Node]] = []
    where, node = file, type_
    while (extends := node.child_by_field_name("superclass")) is not None:
        above = erased(where.text(extends).strip().removeprefix("extends").strip())
        other = project.seen_from(where, above)
        if other is None and chain and _is_quiet(where, above):
            break
        if other is None or len(chain) >= MOST_ABOVE or other[1].type != "class_declaration":
            return ""
        chain.append(other)
        where, node = other
    names = frozenset[str]().union(*(names_declared(each.source) for each, _ in chain))
    if not chain or any(gives_away(part, each.source, names) for each, part in chain):
        return ""
    return f"class {name}{QUIET} {{ {''.join(f'class {each} {{}} ' for each in sorted(names))}}}"


def _is_quiet(file: File, name: str) -> bool:
    """Whether a superclass is one of the JDK whose constructors keep new objects to themselves."""
    place = f"{PACKAGES.get(name, 'java.util')}.{name}"
    known = file.imports.get(name) == place or (name in LANGUAGE and name not in file.imports)
    return known and name in QUIET_SUPERCLASSES


def _imported(project: Project, static: dict[str, str]) -> str:
    """What bare names mean that a static import brings."""
    known: dict[str, str] = {}
    for name, place in sorted(static.items()):
        other = project.type_named(place)
        if other is not None:
            known[name] = _fields(_constants(*other), {name})
    return _class_of(IMPORTED, known)


def _class_of(name: str, known: dict[str, str]) -> str:
    """A class with one class inside for each name: what a constant is computed from stays there."""
    parts = "".join(f"class {each} {{ {text}}} " for each, text in known.items() if text)
    return f"class {name} {{ {parts}}}" if parts else ""
