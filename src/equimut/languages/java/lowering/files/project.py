"""The other files of a Java project: which type a simple name stands for, and what is above it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.languages.java.io_api import PARENTS
from equimut.languages.java.type_bodies import TYPES, modifiers, names_declared
from equimut.languages.lowered import Finder

MOST_ABOVE = 12
"""Types above a type that are looked at."""


@dataclass
class File:
    """A parsed file: its package, what it imports, its outermost types."""

    root: Node
    source: bytes
    package: str = ""
    imports: dict[str, str] = field(default_factory=dict)
    """Simple name -> qualified name, of single-type imports."""
    static: dict[str, str] = field(default_factory=dict)
    """Member -> qualified name of its type, of single static imports."""
    packages: set[str] = field(default_factory=lambda: {"java.lang"})
    """Those that are imported as a whole."""

    def __post_init__(self) -> None:
        for node in self.root.named_children:
            words = self.text(node).rstrip(" ;\n\t").split()
            if node.type == "package_declaration":
                self.package = "".join(words[1:])
            elif node.type == "import_declaration" and words[1] != "static" and "*" in words[-1]:
                self.packages.add("".join(words[1:]).removesuffix(".*"))
            elif node.type == "import_declaration" and "*" not in words[-1]:
                name = "".join(words[2:] if words[1] == "static" else words[1:])
                above, _, last = name.rpartition(".")
                (self.static if words[1] == "static" else self.imports)[last] = (
                    above if words[1] == "static" else name
                )

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode(errors="replace")

    def types(self) -> Iterator[tuple[str, Node]]:
        """The outermost types."""
        for node in self.root.named_children:
            name = node.child_by_field_name("name")
            if node.type in TYPES and name is not None:
                yield self.text(name), node


class Project:
    """Other files, by the names of their types."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._files: dict[str, File | None] = {}

    def exists(self, qualified: str) -> bool:
        """Whether there are files of this name, whatever is in them."""
        return self._find.has(qualified.replace(".", "/") + ".java")

    def type_named(self, qualified: str) -> tuple[File, Node] | None:
        """The outermost type of this name, in the file of its name."""
        if qualified not in self._files:
            found = self._find(qualified.replace(".", "/") + ".java")
            self._files[qualified] = None if found is None else File(*found)
        file = self._files[qualified]
        package, _, simple = qualified.rpartition(".")
        if file is None or file.package != package:
            return None
        fitting = [node for name, node in file.types() if name == simple]
        return (file, fitting[0]) if len(fitting) == 1 else None

    def seen_from(self, file: File, simple: str) -> tuple[File, Node] | None:
        """The type that a simple name stands for in another file."""
        if simple in names_declared(file.source):
            mine = [node for name, node in file.types() if name == simple]
            return (file, mine[0]) if len(mine) == 1 else None
        if simple in file.imports:
            return self.type_named(file.imports[simple])
        near = f"{file.package}.{simple}".strip(".")
        if self.exists(near):
            return self.type_named(near)
        fitting = [
            name for each in sorted(file.packages) if self.exists(name := f"{each}.{simple}")
        ]
        found = self.type_named(fitting[0]) if len(fitting) == 1 else None
        return found if found is not None and _is_public(*found) else None

    def above(self, file: File, type_: Node) -> tuple[list[tuple[File, Node]], bool]:
        """The types above one, nearest first, and whether these are all of them."""
        found: list[tuple[File, Node]] = []
        complete, waiting = True, [(file, type_)]
        while waiting and len(found) < MOST_ABOVE:
            where, node = waiting.pop(0)
            for name in heads(where, node):
                other = self.seen_from(where, name)
                if other is None:
                    complete &= _is_library(where, name)
                elif all(other[1] != each for _, each in found):
                    found.append(other)
                    waiting.append(other)
        return found, complete and not waiting


def _is_public(file: File, type_: Node) -> bool:
    return "public" in modifiers(type_, file.source)


def _is_library(file: File, simple: str) -> bool:
    """Whether a simple name stands for a type of the JDK whose fields are known."""
    package = PARENTS.get(simple)
    if package is None or simple in names_declared(file.source):
        return False
    return file.imports.get(simple, f"{package}.{simple}") == f"{package}.{simple}" and (
        simple in file.imports or package in file.packages
    )


def heads(file: File, type_: Node) -> list[str]:
    """The simple names of what a type extends and implements; one that is qualified is unknown."""
    found = []
    parts = list(type_.children)
    if type_.type == "object_creation_expression":
        parts = [part for part in (type_.child_by_field_name("type"),) if part is not None]
    for child in parts:
        head = child.type in ("superclass", "super_interfaces", "extends_interfaces")
        if head or type_.type == "object_creation_expression":
            text = re.sub(r"@\w+|<[^<>]*>", "", file.text(child))
            while "<" in text and re.search(r"<[^<>]*>", text):
                text = re.sub(r"<[^<>]*>", "", text)
            text = re.sub(r"^\s*(extends|implements)\b", "", text)
            found += ["".join(part.split()) for part in text.split(",")]
    return found


def types_inside(file: File, type_: Node) -> frozenset[str]:
    """The names of the types inside one."""
    name = type_.child_by_field_name("name")
    own = {file.text(name)} if name is not None else set()
    return names_declared(file.source[type_.start_byte : type_.end_byte]) - own
