"""From a pretraining to a detector that ships: calibrated, measured, small, with checksums."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from equimut.data.pairs import data_fingerprint, load_pairs
from equimut.data.splitting.cleaning import conflicts, without, without_duplicates
from equimut.errors import DataError
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.calibration import calibrate
from equimut.evaluation.evaluation import (
    Evaluation,
    Setting,
    evaluate_predictions,
)
from equimut.evaluation.predictions import predict
from equimut.evaluation.predictors import DetectorPredictor, Predictor
from equimut.models.detector import Detector
from equimut.models.directory_check import CHECKSUMS
from equimut.models.edit_regression import add_edit_features
from equimut.models.scoring import score
from equimut.models.settings import Measured, Provenance
from equimut.pretraining.loop.config import read_pretraining
from equimut.pretraining.loop.pairs import bundled_parts, halves
from equimut.records import Pair
from equimut.storage.files import write_bytes

REGRESSION = "surroundings-lr"
HELD_OUT = "held-out origins of the verified benchmark"
HELD_OUT_ROWS = f"rows of {HELD_OUT}"


@dataclass(frozen=True)
class ShippingRows:
    """Rows that no weight was trained on, and those a baseline may learn from."""

    train: Sequence[Pair]
    """Rows of the benchmark that pretraining saw: the baseline learns from these."""
    calibration: Sequence[Pair]
    """Held-out origins that fit temperature, offset and thresholds."""
    tests: Mapping[str, Sequence[Pair]]
    """By name: rows that only measure."""


def shipping_rows(measured: Mapping[str, Path]) -> ShippingRows:
    """The rows of the verified benchmark for each purpose, and named files that only measure."""
    train, held = bundled_parts()
    calibration, rest = halves(held)
    tests = {
        f"{HELD_OUT}, {language}": [pair for pair in rest if pair.language == language]
        for language in sorted({pair.language for pair in train})
    }
    tests |= {name: cleaned(load_pairs(path)) for name, path in measured.items()}
    return ShippingRows(train, calibration, tests)


def cleaned(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair once, and none that carries both labels."""
    return list(without(without_duplicates(pairs), conflicts(pairs)))


def with_features(detector: Detector) -> Detector:
    """The same network with features, whose weights are still 0."""
    settings = detector.settings.model_copy(update={"features": True})
    made = Detector(detector.encoder, detector.tokenizer, settings)
    made.head.load_state_dict(detector.head.state_dict(), strict=False)
    return made.eval()


def prepare_pretraining(
    directory: Path, rows: ShippingRows
) -> tuple[Detector, tuple[Evaluation, ...]]:
    """The detector of a pretraining, ready to ship, and what it reaches."""
    config, steps = read_pretraining(directory)
    return prepare(
        with_features(Detector.from_pretrained(directory / "detector")),
        rows,
        Provenance(
            loss="hidden sub-tokens, edited places, equivalence",
            data="functions of the corpus, their labelled mutants, the verified benchmark",
            protocol=f"a fifth of the benchmark's origins held out; {steps:,} steps",
            selection="last",
            seed=config.seed,
            languages=tuple(sorted({pair.language for pair in rows.train})),
        ),
    )


def prepare(
    detector: Detector, rows: ShippingRows, provenance: Provenance
) -> tuple[Detector, tuple[Evaluation, ...]]:
    """Give a pretrained detector features, calibrate it, and measure it and a baseline."""
    if not rows.calibration:
        raise DataError("no held-out rows to calibrate on")
    if detector.head.wide is not None:
        add_edit_features(detector, rows.train, rows.calibration)
    encoded = detector.encode(rows.calibration)
    calibration = calibrate(
        score(detector, encoded).margin,
        [pair.label for pair in encoded],
        HELD_OUT_ROWS,
        groups=[(pair.language, pair.origin) for pair in rows.calibration],
        shifted=True,
    )
    detector.settings = detector.settings.model_copy(
        update={"encoder": "equimut", "calibration": calibration, "provenance": provenance}
    )
    evaluations: list[Evaluation] = []
    measured: list[Measured] = []
    simple = BASELINES[REGRESSION]()
    simple.fit(rows.train)
    for name, pairs in rows.tests.items():
        ours = _evaluation(DetectorPredictor(detector, "equimut"), name, pairs)
        other = _evaluation(simple, name, pairs)
        evaluations += [ours, other]
        measured.append(_measured(name, ours, other))
    detector.settings = detector.settings.model_copy(update={"measured": tuple(measured)})
    return detector, tuple(evaluations)


def write_checksums(directory: Path) -> int:
    """Write the SHA-256 of every file beside them; says how many bytes they take together."""
    files = sorted(
        path for path in directory.rglob("*") if path.is_file() and path.name != CHECKSUMS
    )
    sums = "".join(
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(directory).as_posix()}\n"
        for path in files
    )
    write_bytes(directory / CHECKSUMS, sums.encode())
    return sum(path.stat().st_size for path in files)


def _evaluation(predictor: Predictor, name: str, pairs: Sequence[Pair]) -> Evaluation:
    setting = Setting(
        data=name,
        fingerprint=data_fingerprint(pairs),
        protocol="zero-shot",
        encoder="equimut" if isinstance(predictor, DetectorPredictor) else "",
    )
    return evaluate_predictions(predictor.name, predict(predictor, pairs), setting)


def _measured(name: str, ours: Evaluation, other: Evaluation) -> Measured:
    interval = ours.intervals.get("average_precision")
    simple = other.scores.average_precision
    return Measured(
        rows=name,
        pairs=ours.count,
        base_rate=ours.scores.base_rate,
        average_precision=ours.scores.average_precision or 0.0,
        low=interval.low if interval else 0.0,
        high=interval.high if interval else 1.0,
        macro_f1=ours.scores.macro_f1,
        baseline="" if simple is None else f"regression on the features alone: {simple:.3f}",
    )
