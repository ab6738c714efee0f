"""Edits: splice a replacement, apply a unified diff, cut out the functions that an edit touches."""

from dataclasses import dataclass

from equimut.errors import ParseError
from equimut.languages import LanguageSpec


@dataclass(frozen=True)
class FunctionPair:
    """A function before and after an edit."""

    name: str
    origin: str
    mutant: str
    origin_start_line: int


def splice(source: str | bytes, start: int, end: int, replacement: str) -> str:
    """Replace the bytes from `start` to `end`."""
    text = source.encode() if isinstance(source, str) else source
    if not 0 <= start <= end <= len(text):
        raise ParseError(f"cannot replace bytes {start}..{end} of a source of {len(text)} bytes")
    try:
        return (text[:start] + replacement.encode() + text[end:]).decode()
    except UnicodeDecodeError:
        raise ParseError(f"bytes {start}..{end} cut a character in two") from None


def apply_diff(source: str, diff: str, *, ignore_trailing_space: bool = True) -> str:
    """Apply a unified diff, with or without file headers."""
    raise NotImplementedError


def changed_functions(
    origin: str, mutant: str, language: str | LanguageSpec
) -> tuple[FunctionPair, ...]:
    """The functions that differ between two versions of a source, before and after."""
    raise NotImplementedError
