"""The attention mask of a whole graph, one place per token, by the reason a place sees another."""

import numpy as np
import numpy.typing as npt

from equimut.inputs.encode import encode_graph
from equimut.inputs.limits import Limits
from equimut.inputs.mask import attention_mask
from equimut.inputs.subtoken_graph import SubTokenGraph
from equimut.inputs.subtokens import SpecialIds
from equimut.parsing.dataflow import DataFlowGraph

KINDS = (
    "sees nothing of it",
    "a token sees a token",
    "<s> and </s> see everything",
    "a node and its own token see each other",
    "a node sees where its value comes from",
    "a node alone sees itself",
)


def mask_kinds(graph: DataFlowGraph) -> npt.NDArray[np.int8]:
    """[places, places] index into `KINDS`: what the row's place sees, and why."""
    tokens, nodes = len(graph.tokens), len(graph.nodes)
    whole = SubTokenGraph(
        words=tuple(token.text for token in graph.tokens),
        ids=np.zeros(tokens, np.int32),
        starts=np.arange(tokens + 1, dtype=np.int32),
        node_words=np.array([node.token for node in graph.nodes], np.int32),
        sources=tuple(node.sources for node in graph.nodes),
    )
    limits = Limits(
        name="whole", places=tokens + nodes + 4, nodes=nodes, code=tokens + 1, window="start"
    )
    encoded = encode_graph(whole, SpecialIds(0, 0, 0, 0), limits)
    mask = attention_mask(encoded)
    code = encoded.token_count
    kinds = np.zeros(mask.shape, np.int8)
    kinds[:code, :code] = 1
    kinds[:code, code:] = 3
    kinds[code:, :code] = 3
    kinds[code:, code:] = 4
    alone = code + np.flatnonzero(~mask[code:, :code].any(axis=1))
    kinds[alone, alone] = 5
    kinds[[0, code - 1], :] = 2
    return np.where(mask, kinds, 0)
