"""Where two texts differ: the lines, and how much of a very long line is worth showing."""

from dataclasses import dataclass

from equimut.reports.locating import common_prefix

REACH = 300
"""Characters shown on either side of the change in its line: minified code is one long line."""
MOST = 4_000
"""Characters of the change itself that are shown."""


@dataclass(frozen=True)
class ChangedSpan:
    """The lines that differ, in both texts."""

    start: int
    """Where they begin, in either text."""
    old: str
    new: str
    whole: bool
    """Whether whole lines come or go: then each text is empty or ends with a line break."""


def changed_span(old: str, new: str) -> ChangedSpan:
    """The smallest block of lines outside of which the texts are the same."""
    same = common_prefix(old, new)
    rest = min(len(old), len(new)) - same
    tail = common_prefix(old[::-1][:rest], new[::-1][:rest])
    start = old.rfind("\n", 0, same) + 1
    old_end, new_end = len(old) - tail, len(new) - tail
    # A line that is gone and the next one begin with the same blanks: slide over them.
    slid = same - start
    blocks = old[start : old_end - slid], new[start : new_end - slid]
    slides = _slides(old, start, slid, old_end) and _slides(new, start, slid, new_end)
    if slides and all(not block or block.endswith("\n") for block in blocks):
        return ChangedSpan(start, *blocks, whole=True)
    line_end = old.find("\n", old_end)
    more = (len(old) if line_end < 0 else line_end) - old_end
    head, after = old[start:same], old[old_end : old_end + more]
    if len(head) > REACH:
        head = "…" + head[-REACH:]
    if len(after) > REACH:
        after = after[:REACH] + "…"
    old_text, new_text = (
        f"{head}{_cut(text[same:end])}{after}" for text, end in ((old, old_end), (new, new_end))
    )
    return ChangedSpan(start, old_text, new_text, whole=False)


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}…"


def _slides(text: str, start: int, length: int, end: int) -> bool:
    return text[start : start + length] == text[end - length : end]
