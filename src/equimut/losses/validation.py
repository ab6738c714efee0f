"""Checks of a loss's arguments. Each failure is a ValueError that names the argument.

Checks of shapes cost nothing and always run. Checks of values read the tensors (on a GPU that
waits for the device), so every loss can switch them off with ``validate=False``.
"""

import math

import torch
from torch import Tensor


def check_embeddings(values: bool, **embeddings: Tensor) -> None:
    """All embeddings are ``[m, e]`` floating point tensors of one shape, without NaN or inf."""
    first_name, first = next(iter(embeddings.items()))
    for name, embedding in embeddings.items():
        if embedding.ndim != 2:
            raise ValueError(f"{name} must have shape [m, e], got {list(embedding.shape)}")
        if not embedding.is_floating_point():
            raise ValueError(f"{name} must be floating point, got {embedding.dtype}")
        if embedding.shape != first.shape:
            raise ValueError(
                f"{name} must have the shape of {first_name}, {list(first.shape)}, "
                f"got {list(embedding.shape)}"
            )
        if values and not bool(torch.isfinite(embedding).all()):
            bad = (~torch.isfinite(embedding)).any(dim=1).nonzero().flatten().tolist()
            raise ValueError(f"{name} has NaN or infinite values in rows {bad[:10]}")


def check_vector(name: str, vector: Tensor, length: int, *, integral: bool = True) -> None:
    """A per-sample argument is ``[m]``, and of an integer type unless told otherwise."""
    if vector.shape != (length,):
        raise ValueError(f"{name} must have shape [{length}], got {list(vector.shape)}")
    if integral and (vector.is_floating_point() or vector.is_complex()):
        raise ValueError(f"{name} must be of an integer type, got {vector.dtype}")


def check_labels(label: Tensor) -> None:
    """Every label is 0 or 1, whatever the type it comes in."""
    wrong = label[(label != 0) & (label != 1)]
    if wrong.numel():
        raise ValueError(
            f"label must be 0 (not equivalent) or 1 (equivalent), got {wrong[:5].tolist()}"
        )


def check_class_ids(class_id: Tensor, num_classes: int) -> None:
    """Every class id names a class the loss knows."""
    unknown = class_id[(class_id < 0) | (class_id >= num_classes)]
    if unknown.numel():
        raise ValueError(
            f"class_id {unknown[:5].tolist()} unknown: this loss has classes 0 to "
            f"{num_classes - 1}; grow_to(n) makes room for more"
        )


def check_not_empty(samples: int) -> None:
    """A mean is only defined over at least one sample."""
    if samples == 0:
        raise ValueError("the batch is empty: a mean needs at least one sample")


def check_finite(**numbers: float) -> None:
    """A hyperparameter is a finite number."""
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise ValueError(f"{name} must be a finite number, got {number}")


def check_at_least(minimum: float, *, strictly: bool = False, **numbers: float) -> None:
    """A hyperparameter is a finite number not below (or, strictly, above) a minimum."""
    check_finite(**numbers)
    for name, number in numbers.items():
        if number < minimum or (strictly and number == minimum):
            bound = "above" if strictly else "at least"
            raise ValueError(f"{name} must be {bound} {minimum:g}, got {number}")
