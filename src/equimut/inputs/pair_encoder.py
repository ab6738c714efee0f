"""Pairs of a data set to encoded pairs: each text parsed once, each encoding kept on disk."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from equimut.inputs.cache import Arrays, EncodingCache, cache_key
from equimut.inputs.edit_features.hashed import hashed_features
from equimut.inputs.encode import encode_graphs
from equimut.inputs.encoded import EncodedPair, EncodedSnippet
from equimut.inputs.limits import EDIT, Limits
from equimut.inputs.subtoken_graph import SubTokenGraph, read_snippet
from equimut.inputs.subtokens import SubTokenizer
from equimut.records import Pair, Snippet

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
