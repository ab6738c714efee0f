"""Torch's attention as the encoder uses it: on processors always in single precision."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

ATTENTION = "sdpa, on processors in single precision"
"""How transformers knows it. A processor that multiplies matrices of half precision four times as
fast takes five times as long for this."""


def attend(
    query: Tensor, key: Tensor, value: Tensor, *, seen: Tensor, dropout: float, scale: float
) -> Tensor:
    """What each query [U, heads, L, width] takes from the values that it sees."""
    compute = partial(
        functional.scaled_dot_product_attention, attn_mask=seen, dropout_p=dropout, scale=scale
    )
    return _whole(compute, query, key, value)


def _whole(compute: Callable[..., Tensor], query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    if query.device.type != "cpu":
        return compute(query, key, value)
    with torch.autocast("cpu", enabled=False):
        return compute(query.float(), key.float(), value.float()).to(query.dtype)


def _in_layer(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    **options: Any,
) -> tuple[Tensor, None]:
    """The same for a layer of transformers."""

    def compute(*given: Tensor) -> Tensor:
        found: Tensor = sdpa_attention_forward(module, *given, attention_mask, **options)[0]
        return found

    return _whole(compute, query, key, value), None


AttentionInterface.register(ATTENTION, _in_layer)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
