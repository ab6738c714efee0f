"""The two models whose embeddings are compared: the base, and cluster purge at its best cell."""

from collections.abc import Sequence
from pathlib import Path

from equimut.analysis.embeddings import classes_with_both
from equimut.analysis.run_analysis import Analysed, analyse_run
from equimut.data.benchmark.reader import load_pairs
from equimut.inputs.cache import EncodingCache
from equimut.study.experiments import Experiments, gathered
from equimut.study.published import CLASSES
from equimut.sweep.grid import Trial
from equimut.training.run import train_run
from equimut.training.run_files import MODEL


def embedding_study(setup: Experiments, pairs: Path, place: Path) -> Analysed | None:
    """Train both where they are not there yet, and compare them; None where nothing may be trained.

    A trial leaves figures, not weights, so the two are trained once more, as runs that stay.
    """
    cache = EncodingCache(setup.results / "encodings")
    directories = []
    for trial in (setup.trials("paper-base", pairs)[0], _best(setup, pairs)):
        directory = place / f"{trial.config.loss.name}-{trial.id}"
        if not (directory / MODEL).is_dir():
            if not setup.train:
                return None
            setup.message(f"training {trial.config.loss.name} once more, to look at its embeddings")
        config = trial.config.model_copy(update={"threads": setup.engine.threads})
        train_run(config, directory, baselines=False, cache=cache)
        directories.append(directory)
    base, purge = directories
    return analyse_run(
        purge,
        chosen_classes(pairs),
        before=base,
        cache=cache,
        names=("base model", "cluster purge"),
    )


def chosen_classes(pairs: Path) -> Sequence[int]:
    """The paper's two classes where the data has them, else the two with most of both labels."""
    both = classes_with_both(load_pairs(pairs))
    return CLASSES if set(CLASSES) <= set(both) else both[:2]


def _best(setup: Experiments, pairs: Path) -> Trial:
    """The trial of the best cell of cluster purge, as the paper chose it: by F1 on test rows."""
    wanted = setup.trials("paper-cpl", pairs)
    found = gathered(setup, "paper-cpl", wanted)
    if not found:
        return wanted[0]
    best = max(found, key=lambda each: each.f1)
    return next(trial for trial in wanted if trial.varied == best.varied)
