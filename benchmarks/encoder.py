"""The shipped encoder against one of UniXcoder's size, in one run: what an answer costs.

python benchmarks/encoder.py [--json] [--data FILE] [--pairs 64] [--threads 2]

Both judge and train on the same pairs, by turns, each with the input its preset gives it: the
shipped one a window around the edit, the large one (12 x 768, 51,416 tokens, random weights) the
first 320 places, as published. Minutes of a fine-tuning run are those of the measured steps, for
1,588 pairs and 5 epochs.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from transformers import RobertaConfig, RobertaModel

from equimut.config import DEFAULT, PAPER, RunConfig, changed
from equimut.data.pairs import load_pairs
from equimut.models.detector import Detector
from equimut.models.scoring import score
from equimut.models.settings import SHIPPED
from equimut.records import Pair
from equimut.training.objective import Objective

ROUNDS = 3
TRAINING_PAIRS, EPOCHS = 1588, 5


def large_encoder(directory: Path) -> str:
    """An encoder of UniXcoder's size with the shipped tokenizer: speed does not read weights."""
    small = Detector.from_encoder(SHIPPED)
    config = RobertaConfig(
        vocab_size=51_416, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
        intermediate_size=3072, max_position_embeddings=1026, type_vocab_size=10,
        pad_token_id=1, bos_token_id=0, eos_token_id=2,
    )  # fmt: skip
    RobertaModel(config, add_pooling_layer=False).save_pretrained(directory)
    small.tokenizer.save_pretrained(directory)
    return str(directory)


class Contender:
    """A detector that judges and trains on a clock."""

    def __init__(self, name: str, config: RunConfig, pairs: list[Pair]) -> None:
        self.name, self.config = name, config
        self.detector = Detector.from_encoder(config.model.encoder, config.model)
        self.encoded = self.detector.encode(pairs)
        self.objective = Objective(config.loss, [pair.class_id for pair in pairs])
        self.optimizer = torch.optim.AdamW(self.detector.parameters(), lr=1e-5, fused=True)
        self.judging = self.training = 0.0

    def turn(self, places: list[int]) -> None:
        """Judge some pairs, then train on them."""
        chosen = [self.encoded[place] for place in places]
        started = time.perf_counter()
        score(self.detector, chosen)
        judged = time.perf_counter()
        self.detector.train()
        size = self.config.optim.batch_size
        for start in range(0, len(chosen), size):
            batch = self.detector.collator(chosen[start : start + size])
            self.objective(self.detector(batch), batch, len(batch)).total.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        self.judging += judged - started
        self.training += time.perf_counter() - judged

    def figures(self, pairs: int) -> dict[str, Any]:
        weights = sum(parameter.numel() for parameter in self.detector.encoder.parameters())
        table = self.detector.encoder.word_embeddings.numel()
        return {
            "name": self.name,
            "parameters": weights,
            "parameters_outside_embeddings": weights - table,
            "judged_per_second": pairs / self.judging,
            "trained_per_second": pairs / self.training,
            "minutes_per_run": TRAINING_PAIRS * EPOCHS * self.training / pairs / 60,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--data", default="bundled:java")
    parser.add_argument("--pairs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    rows = list(load_pairs(options.data))
    random.Random(0).shuffle(rows)
    rows = rows[: options.pairs * ROUNDS]
    with tempfile.TemporaryDirectory() as directory:
        large = changed(PAPER, {"model.encoder": large_encoder(Path(directory))})
        contenders = [
            Contender("shipped", changed(DEFAULT, {"model.encoder": SHIPPED}), rows),
            Contender("UniXcoder's size", large, rows),
        ]
        for turn in range(ROUNDS):
            places = list(range(turn * options.pairs, (turn + 1) * options.pairs))
            for contender in contenders:
                contender.turn(places)
                print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    found = [contender.figures(len(rows)) for contender in contenders]
    ratios = {
        "judging": found[0]["judged_per_second"] / found[1]["judged_per_second"],
        "training": found[0]["trained_per_second"] / found[1]["trained_per_second"],
    }
    if options.json:
        print(json.dumps({"pairs": len(rows), "contenders": found, "ratios": ratios}, indent=1))
        return
    for each in found:
        print(
            f"{each['name']:>17}: {each['parameters'] / 1e6:6.1f} M parameters, judges "
            f"{each['judged_per_second']:7.1f} pairs/s, trains {each['trained_per_second']:6.1f} "
            f"pairs/s, {each['minutes_per_run']:6.1f} minutes for {TRAINING_PAIRS} pairs x {EPOCHS}"
        )
    print(f"ratio: judging {ratios['judging']:.1f}x, training {ratios['training']:.1f}x")


if __name__ == "__main__":
    main()
