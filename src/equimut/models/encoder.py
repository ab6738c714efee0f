"""A Hugging Face encoder of the RoBERTa family, fed with code, graph nodes and their mask."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import (
    AttentionInterface,
    AttentionMaskInterface,
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PreTrainedModel,
)
from transformers import logging as transformers_logging
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from equimut.errors import EquimutError
from equimut.inputs.batch import Batch, embed
from equimut.inputs.subtokens import SubTokenizer
from equimut.models.directory_check import check_directory, check_family, model_type_of
from equimut.models.settings import encoder_directory

ATTENTION = "sdpa, on processors in single precision"
"""How transformers knows it. A processor that multiplies matrices of half precision four times as
fast takes five times as long for this."""


class GraphEncoder(nn.Module):
    """The transformer alone: a batch in, the states of its distinct sequences out."""

    def __init__(self, transformer: PreTrainedModel) -> None:
        super().__init__()
        self.transformer = transformer

    @property
    def hidden_size(self) -> int:
        """Width of the states."""
        return int(self.transformer.config.hidden_size)

    @property
    def positions(self) -> int:
        """Tokens that have a position of their own."""
        return int(self.transformer.config.max_position_embeddings) - 2

    @property
    def word_embeddings(self) -> Tensor:
        """The table [vocabulary, hidden]."""
        return cast(nn.Embedding, self.transformer.get_input_embeddings()).weight

    def forward(self, batch: Batch, wanted: Tensor | None = None) -> Tensor:
        """[U, L, hidden] states of the batch's distinct sequences.

        With `wanted`, a mask [U, L], [P, hidden]: the states of these positions only, in order. The
        last layer computes no others, since nothing looks at them: a fifth of the work.

        The mask is boolean and four-dimensional: a 3-D one is refused by transformers, and eager
        attention would silently add a boolean one to the scores instead of masking.
        """
        attention = self.transformer.config._attn_implementation
        if attention != ATTENTION:  # someone changed a configuration that several models share
            raise EquimutError(
                f"the encoder's attention is {attention!r}: masks need {ATTENTION!r}"
            )
        inputs = {
            "inputs_embeds": embed(batch, self.word_embeddings),
            "position_ids": batch.position_ids,
        }
        if wanted is None:
            states: Tensor = self.transformer(
                **inputs, attention_mask=batch.attention_mask
            ).last_hidden_state
            return states
        parts: Any = self.transformer
        hidden: Tensor = parts.embeddings(**inputs)
        *before, last = parts.encoder.layer
        for layer in before:
            hidden = layer(hidden, batch.attention_mask)
        return _layer_at(last, hidden, batch.attention_mask, wanted)


def _layer_at(layer: Any, hidden: Tensor, mask: Tensor, wanted: Tensor) -> Tensor:
    """[P, hidden] what a layer gives for the wanted positions [U, L]; all are looked at."""
    own = layer.attention.self
    chosen = wanted.flatten().nonzero().squeeze(1)
    before = hidden.flatten(0, 1).index_select(0, chosen)
    # Attention goes sequence by sequence: the queries of each stand side by side in `slots`.
    sequences, slots = chosen // wanted.shape[1], (wanted.cumsum(1) - 1).flatten()[chosen]
    most = int(wanted.sum(1).max())
    side_by_side = sequences * most + slots
    query = own.query(before)
    queries = query.new_zeros(len(wanted) * most, query.shape[1])
    queries = queries.index_copy(0, side_by_side, query).view(len(wanted), most, -1)
    # A slot that nothing stands in sees everything: a row that sees nothing is no number.
    seen = mask.new_ones(len(wanted) * most, mask.shape[-1])
    seen[side_by_side] = mask.flatten(0, 2)[chosen]

    def by_head(each: Tensor) -> Tensor:
        return each.view(*each.shape[:2], -1, own.attention_head_size).transpose(1, 2)

    attended = _attend(
        by_head(queries),
        by_head(own.key(hidden)),
        by_head(own.value(hidden)),
        seen=seen.view(len(wanted), 1, most, -1),
        dropout=own.dropout.p if own.training else 0.0,
        scale=own.scaling,
    )
    attended = attended.transpose(1, 2).flatten(2).flatten(0, 1).index_select(0, side_by_side)
    found: Tensor = layer.feed_forward_chunk(layer.attention.output(attended, before))
    return found


def _attend(
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


def _attend_in_layer(
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


AttentionInterface.register(ATTENTION, _attend_in_layer)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)


def load_encoder(
    name_or_path: str | Path, *, dropout: float | None = None
) -> tuple[GraphEncoder, Any]:
    """The encoder and its tokenizer, from the hub, a directory, or (`equimut`) the package.

    Only the encoder is kept: no pooler, no language-model head, never a causal mask. Of a
    detector's directory, its encoder is taken.
    """
    name = encoder_directory(name_or_path)
    changes: dict[str, Any] = {"is_decoder": False, "add_cross_attention": False}
    if dropout is not None:
        changes |= {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    if ((place := Path(name)) / "config.json").exists():
        check_directory(place)
        check_family(name, model_type_of(place))
    try:
        config = AutoConfig.from_pretrained(name, trust_remote_code=False, **changes)
        check_family(name, config.model_type)
        with quietly():
            transformer, loading = AutoModel.from_pretrained(
                name,
                config=config,
                attn_implementation=ATTENTION,
                dtype=torch.float32,
                add_pooling_layer=False,
                output_loading_info=True,
                trust_remote_code=False,
            )
        tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True, trust_remote_code=False)
    except EquimutError:
        raise
    except Exception as error:  # whatever a library says about the files of a stranger
        raise EquimutError(_why_not(name, error)) from error
    if loading["missing_keys"]:  # transformers would go on with random weights
        missing = sorted(loading["missing_keys"])
        raise EquimutError(
            f"encoder {name}: {len(missing)} weights are not in its files (such as {missing[0]}); "
            "they do not belong to this architecture"
        )
    return GraphEncoder(transformer), tokenizer


def empty_encoder(config: dict[str, Any]) -> GraphEncoder:
    """An encoder with the architecture of a configuration and random weights."""
    check_family("the configuration", config["model_type"])
    settings = AutoConfig.for_model(**config)
    transformer = AutoModel.from_config(  # type: ignore[no-untyped-call]
        settings, attn_implementation=ATTENTION, dtype=torch.float32, add_pooling_layer=False
    )
    return GraphEncoder(transformer)


def sub_tokenizer(tokenizer: Any, mode: str = "") -> SubTokenizer:
    """The tokenizer as the inputs use it."""
    return SubTokenizer.of(tokenizer, mode)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers from reporting unused poolers and drawing bars for single files."""
    before = transformers_logging.get_verbosity()
    bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        transformers_logging.set_verbosity(before)
        if bar:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _why_not(name: str, error: Exception) -> str:
    if Path(name).exists():
        return f"encoder {name}: cannot be loaded: {_first_line(error)}"
    return (
        f"encoder {name}: it is no directory here and could not be fetched "
        f"({_first_line(error)}); give a local directory in Hugging Face layout or go online"
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__
