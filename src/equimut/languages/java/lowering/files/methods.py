"""Static methods of other files of a Java project: the one that a call means, and its file.

A call means a method of another file for certain if the type stands below no other, and declares
one method of this name and number of arguments, without type parameters and with as many arguments
as parameters. Names in that method mean what they mean in its own file, so that file comes whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages.java.lowering.files.project import File, Project, heads
from equimut.languages.java.lowering.results import OF_OBJECTS
from equimut.languages.java.lowering.scopes import Far, plain_type
from equimut.languages.java.type_bodies import declarations_of, modifiers, names_declared
from equimut.languages.lowered import OF_PROJECT, Home
from equimut.languages.scopes import named_parts, nodes_below

_MARK = "//$file "
_CALLED = re.compile(rb"(?<![\w.$])([A-Z]\w*)\s*\.\s*([A-Za-z_$][\w$]*)\s*\(")
_TYPES = ("class_declaration", "interface_declaration")
_VALUES = ("true", "false", "unary_expression", "binary_expression", "parenthesized_expression",
           "string_fragment", "escape_sequence", "array_initializer", "line_comment",
           "block_comment")  # fmt: skip
_MOST_FILES, _MOST_BYTES = 16, 100_000
Place = tuple[File, Node]


@dataclass
class Calls:
    """What one file calls in other files of its project."""

    project: Project
    file: File
    hidden: frozenset[str]
    """Names that are something else in this file, or may be."""

    def written(self, types: list[tuple[Node, list[Place], bool]]) -> str:
        """The other files, each behind a line that says how this one names what is in it.

        `types`: of this file, each with the types above it, and whether these are all.
        """
        used: dict[str, set[str]] = {}
        for owner, name in _CALLED.findall(self.file.source):
            used.setdefault(owner.decode(), set()).add(name.decode())
        found: dict[str, tuple[File, set[str]]] = {}
        unclear = self.hidden | names_declared(self.file.source) | self.file.static.keys()
        for owner in sorted(used.keys() - unclear):
            other = self.project.seen_from(self.file, owner)
            if other is not None and _tells(*other, used[owner]):
                place = f"{other[0].package}.{owner}".strip(".")
                found.setdefault(place, (other[0], set()))[1].add(owner)
        for name, place in self._imported(types):
            other = self.project.type_named(place)
            if other is not None and _tells(*other, {name}):
                found.setdefault(place, (other[0], set()))[1].add(f"{name}()")
        return "".join(
            f"{_MARK}{place} {' '.join(sorted(names))}\n{_quoted(file.source)}"
            for place, (file, names) in sorted(found.items())[:_MOST_FILES]
        )

    def _imported(self, types: list[tuple[Node, list[Place], bool]]) -> Iterator[tuple[str, str]]:
        """Static imports of methods that no method of the file or of a type above hides."""
        root, source = self.file.root, self.file.source
        if not all(complete and self._is_whole(node, chain) for node, chain, complete in types):
            return
        mine = [(self.file, root), *(each for _, chain, _ in types for each in chain)]
        hiding = {name for where, node in mine for name in _methods_below(where, node)}
        lines = [
            self.file.text(each).removeprefix("import").strip(" ;\n\t").split(".")[-1]
            for each in root.named_children
            if each.type == "import_declaration" and b"static" in source[each.start_byte :][:40]
        ]
        for name, place in sorted(self.file.static.items()):
            if name not in hiding | OF_OBJECTS and lines.count(name) == 1:
                yield name, place

    def _is_whole(self, type_: Node, chain: list[Place]) -> bool:
        """Whether all types above are of the project: others have methods that nobody sees here."""
        return type_.type in _TYPES and all(
            self.project.seen_from(where, name) is not None
            for where, node in ((self.file, type_), *chain)
            for name in heads(where, node)
        )


def files_of(others: str) -> tuple[str, list[tuple[str, str]]]:
    """What is told of other files but their texts, and those: how they are named, and what."""
    told, *parts = ("\n" + others).split("\n" + _MARK)
    found = []
    for part in parts:
        head, *lines = part.split("\n")
        found.append((head, "\n".join(line[1:] for line in lines if line.startswith("|")) + "\n"))
    return told.removeprefix("\n"), found


def far_methods(files: tuple[tuple[str, Node, bytes], ...]) -> dict[tuple[str, str, int], Far]:
    """The methods that these files tell of: by type, or nothing if it is imported; name, count."""
    found: dict[tuple[str, str, int], Far] = {}
    for head, root, source in files:
        place, *names = head.split()
        simple = place.rpartition(".")[2]
        file = File(root, source)
        fitting = [node for name, node in file.types() if name == simple]
        for far in _methods(file, fitting[0], place) if len(fitting) == 1 else ():
            count = len(far.parameters)
            if simple in names:
                found[simple, far.name, count] = far
            if f"{far.name}()" in names:
                found["", far.name, count] = far
    return found


def is_quiet(type_: Node) -> bool:
    """Whether to initialise a type does nothing that anybody sees: it makes plain values only."""
    body = type_.child_by_field_name("body")
    for node in declarations_of(body) if body is not None else ():
        if node.type in ("static_initializer", "block"):
            return False
        for each in node.children_by_field_name("declarator"):
            value = each.child_by_field_name("value")
            if value is not None and any(not _is_value(part) for part in nodes_below(value)):
                return False
    return True


def _is_value(node: Node) -> bool:
    plain = node.type.endswith("_literal") and node.type != "class_literal"
    return not node.is_named or node.type in _VALUES or plain


def _quoted(source: bytes) -> str:
    lines = source.decode(errors="replace").removesuffix("\n").split("\n")
    return "".join(f"|{line}\n" for line in lines)


def _tells(file: File, type_: Node, names: set[str]) -> bool:
    """Whether a file that is not too large has any of these methods."""
    if len(file.source) > _MOST_BYTES:
        return False
    return any(far.name in names for far in _methods(file, type_, ""))


def _methods(file: File, type_: Node, place: str) -> Iterator[Far]:
    """The static methods of a type that is below no other, if no call could mean another one."""
    body = type_.child_by_field_name("body")
    if type_.type not in _TYPES or body is None or heads(file, type_) or _variables(type_):
        return
    every: list[tuple[str, int]] = []
    spread: set[str] = set()
    fitting: list[tuple[Node, str, list[Node]]] = []
    for node in declarations_of(body):
        label, parts = node.child_by_field_name("name"), node.child_by_field_name("parameters")
        if node.type != "method_declaration" or label is None or parts is None:
            continue
        name, given = file.text(label), named_parts(parts)
        every.append((name, len(given)))
        if any(each.type != "formal_parameter" for each in given):
            spread.add(name)
        fitting.append((node, name, given))
    for node, name, given in fitting:
        words = modifiers(node, file.source)
        plain = "static" in words and "private" not in words and name not in spread | OF_OBJECTS
        plain &= node.child_by_field_name("type_parameters") is None
        plain &= node.child_by_field_name("dimensions") is None
        kind = node.child_by_field_name("type")
        if not plain or kind is None or node.child_by_field_name("body") is None:
            continue
        if every.count((name, len(given))) == 1:
            types = tuple(
                plain_type(each.child_by_field_name("type") or each, file.source,
                           each.child_by_field_name("dimensions"))
                for each in given
            )  # fmt: skip
            result = plain_type(kind, file.source)
            yield Far(name, types, result, place + OF_PROJECT, Home(node, file.source))


def _variables(type_: Node) -> bool:
    return type_.child_by_field_name("type_parameters") is not None


def _methods_below(file: File, node: Node) -> set[str]:
    labels = (
        each.child_by_field_name("name")
        for each in nodes_below(node)
        if each.type == "method_declaration"
    )
    return {file.text(each) for each in labels if each is not None}
