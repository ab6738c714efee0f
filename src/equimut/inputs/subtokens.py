"""Words to sub-token ids with any fast tokenizer; a whole snippet with its data-flow graph."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from equimut.errors import EquimutError
from equimut.parsing.flow.graph import DataFlowGraph, data_flow
from equimut.parsing.tree import parse
from equimut.records import Snippet

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

IntArray = npt.NDArray[np.int32]

TOKEN_ROLES = ("cls", "bos", "sep", "eos", "pad", "unk", "mask")
"""Of the special tokens that a tokenizer may name."""
_LEAD = "@"
"""Stands before the space that stands before a word; its own sub-tokens are dropped."""

_LONGEST_REMEMBERED = 64
_MOST_REMEMBERED = 200_000


@dataclass(frozen=True)
class SpecialIds:
    """Ids of the positions that are not code."""

    start: int
    end: int
    padding: int
    node: int
    """Holds a node's position; its embedding is replaced by the mean of its sub-tokens'."""
    prefix: tuple[int, ...] = ()
    """Stands between the start and the code: UniXcoder's mode, for one."""

    @property
    def count(self) -> int:
        """Positions around the code: start, prefix and end."""
        return 2 + len(self.prefix)


@dataclass(frozen=True)
class SubTokenizer:
    """Cuts code tokens into sub-tokens, each as if a space stood before it, except the first.

    Code repeats its words, so each word is tokenised once and remembered: over ten times faster
    than handing every snippet to the tokenizer (`benchmarks/inputs.py` measures it). The text
    of a program cannot make special tokens: `"</s>"` in a string literal is ordinary text.
    """

    backend: "Tokenizer"
    special: SpecialIds
    _remembered: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)
    _first: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)
    """The same of words that nothing stands before."""

    @classmethod
    def of(cls, tokenizer: "PreTrainedTokenizerBase", mode: str = "") -> "SubTokenizer":
        """Wrap a private copy, so that no one else's padding or truncation reaches it.

        `mode` is a token such as UniXcoder's `<encoder-only>`: it and an end token then stand
        before the code.
        """
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise EquimutError(
                f"{type(tokenizer).__name__} is not a fast tokenizer; load one that has a "
                "tokenizer.json, for example with AutoTokenizer.from_pretrained"
            )
        from tokenizers import Tokenizer

        ids = {role: getattr(tokenizer, f"{role}_token_id", None) for role in TOKEN_ROLES}
        return cls.make(Tokenizer.from_str(backend.to_str()), ids, mode)

    @classmethod
    def make(
        cls, backend: "Tokenizer", ids: Mapping[str, int | None], mode: str = ""
    ) -> "SubTokenizer":
        """From the tokenizer itself and the ids of its special tokens, by their role.

        The tokenizer is nobody else's: what was done with it before (pad, truncate) is undone.
        """
        backend.no_padding()
        backend.no_truncation()
        backend.encode_special_tokens = True
        special = _special_ids(ids)
        if mode:
            special = replace(special, prefix=(_mode_id(backend, mode), special.end))
        return cls(backend, special)

    @cached_property
    def fingerprint(self) -> str:
        """Same for the same vocabulary and rules, in every process."""
        stable = [json.loads(self.backend.to_str()), vars(self.special)]
        text = json.dumps(stable, sort_keys=True).encode()
        return blake2b(text, digest_size=16).hexdigest()

    def split(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Sub-token ids of all words in a row, and where each word starts (one more at the end)."""
        known = self._remembered
        missing = [word for word in {*words[1:]} if word not in known]
        fresh = dict(zip(missing, self._after_a_space(missing), strict=True)) if missing else {}
        _remember(known, fresh)
        if not words:
            return [], [0]
        first = self._first.get(words[0])
        if first is None:
            first = self.backend.encode(words[0], add_special_tokens=False).ids
            _remember(self._first, {words[0]: first})
        found = [first]
        if fresh:  # what is too long to be remembered is among them
            found += [fresh[word] if word in fresh else known[word] for word in words[1:]]
        else:
            found += map(known.__getitem__, words[1:])
        return [*chain.from_iterable(found)], [*accumulate(map(len, found), initial=0)]

    def _after_a_space(self, words: list[str]) -> list[list[int]]:
        """Sub-tokens of each word as if a space stood before it.

        Tokenising `" word"` would do for byte-level BPE only: other tokenizers put a space of
        their own before the first word. So something stands before the space, and is dropped.
        """
        encodings = self.backend.encode_batch(
            [f"{_LEAD} {word}" for word in words], add_special_tokens=False
        )
        return [
            [id for id, (at, _) in zip(each.ids, each.offsets, strict=True) if at >= len(_LEAD)]
            for each in encodings
        ]


def _remember(known: dict[str, list[int]], fresh: dict[str, list[int]]) -> None:
    if len(known) >= _MOST_REMEMBERED:  # full: nothing is forgotten mid-snippet
        return
    known.update({word: ids for word, ids in fresh.items() if len(word) <= _LONGEST_REMEMBERED})


def _mode_id(tokenizer: "Tokenizer", mode: str) -> int:
    found = tokenizer.token_to_id(mode)
    if found is None:
        raise EquimutError(f"the tokenizer has no token {mode!r}; leave the mode out")
    return int(found)


def _special_ids(ids: Mapping[str, int | None]) -> SpecialIds:
    def first(*roles: str) -> int | None:
        return next((id for role in roles if (id := ids.get(role)) is not None), None)

    start, end = first("cls", "bos", "eos"), first("sep", "eos", "bos")
    if start is None or end is None:
        raise EquimutError(
            "the tokenizer names no start and end token (cls and sep, or bos and eos); "
            "set them, for example tokenizer.cls_token = '<s>'"
        )
    padding = first("pad")
    node = first("unk", "mask", "pad")
    # Masked positions never reach the output, so any id will do where the tokenizer names none.
    padding = end if padding is None else padding
    return SpecialIds(start, end, padding, padding if node is None else node)


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

    @cached_property
    def node_spans(self) -> IntArray:
        """[nodes, 2] sub-tokens of each node, end excluded."""
        return np.stack([self.starts[self.node_words], self.starts[self.node_words + 1]], axis=1)

    def edges(self, kept: Sequence[int]) -> IntArray:
        """Edges between the kept nodes, as (index, index of source) among the kept ones.

        Of several nodes that are the same word, the last one kept stands for it as a source.
        """
        word_of = self.node_words.tolist()
        node_of_word = {word_of[node]: position for position, node in enumerate(kept)}
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
