"""Where the tokens of a data-flow graph stand when it is shown: rows, columns, colours."""

from dataclasses import dataclass

from equimut.parsing.flow.graph import DataFlowGraph
from equimut.storage.files import shown

_TAB = 4
_LONGEST_TOKEN = 48
_HANGING_INDENT = 8


@dataclass(frozen=True)
class PlacedToken:
    """A token as shown: at a row and a column, on a line of the source."""

    index: int
    text: str
    row: int
    column: int
    line: int
    """Line of the source, counted from 1; a line that is too wide takes several rows."""

    @property
    def end(self) -> int:
        return self.column + len(self.text)


def place_tokens(
    graph: DataFlowGraph, source: bytes, widest: int, first_line: int = 1
) -> tuple[PlacedToken, ...]:
    """Lay the tokens out as in the source: its lines and spaces, without what is not code.

    Lines without tokens take no row; the common indentation is removed; a row that would be
    wider than `widest` goes on in the next one; a long token is shortened.
    """
    found = _lines_and_columns(graph, source)
    indent = min((column for _, column in found), default=0)
    placed: list[PlacedToken] = []
    row, shift, free = -1, 0, 0  # free: the first column of the row with nothing in it
    for index, (line, column) in enumerate(found):
        text = shown(_shortened(graph.tokens[index].text))
        if not placed or line + first_line != placed[-1].line:
            row, shift, free = row + 1, indent, 0
        elif max(column - shift, free) + len(text) > widest:
            row, shift, free = row + 1, column - _HANGING_INDENT, 0
        left = max(column - shift, free)
        placed.append(PlacedToken(index, text, row, left, line + first_line))
        free = left + len(text)
        shift += max(0, len(graph.tokens[index].text) - len(text))
    return tuple(placed)


def names_by_first_use(graph: DataFlowGraph) -> dict[str, int]:
    """A number for each name in the graph, in the order of the code: its colour."""
    names: dict[str, int] = {}
    for node in graph.nodes:
        names.setdefault(graph.tokens[node.token].text, len(names))
    return names


def _lines_and_columns(graph: DataFlowGraph, source: bytes) -> list[tuple[int, int]]:
    """Line (from 0) and column of each token."""
    lines = source.splitlines(keepends=True)
    found = []
    line, start, columns = -1, 0, [0]
    for token in graph.tokens:
        while line < 0 or token.start >= start + len(lines[line]):
            start += len(lines[line]) if line >= 0 else 0
            line += 1
            columns = _columns(lines[line])
        found.append((line, columns[token.start - start]))
    return found


def _columns(line: bytes) -> list[int]:
    """For each byte of a line, the column of its character, tabs expanded."""
    columns = []
    column = 0
    for byte in line:
        starts_character = byte & 0xC0 != 0x80
        columns.append(column if starts_character else max(column - 1, 0))
        if byte == ord("\t"):
            column += _TAB - column % _TAB
        elif starts_character:
            column += 1
    return columns


def _shortened(text: str) -> str:
    """One line of at most 48 characters that a terminal may print."""
    if len(text) > _LONGEST_TOKEN:
        text = text[: _LONGEST_TOKEN - 1] + "…"
    return "".join(letter if letter.isprintable() else "·" for letter in text)
