"""The detector computes what the padded two-pass form computes, and nothing twice."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from equimut.config import LossConfig, ModelConfig
from equimut.errors import EquimutError
from equimut.inputs.batch import Batch
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector, DetectorOutput
from equimut.models.head import pool_sides
from equimut.models.scoring import ViewStore, score, without_graph
from equimut.training.objective import Objective
from oracles.datasets.small_data import small_pairs
from oracles.encoders.padded_forward import PaddedForward
from oracles.encoders.tiny_encoder import save_tiny_encoder

INPUTS = [("paper", "cls"), ("paper", "edit"), ("edit", "cls"), ("edit", "edit")]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=2, hidden=32)


def build(encoder: Path, **options: object) -> Detector:
    torch.manual_seed(7)
    detector = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), **options))
    with torch.no_grad():  # the weights of a fresh encoder are so small that all pairs look alike
        for parameter in detector.parameters():
            parameter.mul_(3)
    return detector.eval()


def encoded(detector: Detector, number: int = 40) -> list[EncodedPair]:
    return detector.encode(small_pairs()[:number])


@pytest.mark.parametrize(("shown", "pooling"), INPUTS)
def test_logits_equal_the_padded_two_pass_form(encoder: Path, shown: str, pooling: str) -> None:
    detector = build(encoder, input=shown, pooling=pooling)
    pairs = encoded(detector)
    with torch.no_grad():
        logits, origin, mutant = PaddedForward(detector).eval()(pairs)
        output = detector(detector.collator(pairs))
    assert logits.std() > 1e-2
    torch.testing.assert_close(output.logits, logits, atol=1e-5, rtol=0)
    torch.testing.assert_close(output.origin.cls, origin, atol=1e-5, rtol=0)
    torch.testing.assert_close(output.mutant.cls, mutant, atol=1e-5, rtol=0)
    scored = score(detector, pairs)
    torch.testing.assert_close(torch.from_numpy(scored.logits), logits, atol=1e-5, rtol=0)


def test_gradients_equal_those_of_the_padded_two_pass_form(encoder: Path) -> None:
    detector = build(encoder)
    pairs = encoded(detector, 10)
    padded = PaddedForward(detector).eval()
    padded(pairs)[0].square().sum().backward()
    detector.head.zero_grad()
    detector(detector.collator(pairs)).logits.square().sum().backward()
    ours = dict(detector.encoder.transformer.named_parameters())
    for name, parameter in padded.transformer.named_parameters():
        assert parameter.grad is not None
        torch.testing.assert_close(
            ours[name].grad, parameter.grad, atol=1e-4, rtol=1e-3, msg=lambda m, n=name: f"{n}: {m}"
        )


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_states_of_some_positions_are_those_of_all_positions(encoder: Path, share: float) -> None:
    detector = build(encoder, input="paper")
    batch = detector.collator(encoded(detector, 8))
    wanted = torch.rand(batch.input_ids.shape, generator=torch.Generator().manual_seed(1)) < share
    wanted[:, 0] = True  # of padding too: nobody asks for it, and it must be a number
    with torch.no_grad():
        some, everything = detector.encoder(batch, wanted), detector.encoder(batch)
    torch.testing.assert_close(some, everything[wanted], atol=1e-5, rtol=0)


@pytest.mark.parametrize("some", [False, True])
def test_attention_is_in_single_precision_where_the_rest_is_not(
    encoder: Path, some: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = build(encoder)
    batch = detector.collator(encoded(detector, 8))
    wanted = batch.input_ids >= 0 if some else None
    attention, kinds = functional.scaled_dot_product_attention, []

    def watched(query: Tensor, key: Tensor, value: Tensor, **options: object) -> Tensor:
        found: Tensor = attention(query, key, value, **options)  # type: ignore[arg-type]
        kinds.append({query.dtype, key.dtype, value.dtype, found.dtype})
        return found

    monkeypatch.setattr(functional, "scaled_dot_product_attention", watched)
    with torch.no_grad():
        exact = detector.encoder(batch, wanted)
        with torch.autocast("cpu", torch.bfloat16):
            rough = detector.encoder(batch, wanted)
    assert kinds == [{torch.float32}] * 4  # two layers, twice
    difference = (rough.float() - exact).abs().max()
    assert 1e-4 < difference < 0.05 * exact.abs().max()  # the rest is in half precision


@pytest.mark.parametrize(("shown", "pooling"), INPUTS)
@pytest.mark.parametrize("loss", ["base", "contrastive", "cpl"])
def test_gradients_are_those_of_a_last_layer_computed_everywhere(
    encoder: Path, shown: str, pooling: Literal["cls", "edit"], loss: str
) -> None:
    detector = build(encoder, input=shown, pooling=pooling)
    pairs = encoded(detector, 24)  # several mutants of one origin: shared sequences, other edits
    batch = detector.collator(pairs)
    gradients = []
    for whole in (False, True):
        if whole:
            sides = pool_sides(detector.encoder(batch), batch, pooling)
            output = DetectorOutput(detector.head(*sides), *sides)
        else:
            output = detector(batch)
        config = LossConfig.model_validate({"name": loss, "margin": 0.1})
        objective = Objective(config, [pair.class_id for pair in pairs]).train()
        objective(output, batch, len(pairs)).total.backward()
        gradients.append({n: p.grad for n, p in detector.named_parameters() if p.grad is not None})
        detector.zero_grad()
    ours, plain = gradients
    assert ours.keys() == plain.keys()
    for name, gradient in plain.items():
        scale = max(float(gradient.abs().max()), 1e-3)
        torch.testing.assert_close(ours[name] / scale, gradient / scale, atol=2e-5, rtol=0)


@pytest.mark.parametrize("pooling", ["cls", "edit"])
def test_the_last_layer_works_on_no_more_than_the_head_looks_at(
    encoder: Path, pooling: Literal["cls", "edit"]
) -> None:
    detector = build(encoder, input="paper", pooling=pooling)
    pairs = encoded(detector, 12)
    batch = detector.collator(pairs)
    looked_at = {(side, 0) for pair in pairs for side in (pair.origin, pair.mutant)}
    if pooling == "edit":
        for pair in pairs:
            looked_at |= {(pair.origin, place) for place in range(*pair.origin_edit)}
            looked_at |= {(pair.mutant, place) for place in range(*pair.mutant_edit)}
    rows: list[int] = []
    for layer in detector.encoder.transformer.encoder.layer:
        layer.intermediate.register_forward_hook(
            lambda module, inputs, output: rows.append(output.shape[:-1].numel())
        )
    detector(batch)
    assert rows == [batch.input_ids.numel(), len(looked_at)]


def count_rows(detector: Detector) -> Counter[str]:
    """Counts what passes the encoder from now on."""
    counted: Counter[str] = Counter()

    def note(module: object, inputs: tuple[Batch], output: Tensor) -> None:
        counted["sequences"] += len(inputs[0].input_ids)
        counted["passes"] += 1

    detector.encoder.register_forward_hook(note)
    return counted


def test_an_origin_is_encoded_once_for_all_of_its_mutants(encoder: Path) -> None:
    detector = build(encoder, input="paper", pooling="edit")
    pairs = encoded(detector, 144)
    distinct = {side for pair in pairs for side in (pair.origin, pair.mutant)}
    origins = {pair.origin for pair in pairs}
    assert len(origins) == 12
    counted = count_rows(detector)
    store = ViewStore()
    score(detector, pairs, store=store)
    assert counted["sequences"] == store.encoded_sequences == len(distinct) < 2 * len(pairs)
    score(detector, pairs, store=store)
    assert counted["sequences"] == len(distinct)  # nothing is encoded again


def test_a_batch_encodes_each_distinct_sequence_once(encoder: Path) -> None:
    detector = build(encoder, input="paper")
    pairs = encoded(detector, 12)
    counted = count_rows(detector)
    detector(detector.collator(pairs))
    assert counted == {"passes": 1, "sequences": 13}


def test_scores_do_not_depend_on_what_is_scored_together(encoder: Path) -> None:
    detector = build(encoder)
    pairs = encoded(detector, 30)
    together = score(detector, pairs).logits
    alone = np.concatenate([score(detector, [pair]).logits for pair in pairs])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)


def test_scoring_leaves_the_mode_of_the_detector(encoder: Path) -> None:
    detector = build(encoder).train()
    score(detector, encoded(detector, 3))
    assert detector.training
    assert score(detector, []).logits.shape == (0, 2)


def test_without_graph_attention_nodes_have_no_say(encoder: Path) -> None:
    detector = build(encoder, graph_attention=False)
    pairs = encoded(detector, 5)
    assert all(side.node_count == 0 for pair in pairs for side in (pair.origin, pair.mutant))
    graph = build(encoder)
    assert any(side.origin.node_count for side in graph.encode(small_pairs()[:5]))
    assert [without_graph(pair) for pair in graph.encode(small_pairs()[:5])] == pairs


def test_normalised_embeddings_reach_the_head_only(encoder: Path) -> None:
    plain, unit = build(encoder), build(encoder, normalize_embeddings=True)
    unit.load_state_dict(plain.state_dict())
    batch = plain.collator(encoded(plain, 6))
    before, after = plain(batch), unit(batch)
    torch.testing.assert_close(before.origin.cls, after.origin.cls)
    assert not torch.allclose(before.logits, after.logits)
    assert not torch.allclose(before.origin.cls.norm(dim=1), torch.ones(6), atol=0.1)


def test_embeddings_are_those_of_the_first_place(encoder: Path) -> None:
    detector = build(encoder)
    pairs: Sequence[EncodedPair] = encoded(detector, 4)
    origin, mutant = detector.embed(small_pairs()[:4])
    with torch.no_grad():
        output = detector(detector.collator(pairs))
    torch.testing.assert_close(origin, output.origin.cls, atol=1e-5, rtol=0)
    torch.testing.assert_close(mutant, output.mutant.cls, atol=1e-5, rtol=0)


def test_a_small_encoder_sees_what_it_has_positions_for(tmp_path: Path) -> None:
    short = save_tiny_encoder(tmp_path / "short", layers=1, hidden=16, positions=66)
    detector = Detector.from_encoder(short, ModelConfig(encoder=str(short), input="paper"))
    assert detector.settings.limits.code == 62
    longest = max(pair.origin.token_count for pair in encoded(detector, 30))
    assert longest == 64
    detector(detector.collator(encoded(detector, 30)))


@pytest.mark.parametrize(
    ("name", "words"),
    [("no/such-encoder-anywhere", ["no/such-encoder", "directory"]), ("bert", ["bert", "RoBERTa"])],
)
def test_an_encoder_that_cannot_be_used_is_named(
    name: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    if name == "bert":
        from transformers import BertConfig, BertModel

        name = str(tmp_path / "bert")
        small = BertConfig(hidden_size=8, num_attention_heads=2, num_hidden_layers=1)
        BertModel(small).save_pretrained(name)
    with pytest.raises(EquimutError) as error:
        Detector.from_encoder(name)
    assert all(word in str(error.value) for word in words)
    assert "\n" not in str(error.value)


def test_weights_that_are_not_there_are_not_made_up(encoder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    partial = tmp_path / "partial"
    partial.mkdir()
    for path in encoder.iterdir():
        (partial / path.name).write_bytes(path.read_bytes())
    weights = load_file(partial / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "layer.1.output" not in name}
    assert len(kept) < len(weights)
    save_file(kept, partial / "model.safetensors", {"format": "pt"})
    with pytest.raises(EquimutError, match=r"weights are not in its files .*layer\.1\.output"):
        Detector.from_encoder(partial)
