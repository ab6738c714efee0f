"""The pure functions of the loss, against plain loops and their own properties."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import gradcheck

from equimut.losses import cluster_purge, fold_verges, half_cosine_distance, hinge_power
from oracles import purge_loop

EXPONENTS = [0.5, 0.75, 1.0, 1.5, 2.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 10**6))
def test_closed_form_equals_folding_one_by_one(distances: list[float], seed: int) -> None:
    torch.manual_seed(seed)
    group = torch.randint(0, 4, (len(distances),))
    start, seen = torch.rand(4, dtype=torch.float64), torch.randint(0, 2, (4,))
    distance = torch.tensor(distances, dtype=torch.float64)
    verge, count = fold_verges(start[group], seen[group], distance, group, gamma=12)
    for key in group.unique().tolist():
        mine = [d for d, g in zip(distances, group.tolist(), strict=True) if g == key]
        average = float(start[key]) if seen[key] else mine[0]
        for d in mine:
            average = average * (1 - 2 / 13) + d * 2 / 13
        assert verge[group == key].tolist() == pytest.approx([average] * len(mine), abs=1e-12)
        assert count[group == key].tolist() == [int(seen[key]) + len(mine)] * len(mine)


def test_folding_in_two_batches_equals_folding_in_one() -> None:
    distance = torch.rand(9, dtype=torch.float64)
    group = torch.zeros(9, dtype=torch.long)
    blank, none = torch.zeros(9, dtype=torch.float64), torch.zeros(9, dtype=torch.long)
    whole, _ = fold_verges(blank, none, distance, group)
    first, seen = fold_verges(blank[:4], none[:4], distance[:4], group[:4])
    second, count = fold_verges(
        first[0].repeat(5), seen[0].repeat(5), distance[4:], group[4:], gamma=12
    )
    assert second[0].item() == pytest.approx(whole[0].item(), abs=1e-14)
    assert count[0] == 9


def test_every_sample_of_a_group_gets_the_same_bits() -> None:
    group = torch.randint(0, 3, (257,))
    verge, _ = fold_verges(torch.zeros(257), torch.zeros(257).long(), torch.rand(257), group)
    for key in range(3):
        assert verge[group == key].unique().numel() == 1


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("x", [-1.0, -1e-9, 0.0, 1e-12, 5e-5, 1e-4, 2e-4, 0.3, 1.0])
def test_hinge_power_equals_the_plain_formula(x: float, exponent: float) -> None:
    tensor = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    value = hinge_power(tensor, exponent, 1e-4)
    value.backward()
    assert value.item() == pytest.approx(purge_loop.hinge_power(x, exponent, 1e-4), rel=1e-12)
    assert tensor.grad is not None
    assert tensor.grad.item() == pytest.approx(
        purge_loop.hinge_power_slope(x, exponent, 1e-4), rel=1e-9
    )


def test_eps_zero_is_the_bare_power_with_zero_gradient_at_and_below_zero() -> None:
    x = torch.tensor([-0.5, 0.0, 1e-8, 0.25], dtype=torch.float64, requires_grad=True)
    value = hinge_power(x, 0.5, 0.0)
    value.sum().backward()
    assert value.tolist() == pytest.approx([0, 0, 1e-4, 0.5])
    assert x.grad is not None
    assert x.grad.tolist() == pytest.approx([0, 0, 0.5 / 1e-4, 1.0])


@given(st.integers(0, 10**6))
def test_distance_is_half_of_one_minus_cosine(seed: int) -> None:
    torch.manual_seed(seed)
    a, b = torch.randn(5, 7, dtype=torch.float64), torch.randn(5, 7, dtype=torch.float64)
    expected = [purge_loop.distance(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert half_cosine_distance(a, b).tolist() == pytest.approx(expected, abs=1e-12)


def test_distance_of_equal_and_opposite_vectors_stays_in_the_unit_interval() -> None:
    a = torch.randn(1000, 16)
    equal, opposite = half_cosine_distance(a, a), half_cosine_distance(a, -a)
    assert equal.min() >= 0
    assert equal.max() < 1e-6
    assert opposite.max() <= 1
    assert opposite.min() > 1 - 1e-6


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_distance_is_computed_in_float32_under_autocast(dtype: torch.dtype) -> None:
    a, b = torch.randn(4, 64).to(dtype), torch.randn(4, 64).to(dtype)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        distance = half_cosine_distance(a, b)
    assert distance.dtype == torch.float32
    torch.testing.assert_close(distance, half_cosine_distance(a.float(), b.float()))


def test_float64_stays_float64() -> None:
    a = torch.randn(4, 64, dtype=torch.float64)
    assert half_cosine_distance(a, a.float()).dtype == torch.float64


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("margin", [-0.05, 0.01])
def test_gradcheck_at_fixed_verges(alpha: float, beta: float, margin: float) -> None:
    torch.manual_seed(0)
    origin = torch.randn(8, 5, dtype=torch.float64, requires_grad=True)
    mutant = torch.randn(8, 5, dtype=torch.float64, requires_grad=True)
    label = torch.tensor([0, 1] * 4)
    verge = torch.rand(8, dtype=torch.float64)

    def loss(o: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
        distance = half_cosine_distance(o, m)
        return cluster_purge(distance, label, verge, alpha=alpha, beta=beta, margin=margin).mean()

    assert loss(origin, mutant) > 0, "the check would be empty"
    assert gradcheck(loss, (origin, mutant))


def test_terms_read_like_equation_nine() -> None:
    distance = torch.tensor([0.30, 0.30, 0.10, 0.10])
    label = torch.tensor([1, 0, 1, 0])
    verge = torch.tensor([0.20, 0.20, 0.20, 0.20])
    terms = cluster_purge(distance, label, verge, margin=0.01)
    assert terms.tolist() == pytest.approx([0.11**2, 0, 0, math.sqrt(0.11)], abs=1e-6)
