"""A change as people read it: the lines that differ, and in them the words that differ."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from equimut.parsing.text_diff import common_prefix, difference
from equimut.reports.reported import Change
from equimut.storage.files import TAB, shown

Line = tuple[str, ...]
"""A line in pieces: as it was, changed, as it was, ...: every second one is marked."""

Kind = Literal["=", "-", "+"]

_WORDS = re.compile(r"\w+|\s|[<>=!&|+\-*/%^~]+|.", re.DOTALL)
_MAX_WORDS = 2_000
"""Comparing words takes quadratic time; a larger change is marked as a whole."""
_REACH = 300
"""Characters shown on either side of the change in its line: minified code is one long line."""
_MOST = 4_000
"""Characters of the change itself that are shown."""


@dataclass(frozen=True)
class ChangeView:
    """The code around a change, without the indentation that all of it has."""

    start_line: int
    """The line of the file where `lines` starts."""
    lines: tuple[str, ...]
    """The function as it was."""
    first: int
    """Position in `lines` of the first one that changes."""
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    inline: tuple[tuple[Kind, str], ...]
    """The first changed line of both in one: what stayed, what went, what came."""

    def context(self, around: int) -> tuple[range, range]:
        """Positions in `lines` of the lines shown before and after the change."""
        end = self.first + len(self.before)
        return (
            range(max(self.first - around, 0), self.first),
            range(end, min(end + around, len(self.lines))),
        )


def change_view(change: Change) -> ChangeView:
    """What to show of a change."""
    old, new = change.origin_function, change.mutant_function
    span = _changed_span(old, new)
    runs = _runs(span.old, span.new)
    before, after = _lines(runs, "-"), _lines(runs, "+")
    if span.whole:  # each block ends with a line break, after which nothing stands
        before, after = before[:-1], after[:-1]
    lines = _shown_lines(old)
    first = old.count("\n", 0, span.start)
    indent = _indent(lines, whole_lines=change.scope == "lines")
    return ChangeView(
        start_line=change.start_line,
        lines=tuple(line[_removable(line, indent) :] for line in lines),
        first=first,
        before=tuple(_outdented(line, indent) for line in before),
        after=tuple(_outdented(line, indent) for line in after),
        inline=_inline(runs),
    )


def one_line(change: Change, length: int = 100) -> str:
    """The first changed line before and after, for messages."""
    view = change_view(change)
    before, after = (
        shortened("".join(lines[0]).strip(), length) if lines else ""
        for lines in (view.before, view.after)
    )
    return f"`{before}` removed" if not after else f"`{before}` -> `{after}`"


def shortened(text: str, length: int) -> str:
    """A text that is cut where it is too long."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


@dataclass(frozen=True)
class _Span:
    """The lines that differ, in both texts."""

    start: int
    """Where they begin, in either text."""
    old: str
    new: str
    whole: bool
    """Whether whole lines come or go: then each text is empty or ends with a line break."""


def _changed_span(old: str, new: str) -> _Span:
    """The smallest block of lines outside of which the texts are the same."""
    same, old_end, new_end = difference(old, new)
    start = old.rfind("\n", 0, same) + 1
    # A line that is gone and the next one begin with the same blanks: slide over them.
    slid = same - start
    blocks = old[start : old_end - slid], new[start : new_end - slid]
    slides = _slides(old, start, slid, old_end) and _slides(new, start, slid, new_end)
    if slides and all(not block or block.endswith("\n") for block in blocks):
        return _Span(start, *blocks, whole=True)
    line_end = old.find("\n", old_end)
    more = (len(old) if line_end < 0 else line_end) - old_end
    head, after = old[start:same], old[old_end : old_end + more]
    if len(head) > _REACH:
        head = "…" + head[-_REACH:]
    if len(after) > _REACH:
        after = after[:_REACH] + "…"
    old_text, new_text = (
        f"{head}{_cut(text[same:end])}{after}" for text, end in ((old, old_end), (new, new_end))
    )
    return _Span(start, old_text, new_text, whole=False)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def _slides(text: str, start: int, length: int, end: int) -> bool:
    return text[start : start + length] == text[end - length : end]


def _runs(old: str, new: str) -> list[tuple[Kind, str]]:
    """Both texts in one, word by word: what stayed, what went, what came."""
    words, others = _WORDS.findall(old), _WORDS.findall(new)
    runs: list[tuple[Kind, str]] = []
    for kind, start, end, new_start, new_end in _operations(words, others):
        if kind == "equal":
            runs.append(("=", "".join(words[start:end])))
        else:
            runs += [("-", "".join(words[start:end])), ("+", "".join(others[new_start:new_end]))]
    return [run for run in runs if run[1]]


def _inline(runs: Sequence[tuple[Kind, str]]) -> tuple[tuple[Kind, str], ...]:
    """The line with the first change, cut where either text breaks."""
    first = next((n for n, (kind, _) in enumerate(runs) if kind != "="), 0)
    line: list[tuple[Kind, str]] = []
    if first:
        line.append(("=", shown(runs[first - 1][1].rpartition("\n")[2]).lstrip()))
    for kind, text in runs[first:]:
        part, cut, _ = text.partition("\n") if kind == "=" else (_flat(text), "", "")
        line.append((kind, shown(part).lstrip() if not line else shown(part)))
        if cut:
            break
    return tuple(run for run in line if run[1])


def _flat(text: str) -> str:
    """Several lines as one."""
    return shortened(" ".join(text.split()), _REACH) if "\n" in text else text


def _operations(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """What is equal and what is not; blanks between two changes belong to the change."""
    if len(old) + len(new) > _MAX_WORDS:
        start = common_prefix(old, new)
        yield "equal", 0, start, 0, start
        yield "replace", start, len(old), start, len(new)
        return
    operations = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for number, (kind, start, end, new_start, new_end) in enumerate(operations):
        words = old[start:end]
        between = 0 < number < len(operations) - 1
        blank = kind == "equal" and "\n" not in words and not "".join(words).strip()
        yield "replace" if between and blank else kind, start, end, new_start, new_end


def _lines(runs: Sequence[tuple[Kind, str]], side: Kind) -> tuple[Line, ...]:
    """One of the two texts, cut at line breaks; neighbours of the same kind become one piece."""
    lines: list[list[tuple[str, bool]]] = [[]]
    for kind, text in runs:
        if kind not in ("=", side):
            continue
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((part, kind == side))
    return tuple(_pieces(line) for line in lines)


def _pieces(runs: Sequence[tuple[str, bool]]) -> Line:
    pieces: list[str] = []
    for marked, group in groupby(runs, key=lambda run: run[1]):
        if marked != bool(len(pieces) % 2):
            pieces.append("")
        pieces.append(shown("".join(text for text, _ in group)))
    if len(pieces) > 1 and not pieces[0]:  # the indentation of a line that comes or goes
        pieces[0] = " " * (len(pieces[1]) - len(pieces[1].lstrip(" ")))
        pieces[1] = pieces[1].lstrip(" ")
    return tuple(pieces)


def _shown_lines(text: str) -> list[str]:
    lines = [shown(shortened(line, 2 * _REACH)) for line in text.split("\n")]
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _indent(lines: Sequence[str], *, whole_lines: bool) -> int:
    """The indentation to take away: a function's first line has lost its own already."""
    others = [line for line in (lines if whole_lines else lines[1:]) if line.strip()]
    if not others:
        return 0
    least = min(len(line) - len(line.lstrip(" ")) for line in others)
    closes = others[-1].lstrip(" ").startswith(("}", ")", "]", "end"))
    return least if whole_lines or closes else max(least - len(TAB), 0)


def _removable(line: str, indent: int) -> int:
    return min(indent, len(line) - len(line.lstrip(" ")))


def _outdented(line: Line, indent: int) -> Line:
    """A line in pieces without its indentation, which may reach over several pieces."""
    pieces = []
    for piece in line:
        cut = _removable(piece, indent)
        indent = indent - cut if cut == len(piece) else 0
        pieces.append(piece[cut:])
    return tuple(pieces)
