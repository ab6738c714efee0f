"""Pretraining: what is hidden and asked, what is drawn, and that it goes on where it stopped."""

import json
from collections import Counter
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
import torch

from equimut.cli.dev.pretrain import pretrain as pretrain_command
from equimut.errors import DataError, EquimutError
from equimut.inputs.batch import Collator
from equimut.inputs.encode import encode_part
from equimut.inputs.subtokens import read_snippet
from equimut.inputs.window import Limits
from equimut.models.detector import Detector
from equimut.models.settings import SHIPPED
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.loop.config import (
    PretrainConfig,
    PretrainData,
    PretrainProgress,
    read_pretraining,
)
from equimut.pretraining.loop.masking import masked_batch
from equimut.pretraining.loop.model import FAR, Pretrainer
from equimut.pretraining.loop.pairs import PairLottery, bundled_parts, weighed
from equimut.pretraining.loop.pretrain import pretrain
from equimut.records import Snippet
from oracles.datasets.small_data import small_pairs
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer
from oracles.encoders.tiny_encoder import save_tiny_encoder

LIMITS = Limits(name="edit", max_length=64, nodes=16, window="edit")


class SmallCorpus:
    """Stands in for a corpus on disk: the origins of the benchmark."""

    def __init__(self) -> None:
        origins = dict.fromkeys(pair.origin for pair in small_pairs())
        self.all = [
            CorpusFunction(language="java", package="own", path=f"{n}.java", name="f", text=text)
            for n, text in enumerate(origins)
        ]

    def count(self, part: str = "train") -> int:
        return len(self.functions(part))

    def functions(self, part: str = "train") -> list[CorpusFunction]:
        return self.all[:8] if part == "train" else self.all[8:]

    def shuffled(self, seed: int, epoch: int, start: int = 0) -> list[CorpusFunction]:
        order = np.random.default_rng((seed, epoch)).permutation(8)
        return [self.all[at] for at in order][start:]


@pytest.fixture
def data(tmp_path: Path) -> PretrainData:
    small_tokenizer().save_pretrained(tmp_path / "tokenizer")
    pairs = small_pairs()
    return PretrainData(
        SmallCorpus(),  # type: ignore[arg-type]
        tmp_path / "tokenizer",
        weighed(pairs[:96]),
        pairs[96:],
    )


CONFIG = PretrainConfig(
    layers=1, hidden=16, intermediate=32, heads=2, max_length=48, nodes=8, steps=6, functions=3,
    pairs=4, threads=1,
)  # fmt: skip


def snippets(number: int = 6) -> list[object]:
    tokenizer = small_subtokenizer()
    graphs = [
        read_snippet(Snippet(text=f.text, language="java"), tokenizer)
        for f in SmallCorpus().all[:number]
    ]
    return [encode_part(graph, 5, tokenizer.special, LIMITS) for graph in graphs]


def test_what_is_asked_is_what_stood_there() -> None:
    whole = snippets()
    vocabulary, mask = len(small_tokenizer()), small_tokenizer().mask_token_id
    masked = masked_batch(
        whole, Collator(small_subtokenizer().special), mask, vocabulary, np.random.default_rng(0)
    )
    asked = list(zip(masked.rows.tolist(), masked.positions.tolist(), strict=True))
    assert len(set(asked)) == len(asked)
    shown = masked.batch.input_ids
    for (row, place), answer in zip(asked, masked.answers.tolist(), strict=True):
        assert whole[row].ids[place] == answer
    hidden = sum(int(shown[row, place]) == mask for row, place in asked)
    total = sum(snippet.token_count - 2 for snippet in whole)
    assert 0.08 * total < len(asked) < 0.25 * total
    assert 0.6 * len(asked) < hidden <= len(asked)
    for row, snippet in enumerate(whole):  # all else is as it was
        for place in range(snippet.token_count):
            if (row, place) not in asked:
                assert shown[row, place] == snippet.ids[place]


def test_a_hidden_name_is_hidden_in_its_node_too() -> None:
    whole = snippets()
    mask = small_tokenizer().mask_token_id
    masked = masked_batch(
        whole, Collator(small_subtokenizer().special), mask, 4000, np.random.default_rng(1)
    )
    for node_row, offset, column in zip(
        masked.batch.node_rows.tolist(),
        masked.batch.node_offsets.tolist(),
        masked.batch.node_columns.tolist(),
        strict=True,
    ):
        snippet = whole[node_row]
        start, end = snippet.node_spans[column - snippet.token_count].tolist()
        ids = masked.batch.node_ids[offset : offset + end - start]
        assert torch.equal(ids, masked.batch.input_ids[node_row, start:end])


def test_both_labels_and_all_origins_are_drawn() -> None:
    pairs = weighed(small_pairs()[:96])
    drawn = PairLottery(pairs, equivalent=0.4).draw(4000, np.random.default_rng(0))
    labels = Counter(each.pair.label for each in drawn)
    assert 0.36 < labels[1] / 4000 < 0.44
    origins = Counter(each.pair.class_id for each in drawn)
    assert len(origins) == 8
    assert min(origins.values()) > 0.7 * 4000 / 8  # all have the same number of pairs
    with pytest.raises(DataError, match="label 1"):
        PairLottery([each for each in pairs if each.pair.label == 0])


def test_held_out_origins_are_not_trained_on() -> None:
    train, held = bundled_parts(["c"])
    assert train
    assert held
    assert not {pair.origin for pair in train} & {pair.origin for pair in held}


def losses(path: Path) -> list[list[float]]:
    return [
        [line[name] for name in ("step", "masked", "equivalent", "edited", "held_out_masked")]
        for line in map(json.loads, (path / "log.jsonl").read_text().splitlines())
    ]


def weights(path: Path) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    return load_file(path / "detector" / "encoder" / "model.safetensors")


def test_stopped_and_started_it_ends_where_it_would_have(
    data: PretrainData, tmp_path: Path
) -> None:
    assert pretrain(CONFIG, data, tmp_path / "straight", every=2)
    for sitting in range(2):
        # no minutes at all: a sitting of one step, then a checkpoint
        assert not pretrain(CONFIG, data, tmp_path / "parts", every=2, minutes=0), sitting
    said: list[str] = []
    assert pretrain(CONFIG, data, tmp_path / "parts", every=2, message=said.append)
    assert said == ["going on at step 3"]
    for name, value in weights(tmp_path / "straight").items():
        assert torch.equal(weights(tmp_path / "parts")[name], value), name
    assert losses(tmp_path / "straight")[-1] == losses(tmp_path / "parts")[-1]


def test_it_learns_and_logs(data: PretrainData, tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"steps": 60, "rate": 5e-3, "hidden": 32})
    seen: list[PretrainProgress] = []
    pretrain(config, data, tmp_path / "run", every=30, progress=seen.append)
    first, last = losses(tmp_path / "run")
    assert last[1] < first[1]  # hidden sub-tokens
    assert len(seen) == 60
    assert seen[-1].tokens_per_second > 0
    line = json.loads((tmp_path / "run" / "log.jsonl").read_text().splitlines()[-1])
    assert 0 <= line["held_out_average_precision"] <= 1
    assert line["tokens"] > 60 * 3 * 10


def test_each_question_can_be_left_out(data: PretrainData, tmp_path: Path) -> None:
    words = CONFIG.model_copy(update={"pairs": 0, "steps": 1})
    pretrain(words, data, tmp_path / "words")
    assert losses(tmp_path / "words")[0][2:4] == [0, 0]
    mutants = CONFIG.model_copy(update={"functions": 0, "steps": 1})
    pretrain(mutants, data, tmp_path / "mutants")
    assert losses(tmp_path / "mutants")[0][1] == 0


def test_hidden_edges_are_asked_for_and_it_still_goes_on_where_it_stopped(
    data: PretrainData, tmp_path: Path
) -> None:
    asking = CONFIG.model_copy(update={"edge_weight": 1.0, "steps": 4})
    assert pretrain(asking, data, tmp_path / "straight", every=4)
    assert not pretrain(asking, data, tmp_path / "parts", every=4, minutes=0)
    assert pretrain(asking, data, tmp_path / "parts", every=4)
    for name, value in weights(tmp_path / "straight").items():
        assert torch.equal(weights(tmp_path / "parts")[name], value), name
    line = json.loads((tmp_path / "parts" / "log.jsonl").read_text().splitlines()[-1])
    assert line["edges"] > 0
    assert line["held_out_edges"] > 0
    pretrain(CONFIG.model_copy(update={"steps": 1}), data, tmp_path / "plain")
    line = json.loads((tmp_path / "plain" / "log.jsonl").read_text())
    assert line["edges"] == 0
    assert "held_out_edges" not in line


def test_what_a_question_weighs_may_change_but_not_whether_edges_are_asked_for(
    data: PretrainData, tmp_path: Path
) -> None:
    """The question about edges has weights of its own, which another checkpoint has not."""
    plain = CONFIG.model_copy(update={"steps": 2})
    pretrain(plain.model_copy(update={"steps": 1}), data, tmp_path / "run")
    with pytest.raises(EquimutError, match="other options"):
        pretrain(plain.model_copy(update={"edge_weight": 1.0}), data, tmp_path / "run")
    assert pretrain(plain.model_copy(update={"edited_weight": 0.5}), data, tmp_path / "run")


def test_the_defaults_are_those_of_the_encoder_that_ships() -> None:
    """On the command line too."""
    config = PretrainConfig()
    shipped = Detector.from_pretrained(SHIPPED)
    network = shipped.encoder.transformer.config
    assert (config.layers, config.hidden) == (network.num_hidden_layers, network.hidden_size)
    assert (config.heads, config.intermediate) == (
        network.num_attention_heads,
        network.intermediate_size,
    )
    assert config.limits == shipped.settings.limits
    assert shipped.settings.provenance is not None
    assert f"{config.steps:,} steps" in shipped.settings.provenance.protocol
    options = {
        name: option.default for name, option in signature(pretrain_command).parameters.items()
    }
    options["steps"] = options.pop("budget")
    shared = set(options) & set(PretrainConfig.model_fields)
    assert {"layers", "hidden", "max_length", "functions", "pairs", "rate", "steps"} <= shared
    assert {name: options[name] for name in shared} == config.model_dump(include=shared)


def test_other_options_need_another_directory(data: PretrainData, tmp_path: Path) -> None:
    pretrain(CONFIG.model_copy(update={"steps": 1}), data, tmp_path / "run")
    with pytest.raises(EquimutError, match="other options"):
        pretrain(CONFIG.model_copy(update={"rate": 1e-5}), data, tmp_path / "run")
    missing = PretrainData(data.corpus, tmp_path / "nowhere", data.pairs, data.held_out)
    with pytest.raises(EquimutError, match="no tokenizer"):
        pretrain(CONFIG, missing, tmp_path / "other")


def test_a_pretraining_may_be_given_more_steps_or_fewer(data: PretrainData, tmp_path: Path) -> None:
    place = tmp_path / "run"
    assert pretrain(CONFIG.model_copy(update={"steps": 2}), data, place, every=1)
    assert not pretrain(CONFIG.model_copy(update={"steps": 9}), data, place, minutes=0)
    config, steps = read_pretraining(place)
    assert (config.steps, steps) == (9, 3)
    assert pretrain(CONFIG.model_copy(update={"steps": 4, "threads": 1}), data, place)
    assert read_pretraining(place) == (
        CONFIG.model_copy(update={"steps": 4, "threads": 1}),
        4,
    )


def test_the_distance_that_is_asked_for_is_the_plain_one(tmp_path: Path) -> None:
    encoder = str(save_tiny_encoder(tmp_path, layers=1, hidden=16, dropout=0.0))
    detector = Detector.from_encoder(encoder)
    pairs = [*small_pairs()[:3], *small_pairs()[4:9]]
    encoded = detector.encode(pairs)
    trust = [1.0, 0.5, 1.0, 0.8, 1.0, 1.0, 0.7, 1.0]
    found = Pretrainer(detector)(None, detector.collator(encoded), trust).distance
    origin, mutant = detector.embed(pairs)
    equivalents = sum(pair.label for pair in pairs)
    assert 0 < equivalents < len(pairs)
    total = 0.0
    for row, pair in enumerate(pairs):
        cosine = float(torch.cosine_similarity(origin[row], mutant[row], dim=0))
        distance = (1 - cosine) / 2
        missed = distance if pair.label else max(0.0, FAR - distance)
        lot = equivalents if pair.label else len(pairs) - equivalents
        total += trust[row] * missed * 0.5 * len(pairs) / lot
    assert float(found) == pytest.approx(total / sum(trust), abs=1e-5)
