"""A change in the terminal: numbered lines, the edit in colour or with signs below it."""

from collections.abc import Iterator

from rich.text import Text

from equimut.reports.reported import Change
from equimut.scanning.outputs.change_view import Line, change_view

CONTEXT = 1
MAX_LINES = 12
"""Changed lines shown of each side."""
_LEAD = 8
"""Columns that sign and line number take."""


def diff_lines(change: Change, width: int, *, carets: bool) -> Iterator[Text]:
    """The rows of a change; `carets` marks the edit where there is no colour to do it."""
    view = change_view(change)
    room = max(width - _LEAD, 20)
    before, after = view.context(CONTEXT)
    for at in before:
        yield _row(" ", view.start_line + at, (view.lines[at],), "dim", room)
    for sign, lines, style in (("-", view.before, "red"), ("+", view.after, "green")):
        for number, line in enumerate(lines[:MAX_LINES]):
            shift = _shift(line, room)
            yield _row(sign, view.start_line + view.first + number, line, style, room)
            if carets and (marks := _marks(line, shift, room)):
                yield Text(" " * _LEAD + marks)
        if len(lines) > MAX_LINES:
            yield Text(f"{sign}      … {len(lines) - MAX_LINES} more lines", style)
    for at in after:
        yield _row(" ", view.start_line + at, (view.lines[at],), "dim", room)


def _row(sign: str, number: int, line: Line, style: str, room: int) -> Text:
    text = Text()
    for at, piece in enumerate(line):
        text.append(piece, f"bold reverse {style}" if at % 2 else style)
    if shift := _shift(line, room):
        text = Text("…", style).append_text(text[shift + 1 :])
    text.truncate(room, overflow="ellipsis")
    return Text(f"{sign} {number:>4}  ", style).append_text(text)


def _shift(line: Line, room: int) -> int:
    """How many characters to leave out on the left so that the edit can be seen."""
    edit_end = sum(len(piece) for piece in line[: 2 * (len(line) // 2)])
    if len(line) < 2 or edit_end < room:
        return 0
    return max(min(edit_end - room + 8, len(line[0]) - 8), 0)


def _marks(line: Line, shift: int, room: int) -> str:
    """Signs below the changed pieces."""
    signs = "".join(("^" if at % 2 else " ") * len(piece) for at, piece in enumerate(line))
    return signs[shift : shift + room].rstrip()
