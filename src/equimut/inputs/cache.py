"""Encoded snippets and pairs on disk, found by what they were made from."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from equimut.inputs.window import Limits
from equimut.storage.files import GRAMMARS, code_version, digest_of, write_bytes

Arrays = Mapping[str, npt.NDArray[np.int32]]

_CHECKSUM_BYTES = 16
_ROOMS = ("languages", "parsing", "inputs")


class EncodingCache:
    """A directory of encodings, one file each, that several processes may fill at a time.

    A file is written whole under another name and then renamed; it starts with a checksum, so
    one that was cut short or damaged counts as missing and is made again. Nothing is unpickled.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)

    def load(self, key: str) -> Arrays | None:
        """The arrays saved under a key, or None if there are none, or damaged ones."""
        try:
            content = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        checksum, body = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
        if checksum != _digest(body).digest():
            return None
        try:
            arrays: Arrays = load(body)
        except SafetensorError:
            return None
        return arrays

    def save(self, key: str, arrays: Arrays) -> None:
        """Save arrays under a key, whole or not at all."""
        body = save(dict(arrays))
        write_bytes(self._path(key), _digest(body).digest() + body)

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / key[2:]


def cache_key(texts: Sequence[str], language: str, fingerprint: str, limits: Limits) -> str:
    """Names an encoding by all it depends on: texts, language, tokenizer, limits, code."""
    version = code_version(_ROOMS, ("tokenizers", *GRAMMARS))
    return digest_of((version, fingerprint, limits.model_dump_json(), language, *texts)).hex()


def _digest(data: bytes) -> blake2b:
    return blake2b(data, digest_size=_CHECKSUM_BYTES)
