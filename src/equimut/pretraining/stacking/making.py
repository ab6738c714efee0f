"""From labelled pairs of projects to a detector with a stack: fit, choose, calibrate, measure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.calibration import apply_temperature, calibrate
from equimut.evaluation.weighted import WeightedRows, average_precision
from equimut.inputs.edit_features.reach import MARGIN, VIEW
from equimut.models.detector import Detector
from equimut.models.edit_regression import share_out, shares
from equimut.models.scoring import score
from equimut.models.settings import Calibration, Measured
from equimut.models.stacking import Stack
from equimut.mutation.identity import draw
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.stacking.fitting import FITS
from equimut.pretraining.stacking.measuring import GroupMeasured, measured
from equimut.pretraining.stacking.rows import (
    BASE_RATE,
    Floats,
    Stackable,
    StackRow,
    base_rate_weights,
    stack_rows,
    stackable,
)
from equimut.pretraining.stacking.table import fit_table, sums
from equimut.records import Pair, Record

REGRESSION = "surroundings-lr"
CHOSEN = "the stack that is kept"
OLD = "the detector as it is"
SOURCE = "mutants of projects that nothing was fitted on, drawn so that 11 % are equivalent"


class StackReport(Record):
    """What was measured, as it is written to a file."""

    chosen: str
    validation: dict[str, float]
    rows: dict[str, int]
    calibration: Calibration
    measured: tuple[GroupMeasured, ...]


@dataclass(frozen=True)
class Shared:
    """How the margin of a detector is put together anew."""

    network: float
    """What the network's part is multiplied by."""
    weights: Floats
    """[buckets] Of the features of the edit."""


@dataclass(frozen=True)
class MadeStack:
    """A stack, its calibration and what was measured."""

    stack: Stack
    shared: Shared | None
    """New weights of the detector's own features, where they were fitted."""
    calibration: Calibration
    chosen: str
    """The fit that is best on validation projects."""
    validation: Mapping[str, float]
    """Average precision of every fit there."""
    measured: tuple[GroupMeasured, ...]
    """On test projects, and on held-out origins of the benchmark."""
    rows: Mapping[str, int]
    """How many rows fitted, calibrated and measured."""

    def report(self) -> StackReport:
        """Everything but the stack itself."""
        return StackReport(
            chosen=self.chosen,
            validation=dict(self.validation),
            rows=dict(self.rows),
            calibration=self.calibration,
            measured=self.measured,
        )

    def card_rows(self) -> Iterator[Measured]:
        """Its figures on test projects by language, for the card of a detector."""
        old = {one.group: one for one in self.measured if one.predictor == f"{OLD}, test"}
        for one in self.measured:
            if one.predictor != f"{CHOSEN}, test" or one.group.startswith("operators"):
                continue
            interval = one.intervals["average_precision"]
            before = old[one.group].metrics["average_precision"]
            yield Measured(
                rows=f"{one.projects} projects nothing was fitted on, {one.group}",
                pairs=one.rows,
                base_rate=one.base_rate,
                average_precision=one.metrics["average_precision"],
                low=interval.low,
                high=interval.high,
                macro_f1=one.metrics["macro_f1"],
                baseline=f"without the stack: {before:.3f}",
            )


def make_stack(
    detector: Detector,
    pairs: Iterable[LabelledPair],
    benchmark: Sequence[Pair] = (),
    base_rate: float = BASE_RATE,
) -> MadeStack:
    """Fit every kind of stack, take the best, calibrate it, and measure it beside the others."""
    every, shared = with_margins(detector, list(pairs), benchmark)
    parts = {name: every.chosen(keep) for name, keep in _parts(every.rows).items()}
    for name, part in parts.items():
        if len(set(part.labels.tolist())) < 2:
            raise DataError(f"the {name} rows have one label only; build labels of more projects")
    fitting, validation = parts["fitting"], parts["validation"]
    weights = base_rate_weights(fitting.rows, base_rate)
    fitted = {name: fit(fitting, weights) for name, fit in FITS.items()}
    reached = {
        name: _precision(validation, stack.margins(validation.features), base_rate)
        for name, stack in fitted.items()
    }
    chosen = max(reached, key=lambda name: reached[name])
    stack = fitted[chosen]
    calibration = _calibrated(stack, validation, base_rate)
    probabilities = _probabilities(detector, stack, calibration, parts, base_rate)
    return MadeStack(
        stack=stack,
        shared=shared,
        calibration=calibration,
        chosen=chosen,
        validation=reached,
        measured=tuple(
            one
            for name in ("test", "benchmark")
            for predictor, found in probabilities[name].items()
            for one in measured(f"{predictor}, {name}", parts[name].rows, found, base_rate)
        ),
        rows={name: len(part.rows) for name, part in parts.items()},
    )


def with_margins(
    detector: Detector, pairs: Sequence[LabelledPair], benchmark: Sequence[Pair]
) -> tuple[Stackable, Shared | None]:
    """Rows with the log-odds of a detector, its stack aside.

    With rows of the benchmark, the weights of its features are fitted anew on these and on the
    pairs that fit; a row that fits then has the margin of weights that do not know its project.
    """
    rows = stack_rows(pairs)
    if not rows:
        raise DataError("no rows for a stack; make them with `equimut dev labels build --wild`")
    encoded = detector.encode([row.pair.plain() for row in rows])
    before = np.asarray(score(detector, encoded).margin, dtype=np.float64)
    weights = detector.feature_weights()
    if weights is None or not benchmark:
        return stackable(rows, before), None
    features = [pair.features for pair in encoded]
    network = before - sums(np.asarray(weights, np.float64), features)
    fitting = [pair for pair in pairs if _fits(pair) and pair.evidence != "verified"]
    table = fit_table(benchmark, fitting)
    unseen = dict(zip((pair.id for pair in fitting), table.unseen, strict=True))
    weighed = np.array(
        [
            unseen.get(row.pair.id, known)
            for row, known in zip(rows, sums(table.weights, features), strict=True)
        ]
    )
    keep = [_fits(row.pair) for row in rows]
    labels = [row.pair.label for row in rows]
    own, share = shares(network[keep], weighed[keep], np.array(labels)[keep])
    margins = own * network + share * weighed
    return stackable(rows, margins, before), Shared(own, share * table.weights)


def _fits(pair: LabelledPair) -> bool:
    """Whether a row may be fitted on."""
    return pair.split == ("validation" if pair.evidence == "verified" else "train")


def _parts(rows: Sequence[StackRow]) -> Mapping[str, list[bool]]:
    """Which rows fit, which calibrate and which measure."""
    return {
        "fitting": [_fits(row.pair) for row in rows],
        "validation": [not row.verified and row.pair.split == "validation" for row in rows],
        "test": [not row.verified and row.pair.split == "test" for row in rows],
        "benchmark": [row.verified and row.pair.split == "test" for row in rows],
    }


def _precision(rows: Stackable, margins: Floats, base_rate: float) -> float:
    weights = base_rate_weights(rows.rows, base_rate)[None, :]
    return float(average_precision(WeightedRows(rows.labels, margins, 0.0, weights))[0])


def _calibrated(stack: Stack, rows: Stackable, base_rate: float) -> Calibration:
    drawn = rows.chosen(realistic(rows.rows, base_rate))
    return calibrate(
        stack.margins(drawn.features),
        drawn.labels,
        SOURCE,
        groups=drawn.projects,
        shifted=True,
    )


def realistic(rows: Sequence[StackRow], base_rate: float) -> list[bool]:
    """Which rows to keep so that equivalents are this share, as many as possible."""
    ordered = {
        label: sorted(
            (place for place, row in enumerate(rows) if row.pair.label == label),
            key=lambda place: draw(rows[place].pair.id, 0),
        )
        for label in (0, 1)
    }
    odds = base_rate / (1 - base_rate)
    equivalent = min(len(ordered[1]), round(len(ordered[0]) * odds))
    others = min(len(ordered[0]), round(equivalent / odds))
    kept = {*ordered[1][:equivalent], *ordered[0][:others]}
    return [place in kept for place in range(len(rows))]


def _probabilities(
    detector: Detector,
    stack: Stack,
    calibration: Calibration,
    parts: Mapping[str, Stackable],
    base_rate: float,
) -> Mapping[str, Mapping[str, Floats]]:
    """What each predictor says of the rows that measure; ablations are fitted for it."""
    fitting = parts["fitting"]
    weights = base_rate_weights(fitting.rows, base_rate)
    benchmark = [row.verified for row in fitting.rows]
    ablations = {
        **{name: (fit(fitting, weights), "") for name, fit in FITS.items()},
        "trees without the prover's view": (FITS["trees"](fitting.without(VIEW), weights), VIEW),
        "trees without the network": (FITS["trees"](fitting.without(MARGIN), weights), MARGIN),
    }
    only = fitting.chosen(benchmark)
    if len(set(only.labels.tolist())) == 2:
        own = base_rate_weights(only.rows, base_rate)
        ablations["linear, benchmark only"] = (FITS["linear"](only, own), "")
    simple = BASELINES[REGRESSION]()
    simple.fit([row.pair.plain() for row in fitting.rows])
    old = detector.settings.calibration or Calibration()
    return {
        name: {
            CHOSEN: apply_temperature(
                stack.margins(rows.features), calibration.temperature, calibration.offset
            ),
            OLD: apply_temperature(rows.before, old.temperature, old.offset),
            REGRESSION: simple.probabilities([row.pair.plain() for row in rows.rows]),
            **{
                ablation: apply_temperature(
                    fitted.margins((rows.without(gone) if gone else rows).features), 1.0
                )
                for ablation, (fitted, gone) in ablations.items()
            },
        }
        for name, rows in ((name, parts[name]) for name in ("test", "benchmark"))
    }


def with_stack(detector: Detector, made: MadeStack) -> Detector:
    """The same detector with a stack behind it, calibrated as a whole."""
    if made.shared is not None:
        share_out(detector, made.shared.network, made.shared.weights)
    provenance = detector.settings.provenance
    data = f"{provenance.data}; stack: {made.rows['fitting']:,} labelled mutants of named projects"
    detector.settings = detector.settings.model_copy(
        update={
            "stack": made.stack,
            "calibration": made.calibration,
            "provenance": provenance.model_copy(update={"data": data}),
            "measured": (*detector.settings.measured, *made.card_rows()),
        }
    )
    return detector
