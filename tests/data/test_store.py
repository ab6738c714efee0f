"""Pairs survive the way to a file and back, and nothing wrong gets in or out."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.data.store import read_pairs, write_pairs
from equimut.errors import DataError
from equimut.records import Pair
from equimut.storage.jsonl import to_line
from oracles.datasets.synthetic_pairs import make_pair

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
CODE = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
PAIRS = st.lists(
    st.builds(
        Pair,
        id=TEXT.filter(bool),
        source=st.just("synthetic"),
        language=st.just("c"),
        class_id=st.integers(0, 10**9),
        program=TEXT,
        operators=st.lists(TEXT, max_size=3).map(tuple),
        origin=CODE.filter(bool),
        mutant=CODE,
        label=st.sampled_from([0, 1]),
        split=TEXT,
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda pair: pair.id,
)


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
@given(pairs=PAIRS)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, pairs: list[Pair]
) -> None:
    path = tmp_path_factory.mktemp("store") / name
    assert write_pairs(path, pairs) == len(pairs)
    assert read_pairs(path) == tuple(pairs)


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
def test_the_same_pairs_give_the_same_bytes(tmp_path: Path, name: str) -> None:
    pairs = [make_pair(number) for number in range(50)]
    first, second = tmp_path / "one" / name, tmp_path / "two" / f"other-{name}"
    write_pairs(first, pairs)
    write_pairs(second, pairs)
    assert first.read_bytes() == second.read_bytes()
    if name.endswith(".gz"):  # neither a time nor a file name in the header
        assert first.read_bytes()[3:8] == bytes(5)


def test_a_row_has_exactly_the_fields_of_the_schema_in_order() -> None:
    row = json.loads(to_line(make_pair(1, operators=("AOIS",))))
    assert " ".join(row) == (
        "id source language class_id program operators origin mutant label split"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": 2}, "label"),
        ({"label": "1"}, "label"),
        ({"class_id": "7"}, "class_id"),
        ({"class_id": -1}, "class_id"),
        ({"operators": "AOIS"}, "operators"),
        ({"origin": ""}, "origin"),
        ({"mutant": None}, "mutant"),
        ({"surprise": 1}, "surprise"),
        ({"id": "synthetic:0"}, "already that of line 1"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, change: dict, words: str) -> None:
    path = tmp_path / "pairs.jsonl"
    bad = {**make_pair(1).model_dump(mode="json"), **change}
    path.write_bytes(to_line(make_pair(0)) + json.dumps(bad).encode() + b"\n")
    with pytest.raises(DataError, match=r"pairs\.jsonl, line 2") as caught:
        read_pairs(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", [b"{", b"", b"[]", b"null", b'"text"', b"\xff\xfe", b"NaN"])
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(to_line(make_pair(0)) + line + b"\n")
    with pytest.raises(DataError, match="line 2"):
        read_pairs(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"")
    with pytest.raises(DataError, match="holds no pairs"):
        read_pairs(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read .*gone\.jsonl"):
        read_pairs(tmp_path / "gone.jsonl")


def broken_gzips() -> dict[str, bytes]:
    whole = gzip.compress(b"".join(to_line(make_pair(number)) for number in range(200)))
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    return {
        "truncated": whole[: len(whole) // 2],
        "without its end": whole[:-4],
        "flipped": bytes(flipped),
        "not gzip": b"{}\n",
    }


@pytest.mark.parametrize("kind", broken_gzips())
def test_a_broken_gzip_is_one_clear_error(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    path.write_bytes(broken_gzips()[kind])
    with pytest.raises(DataError, match=r"pairs\.jsonl\.gz") as caught:
        read_pairs(path)
    assert "\n" not in str(caught.value)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    write_pairs(path, [make_pair(0)])
    before = path.read_bytes()
    with pytest.raises(DataError, match="occurs twice"):
        write_pairs(path, [make_pair(1), make_pair(2), make_pair(1)])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_replaced_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pairs.jsonl"
    write_pairs(path, [make_pair(0)])
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="power cut"):
        write_pairs(path, [make_pair(1)])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_pair_made_behind_the_schema_s_back_is_not_written(tmp_path: Path) -> None:
    wrong = make_pair(0).model_copy(update={"label": 3})
    with pytest.raises(DataError, match="not written"):
        write_pairs(tmp_path / "pairs.jsonl", [wrong])
    assert list(tmp_path.iterdir()) == []


def test_output_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "directory").mkdir()
    for target in (tmp_path / "file" / "pairs.jsonl", tmp_path / "directory"):
        with pytest.raises(DataError, match="cannot write"):
            write_pairs(target, [make_pair(0)])
    assert not any((tmp_path / "directory").iterdir())
