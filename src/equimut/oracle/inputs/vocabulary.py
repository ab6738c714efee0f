"""The literals of a source text: the values at which its branches turn."""

import re
from dataclasses import dataclass

# Comments are not removed: a number in a comment is one more value to try, no harm done.
INTEGER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*)[lLuU]*(?![\w.])")
FLOAT = re.compile(r"(?<![\w.])(\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)")
QUOTED = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f"}
LONGEST_STRING = 24


@dataclass(frozen=True)
class Vocabulary:
    """Values worth trying because the source mentions them; sorted, so order is stable."""

    integers: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    characters: str = ""
    strings: tuple[str, ...] = ()


def _unescape(text: str) -> str:
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\\x([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text, flags=re.S)


def _integer(text: str) -> int:
    text = text.replace("_", "")
    if text[:1] == "0" and text.isdigit():  # a leading zero is octal in C and Java
        return int(text, 8) if not set(text) & set("89") else int(text)
    return int(text, 0)


def vocabulary_of(source: str) -> Vocabulary:
    """Collect the literals of a source text in any of the languages."""
    quoted = [_unescape(match[1] or match[2] or "") for match in QUOTED.finditer(source)]
    bare = QUOTED.sub(" ", source)
    integers = {_integer(match[1]) for match in INTEGER.finditer(bare)}
    floats = {float(match[1]) for match in FLOAT.finditer(bare)}
    strings = {text for text in quoted if 0 < len(text) <= LONGEST_STRING}
    usable = {c for text in strings for c in text if not 0xD800 <= ord(c) <= 0xDFFF and c != "\0"}
    return Vocabulary(
        tuple(sorted(integers)), tuple(sorted(floats)), "".join(sorted(usable)),
        tuple(sorted(strings)),
    )  # fmt: skip
