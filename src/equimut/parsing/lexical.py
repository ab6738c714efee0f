"""Functions by the shape of the text, for code that the grammar does not understand.

Works on a copy of the source in which comments, strings and preprocessor lines are blanked out,
so byte offsets stay those of the source. Old C needs it most: K&R headers, implicit int, macros.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from equimut.languages.spec import Lexicon

_VISIBLE = re.compile(rb"[^\s]")
_CALL = re.compile(rb"([A-Za-z_]\w*)\s*\(")
_WORDS = re.compile(rb"[\w\s,.<>@]*")
_DECLARATION = re.compile(rb"\s*[A-Za-z_]\w*[\w\s*,\[\]()]*")
_NEW = re.compile(rb"\bnew\b")
_PARENTHESIS = re.compile(rb"[()]")
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|else|elif|endif)")
_DEF = re.compile(rb"^([ \t]*)(?:async[ \t]+)?def[ \t]+([A-Za-z_]\w*)", re.M)
_MAX_CONDITION_DEPTH = 32
_MAX_OLD_PARAMETERS = 64
_MAX_HEADER_BYTES = 16 * 1024


class Span(NamedTuple):
    """A function found in the text: its name and its bytes."""

    name: str
    start: int
    end: int


def lexical_functions(source: bytes, lexicon: Lexicon) -> tuple[Span, ...]:
    """Functions in the order of the text."""
    text = blanked(source, lexicon)
    find = _indented if lexicon.layout == "indentation" else _braced
    return tuple(sorted(find(text, lexicon), key=lambda span: (span.start, -span.end)))


def blanked(source: bytes, lexicon: Lexicon) -> bytes:
    """The source with everything that is not code turned into spaces; same length, same lines."""
    text = bytearray(source)
    directives = []
    for match in _noise(lexicon).finditer(source):
        if _DIRECTIVE.match(match[0]):
            directives.append((match.start(), match.end()))
        _blank(text, match.start(), match.end())
    _blank_other_ways(text, source, directives)
    return bytes(text)


def _blank(text: bytearray, start: int, end: int) -> None:
    text[start:end] = re.sub(rb"[^\n]", b" ", text[start:end])


@cache
def _noise(lexicon: Lexicon) -> re.Pattern[bytes]:
    parts = []
    if lexicon.preprocessor:
        parts.append(r"^[ \t]*\#(?:\\\r?\n|/\*.*?(?:\*/|\Z)|[^\n])*")
    parts += [re.escape(start) + r"[^\n]*" for start in lexicon.line_comments]
    for start, end in lexicon.block_comments:
        parts.append(re.escape(start) + r".*?(?:" + re.escape(end) + r"|\Z)")
    for quote in lexicon.quotes:
        if len(quote) > 1:
            parts.append(rf"{quote}(?:\\.|[^\\])*?(?:{quote}|\Z)")
        else:
            parts.append(rf"{quote}(?:\\.|[^\\\n{quote}])*{quote}?")
    return re.compile("|".join(parts).encode(), re.M | re.S)


def _blank_other_ways(text: bytearray, source: bytes, directives: list[tuple[int, int]]) -> None:
    """Where `#if` opens a brace and `#else` opens it again, only the first way may count."""
    open_conditions: list[list[tuple[int, int]]] = []
    for start, end in directives:
        match = _DIRECTIVE.match(source, start)
        word = match[1] if match else b""
        if word == b"if":
            open_conditions.append([(start, end)])
        elif open_conditions:
            open_conditions[-1].append((start, end))
            if word == b"endif":
                marks = open_conditions.pop()
                first = text[marks[0][1] : marks[1][0]]
                if (
                    len(open_conditions) < _MAX_CONDITION_DEPTH
                    and len(marks) > 2
                    and first.count(b"{") != first.count(b"}")
                ):
                    _blank(text, marks[1][1], marks[-1][0])


def _braced(text: bytes, lexicon: Lexicon) -> Iterator[Span]:
    """Blocks that a function's header stands before."""
    opened: list[Span | None] = []
    boundary = 0  # where the text that can belong to the next header starts
    for brace in re.finditer(rb"[{}]", text):
        at = brace.start()
        if brace[0] == b"{":
            outermost = all(block is None for block in opened) if len(opened) < 8 else False
            header = None
            if lexicon.nested_functions or outermost:
                header = _header(text, boundary, at, lexicon)
            transparent = lexicon.nested_functions or text[boundary:at].split()[-1:] == [b"extern"]
            opened.append(header if header or transparent else Span("", at, at))
        elif opened:
            block = opened.pop()
            if block is not None and block.name:
                yield block._replace(end=at + 1)
        boundary = at + 1
    # A body that is never closed ends with the text.
    yield from (block._replace(end=len(text.rstrip())) for block in opened if block and block.name)


def _header(text: bytes, start: int, brace: int, lexicon: Lexicon) -> Span | None:
    """The function whose body opens at `brace`, if the text before it reads like a header.

    Reads statement by statement backwards: `f(a, b) int a; char *b; {` is three pieces.
    """
    end = brace
    for _ in range(_MAX_OLD_PARAMETERS):
        piece_start = max(start, text.rfind(b";", start, end) + 1)
        if end - piece_start > _MAX_HEADER_BYTES:
            return None
        rest = None if end == brace else _DECLARATION
        found = _called(text, piece_start, end, rest, lexicon)
        if found is not None:
            return found
        piece = text[piece_start:end]
        old_style = lexicon.preprocessor and (
            not piece.strip() if end == brace else _DECLARATION.fullmatch(piece)
        )
        if not old_style or piece_start <= start:
            return None
        end = piece_start - 1
    return None


def _called(
    text: bytes, start: int, end: int, rest: re.Pattern[bytes] | None, lexicon: Lexicon
) -> Span | None:
    """`name(...)` followed by nothing but words, or by the first old-style declaration."""
    closing = _parentheses(text, start, end)
    for call in _CALL.finditer(text, start, end):
        name = call[1].decode()
        close = closing.get(call.end() - 1)
        if close is None or name in lexicon.keywords:
            continue
        if text.find(b"=", start, call.start()) >= 0 or _NEW.search(text, start, call.start()):
            return None
        if (rest or _WORDS).fullmatch(text, close + 1, end):
            visible = _VISIBLE.search(text, start)
            return Span(name, visible.start() if visible else start, end)
    return None


def _parentheses(text: bytes, start: int, end: int) -> dict[int, int]:
    """Closing parenthesis of every outermost opening one."""
    closing: dict[int, int] = {}
    depth, opened = 0, start
    for match in _PARENTHESIS.finditer(text, start, end):
        if match[0] == b"(":
            if depth == 0:
                opened = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                closing[opened] = match.start()
    return closing


def _indented(text: bytes, _: Lexicon) -> Iterator[Span]:
    """`def` lines, each with the more deeply indented lines below it."""
    opened: list[tuple[int, Span]] = []
    position = last_end = 0
    for line in text.split(b"\n"):
        stripped = line.lstrip()
        if stripped:
            indent = len(line.expandtabs()) - len(stripped.expandtabs())
            while opened and opened[-1][0] >= indent:
                yield opened.pop()[1]._replace(end=last_end)
            match = _DEF.match(line)
            if match:
                start = position + len(line) - len(stripped)
                opened.append((indent, Span(match[2].decode(), start, start)))
            last_end = position + len(line.rstrip())
        position += len(line) + 1
    yield from (span._replace(end=last_end) for _, span in opened)
