"""Reasons of a prediction: every feature in one group, and the heaviest ones named."""

from pathlib import Path

import pytest
import torch

from equimut.config import ModelConfig
from equimut.data.benchmark.reader import bundled
from equimut.inputs.edit_features.surroundings import buckets, hashed_features
from equimut.models.detector import Detector
from equimut.models.explaining import NETWORK, contributions, explain, feature_groups
from equimut.models.judging import judge
from equimut.models.settings import Calibration
from equimut.records import Pair, Query
from oracles.encoders.tiny_encoder import save_tiny_encoder

ORIGIN = "int f(int a, int n) { int s = 0; for (int i = 0; i < n; i++) { s += a; } return s; }"


def pair_of(old: str, new: str) -> Query:
    assert old in ORIGIN
    return Query(origin=ORIGIN, mutant=ORIGIN.replace(old, new, 1), language="java")


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    """A detector with features, whose network says almost nothing."""
    folder = tmp_path_factory.mktemp("explained")
    save_tiny_encoder(folder / "encoder", layers=1, hidden=16)
    config = ModelConfig(encoder=str(folder / "encoder"), features=True)
    made = Detector.from_encoder(folder / "encoder", config).eval()
    with torch.no_grad():
        made.head.out.weight.mul_(0.001)
        made.head.out.bias.zero_()
    return made


def weigh(detector: Detector, **weights: float) -> None:
    assert detector.head.wide is not None
    with torch.no_grad():
        detector.head.wide.weight.zero_()
        for name, weight in weights.items():
            detector.head.wide.weight[int(buckets([name])[0]), 0] = weight


def rows() -> list[Pair]:
    return [
        pair.without_evidence()
        for language in ("c", "java", "python")
        for pair in bundled(language)[::900]
    ]


def test_every_feature_is_in_one_group() -> None:
    for pair in rows():
        groups = feature_groups(pair)
        names = [name for group in groups for name in group.names]
        assert len(names) == len(set(names))
        texts = pair.origin, pair.mutant, pair.language
        assert buckets(names).tolist() == hashed_features(*texts).tolist()
        assert sum(not group.words for group in groups) <= 1  # the signature


def test_the_parts_add_up_to_what_the_detector_says(detector: Detector) -> None:
    torch.manual_seed(0)
    assert detector.head.wide is not None
    with torch.no_grad():
        detector.head.wide.weight.normal_(std=0.05)
    detector.settings = detector.settings.model_copy(
        update={"calibration": Calibration(temperature=1.7, offset=-0.6)}
    )
    asked = rows()
    for pair, judgement in zip(asked, judge(detector, asked), strict=True):
        if judgement.probability is None or judgement.distance == 0:
            continue
        parts = contributions(detector, pair, judgement.probability)
        features = hashed_features(pair.origin, pair.mutant, pair.language)
        wide = float(detector.head.wide.weight.detach()[torch.from_numpy(features).long(), 0].sum())
        assert sum(p.log_odds for p in parts[:-1]) == pytest.approx(wide, abs=1e-4)
        network = parts[-1]
        assert network.words == NETWORK
        assert abs(network.log_odds) < 0.2  # the detector's own, which was made small
    detector.settings = detector.settings.model_copy(update={"calibration": None})


def test_the_heaviest_features_are_named_on_their_side(detector: Detector) -> None:
    boundary = pair_of("i < n", "i <= n")
    weigh(detector, **{"edit: < -> <=": 3.0, "inside: for_statement": -2.0, "header: int": 1.5})
    [judgement] = judge(detector, [boundary])
    assert judgement.probability is not None
    found = explain(detector, boundary, judgement.probability)
    assert found.supports == ("`<` becomes `<=`",)  # and no word of the signature
    assert found.opposes == ("such a change in a for statement",)
    weigh(detector, **{"edit: < -> <=": -3.0})
    [judgement] = judge(detector, [boundary])
    assert judgement.probability is not None
    found = explain(detector, boundary, judgement.probability)
    assert found == ((), ("`<` becomes `<=`",))


@pytest.mark.parametrize(
    ("old", "new", "feature", "words"),
    [
        (
            "s += a",
            "s += n",
            "edit next nothing",
            "`a`, a parameter, is not used afterwards in the",
        ),
        ("s += a; ", "", "removed tokens: 4", "`s += a ;` is removed"),
        ("return s", "return -s", "added: -", "`-` is added"),
        ("int s = 0", "int s = 1", "line kinds: int name = 0 ;", "such a change on a line like"),
        ("i < n", "i <= n", "< -> <=, loops 1", "it is in a loop"),
        ("i < n", "i <= n", "1 after: n", "such a change between `; i` and `n ;`"),
    ],
)
def test_words_say_what_the_feature_is(
    detector: Detector, old: str, new: str, feature: str, words: str
) -> None:
    changed = pair_of(old, new)
    names = [name for group in feature_groups(changed) for name in group.names]
    if feature.startswith("line kinds"):
        feature = next(name for name in names if name.startswith("line kinds"))
    assert feature in names
    weigh(detector, **{feature: 2.0})
    [judgement] = judge(detector, [changed])
    assert judgement.probability is not None
    assert explain(detector, changed, judgement.probability).supports[0].startswith(words)


def test_a_model_without_features_has_its_network_alone(tmp_path: Path) -> None:
    save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    plain = Detector.from_encoder(tmp_path / "encoder").eval()
    boundary = pair_of("i < n", "i <= n")
    assert explain(plain, boundary, 0.9) == ((NETWORK,), ())
    assert explain(plain, boundary, 0.1) == ((), (NETWORK,))
    assert explain(plain, boundary, 1.0) == ((NETWORK,), ())
    assert explain(plain, boundary, 0.5) == ((), ())
