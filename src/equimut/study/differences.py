"""Two predictors of the study over their common runs: the difference, and how sure it is."""

from collections.abc import Mapping, Sequence

from equimut.evaluation.comparison import RESAMPLES, Gain, gains_over_runs
from equimut.evaluation.protocols import Outcome
from equimut.records import Record

METRICS = ("macro_f1", "macro_precision", "macro_recall", "average_precision")
ENSEMBLES = "ensemble "
"""How the names of ensembles begin."""


class Contrast(Record):
    """Two predictors, run by run on the same rows."""

    first: str
    second: str
    protocol: str
    runs: int
    gains: Mapping[str, Gain]

    @property
    def ensembles(self) -> bool:
        """Whether the first is an ensemble."""
        return self.first.startswith(ENSEMBLES)


def contrast(
    names: tuple[str, str],
    protocol: str,
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    seeded: bool = True,
    metrics: Sequence[str] = METRICS,
    resamples: int = RESAMPLES,
) -> Contrast | None:
    """Compare runs of the same seed and fold; None without any.

    A second side that is not `seeded`, a baseline, is compared with every run of the same fold.
    """
    partners = {_key(one, seeded): one.predictions for one in second}
    known = [one for one in first if _key(one, seeded) in partners]
    if not known:
        return None
    others = [partners[_key(one, seeded)] for one in known]
    gains = gains_over_runs([one.predictions for one in known], others, metrics, resamples)
    return Contrast(
        first=names[0], second=names[1], protocol=protocol, runs=len(known), gains=gains
    )


def _key(one: Outcome, seeded: bool) -> tuple[int | None, int | None]:
    return one.evaluation.seed if seeded else None, one.evaluation.fold
