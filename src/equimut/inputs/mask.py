"""The graph-guided attention mask: who sees whom in one sequence."""

import numpy as np
import numpy.typing as npt

from equimut.inputs.encoded import EncodedSnippet

BoolArray = npt.NDArray[np.bool_]


def attention_mask(snippet: EncodedSnippet, length: int | None = None) -> BoolArray:
    """[length, length], true where the row's position sees the column's; padded if longer."""
    length = snippet.length if length is None else length
    mask = np.zeros((length, length), np.bool_)
    fill_mask(mask, snippet)
    return mask


def fill_mask(mask: BoolArray, snippet: EncodedSnippet) -> None:
    """Write the mask of a snippet into an all-false square.

    Tokens see tokens; `<s>` and `</s>` see everything that is not padding; a node and its own
    sub-tokens see each other; a node sees the nodes its value comes from. A position that would see
    nothing (padding, a node cut off from all it belongs to) sees itself: a softmax over nothing
    is not a number. No one sees padding, so this changes no other position.
    """
    tokens, total = snippet.token_count, snippet.length
    mask[:tokens, :tokens] = True
    mask[(0, tokens - 1), :total] = True
    node, position = snippet.node_pieces
    mask[tokens + node, position] = True
    mask[position, tokens + node] = True
    reached, source = snippet.edges.T
    mask[tokens + reached, tokens + source] = True
    sees = np.zeros(len(mask) - tokens, np.bool_)  # nodes, then padding
    sees[node] = sees[reached] = True
    alone = tokens + np.flatnonzero(~sees)
    mask[alone, alone] = True
