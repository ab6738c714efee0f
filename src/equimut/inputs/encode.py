"""Snippet to `EncodedSnippet`, pair to `EncodedPair`: what is kept, and where it then stands."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np

from equimut.inputs.cache import Arrays, EncodingCache, cache_key
from equimut.inputs.edit_features.surroundings import hashed_features
from equimut.inputs.subtokens import IntArray, SpecialIds, SubTokenGraph, SubTokenizer, read_snippet
from equimut.inputs.window import EDIT, Limits, Window, find_edit, pair_windows
from equimut.records import Pair, Snippet


@dataclass(frozen=True, eq=False)
class EncodedSnippet:
    """One sequence: `<s>`, code sub-tokens, `</s>`, then the graph's nodes."""

    ids: IntArray
    """[token_count] ids of the tokens, `<s>` and `</s>` included; nodes have none."""
    node_spans: IntArray
    """[node_count, 2] positions of each node's sub-tokens, end excluded; (0, 0) if cut off."""
    edges: IntArray
    """[edge_count, 2] (node, node its value comes from), as indices of nodes."""

    @property
    def token_count(self) -> int:
        return len(self.ids)

    @property
    def node_count(self) -> int:
        return len(self.node_spans)

    @property
    def length(self) -> int:
        """Positions the sequence takes."""
        return self.token_count + self.node_count

    def without_graph(self) -> "EncodedSnippet":
        """The same tokens without any node."""
        none = np.zeros((0, 2), np.int32)
        return EncodedSnippet(self.ids, none, none)

    @cached_property
    def node_pieces(self) -> tuple[IntArray, IntArray]:
        """Every node with every position of its sub-tokens: two arrays, node by node."""
        starts, ends = self.node_spans.T
        sizes = ends - starts
        node = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        before = np.cumsum(sizes, dtype=np.int32) - sizes
        position = np.arange(len(node), dtype=np.int32) + (starts - before)[node]
        return node, position

    @cached_property
    def digest(self) -> bytes:
        """Equal for equal sequences: a batch holds each of them once."""
        counts = np.array([self.token_count, self.node_count], np.int32)
        parts = (counts, self.ids, self.node_spans, self.edges)
        return blake2b(b"".join(part.tobytes() for part in parts), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EncodedSnippet) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@dataclass(frozen=True)
class EncodedPair:
    """An origin and a mutant, where they differ, and what is known about them."""

    origin: EncodedSnippet
    mutant: EncodedSnippet
    origin_edit: tuple[int, int]
    """Positions of the origin that the edit touches, end excluded; never empty. Where the edit only
    adds, the position it adds before; where it was cut off, the `</s>` at the cut."""
    mutant_edit: tuple[int, int]
    label: int = -1
    """1 equivalent, 0 not, -1 not known."""
    class_id: int = -1
    index: int = -1
    """Position of the pair in its data set."""
    features: IntArray = field(default_factory=lambda: np.zeros(0, np.int32), compare=False)
    """Buckets of the edit's named features, where the model asks for them."""

    @property
    def length(self) -> int:
        """Positions of the longer side: what the pair costs in a batch."""
        return max(self.origin.length, self.mutant.length)

    @property
    def looks_identical(self) -> bool:
        """Whether the model is shown the same thing twice."""
        return self.origin == self.mutant


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
    spans = graph.node_spans
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


_GRAPHS_KEPT = 256


@dataclass
class PairEncoder:
    """Encodes pairs with one tokenizer and one set of limits.

    The mutants of an origin usually follow each other, so the last few hundred texts are kept as
    parsed. With a `cache`, what was encoded once is read back, in any later process too.
    """

    tokenizer: SubTokenizer
    limits: Limits = EDIT
    cache: EncodingCache | None = None
    features: bool = False
    """Also read the edit's named features."""

    def encode(self, pair: Pair, index: int = -1) -> EncodedPair:
        """Encode one pair; `index` is its position in the data set."""
        encoded = self.encode_texts(pair.origin, pair.mutant, pair.language)
        return replace(encoded, label=pair.label, class_id=pair.class_id, index=index)

    def encode_all(self, pairs: Iterable[Pair]) -> list[EncodedPair]:
        """Encode a data set; equal sides of different pairs share their memory."""
        shared: dict[EncodedSnippet, EncodedSnippet] = {}
        encoded = (self.encode(pair, index) for index, pair in enumerate(pairs))
        return [
            replace(
                each,
                origin=shared.setdefault(each.origin, each.origin),
                mutant=shared.setdefault(each.mutant, each.mutant),
            )
            for each in encoded
        ]

    def encode_texts(self, origin: str, mutant: str, language: str) -> EncodedPair:
        """Encode two texts, or read their encoding from the cache."""
        if self.cache is None:
            return self._make(origin, mutant, language)
        texts = (origin, mutant, *(["features"] if self.features else []))
        key = cache_key(texts, language, self.tokenizer.fingerprint, self.limits)
        arrays = self.cache.load(key)
        if arrays is not None:
            return _from_arrays(arrays)
        made = self._make(origin, mutant, language)
        self.cache.save(key, _to_arrays(made))
        return made

    def length(self, text: str, language: str) -> int:
        """Sub-tokens of a whole text, whatever the limits."""
        return len(self._graph(text, language).ids)

    def _make(self, origin: str, mutant: str, language: str) -> EncodedPair:
        graphs = (self._graph(text, language) for text in (origin, mutant))
        made = encode_graphs(*graphs, special=self.tokenizer.special, limits=self.limits)
        if not self.features:
            return made
        return replace(made, features=hashed_features(origin, mutant, language))

    @cached_property
    def _graph(self) -> Callable[[str, str], SubTokenGraph]:
        def graph(text: str, language: str) -> SubTokenGraph:
            return read_snippet(Snippet(text=text, language=language), self.tokenizer)

        return lru_cache(maxsize=_GRAPHS_KEPT)(graph)


def _to_arrays(pair: EncodedPair) -> Arrays:
    arrays = {
        f"{side}.{name}": getattr(snippet, name)
        for side, snippet in (("origin", pair.origin), ("mutant", pair.mutant))
        for name in ("ids", "node_spans", "edges")
    }
    edits = np.array([pair.origin_edit, pair.mutant_edit], np.int32)
    return arrays | {"edits": edits, "features": pair.features}


def _from_arrays(arrays: Arrays) -> EncodedPair:
    origin, mutant = (
        EncodedSnippet(*(arrays[f"{side}.{name}"] for name in ("ids", "node_spans", "edges")))
        for side in ("origin", "mutant")
    )
    origin_edit, mutant_edit = (tuple(edit) for edit in arrays["edits"].tolist())
    return EncodedPair(origin, mutant, origin_edit, mutant_edit, features=arrays["features"])
