"""Reports that are a script: `... .report = {...}` in a `.js` or `.html` file, made plain JSON.

The object is a JavaScript literal: names without quotes, single quotes, sums of strings, commas
after the last element. Nothing is executed, and what is no literal is refused.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from equimut.reports.reported import ReportError

MAX_SCRIPT = 64 * 1024 * 1024
"""A script is read whole, unlike JSON."""

_ASSIGNED = re.compile(
    r"(?:\.report|\breport|\bmodule\.exports)\s*=\s*(?=\{)|\bexport\s+default\s+(?=\{)"
)
_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)
    |(?P<number>-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?))
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<mark>[{}\[\]:,+])""",
    re.X | re.S,
)
_ESCAPE = re.compile(r"\\(u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|\r\n|.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_CONSTANTS = {"true": "true", "false": "false", "null": "null", "undefined": "null"}


@contextmanager
def opened_report(path: Path) -> Iterator[IO[bytes]]:
    """The JSON of a report as a binary file: the file itself, or what its script assigns."""
    with path.open("rb") as file:
        start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
        file.seek(0)
        if start.startswith((b"{", b"[")) or not start or b"\0" in start[:4]:
            yield file
        else:
            script = file.read(MAX_SCRIPT + 1)
            yield BytesIO(script_to_json(script, path))


def script_to_json(script: bytes, path: Path) -> bytes:
    """The object that the script assigns to `report`, as JSON."""
    if len(script) > MAX_SCRIPT:
        raise ReportError(f"{path}: a script of over {MAX_SCRIPT:,} bytes; give the JSON report")
    try:
        text = script.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReportError(f"{path}: neither JSON nor a script in UTF-8") from None
    assigned = _ASSIGNED.search(text)
    if assigned is None:
        raise ReportError(f"{path}: neither JSON nor a script that assigns a report")
    try:
        return "".join(_json_pieces(text, assigned.end())).encode(errors="replace")
    except _NotALiteral as error:
        line = text.count("\n", 0, error.at) + 1
        raise ReportError(f"{path}, line {line}: not a plain object literal") from None


class _NotALiteral(Exception):
    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def _json_pieces(text: str, at: int) -> Iterator[str]:
    """JSON tokens of the literal that starts at `at`, up to the brace that closes it."""
    depth = 0
    comma = False  # held back: JSON has none before a closing bracket
    strings: list[str] = []  # summands of one string
    summing = False
    for kind, token, start in _tokens(text, at):
        if kind == "string":
            if strings and not summing:
                raise _NotALiteral(start)
            strings.append(_unescaped(token))
            summing = False
            continue
        if token == "+":
            if not strings or summing:
                raise _NotALiteral(start)
            summing = True
            continue
        if summing:
            raise _NotALiteral(start)
        if comma and (strings or token not in ("}", "]")):
            yield ","
        comma = False
        if strings:
            yield json.dumps("".join(strings))
            strings = []
        comma = token == ","
        if not comma:
            yield _CONSTANTS.get(token, json.dumps(token)) if kind == "name" else token
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if depth == 0:
            return
    raise _NotALiteral(len(text))


def _tokens(text: str, at: int) -> Iterator[tuple[str, str, int]]:
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _NotALiteral(at)
        kind = match.lastgroup or ""
        if kind != "space":
            yield kind, match[0], at
        at = match.end()


def _unescaped(literal: str) -> str:
    """The value of a string literal, quotes and escapes gone; halves of a pair joined."""

    def character(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            number = int(code.strip("ux{}"), 16)
            return chr(number) if number <= 0x10FFFF else "\ufffd"
        if code in ("\n", "\r\n"):  # a line that goes on
            return ""
        return _ESCAPED.get(code, code)

    value = _ESCAPE.sub(character, literal[1:-1])
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
