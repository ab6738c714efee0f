"""A span of a source and its text in the mutant -> the function; parts of a report to locate.

A part has entries that follow each other: it is read in one process and located in any.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, NamedTuple, Protocol, TypeVar

from equimut.errors import ParseError
from equimut.parsing.functions import Function, added_error
from equimut.parsing.text_diff import byte_difference
from equimut.parsing.tree import parse
from equimut.reports.reported import Change, ReportedMutant, Status, UniqueIds
from equimut.reports.sources import SourceFile, grammar_for

CONTEXT_LINES = 3
"""Lines shown around a change that is in no function."""

_WORD = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$" + bytes(range(128, 256))
)
_SIGN = frozenset(b"<>=!&|+-*/%^~")


class Located(NamedTuple):
    """Where a mutant is; `problem` says in one line why it cannot be built or judged."""

    change: Change | None
    problem: str | None = None


def locate(
    source: SourceFile, start: int, end: int, replacement: str, *, whole_tokens: bool = False
) -> Located:
    """Put `replacement` in the place of the bytes from `start` to `end`, and look at the result.

    Nothing is trusted: the mutant must differ from the origin and must not have more syntax
    errors. `whole_tokens`: the span comes from columns, so a border inside a word shows that
    the columns do not belong to this text.
    """
    data = source.data
    if not 0 <= start <= end <= len(data):
        return Located(None, f"not locatable: bytes {start}..{end} of {len(data)}")
    try:
        original = data[start:end].decode()
        data[:start].decode()
        replaced = replacement.encode()
    except UnicodeError:
        return Located(None, "not locatable: the change cuts a character in two")
    if original == replacement:
        return Located(None, "not locatable: the mutant is the same text as the source")
    if "\0" in replacement:
        return Located(None, "not locatable: the replacement holds a NUL byte")
    if grammar_for(source.language) is None:
        change = _lines_around(source, start, end, original, replacement)
        return Located(change, f"language not supported: {source.language}")
    try:
        function = enclosing_function(source, start, end, replacement)
        if whole_tokens and (cut := _cut_token(source, start) or _cut_token(source, end)):
            return Located(None, f"not locatable: the position is inside {cut!r}")
        if function is None:
            before, after = data, data[:start] + replaced + data[end:]
        else:
            before = data[function.start : function.end]
            after = data[function.start : start] + replaced + data[end : function.end]
        if added := added_error(*(parse(text, source.language) for text in (before, after))):
            return Located(None, f"not locatable: the mutant does not parse: {added.message}")
    except ParseError as error:
        return Located(None, f"not locatable: {error}")
    if function is None:
        change = _lines_around(source, start, end, original, replacement)
        where = f"line {source.line(start)} is outside any {source.language} function"
        return Located(change, f"not in a function: {where}")
    return Located(
        Change(
            scope="function",
            function=function.name,
            owner=function.owner,
            start_line=function.start_line,
            start_byte=start,
            end_byte=end,
            original=original,
            replacement=replacement,
            origin_function=before.decode(),
            mutant_function=after.decode(),
            file_text=source.text,
        )
    )


def locate_text(source: SourceFile, mutant: str) -> Located:
    """Locate the difference between a source and the whole text of its mutant."""
    try:
        start, end, replacement = edit_between(source.data, mutant.encode())
    except UnicodeEncodeError:
        return Located(None, "not locatable: the mutant is not text")
    return locate(source, start, end, replacement)


def edit_between(before: bytes, after: bytes) -> tuple[int, int, str]:
    """The difference, widened to whole words and signs: `<` becomes `<=`, not nothing a `=`."""
    start, end, stop = byte_difference(before, after)
    while start and _melt(before[start - 1], before[start : start + 1] + after[start : start + 1]):
        start -= 1
    while end < len(before) and _melt(before[end], before[end - 1 : end] + after[stop - 1 : stop]):
        end, stop = end + 1, stop + 1
    return start, end, after[start:stop].decode()


def enclosing_function(
    source: SourceFile, start: int, end: int, added: str = ""
) -> Function | None:
    """The innermost function around a span; an empty span at its border is outside.

    Where no brace ends a function, what is added to its last line still belongs to it.
    """
    no_brace = source.tree.language.lexicon.layout == "indentation"
    continued = no_brace and added[:1] not in ("", "\n", "\r")
    around = [
        function
        for function in source.functions
        if function.start <= start
        and end <= function.end
        and (start != end or function.start < start < function.end + continued)
    ]
    return min(around, key=lambda function: function.end - function.start, default=None)


def _melt(outer: int, inner: bytes) -> bool:
    """Whether a byte outside a span is of one word, or of one sign, with a byte inside it."""
    kinds = [kind for kind in (_WORD, _SIGN) if outer in kind]
    return any(byte in kind for kind in kinds for byte in inner)


def _cut_token(source: SourceFile, at: int) -> str | None:
    """The token that has `at` in its middle; literals may be changed inside."""
    tree = source.tree
    if not 0 < at < len(source.data):
        return None
    node = tree.root.descendant_for_byte_range(at - 1, at + 1)
    if node is None or node.children or not node.start_byte < at < node.end_byte:
        return None
    parent = node.parent
    if {node.type, parent.type if parent else ""} & tree.language.atomic:
        return None
    return tree.text(node)[:40]


def _lines_around(
    source: SourceFile, start: int, end: int, original: str, replacement: str
) -> Change:
    starts = source.line_starts
    first = max(source.line(start) - 1 - CONTEXT_LINES, 0)
    last = min(source.line(end) + CONTEXT_LINES, len(starts))
    begin, stop = starts[first], starts[last] if last < len(starts) else len(source.data)
    return Change(
        scope="lines",
        function="",
        start_line=first + 1,
        start_byte=start,
        end_byte=end,
        original=original,
        replacement=replacement,
        origin_function=source.data[begin:stop].decode(),
        mutant_function=source.data[begin:start].decode()
        + replacement
        + source.data[end:stop].decode(),
    )


Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Row(Generic[Entry]):
    """What a report says of one mutant, its position and its id."""

    index: int
    id: str
    entry: Entry


class Locate(Protocol[Entry]):
    """Locates those rows that are wanted; it sees all, since their neighbours may tell where."""

    def __call__(
        self, rows: Sequence[Row[Entry]], wanted: Sequence[bool]
    ) -> Iterator[ReportedMutant]: ...


@dataclass(frozen=True)
class RowsPart(Generic[Entry]):
    """Rows, and what locates them: a function of a module, which may have arguments bound."""

    rows: tuple[Row[Entry], ...]
    statuses: tuple[Status, ...]
    locate: Locate[Entry]

    def located(self, wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
        """Those that are wanted, located in the source where possible."""
        return self.locate(self.rows, wanted)


def numbered(entries: Iterable[Entry], name: Callable[[Entry], str]) -> Iterator[Row[Entry]]:
    """The entries of a whole report, in order; an id that comes again is made unique."""
    ids = UniqueIds()
    for index, entry in enumerate(entries):
        yield Row(index, ids.add(name(entry)), entry)


def at_most(rows: Iterable[Row[Entry]], most: int) -> Iterator[tuple[Row[Entry], ...]]:
    """So many rows at a time."""
    left = iter(rows)
    return iter(lambda: tuple(islice(left, most)), ())
