"""Words to sub-token ids, with any Hugging Face fast tokenizer; the tokenizer's fingerprint."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from equimut.errors import EquimutError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

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
    fingerprint: str
    """Same for the same vocabulary and rules, in every process."""
    _remembered: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, tokenizer: "PreTrainedTokenizerBase", mode: str = "") -> "SubTokenizer":
        """Wrap a private copy, so that no one else's padding or truncation reaches it.

        `mode` is a token such as UniXcoder's `<encoder-only>`: it and an end token then stand
        before the code.
        """
        from tokenizers import Tokenizer

        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise EquimutError(
                f"{type(tokenizer).__name__} is not a fast tokenizer; load one that has a "
                "tokenizer.json, for example with AutoTokenizer.from_pretrained"
            )
        rules = json.loads(backend.to_str())
        # What a caller did with the tokenizer before (pad, truncate) is not part of what it is.
        rules["padding"] = rules["truncation"] = None
        private = Tokenizer.from_str(json.dumps(rules))
        private.encode_special_tokens = True
        special = _special_ids(tokenizer)
        if mode:
            special = replace(special, prefix=(_mode_id(tokenizer, mode), special.end))
        stable = json.dumps([rules, vars(special)], sort_keys=True).encode()
        return cls(private, special, blake2b(stable, digest_size=16).hexdigest())

    def split(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Sub-token ids of all words in a row, and where each word starts (one more at the end)."""
        known = self._remembered
        missing = {word for word in words[1:] if word not in known}
        fresh = dict(zip(missing, self._after_a_space(list(missing)), strict=True))
        self._remember(fresh)
        ids: list[int] = []
        starts = [0]
        for position, word in enumerate(words):
            if position == 0:
                ids += self.backend.encode(word, add_special_tokens=False).ids
            else:
                ids += fresh[word] if word in fresh else known[word]
            starts.append(len(ids))
        return ids, starts

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

    def _remember(self, fresh: dict[str, list[int]]) -> None:
        if len(self._remembered) >= _MOST_REMEMBERED:  # full: nothing is forgotten mid-snippet
            return
        short = {word: ids for word, ids in fresh.items() if len(word) <= _LONGEST_REMEMBERED}
        self._remembered.update(short)


def _mode_id(tokenizer: "PreTrainedTokenizerBase", mode: str) -> int:
    found = tokenizer.get_vocab().get(mode)
    if found is None:
        raise EquimutError(f"the tokenizer has no token {mode!r}; leave the mode out")
    return int(found)


def _special_ids(tokenizer: "PreTrainedTokenizerBase") -> SpecialIds:
    def first(*names: str) -> int | None:
        ids = (getattr(tokenizer, f"{name}_token_id", None) for name in names)
        return next((id for id in ids if id is not None), None)

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
