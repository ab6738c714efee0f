"""Cross-entropy in which both labels count the same, against the sum written out."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from equimut.config import LossConfig
from equimut.losses import JointLoss, balanced_weights
from equimut.training.objective import Objective


def written_out(logits: torch.Tensor, labels: list[int], weights: tuple[float, float]) -> float:
    total = 0.0
    for (no, yes), label in zip(logits.tolist(), labels, strict=True):
        wrong, right = (no, yes) if label else (yes, no)
        total += weights[label] * math.log1p(math.exp(wrong - right))
    return total / len(labels)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=12), st.integers(0, 99))
def test_a_weighed_cross_entropy_is_the_sum_written_out(labels: list[int], seed: int) -> None:
    logits = torch.randn(len(labels), 2, generator=torch.Generator().manual_seed(seed))
    for weights in ((0.25, 3.0), (1.0, 1.0), balanced_weights(labels)):
        parts = JointLoss(None, label_weights=weights).combine(None, logits, torch.tensor(labels))
        assert parts.total.item() == pytest.approx(written_out(logits, labels, weights), rel=1e-5)


@given(st.lists(st.integers(0, 1), min_size=1))
def test_balanced_labels_count_the_same_and_a_pair_counts_one(labels: list[int]) -> None:
    weights = balanced_weights(labels)
    sums = [weights[label] * labels.count(label) for label in (0, 1)]
    if len(set(labels)) == 2:
        assert sums[0] == pytest.approx(sums[1])
        assert sum(sums) == pytest.approx(len(labels))
    else:
        assert weights[1 - labels[0]] == 1.0


def test_an_objective_takes_the_weights_from_the_labels_of_training() -> None:
    labels = [0, 0, 0, 1]
    plain = Objective(LossConfig(name="base"), [1, 1, 1, 1], labels)
    assert plain.joint.label_weights is None
    objective = Objective(LossConfig(name="base", balanced=True), [1, 1, 1, 1], labels)
    assert objective.joint.label_weights is not None
    assert objective.joint.label_weights.tolist() == pytest.approx([2 / 3, 2.0])
    # Not part of a checkpoint: they follow from the rows.
    assert not any("label_weights" in name for name in objective.state_dict())
