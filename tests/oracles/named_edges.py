"""Edges of a graph by name, the way the examples of a language are written."""

from collections import Counter

from equimut.parsing.flow.graph import DataFlowGraph


def named_edges(graph: DataFlowGraph) -> set[tuple[str, str]]:
    """(variable, source) pairs; `x#2` is the second token `x` of a text that has several."""
    total = Counter(token.text for token in graph.tokens)
    seen: Counter[str] = Counter()
    labels = []
    for token in graph.tokens:
        seen[token.text] += 1
        several = total[token.text] > 1
        labels.append(f"{token.text}#{seen[token.text]}" if several else token.text)
    return {(labels[node.token], labels[source]) for node in graph.nodes for source in node.sources}
