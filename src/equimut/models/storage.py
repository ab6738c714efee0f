"""A detector on disk, in Hugging Face style: safetensors, JSON, a model card. No pickle.

detector.json        settings, calibration, provenance
stack.json           a small model behind the head, where there is one
head.safetensors     the head
encoder/             config.json, model.safetensors, tokenizer: loads with AutoModel
README.md            the model card
"""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from equimut.errors import DataError, EquimutError
from equimut.models.card import model_card
from equimut.models.detector import Detector
from equimut.models.directory_check import check_directory
from equimut.models.encoder import load_encoder, quietly
from equimut.models.runtime import NeedsTorch, NumpyDetector
from equimut.models.scoring import score
from equimut.models.settings import (
    ENCODER,
    HEAD,
    SETTINGS,
    STACK,
    existing_directory,
    model_directory,
    read_settings,
)

CARD = "README.md"
SAME_LOGITS = 1e-4
"""How far apart the logits of two libraries may be."""
_PROBES = (
    ("int f(int x) { return x; }", "int f(int x) { return x++; }"),
    ("int g(int a, int b) { if (a < b) { b = a; } return b; }",
     "int g(int a, int b) { if (a <= b) { b = a; } return b; }"),
    ("void h(int *p) { *p = 0; }", "void h(int *p) { }"),
)  # fmt: skip


def save_detector(detector: Detector, directory: Path, *, half: bool = False) -> None:
    """Write all files into a directory beside the target, then put it in its place.

    `half` writes float16 weights, half the size; they are read back as float32.
    """
    if directory.exists() and not directory.is_dir():
        raise DataError(f"cannot save to {directory}: it is there and is not a directory")
    if directory.is_dir() and any(directory.iterdir()) and not (directory / SETTINGS).exists():
        raise DataError(f"cannot save to {directory}: it holds something else; name another")
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=directory.parent, prefix=f".{directory.name}."))
        try:
            _write_files(detector, making, half)
            _check_without_torch(load_detector(making) if half else detector, making)
            _take_the_place(making, directory)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except (OSError, SafetensorError) as error:
        raise DataError(f"cannot save to {directory}: {error}") from error


def load_detector(name_or_path: str | Path) -> Detector:
    """Read a detector from a directory, from the hub by name, or the one that ships."""
    directory = existing_directory(name_or_path)
    settings = read_settings(directory)
    check_directory(directory)
    encoder, tokenizer = load_encoder(directory / ENCODER)
    detector = Detector(encoder, tokenizer, settings)
    load_head(detector, directory)
    return detector.eval()


def load_head(detector: Detector, name_or_path: str | Path) -> None:
    """Give a detector the head that another one of the same shape was saved with."""
    path = model_directory(name_or_path) / HEAD
    try:
        if not path.is_file():
            raise FileNotFoundError("no such file, or not a plain one")
        weights = load_file(path)
        detector.head.load_state_dict({name: value.float() for name, value in weights.items()})
    except (OSError, SafetensorError, RuntimeError) as error:
        reason = str(error).strip().split("\n")[0]
        raise DataError(f"{path}: cannot be loaded: {reason}") from error


def _write_files(detector: Detector, directory: Path, half: bool) -> None:
    dtype = torch.float16 if half else torch.float32
    encoder = detector.encoder.transformer
    state = {name: value.to(dtype) for name, value in encoder.state_dict().items()}
    with quietly():
        encoder.save_pretrained(directory / ENCODER, state_dict=state)
    detector.tokenizer.save_pretrained(directory / ENCODER)
    head = {
        name: value.detach().cpu().to(dtype).contiguous()
        for name, value in detector.head.state_dict().items()
    }
    save_file(head, directory / HEAD)
    settings = detector.settings
    (directory / SETTINGS).write_text(settings.model_dump_json(indent=2) + "\n", "utf-8")
    if settings.stack is not None:
        (directory / STACK).write_text(settings.stack.model_dump_json() + "\n", "utf-8")
    (directory / CARD).write_text(model_card(detector), "utf-8")
    directory.chmod(0o755)  # mkdtemp makes it private
    for path in directory.rglob("*"):
        if path.is_file():
            path.chmod(0o644)  # so do the libraries that write weights
            with path.open("rb") as file:
                os.fsync(file.fileno())


def _check_without_torch(detector: Detector, directory: Path) -> None:
    """The files give the same logits without torch, or are not saved."""
    try:
        other = NumpyDetector.from_pretrained(directory)
    except NeedsTorch:
        return
    pairs = [detector.pair_encoder().encode_texts(*texts, "c") for texts in _PROBES]
    ours, theirs = (score(each, pairs).logits for each in (detector, other))
    if not np.allclose(ours, theirs, rtol=0, atol=SAME_LOGITS, equal_nan=True):
        apart = float(np.abs(ours - theirs).max())
        raise EquimutError(
            f"the detector gives other logits without torch ({apart:.2g} apart); not saved"
        )


def _take_the_place(made: Path, directory: Path) -> None:
    """Rename; an older model of the same name goes last, when the new one is complete."""
    old = made.with_name(made.name + ".old")
    if directory.exists():
        directory.rename(old)
    try:
        made.rename(directory)
    except OSError:
        with suppress(OSError):
            old.rename(directory)
        raise
    shutil.rmtree(old, ignore_errors=True)
