"""What a model directory must be before a library opens it: plain files, whole, of sane shape.

A directory may come from a stranger. A FIFO would wait for ever, and shapes that no weights fill
would ask for all memory before the first of them is missed.
"""

import json
from hashlib import sha256
from pathlib import Path

from equimut.errors import DataError, EquimutError

CHECKSUMS = "SHA256SUMS"
_MOST_JSON = 50_000_000
"""Bytes of a JSON file; the tokenizers in use have a few million."""
_FAMILY = ("roberta", "camembert", "xlm-roberta")
"""Model types whose position ids start at 2 and leave 0 and 1 to nodes and padding."""
_WEIGHTS = (".safetensors", ".bin")
_BYTES_PER_WEIGHT = 2
"""At least: nobody saves these encoders in less than half precision."""


def check_directory(directory: Path) -> None:
    """Refuse what is not a plain file, JSON that is too long, and files unlike their checksums."""
    try:
        for path in sorted(directory.rglob("*")):
            if not (path.is_file() or path.is_dir()):
                raise DataError(f"{path}: not a plain file; a model has no such thing")
            if path.suffix == ".json" and path.stat().st_size > _MOST_JSON:
                raise DataError(f"{path}: longer than {_MOST_JSON:,} bytes; no model's is")
        _check_sums(directory)
    except OSError as error:
        raise DataError(f"cannot read {error.filename}: {error.strerror}") from error


def model_type_of(encoder: Path) -> str:
    """The architecture of an encoder, by its name; an error if its shapes cannot be.

    A configuration must not ask for more weights than the files beside it can hold.
    """
    path = encoder / "config.json"
    try:
        config = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from error
    if not isinstance(config, dict):
        raise DataError(f"{path}: not a JSON object; it is not the configuration of a model")
    names = ("hidden_size", "vocab_size", "max_position_embeddings", "intermediate_size",
             "num_hidden_layers")  # fmt: skip
    given = {name: config.get(name, 0) for name in names}
    for name, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise DataError(f"{path}: `{name}` is {str(value)[:40]!r}, not a number of things")
    width = given["hidden_size"]
    inner = 4 * width * width + 2 * width * given["intermediate_size"]
    wanted = (
        width * (given["vocab_size"] + given["max_position_embeddings"])
        + (inner + 1) * given["num_hidden_layers"]
    )
    held = sum(file.stat().st_size for file in encoder.iterdir() if file.suffix in _WEIGHTS)
    if wanted > held // _BYTES_PER_WEIGHT:
        raise DataError(
            f"{path}: its shapes need {wanted:,} weights, and the files beside it hold "
            f"{held // _BYTES_PER_WEIGHT:,} at most; they do not belong together"
        )
    return str(config.get("model_type", "not named"))[:60]


def check_family(name: str, model_type: str) -> None:
    """Refuse an encoder of another architecture than ours."""
    if model_type not in _FAMILY:
        raise EquimutError(
            f"encoder {name}: its architecture is {model_type!r}; encoders of the RoBERTa family "
            "work (microsoft/unixcoder-base, microsoft/graphcodebert-base, microsoft/codebert-base)"
        )


def _check_sums(directory: Path) -> None:
    sums = directory / CHECKSUMS
    if not sums.is_file():
        return
    for line in sums.read_text("utf-8", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        path = directory / name
        if not name or not path.resolve().is_relative_to(directory.resolve()):
            raise DataError(f"{sums}: not a list of checksums: {line[:60]!r}")
        if not path.is_file():
            raise DataError(f"{path} is missing, and {CHECKSUMS} names it; get the model again")
        if sha256(path.read_bytes()).hexdigest() != digest:
            raise DataError(f"{path} is not what {CHECKSUMS} says; get the model again")
