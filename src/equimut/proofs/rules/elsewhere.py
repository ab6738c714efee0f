"""Well-known names to which the file around a function gives another meaning.

The prover reads the whole file and trusts none of them; rules see the function only, so they are
told. Nothing is read before a rule has held. What a language believes in, and how a file changes
that, is in `elsewhere` of its folder.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from tree_sitter import Node

from equimut.languages.scopes import Parser, nodes_below
from equimut.parsing.tree import parse

_WORD = re.compile(r"(?<![\w.])\w+")
"""Not what stands behind a dot: `Math.abs` names no `abs` of its own."""
Finder = Callable[[str, frozenset[str], Parser], frozenset[str]]


def names_elsewhere(file: str, language: str, *texts: str) -> frozenset[str]:
    """The well-known names of these texts that may mean something else in their file."""
    finder = _finder(language)
    if finder is None:
        return frozenset()
    words = frozenset(word for text in texts for word in _words(text, language))
    return finder(file, words, _parsed)


def _words(text: str, language: str) -> list[str]:
    """The words of a text, but for those of its comments."""
    tree = parse(text, language)
    source = bytearray(tree.source)
    for node in nodes_below(tree.root):
        if node.type.endswith("comment"):
            source[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    return _WORD.findall(source.decode())


@cache
def _finder(language: str) -> Finder | None:
    name = f"equimut.languages.{language}.elsewhere"
    if find_spec(f"equimut.languages.{language}") is None or find_spec(name) is None:
        return None
    return cast(Finder, import_module(name).names_elsewhere)


def _parsed(text: str, language: str) -> tuple[Node, bytes]:
    tree = parse(text, language)
    return tree.root, tree.source
