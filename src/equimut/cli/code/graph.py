"""`equimut graph`: what the model is given of a file or function: tokens, data flow, mask."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import AsJson
from equimut.errors import ParseError

if TYPE_CHECKING:
    from equimut.parsing.tree import SyntaxTree


def graph(
    file: Annotated[Path, typer.Argument(help="A source file, or a bare function or method.")],
    function: Annotated[
        str | None, typer.Option("--function", "-f", help="Show this function only.")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", help="java, c or python; else by the file's suffix."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Draw tokens, edges and mask here (.svg, .png, .pdf)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tokens of a function, its data-flow graph, and the attention mask they give."""
    from equimut.parsing.flow.graph import data_flow

    tree, first_line = _read(file, function, language)
    graph = data_flow(tree)
    if as_json:
        nodes = [
            {"token": node.token, "relation": node.relation, "sources": list(node.sources)}
            for node in graph.nodes
        ]
        print_json({"tokens": [token.text for token in graph.tokens], "nodes": nodes})
    elif out is None:
        from rich.console import Console

        from equimut.analysis.graph.terminal import graph_view

        console = Console(highlight=False)
        console.print(graph_view(graph, tree.source, console.width, first_line))
    if out is not None:
        from equimut.analysis.graph.picture import draw_graph
        from equimut.analysis.pictures.files import format_of, picture_bytes
        from equimut.storage.files import write_bytes

        picture_format = format_of(out)
        figure = draw_graph(graph, tree.source, function or file.name, first_line)
        write_bytes(out, picture_bytes(figure, picture_format))
        print_note(f"picture: {out}")


def _read(file: Path, function: str | None, language: str | None) -> "tuple[SyntaxTree, int]":
    """The tree of the file, or of one function of it, and the line it starts on."""
    from equimut.languages import get_language, language_of_path
    from equimut.parsing.functions import functions
    from equimut.parsing.tree import parse

    spec = get_language(language) if language else language_of_path(file)
    tree = parse(file.read_bytes(), spec)
    for issue in tree.errors[:1]:
        more = f" (and {len(tree.errors) - 1} more)" if len(tree.errors) > 1 else ""
        print_note(f"{file}:{issue.line}:{issue.column}: {issue.message}{more}")
    known = functions(tree)
    names = [each.name for each in known]
    listed = ", ".join(dict.fromkeys(names))
    if function is None:
        if len(names) > 1:
            print_note(f"{len(names)} functions in {file}; --function shows one of: {listed}")
        return tree, 1
    if function not in names:
        raise ParseError(f"{file}: no function {function!r}; it has {listed or 'none'}")
    found = min(
        (each for each in known if each.name == function), key=lambda each: each.end - each.start
    )
    if names.count(function) > 1:
        print_note(
            f"{names.count(function)} of that name; this is the one on line {found.start_line}"
        )
    # With the space before it, the first line is indented like the others.
    indent = len(tree.source[: found.start]) - len(tree.source[: found.start].rstrip(b" \t"))
    return parse(tree.source[found.start - indent : found.end], spec), found.start_line
