"""What was encoded once is read back, by any process; a damaged file is made again."""

import multiprocessing
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import count
from equimut.errors import EquimutError
from equimut.inputs import cache as cache_module
from equimut.inputs import encode
from equimut.inputs.cache import EncodingCache, cache_key
from equimut.inputs.encode import EncodedPair, PairEncoder
from equimut.inputs.window import EDIT, PAPER
from equimut.records import Pair
from oracles.encoders.small_tokenizer import small_subtokenizer

ORIGIN = "int f(int a, int b) { int c = a + b; return c * %d; }"


def pairs(size: int = 6) -> list[Pair]:
    return [
        Pair(
            id=str(number),
            source="own",
            language="java",
            class_id=number // 2,
            program="p",
            operators=("AOR",),
            origin=ORIGIN % (number // 2),
            mutant=(ORIGIN % (number // 2)).replace("a + b", f"a - b * (a + {number})"),
            label=number % 2,
            split="",
        )
        for number in range(size)
    ]


def encoder(directory: Path | None) -> PairEncoder:
    cache = EncodingCache(directory) if directory else None
    return PairEncoder(small_subtokenizer(), EDIT, cache)


def files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that are parsed from here on."""
    seen: list[str] = []
    real = encode.read_snippet

    def counted(snippet, tokenizer):
        seen.append(snippet.text)
        return real(snippet, tokenizer)

    monkeypatch.setattr(encode, "read_snippet", counted)
    return seen


def test_a_cached_encoding_is_the_encoding(tmp_path: Path, parses: list[str]) -> None:
    fresh = encoder(None).encode_all(pairs())
    assert encoder(tmp_path).encode_all(pairs()) == fresh
    assert len(files(tmp_path)) == 6
    parses.clear()
    again = encoder(tmp_path).encode_all(pairs())
    assert again == fresh
    assert parses == []
    assert [pair.index for pair in again] == list(range(6))
    assert [pair.label for pair in again] == [0, 1] * 3


def test_labels_are_not_part_of_an_encoding(tmp_path: Path) -> None:
    encoder(tmp_path).encode_all(pairs())
    other = [pair.model_copy(update={"label": 1, "class_id": 9}) for pair in pairs()]
    assert {p.label for p in encoder(tmp_path).encode_all(other)} == {1}
    assert len(files(tmp_path)) == 6


def test_each_text_is_parsed_once(parses: list[str]) -> None:
    encoded = encoder(None).encode_all(pairs())
    assert len(parses) == len(set(parses)) == 9
    assert encoded[0].origin is encoded[1].origin


def test_every_part_of_the_key_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    base = (("ab", "c"), "java", "fingerprint", EDIT)
    others = [
        (("a", "bc"), *base[1:]),
        (("abc",), *base[1:]),
        (base[0], "c", *base[2:]),
        (*base[:2], "other", EDIT),
        (*base[:3], PAPER),
        (*base[:3], EDIT.model_copy(update={"max_length": 400})),
    ]
    keys = {cache_key(*parts) for parts in (base, *others)}
    monkeypatch.setattr(cache_module, "code_version", lambda *_: "another version")
    keys.add(cache_key(*base))
    assert len(keys) == len(others) + 2


@pytest.mark.parametrize("keep", [0, 7, 16, 20, 100])
def test_a_file_cut_short_is_made_again(tmp_path: Path, keep: int) -> None:
    fresh = encoder(tmp_path).encode_all(pairs(1))
    [path] = files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    assert encoder(tmp_path).encode_all(pairs(1)) == fresh
    assert path.read_bytes() == whole


def test_a_flipped_bit_anywhere_is_noticed(tmp_path: Path) -> None:
    encoder(tmp_path).encode_all(pairs(1))
    [path] = files(tmp_path)
    whole = path.read_bytes()
    key = path.parent.name + path.name
    for place in range(0, len(whole), count(17, 1)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert EncodingCache(tmp_path).load(key) is None
    path.write_bytes(whole)
    assert EncodingCache(tmp_path).load(key) is not None


def test_a_failed_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises((OSError, EquimutError), match="No space"):
        encoder(tmp_path).encode_all(pairs(1))
    assert files(tmp_path) == []


def _fill(directory: Path, rounds: int) -> list[list[EncodedPair]]:
    return [encoder(directory).encode_all(pairs()) for _ in range(rounds)]


def test_several_processes_may_fill_it_at_once(tmp_path: Path) -> None:
    expected = encoder(None).encode_all(pairs())
    context = multiprocessing.get_context("fork" if os.name == "posix" else "spawn")
    with context.Pool(4) as pool:
        rounds = pool.starmap(_fill, [(tmp_path, count(3, 30))] * 4)
    assert all(encoded == expected for process in rounds for encoded in process)
    assert len(files(tmp_path)) == 6
