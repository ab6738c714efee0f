"""Cluster Purge Loss, the module: against the loop, its state, its checks."""

import copy
import io
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from conftest import FULL, count
from equimut.losses import ClusterPurgeLoss, half_cosine_distance
from oracles.purge_loop import PurgeLoop, distance, distance_gradient

Batch = tuple[Tensor, Tensor, Tensor, Tensor]


def batches(seed: int, number: int, *, classes: int = 4, width: int = 3) -> Iterator[Batch]:
    """Random batches: repeated classes, classes of one polarity, mutants equal to their origin."""
    generator = torch.Generator().manual_seed(seed)
    origins = torch.randn(classes, width, dtype=torch.float64, generator=generator)
    only = torch.randint(-1, 2, (classes,), generator=generator)  # -1: both polarities occur
    for _ in range(number):
        m = int(torch.randint(1, 13, (1,), generator=generator))
        class_id = torch.randint(0, classes, (m,), generator=generator)
        label = torch.randint(0, 2, (m,), generator=generator)
        label = torch.where(only[class_id] < 0, label, only[class_id])
        noise = torch.rand(m, 1, generator=generator, dtype=torch.float64) * 2
        copies = torch.rand(m, 1, generator=generator) < 0.25
        mutant = origins[class_id] + noise * torch.randn(
            m, width, dtype=torch.float64, generator=generator
        )
        mutant = torch.where(copies, origins[class_id], mutant)
        yield origins[class_id], mutant, label, class_id


@settings(max_examples=count(300, 1500))
@given(
    seed=st.integers(0, 2**32),
    alpha=st.sampled_from([0.5, 1.0, 2.0]),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
    margin=st.sampled_from([-0.06, -0.05, 0.0, 0.01, 0.1]),
    gamma=st.sampled_from([1.0, 12.0, 40.0]),
    unseen=st.sampled_from(["zero", "skip"]),
    margin_unit=st.sampled_from(["distance", "distance", "gap"]),
    shared=st.sampled_from([0.0, 0.0, 0.5, 12.0]),
)
def test_value_and_gradient_equal_the_plain_loop(seed: int, **options: Any) -> None:
    loss, loop = ClusterPurgeLoss(4, **options), PurgeLoop(**options)
    for origin, mutant, label, class_id in batches(seed, 8):
        origin, mutant = origin.clone().requires_grad_(), mutant.clone().requires_grad_()
        value = loss(origin, mutant, label, class_id)
        value.backward()
        rows = list(zip(origin.tolist(), mutant.tolist(), strict=True))
        distances = [distance(o, m) for o, m in rows]
        loop.fold(distances, label.tolist(), class_id.tolist())
        expected, slopes = loop.loss(distances, label.tolist(), class_id.tolist())
        assert value.item() == pytest.approx(expected, abs=1e-10)
        for (class_key, polarity), verge in loop.verges.items():
            assert loss.verge[class_key, polarity].item() == pytest.approx(verge, abs=1e-12)
        for i, (o, m) in enumerate(rows):
            if on_an_edge(loop, distances[i], int(label[i]), int(class_id[i])):
                continue  # rounding decides which side of the hinge it is on
            assert mutant.grad is not None
            assert origin.grad is not None
            assert mutant.grad[i].tolist() == pytest.approx(
                [slopes[i] * g for g in distance_gradient(o, m)], abs=1e-8
            )
            assert origin.grad[i].tolist() == pytest.approx(
                [slopes[i] * g for g in distance_gradient(m, o)], abs=1e-8
            )
        assert torch.isfinite(mutant.grad).all()


def on_an_edge(loop: PurgeLoop, d: float, label: int, class_id: int) -> bool:
    verge = loop.verge(class_id, 1 - label) or 0.0
    x = (d - verge if label == 1 else verge - d) + loop.margin_now()
    return abs(x) < 1e-12 or abs(x - loop.eps) < 1e-12


@given(st.integers(0, 2**32))
def test_order_of_a_batch_is_that_of_sample_index(seed: int) -> None:
    origin, mutant, label, class_id = next(batches(seed, 1))
    order = torch.randperm(len(label), generator=torch.Generator().manual_seed(seed))
    plain, shuffled = ClusterPurgeLoss(4), ClusterPurgeLoss(4)
    expected = plain(origin, mutant, label, class_id)
    index = torch.arange(len(label)) * 7 - 3
    value = shuffled(origin[order], mutant[order], label[order], class_id[order], index[order])
    assert value.item() == pytest.approx(expected.item(), abs=1e-12)
    assert torch.equal(plain.verge, shuffled.verge)


@pytest.mark.parametrize("eps", [1e-4, 0.0])
@pytest.mark.parametrize("margin", [-0.05, 0.0, 0.01])
def test_identical_embeddings_never_give_nan_or_inf_gradients(margin: float, eps: float) -> None:
    for value in (0.0, 1.0):
        mutant = torch.full((6, 4), value, requires_grad=True)
        loss = ClusterPurgeLoss(2, margin=margin, eps=eps)
        label, class_id = torch.tensor([0, 1, 0, 1, 0, 1]), torch.tensor([0, 0, 0, 1, 1, 1])
        loss(mutant.detach(), mutant, label, class_id).backward()
        assert torch.isfinite(mutant.grad).all()


def test_a_class_never_seen_is_measured_against_the_mean_of_the_others() -> None:
    loss = ClusterPurgeLoss(3, shared=5.0, unseen="skip", margin=0.0)
    origin = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    mutant = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])  # distances 1/2 and 1
    loss(origin, mutant, torch.tensor([0, 0]), torch.tensor([0, 1]))
    verges, known = loss.verges_in_use()
    assert verges[2, 0].item() == pytest.approx(0.75)
    assert verges[0, 0].item() == pytest.approx((0.5 + 5 * 0.75) / 6)
    assert known[:, 0].all()
    assert not known[:, 1].any()
    loss.eval()
    paid = loss(origin[:1], mutant[1:], torch.tensor([1]), torch.tensor([2]))  # 1 against 0.75
    assert paid.item() == pytest.approx(0.25**2)


@pytest.mark.parametrize("option", [{"shared": -1.0}, {"margin_unit": "metres"}])
def test_an_option_that_is_none_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(option))):
        ClusterPurgeLoss(2, **option)


def test_zero_is_a_legal_verge_and_not_a_sign_of_nothing_seen() -> None:
    loss = ClusterPurgeLoss(1, gamma=12)
    same = torch.tensor([[1.0, 0.0]])
    opposite = torch.tensor([[-1.0, 0.0]])
    label, class_id = torch.tensor([1]), torch.tensor([0])
    loss(same, same, label, class_id)
    assert loss.verge[0, 1] == 0
    loss(same, opposite, label, class_id)  # distance 1
    assert loss.verge[0, 1].item() == pytest.approx(2 / 13)


def test_unseen_opposite_verge_counts_as_zero_or_adds_nothing() -> None:
    origin, mutant = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])  # distance 1/2
    label, class_id = torch.tensor([1]), torch.tensor([0])
    zero, skip = ClusterPurgeLoss(1, margin=0.0), ClusterPurgeLoss(1, margin=0.0, unseen="skip")
    assert zero(origin, mutant, label, class_id).item() == pytest.approx(0.25)
    assert skip(origin, mutant, label, class_id).item() == 0


def test_evaluation_never_updates_the_verges() -> None:
    loss = ClusterPurgeLoss(4)
    training, held_out = list(batches(0, 2))
    loss(*training)
    before = copy.deepcopy(loss.state_dict())
    loss.eval()
    assert torch.isfinite(loss(*held_out))
    assert all(torch.equal(before[name], value) for name, value in loss.state_dict().items())


def test_saved_and_reloaded_loss_continues_bit_for_bit() -> None:
    for dtype in (torch.float32, torch.float64):
        stream = [(o.to(dtype), m.to(dtype), y, c) for o, m, y, c in batches(3, 20)]
        loss = ClusterPurgeLoss(4)
        for batch in stream[:10]:
            loss(*batch)
        file = io.BytesIO()
        torch.save(loss.state_dict(), file)
        file.seek(0)
        resumed = ClusterPurgeLoss(4)
        resumed.load_state_dict(torch.load(file, weights_only=True))
        for batch in stream[10:]:
            assert torch.equal(loss(*batch), resumed(*batch))
        assert torch.equal(loss.verge, resumed.verge)
        assert torch.equal(loss.count, resumed.count)


def test_growing_keeps_what_is_known_and_makes_room() -> None:
    loss = ClusterPurgeLoss(4)
    for batch in batches(1, 5):
        loss(*batch)
    verge = loss.verge.clone()
    loss.grow_to(6)
    assert torch.equal(loss.verge[:4], verge)
    assert loss.count[4:].sum() == 0
    a = torch.randn(1, 3)
    loss(a, -a, torch.tensor([0]), torch.tensor([5]))
    assert loss.verge[5, 0].item() == pytest.approx(1)
    with pytest.raises(ValueError, match="num_classes 3 is smaller"):
        loss.grow_to(3)
    loss.grow_to(3, allow_shrink=True)
    assert loss.num_classes == 3


def test_a_smaller_state_loads_into_a_grown_loss() -> None:
    small, grown = ClusterPurgeLoss(4), ClusterPurgeLoss(9)
    for batch in batches(1, 5):
        small(*batch)
    grown.load_state_dict(small.state_dict())
    assert torch.equal(grown.verge[:4], small.verge)
    assert grown.num_classes == 9


def test_a_smaller_or_different_class_map_is_an_error_unless_asked_for() -> None:
    loss = ClusterPurgeLoss(3, class_keys=[1408, 2001, 7])
    for origin, mutant, label, class_id in batches(1, 5, classes=3):
        loss(origin, mutant, label, class_id)
    state = loss.state_dict()
    with pytest.raises(RuntimeError, match=r"3 classes, this loss only 2.*grow_to\(3\)"):
        ClusterPurgeLoss(2, class_keys=[1408, 2001]).load_state_dict(state)
    with pytest.raises(RuntimeError, match="class 0 is key 1408 there and 7 here"):
        ClusterPurgeLoss(3, class_keys=[7, 1408, 99]).load_state_dict(state)
    matched = ClusterPurgeLoss(3, class_keys=[7, 1408, 99], class_mismatch="match")
    matched.load_state_dict(state)
    assert torch.equal(matched.verge[:2], loss.verge[[2, 0]])
    assert matched.count[2].sum() == 0
    assert matched.class_keys.tolist() == [7, 1408, 99]


def test_the_state_travels_inside_a_larger_model() -> None:
    model = torch.nn.ModuleDict({"loss": ClusterPurgeLoss(4)})
    for batch in batches(2, 3):
        model["loss"](*batch)
    other = torch.nn.ModuleDict({"loss": ClusterPurgeLoss(4)})
    other.load_state_dict(model.state_dict())
    assert torch.equal(other["loss"].verge, model["loss"].verge)


def test_half_precision_models_keep_exact_verges() -> None:
    loss = ClusterPurgeLoss(4)
    for batch in batches(2, 3):
        loss(*(part.float() if part.is_floating_point() else part for part in batch))
    exact = loss.verge.clone()
    assert torch.equal(loss.half().verge, exact)
    assert torch.equal(loss.bfloat16().verge, exact)
    assert loss.double().verge.dtype == torch.float64


def test_autocast_computes_in_float32() -> None:
    origin, mutant, label, class_id = next(batches(5, 1))
    plain, mixed = ClusterPurgeLoss(4), ClusterPurgeLoss(4)
    expected = plain(origin.bfloat16().float(), mutant.bfloat16().float(), label, class_id)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = mixed(origin.bfloat16(), mutant.bfloat16(), label, class_id)
    assert value.dtype == torch.float32
    assert torch.equal(value, expected)


def test_statistics_tell_what_happened_and_are_absent_when_off() -> None:
    loss = ClusterPurgeLoss(4, collect_statistics=True)
    loop = PurgeLoop()
    for origin, mutant, label, class_id in batches(8, 6):
        loss(origin, mutant, label, class_id)
        distances = half_cosine_distance(origin, mutant).tolist()
        loop.fold(distances, label.tolist(), class_id.tolist())
    assert loss.last_statistics is not None
    told = loss.last_statistics.as_dict()
    _, slopes = loop.loss(distances, label.tolist(), class_id.tolist())
    active = [slope != 0 for slope in slopes]
    assert told["active"] == pytest.approx(sum(active) / len(active))
    for name, polarity in (("active_equivalent", 1), ("active_non_equivalent", 0)):
        mine = [a for a, y in zip(active, label.tolist(), strict=True) if y == polarity]
        if mine:
            assert told[name] == pytest.approx(sum(mine) / len(mine))
    for name, polarity in (("positive_verge", 1), ("negative_verge", 0)):
        verges = [verge for (_, y), verge in loop.verges.items() if y == polarity]
        assert told[name] == pytest.approx(sum(verges) / len(verges))
    both = {c for c, y in loop.verges if y == 1} & {c for c, y in loop.verges if y == 0}
    assert told["classes_with_both"] == len(both)
    silent = ClusterPurgeLoss(4)
    silent(origin, mutant, label, class_id)
    assert silent.last_statistics is None


def test_compiles_to_one_graph_and_gives_the_same_numbers() -> None:
    plain = ClusterPurgeLoss(4, validate=False)
    module = ClusterPurgeLoss(4, validate=False)
    # The default backend calls the C++ compiler, which takes most of a minute.
    compiled = torch.compile(module, fullgraph=True, backend="inductor" if FULL else "aot_eager")
    for origin, mutant, label, class_id in batches(4, 6):
        a, b = mutant.float().requires_grad_(), mutant.float().requires_grad_()
        expected = plain(origin.float(), a, label, class_id)
        value = compiled(origin.float(), b, label, class_id)
        torch.testing.assert_close(value, expected)
        expected.backward()
        value.backward()
        torch.testing.assert_close(a.grad, b.grad)
        torch.testing.assert_close(module.verge, plain.verge)


def good() -> dict[str, Tensor]:
    return {
        "origin": torch.randn(3, 4),
        "mutant": torch.randn(3, 4),
        "label": torch.tensor([0, 1, 0]),
        "class_id": torch.tensor([0, 1, 1]),
        "sample_index": torch.tensor([0, 1, 2]),
    }


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("origin", torch.randn(4), "origin must have shape"),
        ("origin", torch.ones(3, 4, dtype=torch.long), "origin must be floating point"),
        ("origin", torch.full((3, 4), float("nan")), "origin has NaN"),
        ("mutant", torch.randn(2, 4), "mutant must have the shape of origin"),
        ("mutant", torch.full((3, 4), float("inf")), "mutant has NaN or infinite"),
        ("label", torch.tensor([0, 1, 2]), r"label must be 0 .* or 1 .*got \[2\]"),
        ("label", torch.tensor([0, 0.5, 1]), "label must be 0"),
        ("label", torch.tensor([[0], [1], [0]]), "label must have shape"),
        ("class_id", torch.tensor([0, 1, 2]), r"class_id \[2\] unknown"),
        ("class_id", torch.tensor([0, 1, -1]), r"class_id \[-1\] unknown"),
        ("class_id", torch.tensor([0.0, 1.0, 1.0]), "class_id must be of an integer type"),
        ("class_id", torch.tensor([0, 1]), "class_id must have shape"),
        ("sample_index", torch.tensor([0, 1]), "sample_index must have shape"),
    ],
)
def test_a_wrong_argument_is_named_and_changes_nothing(
    name: str, value: Tensor, complaint: str
) -> None:
    loss = ClusterPurgeLoss(2)
    with pytest.raises(ValueError, match=complaint):
        loss(**{**good(), name: value})
    assert loss.count.sum() == 0


def test_an_empty_batch_is_an_error() -> None:
    empty = torch.zeros(0, dtype=torch.long)
    with pytest.raises(ValueError, match="batch is empty"):
        ClusterPurgeLoss(2)(torch.zeros(0, 4), torch.zeros(0, 4), empty, empty)


def test_value_checks_can_be_switched_off() -> None:
    loss = ClusterPurgeLoss(2, validate=False)
    value = loss(**{**good(), "mutant": torch.full((3, 4), float("nan"))})
    assert torch.isnan(value)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"num_classes": 0}, "num_classes must be at least 1"),
        ({"gamma": 0.5}, "gamma must be at least 1"),
        ({"alpha": 0}, "alpha must be above 0"),
        ({"beta": -1}, "beta must be above 0"),
        ({"eps": -1e-4}, "eps must be at least 0"),
        ({"margin": float("nan")}, "margin must be a finite number"),
        ({"unseen": "ignore"}, "unseen must be one of zero, skip, got 'ignore'"),
        ({"class_mismatch": "guess"}, "class_mismatch must be one of"),
        ({"class_keys": [1, 1]}, "class_keys must all be different"),
        ({"class_keys": [1]}, "class_keys must have shape"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ClusterPurgeLoss(**{"num_classes": 2, **options})
