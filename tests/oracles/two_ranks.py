"""Trains a few steps, alone or as one of several processes, and writes down what each one sees.

Started by `accelerate launch`, or as ranks that find each other by a port; the arguments are a
configuration file and a directory.
"""

import json
import os
import sys
from pathlib import Path

import torch
from accelerate import PartialState

from equimut.config import read_config
from equimut.data.store import read_pairs
from equimut.models.detector import Detector
from equimut.training.fit import fit
from equimut.training.objective import Objective


def main(config_file: Path, directory: Path) -> None:
    """Train, then note verges and weights of this process."""
    config = read_config(config_file)
    rank = PartialState(cpu=True).process_index
    pairs = read_pairs(Path(config.data.pairs))
    torch.manual_seed(config.seed)
    detector = Detector.from_encoder(config.model.encoder, config.model)
    objective = Objective(config.loss, [pair.class_id for pair in pairs])
    fit(detector, objective, detector.encode(pairs), None, config, directory)
    purge = objective.purge
    weights = torch.cat([parameter.detach().flatten() for parameter in detector.parameters()])
    seen = {
        "verge": purge.verge.tolist() if purge else [],
        "count": purge.count.tolist() if purge else [],
        "weights": [float(weights.sum()), float(weights.abs().sum()), float(weights.norm())],
    }
    (directory / f"rank-{rank}.json").write_text(json.dumps(seen))


def as_rank(rank: int, ranks: int, port: int, config_file: Path, directory: Path) -> None:
    """The same as one of several processes of this machine, with what a launcher tells each."""
    told = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": ranks, "LOCAL_WORLD_SIZE": ranks}
    os.environ.update({name: str(value) for name, value in told.items()})
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    main(config_file, directory)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
