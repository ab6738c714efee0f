"""A saved detector judges without torch as it does with it, whatever its shape."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from conftest import count
from equimut.config import ModelConfig
from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.models.judging import judge, probabilities
from equimut.models.network_layers import double_gelu
from equimut.models.runtime import NeedsTorch, NumpyDetector, load_model
from equimut.models.scoring import score
from equimut.models.settings import MIN_PRECISION, SHIPPED, model_directory, read_settings
from equimut.models.storage import SAME_LOGITS
from equimut.pretraining.loop.pairs import bundled_parts
from equimut.records import Query
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

CODE = """
import sys
from equimut import Query, load_model
model = load_model(sys.argv[1])
question = Query(origin="int f(int x) { return x; }", mutant="int f(int x) { return x + 1; }",
                 language="java")
(found,) = model.judge_all([question])
assert 0 <= found.probability <= 1
print(type(model).__name__, sorted({"torch", "transformers", "scipy"} & set(sys.modules)))
"""


def made(place: Path, **changes: object) -> Detector:
    """A small detector with random weights everywhere, also where training begins with zeros."""
    torch.manual_seed(3)
    encoder = save_tiny_encoder(place / "encoder", layers=2, hidden=32)
    detector = Detector.from_encoder(
        encoder, ModelConfig.model_validate({"encoder": str(encoder), **changes})
    )
    with torch.no_grad():
        for parameter in detector.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
        if detector.head.near is not None:
            detector.head.verges.copy_(torch.tensor([0.4, 0.1]))
    return detector.eval()


SHAPES: dict[str, dict[str, object]] = {
    "edits": {},
    "published": {"pooling": "cls", "input": "paper"},
    "normalised": {"pooling": "cls", "normalize_embeddings": True},
    "features": {"features": True},
    "distance of the whole": {"distance": "cls", "pooling": "cls"},
    "distance of the edit": {"distance": "edit", "features": True},
    "both distances": {"distance": "both"},
    "no graph": {"graph_attention": False},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("half", [False, True])
def test_every_shape_gives_the_same_logits(tmp_path: Path, shape: str, half: bool) -> None:
    made(tmp_path, **SHAPES[shape]).save_pretrained(tmp_path / "model", half=half)
    ours = Detector.from_pretrained(tmp_path / "model")
    theirs = NumpyDetector.from_pretrained(tmp_path / "model")
    assert ours.settings == theirs.settings
    assert ours.sub_tokenizer.special == theirs.sub_tokenizer.special
    pairs = small_pairs()[: count(12, 60)]
    first, second = (
        score(each, each.encode(pairs), keep_states=True, keep_embeddings=True)
        for each in (ours, theirs)
    )
    assert np.ptp(first.logits) > 1e-2  # else all pairs look alike to it
    for name in ("logits", "distance", "origin", "mutant", "state"):
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), atol=1e-5, rtol=0)
    weights = ours.feature_weights(), theirs.feature_weights()
    assert (weights[0] is None) == (weights[1] is None)
    if weights[0] is not None and weights[1] is not None:
        np.testing.assert_array_equal(*weights)


def test_the_shipped_detector_gives_the_same_verdicts_on_held_out_pairs() -> None:
    _, held = bundled_parts(["java", "c", "python"])
    chosen = np.random.default_rng(19).permutation(len(held))[: count(75, 6000)]
    pairs = [held[place] for place in chosen]
    ours, theirs = Detector.from_pretrained(SHIPPED), load_model(SHIPPED)
    assert isinstance(theirs, NumpyDetector)
    first, second = (score(each, each.encode(pairs)) for each in (ours, theirs))
    assert np.abs(first.logits - second.logits).max() < SAME_LOGITS
    promised = ours.settings.thresholds(MIN_PRECISION)
    found = [
        probabilities(model, scored, pairs) for model, scored in ((ours, first), (theirs, second))
    ]
    assert np.abs(found[0] - found[1]).max() < SAME_LOGITS
    words = [[promised.verdict(value) for value in each] for each in found]
    assert words[0] == words[1]
    assert len(set(words[0])) == 3
    if len(pairs) <= 200:
        answers = [list(judge(model, pairs)) for model in (ours, theirs)]
        for one, other in zip(*answers, strict=True):
            assert (one.verdict, one.reason, one.remark) == (
                other.verdict,
                other.reason,
                other.remark,
            )


def test_a_user_of_a_trained_detector_needs_no_torch(tmp_path: Path) -> None:
    made(tmp_path).save_pretrained(tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "model")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["NumpyDetector", "[]"]


def test_an_encoder_out_of_the_ordinary_is_left_to_torch(tmp_path: Path) -> None:
    made(tmp_path).save_pretrained(tmp_path / "model")
    path = tmp_path / "model" / "encoder" / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "hidden_act": "relu"}))
    with pytest.raises(NeedsTorch):
        NumpyDetector.from_pretrained(tmp_path / "model")
    other = load_model(tmp_path / "model")
    assert isinstance(other, Detector)
    other.save_pretrained(tmp_path / "again")  # nothing to compare with, and no reason to refuse


def test_a_detector_that_would_say_something_else_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = made(tmp_path)
    whole = NumpyDetector.head_output

    def off(self: NumpyDetector, *given: object) -> object:
        found = whole(self, *given)  # type: ignore[arg-type]
        return found._replace(logits=found.logits + 2e-4)

    monkeypatch.setattr(NumpyDetector, "head_output", off)
    with pytest.raises(EquimutError, match="other logits without torch"):
        detector.save_pretrained(tmp_path / "model")
    assert not (tmp_path / "model").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["encoder"]


def test_weights_of_another_shape_are_named(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    made(tmp_path).save_pretrained(tmp_path / "model")
    path = tmp_path / "model" / "encoder" / "model.safetensors"
    weights = load_file(path)
    name = "encoder.layer.1.output.dense.bias"
    save_file({**weights, name: weights[name][:-1].copy()}, path)
    with pytest.raises(EquimutError, match=rf"{name} has the shape"):
        NumpyDetector.from_pretrained(tmp_path / "model")
    del weights[name]
    save_file(weights, path)
    with pytest.raises(EquimutError, match=rf"1 weights are not in its files \(such as {name}\)"):
        NumpyDetector.from_pretrained(tmp_path / "model")


def test_gelu_is_exact_to_single_precision() -> None:
    values = np.concatenate([np.linspace(-12, 12, 20_001), [-1e4, -40, 0, 40, 1e4]])
    exact = [0.5 * value * math.erfc(-value / math.sqrt(2)) for value in values]
    bias = np.linspace(-1, 1, len(values), dtype=np.float32)[:, None]
    found = double_gelu(values.astype(np.float32)[:, None] - bias, bias)[:, 0] / 2
    np.testing.assert_allclose(found, exact, atol=1e-6, rtol=2e-7)


def test_scores_of_attention_that_no_exponential_holds(tmp_path: Path) -> None:
    detector = made(tmp_path)
    with torch.no_grad():
        for layer in detector.encoder.transformer.encoder.layer:
            layer.attention.self.key.weight.zero_()  # all are seen alike, and score 4000 or so
            layer.attention.self.key.bias.fill_(100)
            layer.attention.self.query.bias.fill_(10)
    detector.save_pretrained(tmp_path / "model")
    pairs = small_pairs()[:8]
    first, second = (
        score(each, each.encode(pairs)).logits
        for each in (detector, NumpyDetector.from_pretrained(tmp_path / "model"))
    )
    assert np.isfinite(second).all()
    np.testing.assert_allclose(first, second, atol=1e-4, rtol=0)


def test_a_pair_at_a_threshold_gets_the_verdict_of_the_row_that_it_came_from() -> None:
    promised = read_settings(model_directory(SHIPPED)).thresholds(MIN_PRECISION)
    assert promised.equivalent_from is not None
    assert promised.not_equivalent_to is not None
    for off in (-2e-7, 0.0, 2e-7):
        assert promised.verdict(promised.equivalent_from + off) == "equivalent"
        assert promised.verdict(promised.not_equivalent_to + off) == "not-equivalent"
    assert promised.verdict(promised.equivalent_from - 1e-5) == "unknown"
    assert promised.verdict(promised.not_equivalent_to + 1e-5) == "unknown"


def test_an_origin_is_encoded_once_for_all_its_edits(tmp_path: Path) -> None:
    """Also where its mutants are asked about one by one: another edit looks elsewhere in it."""
    made(tmp_path).save_pretrained(tmp_path / "detector")
    origin = "int f(int a, int b) { return a + b * a; }"
    mutants = [origin.replace("+", "-"), origin.replace("*", "/"), origin.replace("a;", "b;")]
    queries = [Query(origin=origin, mutant=each, language="java") for each in mutants]
    together, alone = (NumpyDetector.from_pretrained(tmp_path / "detector") for _ in range(2))
    at_once = [each.probability for each in judge(together, queries)]
    one_by_one = [next(judge(alone, [query])).probability for query in queries]
    assert alone._encoder.encoded == together._encoder.encoded == 1 + len(mutants)
    assert one_by_one == pytest.approx(at_once, abs=1e-6)
    assert len(set(at_once)) == len(mutants)
