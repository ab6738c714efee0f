r"""Our training step and our evaluation pass against the published scheme, in one run.

python benchmarks/training.py [--json] [--data DIRECTORY] [--layers 4 --hidden 256] [--unixcoder]
python benchmarks/training.py --encoder equimut --pooling edit --batch 8 \
    --variants "all, edit preset, whole last layer" "all, edit preset"

The published scheme pads every snippet to 320 places, encodes both sides of every pair and uses
eager attention. Same weights, same pairs, same outputs (checked); each factor is also measured
alone. Variants take turns on the same pairs, so that noise of the machine meets all of them.
Uses the EMD pairs (Java) where they are, or else pairs of the bundled benchmark. The first of the
variants is what the others are measured against.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn

from equimut.config import DEFAULT, ModelConfig
from equimut.data.pairs import load_pairs
from equimut.data.published.prepare import prepare
from equimut.data.splitting.split import split
from equimut.data.store import read_pairs, write_pairs
from equimut.errors import EquimutError
from equimut.inputs.batch import Batch, Collator
from equimut.inputs.buckets import length_buckets
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector, DetectorOutput
from equimut.models.head import Features, pool_sides
from equimut.models.scoring import score
from equimut.records import Pair
from equimut.training.objective import Objective

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles.encoders.padded_forward import PaddedForward  # noqa: E402
from oracles.encoders.tiny_encoder import save_tiny_encoder  # noqa: E402

BATCH = 4  # --batch changes it


@dataclass(frozen=True)
class Variant:
    """One way to train and evaluate, and which factors of ours it uses."""

    name: str
    sdpa: bool = False
    dynamic: bool = False
    buckets: bool = False
    sharing: bool = False
    everywhere: bool = False
    """The last layer of our own scheme computed for all positions."""
    half: bool = False
    """Trained in bfloat16: a gain only where the processor multiplies matrices in it."""
    limits: str = "paper"


PUBLISHED = Variant("published")
VARIANTS = (
    PUBLISHED,
    Variant("SDPA alone", sdpa=True),
    Variant("dynamic padding alone", dynamic=True),
    Variant("dynamic padding and buckets", dynamic=True, buckets=True),
    Variant("sharing alone", sharing=True),
    Variant("all, paper limits", sdpa=True, dynamic=True, buckets=True, sharing=True),
    Variant("all, edit preset", sdpa=True, dynamic=True, buckets=True, sharing=True, limits="edit"),
    Variant(
        "all, edit preset, whole last layer", sdpa=True, dynamic=True, buckets=True, sharing=True,
        everywhere=True, limits="edit",
    ),
    Variant(
        "all, edit preset, half precision", sdpa=True, dynamic=True, buckets=True, sharing=True,
        half=True, limits="edit",
    ),
)  # fmt: skip


class Shared(nn.Module):
    """The padded form with each distinct sequence once: what sharing alone brings."""

    def __init__(self, padded: PaddedForward) -> None:
        super().__init__()
        self.padded = padded

    def forward(self, pairs: Sequence[EncodedPair]) -> tuple[Tensor, Tensor, Tensor]:
        sides = dict.fromkeys(side for pair in pairs for side in (pair.origin, pair.mutant))
        rows = {side: row for row, side in enumerate(sides)}
        states = self.padded.side(list(rows), [(0, 1)] * len(rows)).cls
        origin = states[[rows[p.origin] for p in pairs]]
        mutant = states[[rows[p.mutant] for p in pairs]]
        logits = self.padded.head(Features(origin, None), Features(mutant, None))
        return logits, origin, mutant


class Contender:
    """A variant with weights of its own, all started from the same ones."""

    def __init__(
        self,
        variant: Variant,
        encoder: str | Path,
        pairs: Sequence[Pair],
        options: Mapping[str, object],
    ) -> None:
        self.variant = variant
        config = ModelConfig.model_validate(
            {"encoder": str(encoder), "input": variant.limits, **options}
        )
        torch.manual_seed(0)
        self.detector = Detector.from_encoder(encoder, config)
        self.encoded = self.detector.encode(pairs)
        self.objective = Objective(DEFAULT.loss, [pair.class_id for pair in pairs])
        if variant.sdpa and variant.dynamic:
            self.model: nn.Module = self.detector
        else:
            padded = PaddedForward(self.detector, attention="sdpa" if variant.sdpa else "eager")
            self.model = Shared(padded) if variant.sharing else padded
        if variant.everywhere:
            self.detector._sides = self._plain_sides  # type: ignore[method-assign]
        self.collator = Collator(self.detector.sub_tokenizer.special)
        fused = self.model is self.detector  # the published training has the plain one
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-5, fused=fused)

    def _plain_sides(self, batch: Batch) -> tuple[Features, Features]:
        return pool_sides(self.detector.encoder(batch), batch, self.detector.settings.pooling)

    def forward(self, pairs: Sequence[EncodedPair]) -> DetectorOutput:
        if self.model is self.detector:
            output: DetectorOutput = self.model(self.collator(pairs))
            return output
        padded = self.model.padded if isinstance(self.model, Shared) else self.model
        if self.variant.dynamic:  # to the longest of the batch
            padded.places = max(pair.length for pair in pairs)
        logits, origin, mutant = self.model(pairs)
        return DetectorOutput(logits, Features(origin, None), Features(mutant, None))

    def train(self, batches: Sequence[Sequence[int]]) -> None:
        """Steps over these batches; without buckets the same pairs, met by chance."""
        self.model.train()
        if not self.variant.buckets:
            places = [place for batch in batches for place in batch]
            random.Random(1).shuffle(places)
            batches = [places[start : start + BATCH] for start in range(0, len(places), BATCH)]
        for places in batches:
            batch = [self.encoded[place] for place in places]
            with torch.autocast("cpu", torch.bfloat16, enabled=self.variant.half):
                output = self.forward(batch)
            loss = self.objective(output, self.collator(batch), len(batch)).total
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()

    @torch.inference_mode()
    def evaluate(self, places: Sequence[int]) -> Tensor:
        """Logits of these pairs, in order."""
        self.model.eval()
        chosen = [self.encoded[place] for place in places]
        if self.model is self.detector:
            return torch.from_numpy(score(self.detector, chosen).logits)
        logits = {}
        for batch in self._batches([replace(pair, index=n) for n, pair in enumerate(chosen)]):
            for pair, row in zip(batch, self.forward(batch).logits, strict=True):
                logits[pair.index] = row
        return torch.stack([logits[n] for n in range(len(chosen))])

    def _batches(self, pairs: Sequence[EncodedPair]) -> Iterator[list[EncodedPair]]:
        if self.variant.buckets:
            for batch in length_buckets([pair.length for pair in pairs], BATCH):
                yield [pairs[place] for place in batch]
        else:
            for start in range(0, len(pairs), BATCH):
                yield list(pairs[start : start + BATCH])


def real_pairs(data: Path) -> tuple[str, Sequence[Pair]]:
    """The training rows of EMD under the paper's protocol, or rows of our own."""
    try:
        pairs = split(prepare("emd-java", data).pairs, "paper").train
        return f"EMD, training rows under `paper` ({len(pairs)})", pairs
    except EquimutError:
        pairs = split(load_pairs("bundled:java"), "paper").train
        return f"bundled:java, training rows under `paper` ({len(pairs)})", pairs


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()  # other work on the machine counts less than on a clock
    work()
    return time.process_time() - start


def probe_memory(name: str, pairs: Path, size: Sequence[str]) -> float:
    """Megabytes that training steps of a variant need beyond the loaded model, in a new process."""
    done = subprocess.run(
        [sys.executable, __file__, "--probe", name, "--probe-pairs", str(pairs), *size],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout.strip().split("\n")[-1])


def probe(name: str, pairs: Sequence[Pair], encoder: Path) -> float:
    """The highest mark of this process in four steps, beyond the mark before them."""
    variant = next(each for each in VARIANTS if each.name == name)
    contender = Contender(variant, encoder, pairs, {"pooling": "cls"})
    # The mark of a process starts at that of the one that started it: set it back first.
    Path("/proc/self/clear_refs").write_text("5")
    before = highest_mark()
    contender.train([range(start, start + BATCH) for start in range(0, 4 * BATCH, BATCH)])
    return highest_mark() - before


def highest_mark() -> float:
    """Megabytes of memory this process has had at most (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--unixcoder", action="store_true", help="12 layers of 768")
    parser.add_argument("--encoder", help="a name or directory, instead of random weights")
    parser.add_argument("--pooling", choices=["cls", "edit"], default="cls")
    parser.add_argument("--max-length", type=int, help="positions of the edit preset")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--variants", nargs="+", default=[each.name for each in VARIANTS])
    parser.add_argument("--train-pairs", type=int, default=48)
    parser.add_argument("--evaluation-pairs", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    parser.add_argument("--probe-pairs", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    globals()["BATCH"] = given.batch
    chosen = [each for name in given.variants for each in VARIANTS if each.name == name]
    layers, hidden = (12, 768) if given.unixcoder else (given.layers, given.hidden)
    with tempfile.TemporaryDirectory() as place:
        encoder = save_tiny_encoder(
            Path(place) / "encoder", layers=layers, hidden=hidden, heads=hidden // 64, dropout=0.1
        )
        if given.probe:
            print(probe(given.probe, read_pairs(given.probe_pairs), encoder))
            return
        name, pairs = real_pairs(given.data)
        options = {"pooling": given.pooling, "max_length": given.max_length}
        contenders = {
            each.name: Contender(each, given.encoder or encoder, pairs, options) for each in chosen
        }
        check_outputs(contenders)
        training, batches = time_training(contenders, given.train_pairs, given.rounds)
        evaluation = time_evaluation(contenders, given.evaluation_pairs, given.rounds)
        write_pairs(
            Path(place) / "pairs.jsonl", [pairs[at] for batch in batches[:4] for at in batch]
        )
        size = ["--layers", str(layers), "--hidden", str(hidden)]
        memory = {
            each.name: 0.0
            if given.encoder
            else probe_memory(each.name, Path(place) / "pairs.jsonl", size)
            for each in chosen
        }
    facts = {
        "data": name,
        "encoder": given.encoder or f"{layers} layers of {hidden}, random weights, dropout 0.1",
        "batch": BATCH,
        "threads": torch.get_num_threads(),
        "rows": [
            {
                "variant": each.name,
                "training": round(median_ratio(training, each.name), 2),
                "evaluation": round(median_ratio(evaluation, each.name), 2),
                "peak_megabytes": round(memory[each.name]),
            }
            for each in chosen
        ],
    }
    print(json.dumps(facts, indent=2) if given.json else shown(facts))


def check_outputs(contenders: dict[str, Contender]) -> None:
    """With the same limits, every variant gives the same logits."""
    first = next(iter(contenders.values()))
    reference = first.evaluate(range(24))
    for contender in contenders.values():
        if contender.variant.limits == first.variant.limits:
            ours = contender.evaluate(range(24))
            torch.testing.assert_close(ours, reference, atol=1e-5, rtol=0)
    print(f"outputs agree to 1e-5 (largest logit {reference.abs().max():.2f})", file=sys.stderr)


def time_training(
    contenders: dict[str, Contender], pairs: int, rounds: int
) -> tuple[dict[str, list[float]], list[list[int]]]:
    """Seconds of the same steps, round by round. Batches are those of training on all rows."""
    plans = {}
    for limits in {
        each.variant.limits for each in contenders.values()
    }:  # which pairs meet depends on their lengths
        contender = next(c for c in contenders.values() if c.variant.limits == limits)
        plan = list(length_buckets([pair.length for pair in contender.encoded], BATCH))
        plans[limits] = plan[: pairs // BATCH * rounds]
    times: dict[str, list[float]] = defaultdict(list)
    for round_ in range(rounds):
        for name, contender in contenders.items():
            steps = plans[contender.variant.limits][round_::rounds]
            times[name].append(timed(lambda c=contender, s=steps: c.train(s)))
        print(f"training, round {round_ + 1} of {rounds}", file=sys.stderr)
    return times, next(iter(plans.values()))


def time_evaluation(
    contenders: dict[str, Contender], pairs: int, rounds: int
) -> dict[str, list[float]]:
    """Seconds per pair. What is padded and not shared costs the same for every pair, so a sample
    will do; ours is timed on all rows, since how much it shares depends on how many there are."""
    times: dict[str, list[float]] = defaultdict(list)
    for round_ in range(rounds):
        for name, contender in contenders.items():
            rows = len(contender.encoded) if contender.variant.sharing else pairs
            if contender.variant.sharing and contender.model is not contender.detector:
                rows = pairs
            times[name].append(timed(lambda c=contender, n=rows: c.evaluate(range(n))) / rows)
        print(f"evaluation, round {round_ + 1} of {rounds}", file=sys.stderr)
    return times


def shown(facts: dict[str, object]) -> str:
    """The figures as a table."""
    lines = [
        f"{facts['data']}; {facts['encoder']}; batch {BATCH}, {facts['threads']} threads",
        f"{'times faster than the first':34}{'training':>10}{'evaluation':>12}{'peak MB':>10}",
    ]
    lines += [
        f"{row['variant']:34}{row['training']:>10.2f}{row['evaluation']:>12.2f}"
        f"{row['peak_megabytes']:>10}"
        for row in facts["rows"]  # type: ignore[attr-defined]
    ]
    return "\n".join(lines)


def median_ratio(times: dict[str, list[float]], name: str) -> float:
    """Median over the rounds of the first variant's time / this one's."""
    ratios = [p / v for p, v in zip(next(iter(times.values())), times[name], strict=True)]
    return sorted(ratios)[len(ratios) // 2]


if __name__ == "__main__":
    main()
