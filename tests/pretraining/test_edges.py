"""Hidden edges of the graph: which are hidden, what is asked, what a wrong answer costs."""

from math import exp, log
from pathlib import Path

import numpy as np
import pytest
import torch

from equimut.inputs.batch import Collator
from equimut.inputs.encode import EncodedSnippet, encode_part
from equimut.inputs.subtokens import read_snippet
from equimut.inputs.window import Limits
from equimut.models.detector import Detector
from equimut.pretraining.loop import masking
from equimut.pretraining.loop.masking import EDGE_SHARE, hide_edges, masked_batch
from equimut.pretraining.loop.model import Pretrainer
from equimut.records import Snippet
from oracles.datasets.small_data import small_pairs
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer
from oracles.encoders.tiny_encoder import save_tiny_encoder

LIMITS = Limits(name="edit", max_length=64, nodes=24, window="edit")


def snippets() -> list[EncodedSnippet]:
    tokenizer = small_subtokenizer()
    texts = dict.fromkeys(pair.origin for pair in small_pairs())
    graphs = [read_snippet(Snippet(text=text, language="java"), tokenizer) for text in texts]
    return [encode_part(graph, 0, tokenizer.special, LIMITS) for graph in graphs]


def edges_of(snippet: EncodedSnippet) -> set[tuple[int, int]]:
    return {(int(first), int(second)) for first, second in snippet.edges}


def test_all_edges_of_some_nodes_are_hidden_and_no_others() -> None:
    hidden_share = []
    for number, snippet in enumerate(snippets()):
        for seed in range(20):
            question = hide_edges(snippet, np.random.default_rng((seed, number)))
            left = edges_of(question.snippet)
            gone = edges_of(snippet) - left
            assert left <= edges_of(snippet)
            true = [(int(first), int(second)) for first, second in question.there]
            assert set(true) <= gone
            assert len(set(true)) == len(true)
            for first, second in question.absent.tolist():
                assert first != second
                assert (first, second) not in edges_of(snippet)
                assert (second, first) not in edges_of(snippet)
            assert len(question.there) == len(question.absent)
            # What is hidden hangs together: without some nodes, no edge is missing.
            closed = {node for edge in gone for node in edge}
            kept = {node for edge in left for node in edge}
            assert all(first not in kept or second not in kept for first, second in gone)
            hidden_share.append(len(closed - kept) / max(1, snippet.node_count))
            assert np.array_equal(question.snippet.ids, snippet.ids)
            assert np.array_equal(question.snippet.node_spans, snippet.node_spans)
    assert EDGE_SHARE / 2 < np.mean(hidden_share) < EDGE_SHARE * 2


def test_a_hidden_edge_is_not_seen_by_the_network() -> None:
    whole = snippets()
    masked = masked_batch(
        whole, Collator(small_subtokenizer().special), 4, 4000, np.random.default_rng(3), edges=True
    )
    asked = masked.edges
    assert asked is not None
    assert asked.answers.sum() * 2 == len(asked.answers)
    for row, (first, second), answer in zip(
        asked.rows.tolist(), asked.nodes.tolist(), asked.answers.tolist(), strict=True
    ):
        assert not masked.batch.attention_mask[row, 0, first, second]
        assert not masked.batch.attention_mask[row, 0, second, first]
        start = whole[row].token_count
        known = edges_of(whole[row])
        assert ((first - start, second - start) in known) == bool(answer)


def test_without_the_question_nothing_is_drawn_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a pretraining without it is the same as before there was such a question."""
    collator = Collator(small_subtokenizer().special)
    asking, plain = np.random.default_rng(3), np.random.default_rng(3)
    with_edges = masked_batch(snippets(), collator, 4, 4000, asking, edges=True)
    monkeypatch.setattr(masking, "hide_edges", None)  # cannot be called
    without = masked_batch(snippets(), collator, 4, 4000, plain)
    assert without.edges is None
    assert plain.bit_generator.state != asking.bit_generator.state
    assert torch.equal(without.batch.input_ids, with_edges.batch.input_ids)
    assert torch.equal(without.answers, with_edges.answers)


@pytest.fixture
def model(tmp_path: Path) -> Pretrainer:
    encoder = str(save_tiny_encoder(tmp_path, layers=1, hidden=16, dropout=0.0))
    return Pretrainer(Detector.from_encoder(encoder), edges=True).eval()


def test_the_loss_is_that_of_a_plain_loop(model: Pretrainer) -> None:
    detector = model.detector
    masked = masked_batch(
        snippets(), detector.collator, small_tokenizer().mask_token_id, 300,
        np.random.default_rng(1), edges=True,
    )  # fmt: skip
    assert masked.edges is not None
    assert model.joins_nodes is not None
    states = detector.encoder(masked.batch).detach()
    total = 0.0
    joins = model.joins_nodes.requires_grad_(False)
    for row, (first, second), answer in zip(
        masked.edges.rows.tolist(),
        masked.edges.nodes.tolist(),
        masked.edges.answers.tolist(),
        strict=True,
    ):
        product = float(joins(states[row, first]) @ states[row, second]) / 16**0.5
        chance = 1 / (1 + exp(-product))
        total -= log(chance if answer else 1 - chance)
    found = model(masked, None).edges.detach()
    assert float(found) == pytest.approx(total / len(masked.edges.answers), rel=1e-4)


def test_a_pretraining_that_does_not_ask_for_edges_has_no_weights_for_them(
    model: Pretrainer,
) -> None:
    """So checkpoints from before there was this question can still be read."""
    plain = Pretrainer(model.detector)
    assert {*model.state_dict()} - {*plain.state_dict()} == {
        "joins_nodes.weight",
        "joins_nodes.bias",
    }


def test_the_network_learns_to_find_them(model: Pretrainer) -> None:
    """On the same functions, with other nodes chosen every time."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    chance = np.random.default_rng(0)
    losses = []
    for _ in range(80):
        masked = masked_batch(
            snippets(), model.detector.collator, small_tokenizer().mask_token_id, 300, chance,
            edges=True,
        )  # fmt: skip
        loss = model(masked, None).edges
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])
