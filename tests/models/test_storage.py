"""A saved detector comes back as it was, or an error says what is wrong with which file."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from equimut.config import ModelConfig
from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.models.scoring import score
from equimut.models.settings import Calibration, PrecisionTarget, Provenance
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

TARGET = PrecisionTarget(
    precision=0.95, threshold=0.83, achieved=0.97, lower_bound=0.955, recall=0.5, support=800
)


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    encoder = save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=32)
    made = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), max_length=96))
    calibration = Calibration(temperature=1.7, rows=300, source="dev rows", targets=(TARGET,))
    made.settings = made.settings.model_copy(
        update={
            "calibration": calibration,
            "provenance": Provenance(loss="cpl", data="bundled:java", languages=("java",)),
        }
    )
    return made.eval()


def test_a_saved_detector_comes_back_bit_by_bit(detector: Detector, tmp_path: Path) -> None:
    detector.save_pretrained(tmp_path / "model")
    back = Detector.from_pretrained(tmp_path / "model")
    assert back.settings == detector.settings
    assert not back.training
    for name, value in detector.state_dict().items():
        assert torch.equal(back.state_dict()[name], value)
    pairs = small_pairs()[:6]
    np.testing.assert_array_equal(
        score(back, back.encode(pairs)).logits, score(detector, detector.encode(pairs)).logits
    )


def test_it_is_safetensors_json_and_a_card(detector: Detector, tmp_path: Path) -> None:
    detector.save_pretrained(tmp_path / "model")
    names = {str(p.relative_to(tmp_path / "model")) for p in (tmp_path / "model").rglob("*")}
    assert {"detector.json", "head.safetensors", "README.md", "encoder/model.safetensors"} <= names
    assert not [name for name in names if name.endswith((".bin", ".pt", ".pkl"))]
    card = (tmp_path / "model" / "README.md").read_text()
    for word in ("cpl", "bundled:java", "Temperature 1.700", "| 0.95 | 0.830 |"):
        assert word in card
    assert (
        json.loads((tmp_path / "model" / "detector.json").read_text())["limits"]["max_length"] == 96
    )


def test_the_encoder_inside_loads_like_any_other(detector: Detector, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    detector.save_pretrained(tmp_path / "model")
    model = AutoModel.from_pretrained(tmp_path / "model" / "encoder", add_pooling_layer=False)
    assert type(model).__name__ == "RobertaModel"
    assert len(AutoTokenizer.from_pretrained(tmp_path / "model" / "encoder")) > 1000


def test_half_precision_halves_the_files_and_hardly_changes_a_logit(
    detector: Detector, tmp_path: Path
) -> None:
    detector.save_pretrained(tmp_path / "whole")
    detector.save_pretrained(tmp_path / "half", half=True)
    sizes = [
        sum(path.stat().st_size for path in (tmp_path / name).rglob("*.safetensors"))
        for name in ("whole", "half")
    ]
    assert sizes[1] < 0.55 * sizes[0]
    back = Detector.from_pretrained(tmp_path / "half")
    assert {parameter.dtype for parameter in back.parameters()} == {torch.float32}
    pairs = detector.encode(small_pairs()[:6])
    np.testing.assert_allclose(
        score(back, pairs).logits, score(detector, pairs).logits, atol=5e-3, rtol=0
    )


def test_saving_again_replaces_and_saving_over_something_else_does_not(
    detector: Detector, tmp_path: Path
) -> None:
    detector.save_pretrained(tmp_path / "model")
    detector.save_pretrained(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.jpg").write_bytes(b"1")
    with pytest.raises(EquimutError, match="holds something else"):
        detector.save_pretrained(tmp_path / "photos")
    (tmp_path / "file").write_bytes(b"1")
    with pytest.raises(EquimutError, match="not a directory"):
        detector.save_pretrained(tmp_path / "file")
    assert (tmp_path / "photos" / "one.jpg").read_bytes() == b"1"


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("detector.json", b"{", "detector.json"),
        ("detector.json", b'{"format": 1, "encoder": "x", "colour": 3}', "colour"),
        ("detector.json", b'{"format": 2, "encoder": "x"}', "format"),
        ("head.safetensors", b"\x10\x00", "head.safetensors"),
        ("encoder/model.safetensors", b"", "encoder"),
        ("encoder/config.json", b"[]", "encoder"),
    ],
)
def test_a_damaged_file_is_named(
    detector: Detector, tmp_path: Path, file: str, content: bytes, words: str
) -> None:
    detector.save_pretrained(tmp_path / "model")
    (tmp_path / "model" / file).write_bytes(content)
    with pytest.raises(EquimutError, match=words) as error:
        Detector.from_pretrained(tmp_path / "model")
    assert "\n" not in str(error.value)


def test_a_directory_without_a_detector_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EquimutError, match="holds no detector"):
        Detector.from_pretrained(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EquimutError, match="no model 'nobody/nothing'"):
        Detector.from_pretrained("nobody/nothing")


def test_a_threshold_is_promised_by_its_lower_bound_whatever_its_target_was() -> None:
    weak = TARGET.model_copy(update={"threshold": 0.6, "lower_bound": 0.91})
    calibration = Calibration(targets=(weak, TARGET))
    assert calibration.threshold_for(0.95) == TARGET
    assert calibration.threshold_for(0.9) == weak
    assert calibration.threshold_for(0.99) is None


def test_a_training_may_start_from_a_detector_its_encoder_or_its_shape(
    detector: Detector, tmp_path: Path
) -> None:
    place = tmp_path / "saved"
    detector.save_pretrained(place)
    name = str(place)

    def start(how: str) -> Detector:
        torch.manual_seed(7)
        config = ModelConfig.model_validate({"encoder": name, "start": how})
        return Detector.from_encoder(name, config)

    whole, encoder, shape = start("detector"), start("encoder"), start("random")
    ours, heads = detector.encoder.state_dict(), detector.head.state_dict()
    for name_, value in whole.encoder.state_dict().items():
        assert torch.equal(value, ours[name_])
    assert all(torch.equal(v, heads[n]) for n, v in whole.head.state_dict().items())
    assert all(torch.equal(v, ours[n]) for n, v in encoder.encoder.state_dict().items())
    assert not torch.equal(encoder.head.dense.weight, heads["dense.weight"])
    assert not torch.equal(shape.encoder.word_embeddings, detector.encoder.word_embeddings)
    assert (
        shape.encoder.transformer.config.to_dict() == encoder.encoder.transformer.config.to_dict()
    )
    other = ModelConfig(encoder=name, start="detector", pooling="cls")
    with pytest.raises(EquimutError, match=r"head\.safetensors"):
        Detector.from_encoder(name, other)
