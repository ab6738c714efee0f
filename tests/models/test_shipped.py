"""The detector in the package: whole, small, calibrated, and as good as its card says."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from transformers import AutoModel, AutoTokenizer

from conftest import count
from equimut.evaluation.metrics import score as measure
from equimut.models.detector import Detector
from equimut.models.judging import probabilities
from equimut.models.scoring import score
from equimut.models.settings import MIN_PRECISION, SHIPPED, encoder_directory, model_directory
from equimut.pretraining.loop.pairs import bundled_parts, halves
from equimut.pretraining.shipping import CHECKSUMS, HELD_OUT
from oracles.command import call_equimut

PLACE = model_directory(SHIPPED)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.from_pretrained(SHIPPED)


def test_every_file_has_its_checksum_and_all_are_small() -> None:
    files = {p.relative_to(PLACE).as_posix(): p for p in PLACE.rglob("*") if p.is_file()}
    sums = dict(line.split("  ")[::-1] for line in (PLACE / CHECKSUMS).read_text().splitlines())
    assert sums.keys() == files.keys() - {CHECKSUMS}
    for name, digest in sums.items():
        assert sha256(files[name].read_bytes()).hexdigest() == digest, name
    assert sum(path.stat().st_size for path in files.values()) < 20_000_000


def test_weights_are_half_precision_and_few_outside_the_embeddings(detector: Detector) -> None:
    with safe_open(PLACE / "encoder" / "model.safetensors", "pt") as weights:
        assert {weights.get_slice(name).get_dtype() for name in weights.keys()} == {"F16"}  # noqa: SIM118
    table = detector.encoder.word_embeddings.numel()
    total = sum(parameter.numel() for parameter in detector.encoder.parameters())
    assert total - table < 5_000_000
    assert 4 <= detector.encoder.transformer.config.num_hidden_layers <= 6


def test_the_encoder_loads_like_any_other() -> None:
    place = encoder_directory(SHIPPED)
    assert AutoModel.from_pretrained(place, add_pooling_layer=False).config.model_type == "roberta"
    assert AutoTokenizer.from_pretrained(place).mask_token_id is not None


def test_it_is_calibrated_for_three_languages_and_its_card_says_what_it_reaches(
    detector: Detector,
) -> None:
    settings = detector.settings
    assert settings.calibration is not None
    promised = settings.thresholds(MIN_PRECISION)
    assert promised.equivalent_from is not None
    assert promised.not_equivalent_to is not None
    assert promised.not_equivalent_to < 0.47 < 0.56 < promised.equivalent_from
    assert HELD_OUT in promised.basis
    assert settings.thresholds(0.95).equivalent_from is None  # more than its rows can promise
    assert set(settings.provenance.languages) == {"java", "c", "python"}
    card = (PLACE / "README.md").read_text()
    assert {f"{HELD_OUT}, {language}" for language in ("java", "c", "python")} <= {
        one.rows for one in settings.measured
    }
    for one in settings.measured:
        assert f"{one.average_precision:.3f}" in card
        assert one.average_precision > one.base_rate


def test_held_out_origins_get_what_the_card_promises(detector: Detector) -> None:
    _, held = bundled_parts(["java"])
    _, rest = halves(held)
    number = count(400, len(rest))
    places = np.random.default_rng(0).permutation(len(rest))[:number]
    pairs = [rest[place] for place in places]
    found = probabilities(detector, score(detector, detector.encode(pairs)), pairs)
    reached = measure([pair.label for pair in pairs], found).average_precision
    (said,) = (one for one in detector.settings.measured if one.rows == f"{HELD_OUT}, java")
    assert reached == pytest.approx(said.average_precision, abs=0.1 if number == 400 else 0.01)
    labels = np.array([pair.label for pair in pairs])
    words = np.array([detector.settings.thresholds(MIN_PRECISION).verdict(p) for p in found])
    assert labels[words == "equivalent"].mean() >= MIN_PRECISION
    assert labels[words == "not-equivalent"].mean() <= 0.05


def test_judge_uses_it_when_no_model_is_named(tmp_path: Path) -> None:
    origin = "int f(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s; }"
    rows = [
        {"origin": origin, "mutant": origin.replace(old, new), "language": language}
        for old, new, language in [
            ("i < a.length", "i != a.length", "java"),
            ("s += a[i]", "s -= a[i]", "java"),
            ("i < a.length", "i != a.length", "cobol"),
        ]
    ]
    source, target = tmp_path / "rows.jsonl", tmp_path / "said.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = call_equimut("judge", str(source), "--out", str(target))
    assert done.returncode == 0
    same, other, unknown = (json.loads(line) for line in target.read_text().splitlines())
    assert same["probability"] > 0.5 > 0.1 > other["probability"]
    assert unknown["verdict"] == "unknown"
    assert "cobol" in unknown["reason"]
