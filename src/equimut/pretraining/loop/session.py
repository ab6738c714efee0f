"""A pretraining in this process: what comes next, what is kept, where it was left."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch

from equimut.errors import ParseError
from equimut.evaluation.metrics import score as measure
from equimut.inputs.batch import Batch
from equimut.inputs.encode import EncodedPair, EncodedSnippet, PairEncoder, encode_part
from equimut.inputs.subtokens import read_snippet
from equimut.models.scoring import score
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.loop.config import LOG, PretrainConfig, PretrainData
from equimut.pretraining.loop.masking import MaskedBatch, masked_batch
from equimut.pretraining.loop.model import Losses, Pretrainer
from equimut.pretraining.loop.pairs import PairLottery, encode_drawn
from equimut.records import Snippet
from equimut.training.checkpoint import (
    Checkpoint,
    newest_checkpoint,
    optimizer_tensors,
    restore_optimizer,
    restore_schedule,
    save_checkpoint,
    schedule_facts,
)

HELD_OUT_FUNCTIONS, HELD_OUT_PAIRS = 384, 900


class Session:
    """The state of a pretraining in this process."""

    def __init__(
        self,
        config: PretrainConfig,
        data: PretrainData,
        directory: Path,
        model: Pretrainer,
        optimizer: torch.optim.AdamW,
        schedule: torch.optim.lr_scheduler.LambdaLR,
        message: Callable[[str], None] | None,
    ) -> None:
        self.config, self.data, self.directory = config, data, directory
        self.model, self.optimizer, self.schedule = model, optimizer, schedule
        self.tokens = self.used = self.step = 0
        self.seconds = 0.0
        self._recent: list[Losses] = []
        self._clock, self._clock_tokens = time.monotonic(), 0
        detector = model.detector
        self.encoder = PairEncoder(detector.sub_tokenizer, config.limits)
        self.lottery = PairLottery(data.pairs) if config.pairs else None
        self._resume(message)

    def functions(self) -> Iterator[tuple[CorpusFunction, int]]:
        """Functions without end, from where the last session stopped, each with its number."""
        total = self.data.corpus.count("train")
        number = self.used
        while True:
            epoch, start = divmod(number, total)
            for function in self.data.corpus.shuffled(self.config.seed, epoch, start):
                number += 1
                yield function, number

    def masked(
        self, functions: Iterator[tuple[CorpusFunction, int]], chance: np.random.Generator
    ) -> MaskedBatch | None:
        """The next functions, with sub-tokens hidden."""
        snippets: list[EncodedSnippet] = []
        while len(snippets) < self.config.functions:
            function, self.used = next(functions)
            snippet = self._window(function, chance)
            if snippet is not None:
                snippets.append(snippet)
        if not snippets:
            return None
        self.tokens += sum(snippet.length for snippet in snippets)
        return self._hide(snippets, chance)

    def drawn(self, chance: np.random.Generator) -> tuple[Batch | None, list[float]]:
        """The next pairs, as a batch."""
        if self.lottery is None:
            return None, []
        encoded, weights = encode_drawn(self.lottery.draw(self.config.pairs, chance), self.encoder)
        if not encoded:
            return None, []
        self.tokens += sum(pair.origin.length + pair.mutant.length for pair in encoded)
        return self.model.detector.collator(encoded), weights

    def count(self, step: int, losses: Losses) -> None:
        """Note that a step is done."""
        self.step = step
        self._recent.append(Losses(*(part.detach() for part in losses)))

    @property
    def latest(self) -> Losses:
        """The losses of the last step."""
        return self._recent[-1]

    def speed(self) -> float:
        """Positions per second since the last checkpoint."""
        passed = max(time.monotonic() - self._clock, 1e-9)
        return (self.tokens - self._clock_tokens) / passed

    def save(self, seconds: float) -> None:
        """A line in the log, a checkpoint, and the encoder as it is."""
        self.seconds += seconds
        speed = self.speed()
        held_out = self._held_out()
        means = [float(torch.stack(part).mean()) for part in zip(*self._recent, strict=True)]
        line = {
            "step": self.step,
            "tokens": self.tokens,
            "tokens_per_second": round(speed, 1),
            "minutes": round(self.seconds / 60, 2),
            **dict(zip(Losses._fields, means, strict=True)),
            **held_out,
        }
        tensors = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        optimizer = optimizer_tensors(self.optimizer)
        tensors |= {f"optimizer.{name}": value for name, value in optimizer.items()}
        facts = {name: getattr(self, name) for name in ("tokens", "used", "step", "seconds")}
        facts["schedule"] = schedule_facts(self.schedule)
        save_checkpoint(self.directory / "checkpoints", self.step, Checkpoint(tensors, facts))
        with (self.directory / LOG).open("a") as log:
            log.write(json.dumps(line) + "\n")
        self.model.detector.save_pretrained(self.directory / "detector")
        self._recent.clear()
        self._clock, self._clock_tokens = time.monotonic(), self.tokens
        self.model.train()

    def _resume(self, message: Callable[[str], None] | None) -> None:
        checkpoint, problems = newest_checkpoint(self.directory / "checkpoints")
        if checkpoint is None:
            return
        self.model.load_state_dict(checkpoint.part("model."))
        restore_optimizer(self.optimizer, checkpoint.part("optimizer."))
        for name in ("tokens", "used", "step", "seconds"):
            setattr(self, name, checkpoint.facts[name])
        restore_schedule(self.schedule, self.optimizer, checkpoint.facts["schedule"])
        self._clock_tokens = self.tokens
        if message is not None:
            for problem in problems:
                message(f"{problem}; going on from the one before it")
            message(f"going on at step {self.step + 1}")

    @torch.no_grad()
    def _held_out(self) -> dict[str, float]:
        """Loss on functions and pairs that are never trained on, the same ones every time."""
        self.model.eval()
        chance = np.random.default_rng(0)
        functions = list(self.data.corpus.functions("held-out"))
        chosen = chance.choice(len(functions), min(HELD_OUT_FUNCTIONS, len(functions)), False)
        snippets = [self._window(functions[at], chance) for at in sorted(chosen.tolist())]
        known = [snippet for snippet in snippets if snippet is not None]
        losses = [
            torch.stack(self.model.masked_losses(self._hide(known[start : start + 32], chance)))
            for start in range(0, len(known), 32)
        ]
        found = {}
        if losses:
            masked, edges = torch.stack(losses).mean(0).tolist()
            found = {"held_out_masked": masked}
            if self.config.edge_weight:
                found["held_out_edges"] = edges
        pairs = list(self.data.held_out)
        if not pairs:
            return found
        picked = chance.choice(len(pairs), min(HELD_OUT_PAIRS, len(pairs)), False)
        encoded: list[EncodedPair] = self.model.detector.encode(pairs[at] for at in picked)
        scored = score(self.model.detector, encoded)
        scores = measure([pair.label for pair in encoded], scored.probability)
        found["held_out_average_precision"] = scores.average_precision or 0.0
        found["held_out_base_rate"] = scores.base_rate
        return found

    def _window(
        self, function: CorpusFunction, chance: np.random.Generator
    ) -> EncodedSnippet | None:
        """A function as far as the positions reach, from a random sub-token on if it is longer."""
        try:
            graph = read_snippet(
                Snippet(text=function.text, language=function.language),
                self.model.detector.sub_tokenizer,
            )
        except ParseError:
            return None
        start = int(chance.integers(max(1, len(graph.ids) - self.config.max_length // 2)))
        return encode_part(
            graph, start, self.model.detector.sub_tokenizer.special, self.config.limits
        )

    def _hide(self, snippets: list[EncodedSnippet], chance: np.random.Generator) -> MaskedBatch:
        detector = self.model.detector
        vocabulary = detector.encoder.transformer.config.vocab_size
        mask_id = detector.tokenizer.mask_token_id
        return masked_batch(
            snippets,
            detector.collator,
            mask_id,
            vocabulary,
            chance,
            edges=self.config.edge_weight > 0,
        )
