"""Snippet to `EncodedSnippet`, pair to `EncodedPair`: what is kept, and where it then stands."""

import numpy as np

from equimut.inputs.encoded import EncodedPair, EncodedSnippet, IntArray
from equimut.inputs.limits import Limits
from equimut.inputs.subtoken_graph import SubTokenGraph
from equimut.inputs.subtokens import SpecialIds
from equimut.inputs.window import Window, find_edit, pair_windows


def encode_graph(graph: SubTokenGraph, special: SpecialIds, limits: Limits) -> EncodedSnippet:
    """Encode one snippet that has been parsed and tokenised."""
    room = limits.code_room(graph.node_count) - len(special.prefix)
    return _cut(graph, Window(0, room), special, limits)


def encode_part(
    graph: SubTokenGraph, start: int, special: SpecialIds, limits: Limits
) -> EncodedSnippet:
    """Encode the part of a long snippet that begins at a sub-token; nodes near its middle."""
    room = limits.code_room(graph.node_count) - len(special.prefix)
    start = max(0, min(start, len(graph.ids) - room))
    focus = None if start == 0 else start + room // 2
    return _cut(graph, Window(start, room, focus), special, limits)


def encode_graphs(
    origin: SubTokenGraph, mutant: SubTokenGraph, *, special: SpecialIds, limits: Limits
) -> EncodedPair:
    """Encode a pair that has been parsed and tokenised."""
    edit = find_edit(origin, mutant)
    windows = pair_windows(origin, mutant, edit, limits, len(special.prefix))
    first, second = (
        _cut(graph, window, special, limits)
        for graph, window in zip((origin, mutant), windows, strict=True)
    )
    origin_edit, mutant_edit = (
        _mark(edited, window, snippet.token_count, 1 + len(special.prefix))
        for edited, window, snippet in zip(edit.sides, windows, (first, second), strict=True)
    )
    return EncodedPair(first, second, origin_edit, mutant_edit)


def _cut(
    graph: SubTokenGraph, window: Window, special: SpecialIds, limits: Limits
) -> EncodedSnippet:
    """What the window shows of a snippet, and the nodes for which positions are left."""
    code = graph.ids[window.start : window.start + window.room]
    ids = np.concatenate(([special.start, *special.prefix], code, [special.end])).astype(np.int32)
    spans = graph.node_spans()
    shown = (
        (spans[:, 0] >= window.start)
        & (spans[:, 1] <= window.start + len(code))
        & (spans[:, 0] < spans[:, 1])
    )
    kept = _kept_nodes(spans, shown, window, limits.node_room(len(ids)))
    first = 1 + len(special.prefix)  # the position of the window's first sub-token
    positions = np.where(shown[:, None], spans - window.start + first, 0)
    return EncodedSnippet(ids, positions[kept].astype(np.int32), graph.edges(kept.tolist()))


def _kept_nodes(spans: IntArray, shown: np.ndarray, window: Window, room: int) -> np.ndarray:
    """The nodes that fit, in the order of the code: the first ones, or those near the edit.

    Near the edit, nodes whose sub-tokens are shown come first. The others have no embedding but
    still tell that a value comes from, or flows to, code that is out of sight.
    """
    if window.focus is None or len(spans) <= room:
        return np.arange(min(len(spans), room))
    distance = np.abs(spans.sum(axis=1) - 2 * window.focus)
    return np.sort(np.lexsort((distance, ~shown))[:room])


def _mark(edited: tuple[int, int], window: Window, token_count: int, first: int) -> tuple[int, int]:
    """Positions of the edited sub-tokens that are shown, or else the nearest one: never none."""
    most = token_count - 1 - first
    start, end = (min(max(at - window.start, 0), most) + first for at in edited)
    return start, max(end, start + 1)
