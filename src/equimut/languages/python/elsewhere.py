"""Builtins of Python to which the file around a function gives another meaning."""

import re
from functools import lru_cache

from equimut.languages.lowered import Unsupported
from equimut.languages.scopes import Parser

_BELIEVED = ("abs", "int", "len", "range")
"""The builtins that rules believe in."""
_BINDS = r"import[\s(\\]*\*|\b(?:def|class)[\s\\]+(?:{0})\b|\b(?:{0})\b(?!\()"
"""What a text has that gives one of them another meaning: it stands there, and not as a call."""


def names_elsewhere(file: str, words: frozenset[str], _: Parser) -> frozenset[str]:
    """Which of these words are no builtins in a file, though they look like it."""
    asked = tuple(name for name in _BELIEVED if name in words)
    return _rebound(file, asked) if asked else frozenset()


@lru_cache(maxsize=16)
def _rebound(file: str, names: tuple[str, ...]) -> frozenset[str]:
    binds = _BINDS.format("|".join(names))
    if file.isascii() and re.search(binds, file) is None:  # other letters may spell the same name
        return frozenset()
    from equimut.languages.python.lowering.modules import module_of

    try:
        module = module_of(file.encode())
    except (Unsupported, RecursionError):
        return frozenset(names)
    return frozenset(name for name in names if module.star_import or name in module)
