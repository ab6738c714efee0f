"""The detector: one encoder pass per distinct sequence, two embeddings per pair, a head."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from equimut.config import ModelConfig
from equimut.inputs.batch import Batch, Collator
from equimut.inputs.cache import EncodingCache
from equimut.inputs.encode import EncodedPair, PairEncoder
from equimut.inputs.window import preset
from equimut.models.encoder import GraphEncoder, empty_encoder, load_encoder, sub_tokenizer
from equimut.models.head import Features, PairHead, pool_sides
from equimut.models.settings import DetectorSettings
from equimut.records import Judgement, Pair, PairLike, Query


class DetectorOutput(NamedTuple):
    """What a forward pass gives for B pairs."""

    logits: Tensor
    """[B, 2]; the second is the equivalents'."""
    origin: Features
    mutant: Features


class Detector(nn.Module):
    """Says of an origin and a mutant whether they behave the same.

    Example:
        >>> detector = Detector.from_pretrained("equimut")
        >>> origin, mutant = "int f(int x) { return x; }", "int f(int x) { return x++; }"
        >>> detector.judge(origin, mutant, "java").verdict
        'equivalent'
    """

    def __init__(
        self,
        encoder: GraphEncoder,
        tokenizer: PreTrainedTokenizerBase,
        settings: DetectorSettings,
    ) -> None:
        super().__init__()
        limits = settings.limits
        special = 4 if settings.mode else 2  # `<s>`, `</s>`, and a mode with its own `</s>`
        if limits.code + special > encoder.positions:  # a small encoder has fewer positions
            limits = limits.model_copy(update={"code": encoder.positions - special})
            settings = settings.model_copy(update={"limits": limits})
        self.encoder = encoder
        self.head = PairHead(
            encoder.hidden_size,
            settings.pooling,
            dropout=settings.dropout,
            normalize=settings.normalize_embeddings,
            features=settings.features,
            distance=settings.distance,
        )
        self.tokenizer = tokenizer
        self.settings = settings
        self.sub_tokenizer = sub_tokenizer(tokenizer, settings.mode)
        self.collator = Collator(self.sub_tokenizer.special)

    @classmethod
    def from_encoder(
        cls, name_or_path: str | Path, config: ModelConfig | None = None
    ) -> "Detector":
        """A detector that starts from a pretrained encoder, as `config.start` says."""
        config = config or ModelConfig(encoder=str(name_or_path))
        encoder, tokenizer = load_encoder(name_or_path, dropout=config.dropout)
        if config.start == "random":
            encoder = empty_encoder(encoder.transformer.config.to_dict())
        own = float(encoder.transformer.config.hidden_dropout_prob)
        settings = DetectorSettings(
            encoder=str(name_or_path),
            limits=preset(config.input, config.max_length, config.nodes),
            pooling=config.pooling,
            normalize_embeddings=config.normalize_embeddings,
            graph_attention=config.graph_attention,
            mode=config.mode,
            features=config.features,
            distance=config.distance,
            dropout=own if config.dropout is None else config.dropout,
        )
        detector = cls(encoder, tokenizer, settings)
        if config.start == "detector":
            from equimut.models.storage import load_head

            load_head(detector, name_or_path)
        return detector

    def forward(self, batch: Batch) -> DetectorOutput:
        """Logits and embeddings of a batch; each distinct sequence passes the encoder once."""
        states = self.encoder(batch)
        origin, mutant = pool_sides(states, batch, self.settings.pooling)
        logits = self.head(origin, mutant, (batch.features, batch.feature_offsets))
        return DetectorOutput(logits, origin, mutant)

    def encode(
        self, pairs: Iterable[Pair], cache: EncodingCache | None = None
    ) -> list[EncodedPair]:
        """Pairs as this detector reads them."""
        encoded = self.pair_encoder(cache).encode_all(pairs)
        return encoded if self.settings.graph_attention else list(map(without_graph, encoded))

    def pair_encoder(self, cache: EncodingCache | None = None) -> PairEncoder:
        """What turns texts into what this detector reads, but for graphs it does not want."""
        settings = self.settings
        return PairEncoder(self.sub_tokenizer, settings.limits, cache, settings.features)

    def embed(self, pairs: Sequence[Pair]) -> tuple[Tensor, Tensor]:
        """The CLS embeddings [N, hidden] of the origins and of the mutants."""
        from equimut.models.scoring import score

        scored = score(self, self.encode(pairs), keep_embeddings=True)
        assert scored.origin is not None
        assert scored.mutant is not None
        return scored.origin, scored.mutant

    def judge(self, origin: str, mutant: str, language: str) -> Judgement:
        """Whether a mutant behaves as its origin, or why that cannot be said."""
        return next(self.judge_all([Query(origin=origin, mutant=mutant, language=language)]))

    def judge_all(self, pairs: Iterable[PairLike]) -> Iterator[Judgement]:
        """Judgements of pairs (`Pair`, `Query`, ...) in order, as they come: for many of them."""
        from equimut.models.judging import judge

        return judge(self, pairs)

    def save_pretrained(self, directory: str | Path, *, half: bool = False) -> None:
        """Save everything into a new or empty directory, whole or not at all."""
        from equimut.models.storage import save_detector

        save_detector(self, Path(directory), half=half)

    @classmethod
    def from_pretrained(cls, name_or_path: str | Path) -> "Detector":
        """Load what `save_pretrained` wrote; in evaluation mode."""
        from equimut.models.storage import load_detector

        return load_detector(name_or_path)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.head.out.weight.device


def without_graph(pair: EncodedPair) -> EncodedPair:
    """The pair as plain tokens, for encoders without graph-guided attention."""
    from dataclasses import replace

    return replace(pair, origin=pair.origin.without_graph(), mutant=pair.mutant.without_graph())
