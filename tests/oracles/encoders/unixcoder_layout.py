"""A directory in the layout of `microsoft/unixcoder-base`, with random weights of our own.

The published directory holds a configuration, a PyTorch weight file with the pooler, and the two
files of a byte-level BPE: no `tokenizer.json`, no safetensors.
"""

import json
from pathlib import Path

import torch
from transformers import RobertaConfig, RobertaModel

from oracles.encoders.small_tokenizer import small_tokenizer

FILES = {
    "config.json",
    "merges.txt",
    "pytorch_model.bin",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "vocab.json",
}


def save_unixcoder_layout(directory: Path, *, layers: int = 12, hidden: int = 768) -> Path:
    """Write the files; the vocabulary is the tests' small one."""
    directory.mkdir(parents=True)
    rules = json.loads(small_tokenizer().backend_tokenizer.to_str())["model"]
    (directory / "vocab.json").write_text(json.dumps(rules["vocab"], ensure_ascii=False))
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in rules["merges"]]
    (directory / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n")
    (directory / "special_tokens_map.json").write_text(
        json.dumps(
            {
                "bos_token": "<s>",
                "eos_token": "</s>",
                "unk_token": "<unk>",
                "sep_token": "</s>",
                "pad_token": "<pad>",
                "cls_token": "<s>",
                "mask_token": "<mask>",
            }
        )
    )
    (directory / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "RobertaTokenizer", "model_max_length": 512})
    )
    config = RobertaConfig(
        vocab_size=len(rules["vocab"]),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=4 * hidden,
        max_position_embeddings=1026,
        type_vocab_size=10,
        layer_norm_eps=1e-5,
        architectures=["RobertaModel"],
    )
    config.save_pretrained(directory)
    torch.manual_seed(0)
    torch.save(RobertaModel(config).state_dict(), directory / "pytorch_model.bin")
    assert {path.name for path in directory.iterdir()} == FILES
    return directory
