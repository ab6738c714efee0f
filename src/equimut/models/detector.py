"""The detector: one encoder pass per distinct sequence, two embeddings per pair, a head."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from equimut.config import ModelConfig
from equimut.inputs.batch import Batch, Collator
from equimut.inputs.encode import EncodedPair
from equimut.inputs.sequences import LongArray
from equimut.inputs.window import preset
from equimut.models.encoder import GraphEncoder, empty_encoder, load_encoder, sub_tokenizer
from equimut.models.head import Features, PairHead, pool_sides, wanted_positions
from equimut.models.scoring import Floats, HeadOutput, PairModel, View, score
from equimut.models.settings import DetectorSettings
from equimut.records import Pair


class DetectorOutput(NamedTuple):
    """What a forward pass gives for B pairs."""

    logits: Tensor
    """[B, 2]; the second is the equivalents'."""
    origin: Features
    mutant: Features


class Detector(nn.Module, PairModel):
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
        settings = settings.fitting(encoder.positions)
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
        origin, mutant = self._sides(batch)
        logits = self.head(origin, mutant, (batch.features, batch.feature_offsets))
        return DetectorOutput(logits, origin, mutant)

    def _sides(self, batch: Batch) -> tuple[Features, Features]:
        """Both sides of each pair; of the last layer, only what the head looks at is computed."""
        wanted = wanted_positions(batch, self.settings.pooling)
        return pool_sides(self.encoder(batch, wanted), batch, self.settings.pooling, wanted)

    @property
    def hidden_size(self) -> int:
        """Width of an embedding."""
        return self.encoder.hidden_size

    @torch.inference_mode()
    def view_rows(self, views: Sequence[View]) -> Floats:
        """[V, hidden or 2 x hidden]: CLS of each view; with edit pooling also its edit's mean."""
        # A pair of a view with itself: the collator then makes one row per distinct sequence.
        batch = self.collator(
            [EncodedPair(snippet, snippet, edit, edit) for snippet, edit in views]
        ).to(self.device)
        with self._evaluating():
            features, _ = self._sides(batch)
        parts = [features.cls] if features.edit is None else [features.cls, features.edit]
        return _array(torch.cat(parts, dim=1))

    @torch.inference_mode()
    def head_output(
        self, origin: Floats, mutant: Floats, features: tuple[LongArray, LongArray]
    ) -> HeadOutput:
        """Logits from the rows of both sides, buckets in a row, and where each pair's start."""
        first, second = (self.as_features(side) for side in (origin, mutant))
        flat, offsets = (torch.from_numpy(each).to(self.device) for each in features)
        with self._evaluating():
            state = self.head.state(first, second)
            logits = self.head.logits(state, first, second, (flat, offsets))
        return HeadOutput(_array(logits), _array(state))

    def as_features(self, rows: Floats) -> Features:
        """What `view_rows` gives, where the weights are."""
        found = torch.from_numpy(rows).to(self.device)
        edits = self.settings.pooling == "edit"
        hidden = self.hidden_size
        return Features(found[:, :hidden], found[:, hidden:] if edits else None)

    def feature_weights(self) -> Floats | None:
        """[buckets] The weight of each feature; None for a head without features."""
        wide = self.head.wide
        return None if wide is None else _array(wide.weight.detach()[:, 0])

    @contextmanager
    def _evaluating(self) -> Iterator[None]:
        was_training = self.training
        self.eval()
        try:
            yield
        finally:
            self.train(was_training)

    def embed(self, pairs: Sequence[Pair]) -> tuple[Tensor, Tensor]:
        """The CLS embeddings [N, hidden] of the origins and of the mutants."""
        scored = score(self, self.encode(pairs), keep_embeddings=True)
        assert scored.origin is not None
        assert scored.mutant is not None
        return torch.from_numpy(scored.origin), torch.from_numpy(scored.mutant)

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


def _array(values: Tensor) -> Floats:
    found: Floats = values.float().cpu().numpy()
    return found
