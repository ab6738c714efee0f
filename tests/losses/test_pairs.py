"""Contrastive, triplet and joint loss: against plain loops, and what they refuse."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional as F

from equimut.losses import ClusterPurgeLoss, ContrastiveLoss, JointLoss, TripletLoss
from oracles.purge_loop import distance


def embeddings(seed: int, number: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(6, 5, dtype=torch.float64, generator=generator) for _ in range(number)]


@given(st.integers(0, 10**6), st.sampled_from([0.03, 0.09, 0.6]))
def test_contrastive_equals_its_formula(seed: int, margin: float) -> None:
    origin, mutant = embeddings(seed, 2)
    mutant[0] = origin[0]
    label = torch.tensor([1, 0, 1, 0, 0, 1])
    expected = 0.0
    for o, m, y in zip(origin.tolist(), mutant.tolist(), label.tolist(), strict=True):
        d = distance(o, m)
        expected += (max(d, 0) * y + max(margin - d, 0) * (1 - y)) / 6
    value = ContrastiveLoss(margin=margin)(origin, mutant, label)
    assert value.item() == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 10**6), st.sampled_from([-0.1, 0.0, 0.2]))
def test_triplet_equals_its_formula(seed: int, margin: float) -> None:
    origin, equivalent, other = embeddings(seed, 3)
    rows = zip(origin.tolist(), equivalent.tolist(), other.tolist(), strict=True)
    expected = sum(max(distance(o, e) - distance(o, n) + margin, 0) for o, e, n in rows) / 6
    value = TripletLoss(margin=margin)(origin, equivalent, other)
    assert value.item() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", [ClusterPurgeLoss(2), ContrastiveLoss()])
def test_joint_is_weighted_metric_plus_cross_entropy(metric: torch.nn.Module) -> None:
    origin, mutant = embeddings(3, 2)
    label, class_id = torch.tensor([1, 0, 1, 0, 0, 1]), torch.tensor([0, 0, 0, 1, 1, 1])
    logits = torch.randn(6, 2, dtype=torch.float64)
    metric.eval()
    parts = JointLoss(metric, weight=1.3)(logits, origin, mutant, label, class_id)
    assert torch.equal(parts.metric, metric(origin, mutant, label, class_id))
    torch.testing.assert_close(parts.cross_entropy, F.cross_entropy(logits, label))
    torch.testing.assert_close(parts.total, 1.3 * parts.metric + parts.cross_entropy)


def test_joint_without_a_metric_is_cross_entropy_alone() -> None:
    origin, mutant = embeddings(3, 2)
    label, logits = torch.tensor([1, 0, 1, 0, 0, 1]), torch.randn(6, 2)
    parts = JointLoss(None)(logits, origin, mutant, label)
    assert parts.metric == 0
    torch.testing.assert_close(parts.total, F.cross_entropy(logits, label))


def test_joint_combines_triplets_with_the_cross_entropy_of_both_pairs() -> None:
    origin, equivalent, other = embeddings(9, 3)
    logits = torch.randn(12, 2, dtype=torch.float64)
    label = torch.tensor([1] * 6 + [0] * 6)
    triplet = TripletLoss(margin=0.2)(origin, equivalent, other)
    parts = JointLoss(None, weight=2.0).combine(triplet, logits, label)
    torch.testing.assert_close(parts.total, 2 * triplet + F.cross_entropy(logits, label))


def test_joint_cross_entropy_is_float32_under_autocast() -> None:
    logits, label = torch.randn(4, 2).bfloat16(), torch.tensor([0, 1, 0, 1])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        parts = JointLoss(None).combine(None, logits, label)
    assert parts.total.dtype == torch.float32


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda o, m, y: ContrastiveLoss()(o, m, y + 1), "label must be 0"),
        (lambda o, m, y: ContrastiveLoss()(o, m[:2], y), "mutant must have the shape of origin"),
        (lambda o, m, y: TripletLoss()(o, m, o[0]), "non_equivalent must have shape"),
        (lambda o, m, y: TripletLoss()(o, m * float("nan"), o), "equivalent has NaN"),
        (lambda o, m, y: JointLoss(None)(o, o, m, y), r"logits must have shape \[m, 2\]"),
        (lambda o, m, y: JointLoss(None)(o[:, :2], o, m, y[:3]), "label must have shape"),
        (lambda o, m, y: ContrastiveLoss(margin=float("inf")), "margin must be a finite"),
        (lambda o, m, y: ContrastiveLoss()(o[:0], m[:0], y[:0]), "batch is empty"),
    ],
)
def test_a_wrong_argument_is_named(call, complaint: str) -> None:  # type: ignore[no-untyped-def]
    origin, mutant = embeddings(1, 2)
    with pytest.raises(ValueError, match=complaint):
        call(origin, mutant, torch.tensor([1, 0, 1, 0, 0, 1]))
