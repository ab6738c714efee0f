"""Builtins of Python to which the file around a function gives another meaning."""

import re
from functools import lru_cache

from equimut.languages.lowered import Unsupported
from equimut.languages.scopes import Parser

_BELIEVED = ("abs", "int", "len", "range")
"""The builtins that rules believe in."""
_BINDS = r"import[\s(\\]*\*|\b(?:def|class)[\s\\]+(?:{0})\b|\b(?:{0})\b(?!\()"
"""What a text has that gives one of them another meaning: it stands there, and not as a call."""


_OF_FRAMES = re.compile(
    r"\b(?:inspect|builtins|duckdb|numexpr|patsy|_getframe|_current_frames|f_locals)\b"
)
"""What a file has that reads locals of functions by their names."""


def names_elsewhere(file: str, words: frozenset[str], _: Parser) -> frozenset[str]:
    """Which of these words are no builtins in a file, though they look like it, or look at locals.

    All of them, where some function of the file reads locals of its callers.
    """
    if "f_locals" in file:
        return words
    asked = tuple(name for name in _BELIEVED if name in words)
    found = _rebound(file, asked) if asked else frozenset()
    return found | (_looking(file) & words)


@lru_cache(maxsize=16)
def _looking(file: str) -> frozenset[str]:
    """The names under which a file imports what reads locals."""
    if _OF_FRAMES.search(file) is None:
        return frozenset()
    from equimut.languages.python.lowering.modules import module_of
    from equimut.languages.python.lowering.names import looks_at_locals

    try:
        imported = module_of(file.encode()).imported or {}
    except (Unsupported, RecursionError):
        return frozenset()
    return frozenset(name for name, meaning in imported.items() if looks_at_locals(meaning))


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
