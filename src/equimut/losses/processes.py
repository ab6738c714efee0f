"""What the losses need of torch.distributed: one list of samples, the same on every rank.

Data-parallel training averages the gradients of the ranks. A loss that takes its local mean is
therefore only right when all ranks hold equally many samples; the last batch of an epoch breaks
that. `share_of_mean` weighs local sums so that the average over ranks is the mean over all samples.
"""

import torch
from torch import Tensor
from torch import distributed as dist

from equimut.losses.validation import check_not_empty


def process_count() -> int:
    """Number of processes that train together; 1 where torch.distributed is not in use."""
    if dist.is_available() and dist.is_initialized():
        return dist.get_world_size()
    return 1


def gather_rows(rows: Tensor) -> Tensor:
    """Concatenate the rows of all ranks, rank by rank; the ranks may hold different numbers."""
    ranks = process_count()
    if ranks == 1:
        return rows
    sizes = [torch.zeros(1, dtype=torch.long, device=rows.device) for _ in range(ranks)]
    dist.all_gather(sizes, torch.tensor([rows.shape[0]], device=rows.device))
    lengths = [int(size) for size in sizes]
    padded = rows.new_zeros((max(lengths), *rows.shape[1:]))
    padded[: rows.shape[0]] = rows
    gathered = [torch.empty_like(padded) for _ in range(ranks)]
    dist.all_gather(gathered, padded)
    return torch.cat([part[:length] for part, length in zip(gathered, lengths, strict=True)])


def share_of_mean(samples: int, device: torch.device, *, local: bool, total: int = -1) -> float:
    """Factor for a local *sum*, so that averaging over ranks gives the mean over all samples.

    Args:
        samples: How many samples this rank holds.
        device: Where the ranks communicate.
        local: Take the plain mean of this rank and do not communicate (evaluation).
        total: How many samples all ranks hold together, if the caller knows it already.
    """
    ranks = 1 if local else process_count()
    if ranks == 1:
        total = samples
    elif total < 0:
        everyone = torch.tensor([samples], device=device)
        dist.all_reduce(everyone)
        total = int(everyone)
    check_not_empty(total)
    return ranks / total
