"""Classes of the JDK to which a Java file gives another meaning."""

import re
from functools import lru_cache

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.java.dialect import DIALECT
from equimut.languages.scopes import Parser, declared_name, nodes_below

_TYPES = ("class_declaration", "interface_declaration", "record_declaration", "enum_declaration",
          "annotation_type_declaration", "variable_declarator")  # fmt: skip
_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w.]+)\.(\w+|\*)\s*;")
_UTIL = "java.util"


def names_elsewhere(file: str, words: frozenset[str], parse: Parser) -> frozenset[str]:
    """Which of these words are not what they are in the JDK."""
    return _rebound(file, parse) & words


@lru_cache(maxsize=4)
def _rebound(file: str, parse: Parser) -> frozenset[str]:
    """What the file declares or imports from elsewhere, and collections that it does not import."""
    try:
        root, source = parse(file, "java")
    except ParseError:
        return frozenset()
    below = nodes_below(root)

    def texts(*types: str) -> list[str]:
        return [_text(node, source) for node in below if node.type in types]

    rules = DIALECT.expressions
    core = {*rules.boxes, *rules.lengths["length"], "Math"}
    declared = {_text(declared_name(node), source) for node in below if node.type in _TYPES}
    declared |= {text.split()[0] for text in texts("type_parameter")}
    packages = {_UTIL} if re.search(r"^\s*package\s+java\.util\s*;", file, re.M) else set()
    imported: dict[str, set[str]] = {}
    for package, name in _IMPORT.findall("\n".join(texts("import_declaration"))):
        if name == "*":
            packages.add(package)
        imported.setdefault(name, set()).add(package)
    # Without a class before it, `abs` is a method of this class or of one above.
    found = {"abs", *(declared & (core | rules.lengths["size"]))}
    for name in core | rules.lengths["size"]:
        home = "java.lang" if name in core else _UTIL
        known = home in imported[name] if name in imported else name in core or home in packages
        if not known or len(imported.get(name, ())) > 1:
            found.add(name)
    return frozenset(found)


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()
