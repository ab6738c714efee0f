"""An encoder in the layout of `microsoft/unixcoder-base` loads and trains as published."""

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from conftest import FULL
from equimut.config import PAPER, ModelConfig, changed
from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.training.fit import fit
from equimut.training.objective import Objective
from oracles.datasets.small_data import small_pairs
from oracles.encoders.small_tokenizer import small_tokenizer
from oracles.encoders.unixcoder_layout import save_unixcoder_layout


@pytest.mark.skipif(not FULL, reason="half a minute; make test-full does it")
def test_twelve_layers_of_768_load_and_train_with_the_paper_preset(tmp_path: Path) -> None:
    encoder = save_unixcoder_layout(tmp_path / "unixcoder-base")
    assert len(AutoTokenizer.from_pretrained(encoder)) == len(small_tokenizer())
    # short functions, so that this is a matter of seconds; checkpoints at the end only
    pairs = tuple(sorted(small_pairs(), key=lambda pair: len(pair.origin)))[:8]
    config = changed(PAPER, {"model.encoder": str(encoder), "optim.epochs": 1, "loss.name": "cpl"})
    assert (config.optim.batch_size, config.optim.learning_rate) == (4, 2e-5)
    detector = Detector.from_encoder(encoder, config.model)
    transformer = detector.encoder.transformer
    assert transformer.config.num_hidden_layers == 12
    assert transformer.config.hidden_size == 768
    assert detector.settings.limits.max_length == 320
    before = {name: value.clone() for name, value in detector.state_dict().items()}
    objective = Objective(config.loss, [pair.class_id for pair in pairs])
    fit(detector, objective, detector.encode(pairs), None, config, tmp_path / "run")
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2]
    assert all(0 < line["cross_entropy"] < 5 for line in lines)
    moved = [
        name
        for name, value in detector.state_dict().items()
        if not torch.equal(value, before[name])
    ]
    layers = {name.split("layer.")[1].split(".")[0] for name in moved if "layer." in name}
    assert layers == {str(number) for number in range(12)}


def test_its_sub_tokens_are_those_of_the_fast_tokenizer(tmp_path: Path) -> None:
    encoder = save_unixcoder_layout(tmp_path / "unixcoder-base", layers=1, hidden=24)
    detector = Detector.from_encoder(encoder)
    words = ["int", "f", "(", "count", "+", '"</s> <s>"', ")"]
    from equimut.inputs.subtokens import SubTokenizer

    expected = SubTokenizer.of(small_tokenizer()).split(words)
    assert detector.sub_tokenizer.split(words) == expected


def test_a_mode_stands_before_the_code_and_moves_nothing_else(tmp_path: Path) -> None:
    encoder = save_unixcoder_layout(tmp_path / "unixcoder-base", layers=1, hidden=24)
    plain = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), max_length=120))
    named = ModelConfig(encoder=str(encoder), max_length=122, mode="return")  # a token it has
    marked = Detector.from_encoder(encoder, named)
    mode = marked.tokenizer.get_vocab()["return"]
    special = marked.sub_tokenizer.special
    pairs = small_pairs()[:30]
    for before, after in zip(plain.encode(pairs), marked.encode(pairs), strict=True):
        for one, other in ((before.origin, after.origin), (before.mutant, after.mutant)):
            assert other.ids.tolist() == [
                one.ids[0], mode, special.end, *one.ids[1:].tolist(),
            ]  # fmt: skip
            shown = one.node_spans[:, 1] > 0
            assert (other.node_spans == one.node_spans + 2 * shown[:, None]).all()
        assert after.origin_edit == tuple(place + 2 for place in before.origin_edit)
        assert after.mutant_edit == tuple(place + 2 for place in before.mutant_edit)
    marked(marked.collator(marked.encode(pairs)))
    with pytest.raises(EquimutError, match="no token '<encoder-only>'"):
        Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), mode="<encoder-only>"))
