"""The digest of the code follows the code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from equimut.pretraining.corpus.build import RULES as PIECES
from equimut.pretraining.labels.build import WAYS
from equimut.storage import files as module
from equimut.storage.files import code_version


def version(rooms: tuple[str, ...], libraries: tuple[str, ...] = ()) -> str:
    code_version.cache_clear()
    return code_version(rooms, libraries)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    code_version.cache_clear()


def test_a_change_of_a_named_room_is_a_new_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PACKAGE", tmp_path)
    source, other = tmp_path / "inputs" / "mask.py", tmp_path / "losses" / "joint.py"
    for path in (source, other):
        path.parent.mkdir()
        path.write_text("a = 1")
    first = version(("inputs",))
    other.write_text("a = 2")
    assert version(("inputs",)) == first
    source.write_text("a = 2")
    assert version(("inputs",)) != first
    source.write_text("a = 1")
    assert version(("inputs",)) == first
    source.rename(source.with_name("other.py"))
    assert version(("inputs",)) != first


def test_a_library_counts_by_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    first = version((), ("rich",))
    monkeypatch.setattr(module.metadata, "version", lambda name: "0")
    assert version((), ("rich",)) != first


def test_a_room_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="moved_away"):
        version(("languages", "moved_away"))


def test_pieces_of_a_corpus_and_jobs_of_labels_follow_the_code_that_makes_them() -> None:
    for rooms in (PIECES, *WAYS.values()):
        assert version(rooms)
    assert "pretraining/corpus" in PIECES
    assert all("pretraining/labels" in rooms for rooms in WAYS.values())
    assert "proofs" in WAYS["rules"]
    assert "oracle" in WAYS["oracle"]
