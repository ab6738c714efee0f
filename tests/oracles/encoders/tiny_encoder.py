"""A tiny encoder of UniXcoder's architecture, saved to disk as the real one would be."""

from pathlib import Path

import torch
from transformers import RobertaConfig, RobertaModel

from oracles.encoders.small_tokenizer import small_tokenizer


def save_tiny_encoder(
    directory: Path,
    *,
    layers: int = 2,
    hidden: int = 32,
    dropout: float = 0.1,
    positions: int = 514,
    seed: int = 0,
    heads: int = 4,
) -> Path:
    """Weights and tokenizer in the layout of a Hugging Face directory."""
    torch.manual_seed(seed)
    config = RobertaConfig(
        vocab_size=len(small_tokenizer()),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=4 * hidden,
        max_position_embeddings=positions,
        type_vocab_size=1,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    RobertaModel(config).save_pretrained(directory)
    small_tokenizer().save_pretrained(directory)
    return directory
