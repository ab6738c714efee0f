"""A data-flow graph in the terminal: the code with its nodes coloured, then who gets what."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from equimut.analysis.graph_layout import names_by_first_use, place_tokens
from equimut.parsing.dataflow import DataFlowGraph

_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")


def graph_view(graph: DataFlowGraph, source: bytes, width: int) -> Group:
    """Code and table of nodes, for a terminal of this width."""
    styles = {
        name: f"bold {_COLOURS[number % len(_COLOURS)]}"
        for name, number in names_by_first_use(graph).items()
    }
    return Group(_code(graph, source, styles, width), Text(), _nodes(graph, source, styles))


def _code(graph: DataFlowGraph, source: bytes, styles: dict[str, str], width: int) -> Text:
    """The tokens where the source has them, with line numbers."""
    nodes = {node.token for node in graph.nodes}
    code = Text(no_wrap=True)
    row = line = -1
    column = 0
    for token in place_tokens(graph, source, max(width - 8, 30)):
        if token.row != row:
            number = f"{token.line:>5} " if token.line != line else " " * 6
            code.append("\n" if row >= 0 else "").append(f"{number}│ ", "dim")
            row, line, column = token.row, token.line, 0
        style = styles[graph.tokens[token.index].text] if token.index in nodes else ""
        code.append(" " * (token.column - column)).append(token.text, style)
        column = token.end
    return code


def _nodes(graph: DataFlowGraph, source: bytes, styles: dict[str, str]) -> Table:
    """One row per node: what it is, and where its value comes from."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("line", justify="right")
    table.add_column("token", justify="right")
    table.add_column("node")
    table.add_column("relation")
    table.add_column("from (token)")
    line_of = {token.index: token.line for token in place_tokens(graph, source, 1 << 30)}

    def name(token: int) -> Text:
        text = graph.tokens[token].text
        return Text(text, styles.get(text, ""))

    for node in graph.nodes:
        sources = Text(", ").join(
            name(token).append(f" {token}", "dim") for token in sorted(node.sources)
        )
        relation = node.relation if node.sources else ""
        table.add_row(
            str(line_of[node.token]), str(node.token), name(node.token), relation, sources
        )
    return table
