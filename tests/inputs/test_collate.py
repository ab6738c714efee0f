"""A batch holds each distinct sequence once, padded to the longest, and padding changes nothing."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.data import DataLoader

from conftest import count
from equimut.inputs.batch import Batch, Collator, embed
from equimut.inputs.buckets import length_buckets
from equimut.inputs.encode import EncodedPair, encode_graphs
from equimut.inputs.sequences import Positions, attention_mask
from equimut.inputs.window import EDIT, Limits
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer
from oracles.encoders.token_graphs import edited_graphs, graph_of

SPECIAL = small_subtokenizer().special
NARROW = Limits(name="narrow", max_length=40, nodes=8, window="edit")


def encoded(origin: list[str], mutant: list[str], limits: Limits = EDIT) -> EncodedPair:
    rows = [(word, (word - 1,)) for word in range(1, min(len(origin), len(mutant)), 3)]
    graphs = (graph_of(origin, rows), graph_of(mutant, rows))
    return encode_graphs(*graphs, special=SPECIAL, limits=limits)


def family(size: int, length: int = 20) -> list[EncodedPair]:
    """Mutants of one origin."""
    words = ["x"] * length
    mutants = [[*words[:at], "y", *words[at + 1 :]] for at in range(size)]
    return [encoded(words, mutant) for mutant in mutants]


def attend(batch: Batch, table: Tensor) -> Tensor:
    """One attention over the input embeddings and positions: [U, L, H]."""
    states = embed(batch, table) + batch.position_ids[:, :, None] / 100
    return scaled_dot_product_attention(
        states[:, None], states[:, None], states[:, None], attn_mask=batch.attention_mask
    )[:, 0]


def test_an_origin_shared_by_all_pairs_is_held_once() -> None:
    batch = Collator(SPECIAL)(family(5))
    assert len(batch) == 5
    assert len(batch.input_ids) == 6
    assert len(set(batch.origin.tolist())) == 1
    assert len(set(batch.mutant.tolist())) == 5


def test_an_origin_and_an_equal_mutant_share_a_row() -> None:
    batch = Collator(SPECIAL)([encoded(["x", ";"], ["x", ";"])])
    assert len(batch.input_ids) == 1
    assert batch.origin.tolist() == batch.mutant.tolist() == [0]


cases = st.lists(edited_graphs(longest=80), min_size=1, max_size=5)


@given(cases, st.sampled_from([1, 8]))
@settings(max_examples=count(60, 600))
def test_gathering_rows_gives_back_every_pair(cases: list, multiple: int) -> None:
    pairs = [
        encode_graphs(graph_of(*origin), graph_of(*mutant), special=SPECIAL, limits=NARROW)
        for origin, mutant in cases
    ]
    batch = Collator(SPECIAL, multiple_of=multiple)(pairs)
    length = batch.input_ids.shape[1]
    longest = max(pair.length for pair in pairs)
    assert longest <= length < longest + multiple
    assert length % multiple == 0
    for number, pair in enumerate(pairs):
        for side, rows, edits in (
            ("origin", batch.origin, batch.origin_edit),
            ("mutant", batch.mutant, batch.mutant_edit),
        ):
            snippet, (start, end) = getattr(pair, side), getattr(pair, f"{side}_edit")
            row = rows[number]
            tokens, total = snippet.token_count, snippet.length
            assert batch.input_ids[row, :tokens].tolist() == snippet.ids.tolist()
            assert set(batch.input_ids[row, tokens:total].tolist()) <= {SPECIAL.node}
            assert set(batch.input_ids[row, total:].tolist()) <= {SPECIAL.padding}
            expected = [*range(2, 2 + tokens), *[0] * snippet.node_count, *[1] * (length - total)]
            assert batch.position_ids[row].tolist() == expected
            assert np.array_equal(batch.attention_mask[row, 0], attention_mask(snippet, length))
            assert edits[number].nonzero().flatten().tolist() == list(range(start, end))
            assert (batch.token_counts[row], batch.node_counts[row]) == (tokens, total - tokens)


@given(cases)
@settings(max_examples=count(30, 300))
def test_no_place_is_nan_and_padding_changes_nothing(cases: list) -> None:
    pairs = [
        encode_graphs(graph_of(*origin), graph_of(*mutant), special=SPECIAL, limits=NARROW)
        for origin, mutant in cases
    ]
    table = torch.randn(len(small_tokenizer()), 4, dtype=torch.float64).requires_grad_()
    together = attend(Collator(SPECIAL, multiple_of=64)(pairs), table)
    assert together.isfinite().all()
    together.sum().backward()
    assert table.grad is not None
    assert table.grad.isfinite().all()
    batch = Collator(SPECIAL)(pairs)
    for number, pair in enumerate(pairs):
        alone = Collator(SPECIAL, multiple_of=1)([pair])
        for row, own_row, snippet in (
            (batch.origin[number], alone.origin[0], pair.origin),
            (batch.mutant[number], alone.mutant[0], pair.mutant),
        ):
            own = attend(alone, table)[own_row, : snippet.length]
            assert torch.allclose(together[row, : snippet.length], own)


def test_a_place_that_sees_nothing_would_be_nan() -> None:
    """The danger the mask avoids is real: otherwise the test above could not fail."""
    state = torch.randn(1, 1, 2, 4)
    mask = torch.tensor([[True, True], [False, False]])
    scores = (state @ state.transpose(-1, -2)).masked_fill(~mask, -torch.inf)
    assert scores.softmax(-1).isnan().any()


def test_labels_classes_and_places_in_the_data_set_travel_along() -> None:
    first, second = family(2)
    known = EncodedPair(first.origin, first.mutant, first.origin_edit, first.mutant_edit, 1, 7, 40)
    batch = Collator(SPECIAL)([known, second])
    assert batch.labels.tolist() == [1, -1]
    assert batch.class_ids.tolist() == [7, -1]
    assert batch.sample_index.tolist() == [40, -1]


def test_positions_can_be_those_of_another_encoder() -> None:
    batch = Collator(SPECIAL, Positions(first_token=0, node=0, padding=0))(family(1))
    tokens = int(batch.token_counts[0])
    assert batch.position_ids[0, :tokens].tolist() == list(range(tokens))


def test_a_batch_moves_whole() -> None:
    batch = Collator(SPECIAL)(family(2))
    moved = vars(batch.to("meta"))
    assert {tensor.device.type for tensor in moved.values()} == {"meta"}
    assert {name: t.shape for name, t in moved.items()} == {
        name: tensor.shape for name, tensor in vars(batch).items()
    }


def test_a_data_loader_with_workers_gives_every_pair_once() -> None:
    pairs = [
        EncodedPair(p.origin, p.mutant, p.origin_edit, p.mutant_edit, index=index)
        for index, p in enumerate(family(10) + family(7, length=35))
    ]
    buckets = length_buckets([pair.length for pair in pairs], 4, seed=3)
    loader = DataLoader(
        pairs,  # type: ignore[arg-type]
        batch_sampler=buckets,
        collate_fn=Collator(SPECIAL),
        num_workers=1,
    )
    seen = [index for batch in loader for index in batch.sample_index.tolist()]
    assert sorted(seen) == list(range(17))


@given(st.lists(st.integers(2, 320), max_size=700), st.integers(1, 9))
def test_buckets_hold_every_pair_once(lengths: list[int], size: int) -> None:
    batches = length_buckets(lengths, size, seed=1)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) == -(-len(lengths) // size)
    assert all(len(batch) <= size for batch in batches)


def test_buckets_depend_on_seed_and_epoch_only() -> None:
    lengths = [index % 50 for index in range(400)]
    first, again, other = (length_buckets(lengths, 8, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first != length_buckets(lengths, 8, seed=1, epoch=1)


def test_buckets_pad_less_than_chance() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(20, 320, 1000).tolist()

    def padded(batches: list[list[int]]) -> int:
        return sum(len(batch) * max(lengths[index] for index in batch) for batch in batches)

    by_chance = rng.permutation(1000).reshape(-1, 8).tolist()
    assert padded(list(length_buckets(lengths, 8))) < 1.1 * sum(lengths)
    assert padded(by_chance) > 1.4 * sum(lengths)


def test_a_batch_size_of_zero_is_refused() -> None:
    with pytest.raises(Exception, match="at least 1"):
        length_buckets([1], 0)
