"""Constants that a C file takes from headers of its project, as definitions of their own.

A macro counts if it is one literal, defined once in all headers that the file includes, directly or
not, under no condition but the guard of its header, and undefined nowhere.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages.c.lowering.surroundings import LITERAL
from equimut.languages.lowered import Finder
from equimut.languages.scopes import nodes_below

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"\(?\s*(-?\s*(?:0[xX][0-9a-fA-F]+|[0-9]+))\s*\)?")
_MOST_HEADERS = 40
_LARGEST = 2**31
_DEFINITIONS = ("preproc_def", "preproc_function_def")


@dataclass(frozen=True)
class _Header:
    """A parsed file."""

    root: Node
    source: bytes

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode(errors="replace")

    def includes(self) -> Iterator[tuple[str, bool]]:
        """The files that are included by a path in quotes, and whether under no condition."""
        certain = {node.id for node in self.outermost()}
        for node in nodes_below(self.root):
            path = node.child_by_field_name("path") if node.type == "preproc_include" else None
            if path is not None and path.type == "string_literal":
                yield self.text(path).strip('"'), node.id in certain

    def words(self) -> Iterator[str]:
        """Every name that a line of the preprocessor defines or undefines, as often as it does."""
        for node in nodes_below(self.root):
            name = node.child_by_field_name("name")
            if node.type in _DEFINITIONS and name is not None:
                yield self.text(name)
            elif node.type == "preproc_call":  # #undef and the like
                yield from 2 * _WORD.findall(self.text(node))

    def outermost(self) -> list[Node]:
        """What stands under no condition: in the file, or in the guard around all of it."""
        parts = [node for node in self.root.named_children if node.type != "comment"]
        if len(parts) != 1 or parts[0].type != "preproc_ifdef":
            return parts
        guard, inside = parts[0], parts[0].named_children
        name = guard.child_by_field_name("name")
        begins = self.text(guard).split(None, 1)[0] == "#ifndef"
        first = next((node for node in inside[1:] if node.type != "comment"), None)
        named = first.child_by_field_name("name") if first is not None else None
        if name is None or named is None or not begins or self.text(name) != self.text(named):
            return []
        if guard.child_by_field_name("alternative") is not None:
            return []
        return [node for node in inside if node != first]


def neighbours(root: Node, source: bytes, find: Finder) -> str:
    """The constants of the project's headers that a file names, in C; empty if there are none."""
    file = _Header(root, source)
    headers = _included(file, find)
    if not headers:
        return ""
    used = set(_WORD.findall(source.decode(errors="replace")))
    every = (file, *(each for each, _ in headers))
    seen = Counter(word for each in every for word in each.words())
    lines: dict[str, list[str]] = {}
    for header, certain in headers:
        for node in header.outermost() if certain else ():
            for name, line in (*_macro(header, node), *_enumerators(header, node)):
                lines.setdefault(name, []).append(line)
    kept = [
        found[0]
        for name, found in sorted(lines.items())
        if name in used and len(found) == 1 and seen[name] == found[0].startswith("#")
    ]
    return "".join(f"{line}\n" for line in kept)


def _included(file: _Header, find: Finder) -> list[tuple[_Header, bool]]:
    """The headers of the project that a file includes, and whether under no condition."""
    found: dict[str, tuple[_Header, bool]] = {}
    waiting = list(file.includes())
    while waiting and len(found) < _MOST_HEADERS:
        path, certain = waiting.pop(0)
        parts = path.split("/")
        if path in found or ".." in parts or "." in parts or path.startswith("/"):
            continue
        other = find(path)
        if other is not None:
            header = _Header(*other)
            found[path] = header, certain
            waiting += [(each, certain and mine) for each, mine in header.includes()]
    return list(found.values()) if not waiting else []


def _macro(header: _Header, node: Node) -> Iterator[tuple[str, str]]:
    """A macro that stands for one literal."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if node.type != "preproc_def" or name is None or value is None:
        return
    text = header.text(value).strip()
    if LITERAL.fullmatch(text):
        yield header.text(name), f"#define {header.text(name)} {text}"


def _enumerators(header: _Header, node: Node) -> Iterator[tuple[str, str]]:
    """The constants of an enum, as long as their values are plain numbers."""
    kind = node if node.type == "enum_specifier" else node.child_by_field_name("type")
    if kind is None or kind.type != "enum_specifier":
        return
    body, value = kind.child_by_field_name("body"), -1
    for each in body.named_children if body is not None else ():
        if each.type == "comment":
            continue
        name, given = each.child_by_field_name("name"), each.child_by_field_name("value")
        if each.type != "enumerator" or name is None:
            return
        number = _NUMBER.fullmatch(header.text(given)) if given is not None else None
        if given is not None and number is None:
            return  # this one and those behind it are computed
        value = _number("".join(number[1].split())) if number is not None else value + 1
        if abs(value) >= _LARGEST:
            return
        yield header.text(name), f"enum {{ {header.text(name)} = {value} }};"


def _number(text: str) -> int:
    """A number of C: one that begins with 0 is octal."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if digits[:2].lower() == "0x":
        return sign * int(digits, 16)
    octal = len(digits) > 1 and digits.startswith("0")
    if octal and set(digits) & {"8", "9"}:
        return _LARGEST
    return sign * int(digits, 8 if octal else 10)
