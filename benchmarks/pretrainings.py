"""Pretrainings side by side: what each knows of mutants after the time it was given.

python benchmarks/pretrainings.py DIRECTORY... [--measure NAME=PAIRS] [--pairs 4000] [--json]

A DIRECTORY is what `equimut dev pretrain` wrote. Its detector judges the same held-out origins of
the verified benchmark, without calibration and features, and the rows of each PAIRS file, cleaned.
Intervals are over origins.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import torch

from equimut.data.pairs import data_fingerprint, load_pairs
from equimut.evaluation.evaluation import Setting, evaluate_predictions
from equimut.evaluation.predictions import predict
from equimut.evaluation.predictors import DetectorPredictor
from equimut.models.detector import Detector
from equimut.pretraining.loop.config import LOG, read_pretraining
from equimut.pretraining.loop.pairs import bundled_parts
from equimut.pretraining.shipping import HELD_OUT, cleaned
from equimut.records import Pair


def figures(directory: Path, tests: dict[str, list[Pair]]) -> dict[str, Any]:
    """What a pretraining is, what it cost, and its average precision on every test."""
    config, steps = read_pretraining(directory)
    line = json.loads((directory / LOG).read_text().splitlines()[-1])
    detector = Detector.from_pretrained(directory / "detector")
    network = detector.encoder.transformer.config
    found: dict[str, Any] = {
        "name": directory.name,
        "layers": config.layers,
        "hidden": config.hidden,
        "vocabulary": network.vocab_size,
        "functions": config.functions,
        "pairs": config.pairs,
        "edge_weight": config.edge_weight,
        "seed": config.seed,
        "steps": steps,
        "minutes": line["minutes"],
        "held_out_masked": line.get("held_out_masked"),
        "held_out_edges": line.get("held_out_edges"),
        "average_precision": {},
    }
    for name, pairs in tests.items():
        setting = Setting(data=name, fingerprint=data_fingerprint(pairs), protocol="zero-shot")
        said = predict(DetectorPredictor(detector, directory.name), pairs)
        evaluation = evaluate_predictions(directory.name, said, setting)
        interval = evaluation.intervals["average_precision"]
        found["average_precision"][name] = {
            "value": evaluation.scores.average_precision,
            "low": interval.low,
            "high": interval.high,
            "rows": evaluation.scores.count,
            "base_rate": evaluation.scores.base_rate,
        }
    return found


def show(rows: list[dict[str, Any]]) -> None:
    tests = list(rows[0]["average_precision"])
    print(f"{'pretraining':<20}{'steps':>7}{'minutes':>9}{'hidden':>8}", *tests, sep="  ")
    for row in rows:
        scores = [row["average_precision"][name] for name in tests]
        said = [f"{each['value']:.3f} [{each['low']:.3f}, {each['high']:.3f}]" for each in scores]
        head = f"{row['name']:<20}{row['steps']:>7}{row['minutes']:>9.1f}"
        print(f"{head}{row['held_out_masked']:>8.2f}", *said, sep="  ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("directories", type=Path, nargs="+")
    parser.add_argument("--measure", action="append", default=[], metavar="NAME=PAIRS")
    parser.add_argument("--pairs", type=int, default=4000, help="held-out pairs of the benchmark")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    _, held = bundled_parts()
    chosen = random.Random(0).sample(held, min(arguments.pairs, len(held)))
    tests = {HELD_OUT: chosen}
    for named in arguments.measure:
        name, _, path = named.partition("=")
        tests[name] = cleaned(load_pairs(Path(path)))
    rows = [figures(directory, tests) for directory in arguments.directories]
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)
        print()
    else:
        show(rows)


if __name__ == "__main__":
    main()
