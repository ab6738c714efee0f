"""What is said of a run: its setting, where it comes from, what simple judges reach beside it."""

import platform
from importlib.metadata import version
from pathlib import Path

import torch

from equimut.config import RunConfig
from equimut.data.splitting.split import Split
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.evaluation import Evaluation, Setting
from equimut.evaluation.protocols import evaluate_split
from equimut.models.settings import Provenance
from equimut.training.rows import Rows
from equimut.training.run_files import DataFacts
from equimut.training.state import Fitted


def baselines_beside(parts: Split, facts: DataFacts) -> tuple[Evaluation, ...]:
    """What simple judges reach on the same rows."""
    setting = Setting(data=facts.name, fingerprint=facts.fingerprint)
    return tuple(
        evaluate_split(make(), parts, setting, resamples=200).evaluation
        for make in BASELINES.values()
    )


def run_setting(config: RunConfig, facts: DataFacts) -> Setting:
    """How an evaluation of a run is labelled."""
    return Setting(
        data=facts.name,
        fingerprint=facts.fingerprint,
        protocol=facts.protocol,
        fold=facts.fold,
        selection="none" if config.selection.on == "last" else config.selection.on,
        seed=config.seed,
        encoder=Path(config.model.encoder).name,
        trained_on=facts.train,
    )


def provenance(config: RunConfig, rows: Rows, fitted: Fitted) -> Provenance:
    """What a model remembers of its training."""
    return Provenance(
        loss=config.loss.name,
        data=rows.facts.name,
        protocol=f"{rows.facts.protocol}, fold {rows.facts.fold}",
        selection=config.selection.on,
        seed=config.seed,
        epochs=fitted.best_epoch,
        languages=rows.facts.languages,
    )


def environment() -> dict[str, str]:
    """What a run was made with."""
    libraries = ("torch", "transformers", "accelerate", "tokenizers", "tree-sitter")
    return {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {torch.get_num_threads()} threads",
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        **{name: version(name) for name in libraries},
    }
