"""What a snippet and a pair are to the model: small integer arrays, before any padding."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]


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
