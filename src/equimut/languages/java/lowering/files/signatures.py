"""What other files of a project declare: types of results and inherited fields, as declarations.

A type is written only if it means the same where it is declared and where it is used.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.languages.java.api import LANGUAGE
from equimut.languages.java.collections_api import JDK_NAMES
from equimut.languages.java.lowering.files.project import File, Project, heads, types_inside
from equimut.languages.java.lowering.results import OF_OBJECTS
from equimut.languages.java.lowering.types import PRIMITIVES, arguments
from equimut.languages.java.type_bodies import declarations_of, erased, modifiers, names_declared
from equimut.languages.scopes import named_parts, nodes_below

TOLD, BELOW = "$told", "$below"
"""Ends of names of the classes with what is told of another type, and of the types above one."""
_DECLARATION = re.compile(
    rb"\b([A-Z]\w*)(?:\s*<[^;(){}]*>)?(?:\s*\[\s*\])*\s+[A-Za-z_]\w*\s*[=;,:)]"
)
_CALLED = re.compile(rb"\b([A-Z]\w*)\s*\.\s*[a-z]\w*\s*\(")
_MOST_TYPES = 24
"""Other types of which one file is told."""
Above = tuple[list[tuple[File, Node]], bool]


@dataclass
class Signatures:
    """What the other files tell one file of their types."""

    project: Project
    file: File
    hidden: frozenset[str]
    """Names of types that the types above bring into sight."""
    _known: dict[tuple[int, int], tuple[frozenset[str], bool]] = field(default_factory=dict)

    def written(self, mine: list[tuple[str, Node, Above]], words: set[str]) -> dict[str, str]:
        """A class for each type that the file uses, and one for each of its own below others."""
        found: dict[str, str] = {}
        source = self.file.source
        unclear = names_declared(source) | self.hidden | type_variables(self.file)
        used = {each.decode() for part in (_DECLARATION, _CALLED) for each in part.findall(source)}
        for name in sorted(used - unclear):
            other = self.project.seen_from(self.file, name)
            if other is not None and len(found) < _MOST_TYPES:
                chain, _ = self.project.above(*other)
                near = self._results([other], words, False, own=True)
                whole = self._is_all([other, *chain])
                methods = self._results([other, *chain], words, whole) | near
                found[name + TOLD] = _class(name + TOLD, methods, {})
        for name, node, (chain, _) in mine:
            if name and chain:
                own = {each for each, _, _ in _methods(self.file, node)}
                whole = self._is_all([(self.file, node), *chain])
                methods = self._results(chain, words - own, whole)
                fields = self._fields(chain, words)
                found[name + BELOW] = _class(name + BELOW, methods, fields)
        return found

    def _results(
        self, chain: list[tuple[File, Node]], words: set[str], whole: bool, own: bool = False
    ) -> dict[str, str]:
        """Results of methods without parameters, where all types that declare them agree.

        Where no other type is above, also of methods of which all have one result.
        """
        found: dict[str, str | None] = {}
        every: dict[str, set[str | None]] = {}
        for where, type_ in chain:
            for name, words_of, node in _methods(where, type_):
                if name not in words:
                    continue
                kind = node.child_by_field_name("type")
                generic = node.child_by_field_name("type_parameters") is not None
                contract = type_.type == "interface_declaration"
                seen = contract or self._is_seen(where, words_of)
                seen &= own or not contract or "static" not in words_of  # nobody inherits it
                plain = kind is not None and not generic and seen and "private" not in words_of
                plain = plain and node.child_by_field_name("dimensions") is None
                spelt = self._spelt((where, type_), where.text(kind)) if plain and kind else None
                every.setdefault(name, set()).add(spelt)
                if not _parameters(node) and "private" not in words_of:
                    found[name] = spelt if found.get(name, spelt) == spelt else None
        told = {f"{name}()": spelt for name, spelt in found.items() if spelt}
        for name, (spelt, *others) in every.items() if whole else ():
            if spelt is not None and not others and name not in OF_OBJECTS:
                told[f"{name}(Object... all)"] = spelt
        return told

    def _is_all(self, chain: list[tuple[File, Node]]) -> bool:
        """Whether no type is above these but they themselves."""
        return all(
            self.project.seen_from(where, name) in chain
            for where, type_ in chain
            if type_.type in ("class_declaration", "interface_declaration")
            for name in heads(where, type_)
            if name not in ("Serializable", "Cloneable", "Comparable")
        ) and all(
            type_.type in ("class_declaration", "interface_declaration") for _, type_ in chain
        )

    def _fields(self, chain: list[tuple[File, Node]], words: set[str]) -> dict[str, str]:
        """Types of fields that a class inherits, where one type alone declares the name."""
        found: dict[str, str | None] = {}
        for where, type_ in chain:
            body = type_.child_by_field_name("body")
            for node in declarations_of(body) if body is not None else ():
                kind = node.child_by_field_name("type")
                if node.type not in ("field_declaration", "constant_declaration") or kind is None:
                    continue
                words_of = modifiers(node, where.source)
                plain = "volatile" not in words_of and self._is_seen(where, words_of)
                for each in node.children_by_field_name("declarator"):
                    label = each.child_by_field_name("name")
                    name = where.text(label) if label is not None else ""
                    if name not in words:
                        continue
                    known = plain and each.child_by_field_name("dimensions") is None
                    spelt = self._spelt((where, type_), where.text(kind)) if known else None
                    found[name] = spelt if name not in found else None
        return {name: spelt for name, spelt in found.items() if spelt}

    def _is_seen(self, where: File, words: set[str]) -> bool:
        """Whether a member that is declared with these words is in sight of the file."""
        return bool(words & {"public", "protected"}) or (
            "private" not in words and where.package == self.file.package
        )

    def _spelt(self, place: tuple[File, Node], text: str) -> str | None:
        """A type of another file as it may be spelt here; None where it may mean something else."""
        where, _ = place
        plain = erased(re.sub(r"<.*>", "", text, flags=re.DOTALL))
        head = plain.replace("[]", "")
        if "@" in text or not re.fullmatch(r"\w+(\[\])*", plain):
            return None
        if head in PRIMITIVES:
            return plain
        inside, complete = self._inside(*place)
        if head == "void" or head in inside:
            return None
        known = _of_jdk(self.project, where, head)
        if known is None:
            other = self.project.seen_from(where, head)
            unclear = not complete or head in names_declared(self.file.source) | self.hidden
            unclear |= head in LANGUAGE | JDK_NAMES  # this would be taken for the JDK's
            if other is None or unclear or self.project.seen_from(self.file, head) != other:
                return None
            known = head
        elif known == head and _of_jdk(self.project, self.file, head) != known:
            return None  # `String` is another class here
        given = [self._spelt(place, each) or "?" for each in arguments(text)]
        spelt = f"<{', '.join(given)}>" if set(given) - {"?"} else ""
        return f"{known}{spelt}{plain.removeprefix(head)}"

    def _inside(self, where: File, type_: Node) -> tuple[frozenset[str], bool]:
        """Names that are no types of packages in a type, and whether these are all."""
        key = id(where), type_.id
        if key not in self._known:
            chain, complete = self.project.above(where, type_)
            every = [(where, type_), *chain]
            inside = frozenset[str]().union(*(types_inside(*each) for each in every))
            self._known[key] = inside | type_variables(where), complete
        return self._known[key]


def type_variables(file: File) -> frozenset[str]:
    """The names of all type parameters of a file."""
    return frozenset(
        file.text(each)
        for node in nodes_below(file.root)
        if node.type == "type_parameter"
        for each in node.children
        if each.type == "type_identifier"
    )


def _of_jdk(project: Project, file: File, name: str) -> str | None:
    """The class of the JDK that a simple name stands for in a file; None for any other."""
    package = "java.lang" if name in LANGUAGE else "java.util"
    if (package == "java.util" and name not in JDK_NAMES) or name in names_declared(file.source):
        return None
    place = f"{package}.{name}"
    if name in file.imports:
        return (name if package == "java.lang" else place) if file.imports[name] == place else None
    if project.exists(f"{file.package}.{name}".strip(".")) or package not in file.packages:
        return None
    return name if package == "java.lang" else place


def _methods(file: File, type_: Node) -> Iterator[tuple[str, set[str], Node]]:
    """The methods that a type declares: name, modifiers, declaration."""
    body = type_.child_by_field_name("body")
    for node in declarations_of(body) if body is not None else ():
        name = node.child_by_field_name("name")
        if node.type == "method_declaration" and name is not None:
            yield file.text(name), modifiers(node, file.source), node


def _parameters(node: Node) -> bool:
    found = node.child_by_field_name("parameters")
    return found is None or bool(named_parts(found))


def _class(name: str, methods: dict[str, str], fields: dict[str, str]) -> str:
    parts = [f"{spelt} {each}; " for each, spelt in methods.items()]
    parts += [f"{spelt} {each}; " for each, spelt in fields.items()]
    return f"class {name} {{ {''.join(parts)}}}" if parts else ""
