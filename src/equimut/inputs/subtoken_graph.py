"""A whole snippet as sub-tokens with its data-flow graph, before any limit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equimut.inputs.encoded import IntArray
from equimut.inputs.subtokens import SubTokenizer
from equimut.parsing.flow.graph import DataFlowGraph, data_flow
from equimut.parsing.tree import parse
from equimut.records import Snippet


@dataclass(frozen=True, eq=False)
class SubTokenGraph:
    """The sub-tokens of all code tokens, and the graph whose nodes are code tokens."""

    words: tuple[str, ...]
    ids: IntArray
    starts: IntArray
    """[words + 1] where each word's sub-tokens start, and where the last one's end."""
    node_words: IntArray
    """[nodes] the word each node is; several nodes may be the same word."""
    sources: tuple[tuple[int, ...], ...]
    """For each node, the words its value comes from."""

    @property
    def node_count(self) -> int:
        return len(self.node_words)

    def node_spans(self) -> IntArray:
        """[nodes, 2] sub-tokens of each node, end excluded."""
        return np.stack([self.starts[self.node_words], self.starts[self.node_words + 1]], axis=1)

    def edges(self, kept: Sequence[int]) -> IntArray:
        """Edges between the kept nodes, as (index, index of source) among the kept ones.

        Of several nodes that are the same word, the last one kept stands for it as a source.
        """
        node_of_word = {int(self.node_words[node]): position for position, node in enumerate(kept)}
        edges = [
            (position, node_of_word[word])
            for position, node in enumerate(kept)
            for word in self.sources[node]
            if word in node_of_word
        ]
        return np.array(edges, np.int32).reshape(-1, 2)


def subtoken_graph(graph: DataFlowGraph, tokenizer: SubTokenizer) -> SubTokenGraph:
    """Cut the tokens of a data-flow graph into sub-tokens."""
    words = tuple(token.text for token in graph.tokens)
    ids, starts = tokenizer.split(words)
    return SubTokenGraph(
        words=words,
        ids=np.array(ids, np.int32),
        starts=np.array(starts, np.int32),
        node_words=np.array([node.token for node in graph.nodes], np.int32),
        sources=tuple(node.sources for node in graph.nodes),
    )


def read_snippet(snippet: Snippet, tokenizer: SubTokenizer) -> SubTokenGraph:
    """Parse a snippet, find its data flow and cut it into sub-tokens."""
    return subtoken_graph(data_flow(parse(snippet.text, snippet.language)), tokenizer)
