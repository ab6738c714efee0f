"""Pretraining of the encoder that ships: one loop over functions and labelled mutants.

It can be stopped and started at any time: what a step sees depends on the seed and the number of
the step only. A session may be limited in minutes; the schedule belongs to the whole.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from transformers import AutoTokenizer, get_linear_schedule_with_warmup

from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.models.encoder import empty_encoder, sub_tokenizer
from equimut.models.settings import DetectorSettings
from equimut.pretraining.loop.config import (
    PretrainConfig,
    PretrainData,
    PretrainProgress,
    check_same,
)
from equimut.pretraining.loop.model import Pretrainer
from equimut.pretraining.loop.session import Session


def pretrain(
    config: PretrainConfig,
    data: PretrainData,
    directory: Path,
    *,
    minutes: float | None = None,
    every: int = 500,
    progress: Callable[[PretrainProgress], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> bool:
    """Pretrain, or go on with it; says whether it is finished.

    Every `every` steps, and at the end of a session, there is a checkpoint, a line in the log
    with the held-out metrics, and the detector as it is, encoder included, in `detector/`.
    """
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    check_same(config, directory)
    torch.manual_seed(config.seed)
    model = _build(config, data.tokenizer)
    optimizer = torch.optim.AdamW(
        model.parameters(),
        lr=config.rate,
        betas=(0.9, 0.98),
        weight_decay=config.weight_decay,
        fused=True,
    )
    schedule = get_linear_schedule_with_warmup(  # type: ignore[no-untyped-call]
        optimizer, int(config.warmup * config.steps), config.steps
    )
    session = Session(config, data, directory, model, optimizer, schedule, message)
    started = saved_at = time.monotonic()
    functions = session.functions()
    model.train()
    for step in range(session.step, config.steps):
        chance = np.random.default_rng((config.seed, step))
        masked = session.masked(functions, chance)
        pairs, weights = session.drawn(chance)
        losses = model(masked, pairs, weights)
        total = (
            config.masked_weight * losses.masked
            + config.equivalent_weight * losses.equivalent
            + config.edited_weight * losses.edited
            + config.distance_weight * losses.distance
            + config.edge_weight * losses.edges
        )
        total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        session.count(step + 1, losses)
        if progress is not None:
            progress(PretrainProgress(step + 1, config.steps, session.speed(), session.latest))
        late = minutes is not None and time.monotonic() - started > 60 * minutes
        if (step + 1) % every == 0 or step + 1 == config.steps or late:
            session.save(time.monotonic() - saved_at)
            saved_at = time.monotonic()
        if late:
            break
    return session.step == config.steps


def _build(config: PretrainConfig, tokenizer_directory: Path) -> Pretrainer:
    try:
        tokenizer = AutoTokenizer.from_pretrained(tokenizer_directory, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise EquimutError(
            f"no tokenizer in {tokenizer_directory}; make one with `equimut dev corpus tokenizer`"
        ) from error
    sub_tokenizer(tokenizer)
    encoder = empty_encoder(
        {
            "model_type": "roberta",
            "vocab_size": len(tokenizer),
            "hidden_size": config.hidden,
            "num_hidden_layers": config.layers,
            "num_attention_heads": config.heads,
            "intermediate_size": config.intermediate,
            "max_position_embeddings": 514,
            "type_vocab_size": 1,
            "layer_norm_eps": 1e-5,
            "hidden_dropout_prob": config.dropout,
            "attention_probs_dropout_prob": config.dropout,
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        }
    )
    settings = DetectorSettings(
        encoder="equimut", limits=config.limits, pooling="edit", dropout=config.dropout
    )
    return Pretrainer(Detector(encoder, tokenizer, settings), edges=config.edge_weight > 0)
