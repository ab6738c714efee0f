"""Names of C's library, types and keywords to which a file gives another meaning."""

import re
from functools import lru_cache

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.c.dialect import DIALECT
from equimut.languages.scopes import Parser, declared_name, nodes_below

_WORDS = frozenset({"true", "false", "const", "static", "struct", "union", "enum", "unsigned",
                    "signed", "return", "if", "else", "for", "while", "do", "break",
                    "continue", "case", "default", "switch", "goto", "sizeof", "register",
                    "volatile"})  # fmt: skip
_DEFINED = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.M)


def names_elsewhere(file: str, words: frozenset[str], parse: Parser) -> frozenset[str]:
    """Which of these words are not what the standard says."""
    return _rebound(file, parse) & words


@lru_cache(maxsize=4)
def _rebound(file: str, parse: Parser) -> frozenset[str]:
    """What it defines for the preprocessor, functions and types."""
    rules = DIALECT.expressions
    words = _WORDS | DIALECT.library | DIALECT.kinds.keys() | rules.integers
    found = words.intersection(_DEFINED.findall(file))
    try:
        root, source = parse(file, "c")
    except ParseError:
        return frozenset(found)
    declared, types = set(), set()
    for node in nodes_below(root):
        if node.type == "function_declarator":
            declared.add(declared_name(node))
        elif node.type == "type_definition":
            types |= {declared_name(each) for each in node.children_by_field_name("declarator")}
    known = {DIALECT.absolute, *rules.lengths, *rules.returns}

    def spelt(nodes: set[Node]) -> set[str]:
        return {source[node.start_byte : node.end_byte].decode() for node in nodes}

    return frozenset(found | (spelt(declared) & known) | (spelt(types) & words))
