"""A data-flow graph in the terminal: the code with its nodes coloured, then who gets what."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from equimut.analysis.graph.layout import PlacedToken, names_by_first_use, place_tokens
from equimut.parsing.flow.graph import DataFlowGraph

_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")
_NUMBERS = 8
"""Columns that the line numbers take."""

Styles = dict[str, str]


def graph_view(graph: DataFlowGraph, source: bytes, width: int, first_line: int = 1) -> Group:
    """Code and table of nodes, for a terminal of this width."""
    styles = {
        name: f"bold {_COLOURS[number % len(_COLOURS)]}"
        for name, number in names_by_first_use(graph).items()
    }
    placed = place_tokens(graph, source, max(width - _NUMBERS, 30), first_line)
    code = _code(graph, placed, styles)
    if not graph.nodes:
        return Group(code, Text("\nno data flow: no value reaches another place", "dim"))
    return Group(code, Text(), _nodes(graph, placed, styles))


def _code(graph: DataFlowGraph, placed: Sequence[PlacedToken], styles: Styles) -> Text:
    """The tokens where the source has them, with line numbers."""
    nodes = {node.token for node in graph.nodes}
    code = Text(no_wrap=True)
    row = line = -1
    column = 0
    for token in placed:
        if token.row != row:
            number = f"{token.line:>5} " if token.line != line else " " * 6
            code.append("\n" if row >= 0 else "").append(f"{number}│ ", "dim")
            row, line, column = token.row, token.line, 0
        style = styles[graph.tokens[token.index].text] if token.index in nodes else ""
        code.append(" " * (token.column - column)).append(token.text, style)
        column = token.end
    return code


def _nodes(graph: DataFlowGraph, placed: Sequence[PlacedToken], styles: Styles) -> Table:
    """One row per node: what it is, and where its value comes from."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("line", justify="right")
    table.add_column("token", justify="right")
    table.add_column("node")
    table.add_column("relation")
    table.add_column("from (token)")

    def name(token: int) -> Text:
        return Text(placed[token].text, styles.get(graph.tokens[token].text, ""))

    for node in graph.nodes:
        sources = Text(", ").join(
            name(token).append(f" {token}", "dim") for token in sorted(node.sources)
        )
        relation = node.relation if node.sources else ""
        table.add_row(
            str(placed[node.token].line), str(node.token), name(node.token), relation, sources
        )
    return table
