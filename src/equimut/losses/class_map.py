"""What the class ids of a loss stand for, so that saved verges meet the right classes again."""

from collections.abc import Sequence

import torch
from torch import Tensor

from equimut.losses.validation import check_vector


def as_class_keys(keys: Sequence[int] | Tensor | None, default: range) -> Tensor:
    """Class keys as a tensor: one per class, all different."""
    if keys is None:
        return torch.arange(default.start, default.stop)
    tensor = torch.as_tensor(keys)
    check_vector("class_keys", tensor, len(default))
    if len(set(tensor.tolist())) != tensor.numel():
        raise ValueError("class_keys must all be different: each names one class")
    return tensor.long()


def class_map_problem(saved: Tensor, present: Tensor) -> str | None:
    """Why verges saved for one class map do not fit another, if they do not."""
    advice = "; class_mismatch='match' carries over the classes both have"
    if len(saved) > len(present):
        return (
            f"the saved state has {len(saved)} classes, this loss only {len(present)}: "
            f"call grow_to({len(saved)}) first{advice}"
        )
    differing = torch.nonzero(saved != present[: len(saved)]).flatten()
    if len(differing):
        first = int(differing[0])
        return (
            f"the saved class map differs from this loss's: class {first} is key "
            f"{int(saved[first])} there and {int(present[first])} here{advice}"
        )
    return None
