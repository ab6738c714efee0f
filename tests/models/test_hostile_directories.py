"""A model directory from a stranger: one clear line within seconds, and nothing of it is run."""

import io
import json
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.models.runtime import load_model
from equimut.models.settings import find_model
from equimut.pretraining.shipping import write_checksums
from equimut.records import Query
from equimut.storage.jsonl import to_line
from oracles.command import call_equimut
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("good")
    encoder = save_tiny_encoder(place / "encoder", layers=1, hidden=16)
    Detector.from_encoder(encoder).save_pretrained(place / "model")
    return place / "model"


@pytest.fixture
def model(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "model"))


@pytest.fixture(autouse=True)
def seconds() -> Iterator[None]:
    """What waits for ever fails instead."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(60)
    yield
    signal.alarm(0)


class Evil:
    """A pickle that leaves a mark where it is loaded."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.mkdir, (str(self.mark),)


def configured(**changes: object) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        path = model / "encoder" / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return change


def fifo(name: str) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        (model / name).unlink(missing_ok=True)
        os.mkfifo(model / name)

    return change


def written(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda model: (model / name).write_bytes(content) and None


def pickled(name: str) -> Callable[[Path], None]:
    def change(model: Path) -> None:
        (model / name).write_bytes(pickle.dumps(Evil(model.parent / "mark")))

    return change


def only_a_pickle(model: Path) -> None:
    (model / "encoder" / "model.safetensors").unlink()
    (model / "encoder" / "pytorch_model.bin").write_bytes(
        pickle.dumps(Evil(model.parent / "mark")) + b"\0" * 1_000_000
    )


def foreign_code(model: Path) -> None:
    (model / "encoder" / "evil.py").write_text(f"open({str(model.parent / 'mark')!r}, 'w')\n")
    code = {"AutoConfig": "evil.C", "AutoModel": "evil.M", "AutoTokenizer": ["evil.T", None]}
    configured(model_type="strange", auto_map=code)(model)
    tokenizer = model / "encoder" / "tokenizer_config.json"
    tokenizer.write_text(json.dumps({**json.loads(tokenizer.read_text()), "auto_map": code}))


def tampered(model: Path) -> None:
    write_checksums(model)
    head = model / "head.safetensors"
    content = bytearray(head.read_bytes())
    content[-1] ^= 1
    head.write_bytes(content)


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a vocabulary of 10^11": (configured(vocab_size=10**11), "its shapes need"),
    "10^6 layers": (configured(num_hidden_layers=10**6), "its shapes need"),
    "a width of 10^9": (configured(hidden_size=10**9), "its shapes need"),
    "layers that are a text": (configured(num_hidden_layers="many"), "not a number of things"),
    "layers that are an infinity": (configured(num_hidden_layers=float("inf")), "not a number"),
    "a fraction of a head": (configured(num_attention_heads=7), "cannot be loaded"),
    "no head at all": (configured(num_attention_heads=0), "cannot be loaded"),
    "heads that are a text": (configured(num_attention_heads="x"), "cannot be loaded"),
    "foreign code": (foreign_code, "architecture is 'strange'"),
    "another architecture": (configured(model_type="gpt2"), "architecture is 'gpt2'"),
    "a head that is a FIFO": (fifo("head.safetensors"), "not a plain file"),
    "weights that are a FIFO": (fifo("encoder/model.safetensors"), "not a plain file"),
    "a tokenizer that is a FIFO": (fifo("encoder/tokenizer.json"), "not a plain file"),
    "settings that are a FIFO": (fifo("detector.json"), "detector.json"),
    "a pickle as head": (pickled("head.safetensors"), "head.safetensors"),
    "a pickle as weights": (pickled("encoder/model.safetensors"), "encoder"),
    "only a pickle": (only_a_pickle, "encoder"),
    "a foreign JSON": (written("encoder/config.json", b'{"name": "left-pad"}'), "'not named'"),
    "a number as JSON": (written("encoder/config.json", b"7"), "not a JSON object"),
    "a deep JSON": (written("encoder/config.json", b"[" * 200_000), "not JSON"),
    "a foreign tokenizer": (written("encoder/tokenizer.json", b'{"a": 1}'), "cannot be loaded"),
    "one bit": (tampered, "is not what SHA256SUMS says"),
    "a wrong list": (written("SHA256SUMS", b"0  ../../secret\n"), "not a list of checksums"),
}  # fmt: skip


@pytest.mark.parametrize("load", [Detector.from_pretrained, load_model])
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_directory_is_one_line(
    model: Path, case: str, load: Callable[[Path], object]
) -> None:
    change, words = HOSTILE[case]
    change(model)
    with pytest.raises(EquimutError) as error:
        load(model)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert not (model.parent / "mark").exists()


@pytest.mark.parametrize("case", ["one bit", "a head that is a FIFO", "settings that are a FIFO"])
def test_a_scan_looks_at_the_files_before_it_believes_their_thresholds(
    model: Path, case: str
) -> None:
    HOSTILE[case][0](model)
    with pytest.raises(EquimutError):
        find_model(model)


def test_nobody_is_asked_whether_to_run_foreign_code(model: Path) -> None:
    foreign_code(model)
    pair = Query(origin="int f() { return 1; }", mutant="int f() { return 2; }", language="java")
    (model.parent / "pairs.jsonl").write_bytes(to_line(pair))
    with mock.patch("sys.stdin", io.StringIO("y\n" * 10)):
        found = call_equimut("judge", model.parent / "pairs.jsonl", "--model", model)
    assert found.returncode == 2
    assert "Do you wish" not in found.stdout + found.stderr
    assert not (model.parent / "mark").exists()


def test_a_model_with_its_checksums_loads(model: Path) -> None:
    write_checksums(model)
    assert Detector.from_pretrained(model).judge("int f() { return 1; }", "", "java")
    assert find_model(model).digest
