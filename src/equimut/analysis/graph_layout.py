"""Where the tokens of a data-flow graph stand when it is shown: rows, columns, colours."""

from dataclasses import dataclass

from equimut.parsing.dataflow import DataFlowGraph

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


def place_tokens(graph: DataFlowGraph, source: bytes, widest: int) -> tuple[PlacedToken, ...]:
    """Lay the tokens out as in the source: its lines and spaces, without what is not code.

    Lines without tokens take no row; the common indentation is removed; a row that would be
    wider than `widest` goes on in the next one; a long token is shortened.
    """
    lines = [_expanded(line) for line in source.splitlines(keepends=True)]
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    line = 0
    for token in graph.tokens:
        while line + 1 < len(starts) and starts[line + 1] <= token.start:
            line += 1
        found.append((line, lines[line][token.start - starts[line]]))
    indent = min((column for _, column in found), default=0)
    placed: list[PlacedToken] = []
    row, shift = -1, 0
    for index, (token, (line, column)) in enumerate(zip(graph.tokens, found, strict=True)):
        text = _shortened(token.text)
        if not placed or line + 1 != placed[-1].line:
            row, shift = row + 1, indent
        elif column - shift + len(text) > widest:
            row, shift = row + 1, column - _HANGING_INDENT
        left = (
            max(column - shift, placed[-1].end)
            if placed and placed[-1].row == row
            else (column - shift)
        )
        placed.append(PlacedToken(index, text, row, left, line + 1))
        shift += max(0, len(token.text) - len(text))
    return tuple(placed)


def names_by_first_use(graph: DataFlowGraph) -> dict[str, int]:
    """A number for each name in the graph, in the order of the code: its colour."""
    names: dict[str, int] = {}
    for node in graph.nodes:
        names.setdefault(graph.tokens[node.token].text, len(names))
    return names


def _expanded(line: bytes) -> list[int]:
    """For each byte of a line (and its end), the column of its character, tabs expanded."""
    columns = []
    column = 0
    for byte in line:
        starts_character = byte & 0xC0 != 0x80
        columns.append(column if starts_character else max(column - 1, 0))
        if byte == ord("\t"):
            column += _TAB - column % _TAB
        elif starts_character:
            column += 1
    return [*columns, column]


def _shortened(text: str) -> str:
    """One line of at most 48 characters."""
    text = " ".join(text.split()) if any(c in text for c in "\n\r\t") else text
    return text if len(text) <= _LONGEST_TOKEN else text[: _LONGEST_TOKEN - 1] + "…"
