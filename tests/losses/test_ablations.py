"""What each ablation of Cluster Purge Loss keeps, and what it lets go."""

import pytest
import torch
from torch import Tensor

from equimut.losses import ClusterPurgeLoss
from equimut.losses.ablations import (
    PurgeWithFixedVerges,
    PurgeWithLearnedVerges,
    PurgeWithoutVerges,
)

EQUIVALENT, OTHER = 1, 0


def at_distances(*distances: float) -> tuple[Tensor, Tensor]:
    """Unit vectors whose half cosine distance to the origin is the wished one."""
    cosine = 1 - 2 * torch.tensor(distances, dtype=torch.float64)
    mutant = torch.stack([cosine, (1 - cosine**2).sqrt()], 1)
    return torch.tensor([[1.0, 0.0]], dtype=torch.float64).expand_as(mutant), mutant


def by_hand(distances: list[float], labels: list[int], verges: list[float], margin: float) -> float:
    """The two hinges with exponents 2 and 1/2, sample by sample."""
    total = 0.0
    for d, label, verge in zip(distances, labels, verges, strict=True):
        if label == EQUIVALENT:
            total += max(0.0, d - verge + margin) ** 2
        else:
            total += max(0.0, verge - d + margin) ** 0.5
    return total / len(distances)


DISTANCES, LABELS = [0.3, 0.02, 0.3, 0.02], [EQUIVALENT, EQUIVALENT, OTHER, OTHER]


@pytest.mark.parametrize(
    ("loss", "verges"),
    [
        (PurgeWithoutVerges(2, margin=-0.05), [0.0, 0.0, 1.0, 1.0]),
        (PurgeWithFixedVerges(2, verge=0.1, margin=-0.05), [0.1] * 4),
        (PurgeWithFixedVerges(2, verge=0.25, margin=0.02), [0.25] * 4),
        (PurgeWithLearnedVerges(2, verge=0.1, margin=-0.05), [0.1] * 4),
    ],
)
def test_the_hinges_are_those_of_cluster_purge(
    loss: PurgeWithoutVerges, verges: list[float]
) -> None:
    origin, mutant = at_distances(*DISTANCES)
    value = loss(origin, mutant, torch.tensor(LABELS), torch.tensor([0, 1, 0, 1]))
    assert float(value.detach()) == pytest.approx(
        by_hand(DISTANCES, LABELS, verges, loss.margin), abs=1e-6
    )


def test_with_verges_put_where_they_would_stand_the_losses_are_equal() -> None:
    origin, mutant = at_distances(*DISTANCES)
    label, class_id = torch.tensor(LABELS), torch.tensor([0, 0, 0, 0])
    purge = ClusterPurgeLoss(1).eval()
    purge.verge += 0.15
    purge.count += 1
    assert purge(origin, mutant, label, class_id) == pytest.approx(
        float(PurgeWithFixedVerges(1, verge=0.15)(origin, mutant, label, class_id))
    )


def test_without_verges_no_mutant_is_ever_far_enough() -> None:
    loss = PurgeWithoutVerges(1, margin=0.0)
    for label in (EQUIVALENT, OTHER):
        origin, mutant = at_distances(0.5)
        mutant.requires_grad_()
        loss(origin, mutant, torch.tensor([label]), torch.tensor([0])).backward()
        assert mutant.grad is not None
        assert mutant.grad.abs().sum() > 0


def test_a_learned_boundary_follows_the_mutants_of_its_own_class() -> None:
    loss = PurgeWithLearnedVerges(3, verge=0.1, margin=0.0)
    optimiser = torch.optim.SGD(loss.parameters(), lr=0.05)
    origin, mutant = at_distances(0.4, 0.05)  # class 0: equivalent outside; class 1: other inside
    for _ in range(20):
        optimiser.zero_grad()
        loss(origin, mutant, torch.tensor([EQUIVALENT, OTHER]), torch.tensor([0, 1])).backward()
        optimiser.step()
    outwards, inwards, untouched = loss.boundary.tolist()
    assert outwards > 0.1 > inwards
    assert untouched == pytest.approx(0.1)


def test_fixed_and_absent_verges_have_nothing_to_learn_or_remember() -> None:
    for loss in (PurgeWithoutVerges(2), PurgeWithFixedVerges(2)):
        assert not list(loss.parameters())
        assert not loss.state_dict()


def test_wrong_arguments_are_named() -> None:
    origin, mutant = at_distances(0.1)
    with pytest.raises(ValueError, match="label"):
        PurgeWithoutVerges(1)(origin, mutant, torch.tensor([2]), torch.tensor([0]))
    with pytest.raises(ValueError, match="class_id"):
        PurgeWithLearnedVerges(1)(origin, mutant, torch.tensor([1]), torch.tensor([1]))
    with pytest.raises(ValueError, match="verge"):
        PurgeWithFixedVerges(1, verge=-0.1)
