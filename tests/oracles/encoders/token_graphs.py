"""Random tokens and graphs, given straight to `inputs`: no parser between a test and its claim."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from equimut.inputs.subtokens import SubTokenGraph
from oracles.encoders.small_tokenizer import small_subtokenizer

Row = tuple[int, tuple[int, ...]]
WORDS = ["int", "count", "x", "==", "(", ")", ";", '"a string of words"', "ünï", "'</s>'", "0x1F"]


def graph_of(words: Sequence[str], rows: Sequence[Row]) -> SubTokenGraph:
    """The sub-token graph of these words and these (word, sources) nodes."""
    ids, starts = small_subtokenizer().split(words)
    return SubTokenGraph(
        words=tuple(words),
        ids=np.array(ids, np.int32),
        starts=np.array(starts, np.int32),
        node_words=np.array([word for word, _ in rows], np.int32),
        sources=tuple(tuple(sources) for _, sources in rows),
    )


@st.composite
def rows_for(draw: st.DrawFn, word_count: int, most: int = 120) -> list[Row]:
    """Graph nodes in the order of the words; a word may be several nodes."""
    if word_count == 0:
        return []
    index = st.integers(0, word_count - 1)
    nodes = draw(st.lists(st.tuples(index, st.lists(index, max_size=3)), max_size=most))
    return sorted(((word, tuple(sources)) for word, sources in nodes), key=lambda node: node[0])


@st.composite
def word_lists(draw: st.DrawFn, longest: int = 400) -> list[str]:
    """Token lists, from empty to far beyond the limits."""
    size = draw(st.integers(0, longest))
    chance = draw(st.randoms(use_true_random=False))
    return [chance.choice(WORDS) for _ in range(size)]


@st.composite
def token_graphs(draw: st.DrawFn, longest: int = 400) -> tuple[list[str], list[Row]]:
    """Words and graph rows."""
    words = draw(word_lists(longest))
    return words, draw(rows_for(len(words)))


@st.composite
def edited_graphs(
    draw: st.DrawFn, longest: int = 400
) -> tuple[tuple[list[str], list[Row]], tuple[list[str], list[Row]]]:
    """Origin and mutant: one stretch of words replaced, added or removed, at times a huge one."""
    words = draw(word_lists(longest))
    start = draw(st.integers(0, len(words)))
    end = min(len(words), start + draw(st.sampled_from([0, 1, 2, 5, 300])))
    added = draw(st.sampled_from([0, 1, 2, 5, 300]))
    chance = draw(st.randoms(use_true_random=False))
    mutant = words[:start] + [chance.choice(WORDS) for _ in range(added)] + words[end:]
    return (words, draw(rows_for(len(words)))), (mutant, draw(rows_for(len(mutant))))
