"""JSON lines: the same bytes each time, whole or not at all, read as a stream."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from equimut.errors import DataError
from equimut.records import Record
from equimut.storage import jsonl
from equimut.storage.files import digest_of
from equimut.storage.jsonl import open_lines, read_lines, read_records, to_line, write_lines


class Row(Record):
    """A row of the tests."""

    id: str
    number: float = 0


ROWS = [Row(id=text, number=0.1) for text in ("a", "é\u2028\x85", 'quote " and \\', "\n")]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
@pytest.mark.parametrize("spaced", [False, True])
def test_records_come_back_as_they_were(name: str, spaced: bool, tmp_path: Path) -> None:
    path = tmp_path / "new" / name
    write_lines(path, (to_line(row, spaced=spaced) for row in ROWS))
    assert list(read_records(path, Row, unique_ids=True)) == ROWS


def test_a_line_is_as_the_standard_library_writes_it() -> None:
    for row in ROWS:
        spaced = json.dumps(row.model_dump(), ensure_ascii=False)
        assert to_line(row, spaced=True) == spaced.encode() + b"\n"
        compact = json.dumps(row.model_dump(), ensure_ascii=False, separators=(",", ":"))
        assert to_line(row) == to_line(row.model_dump()) == compact.encode() + b"\n"


def test_a_lone_surrogate_stays_escaped() -> None:
    assert to_line({"id": "\ud800"}) == b'{"id":"\\ud800"}\n'


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for place in ("one/a.jsonl.gz", "two/b.jsonl.gz"):
        write_lines(tmp_path / place, map(to_line, ROWS))
        contents.append((tmp_path / place).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0][3:8] == bytes(5)  # neither a name nor a time in the header
    assert gzip.decompress(contents[0]) == b"".join(map(to_line, ROWS))


def test_the_level_of_compression_is_obeyed(tmp_path: Path) -> None:
    lines = [to_line({"id": str(number) * 9}) for number in range(999)]
    sizes = {}
    for level in (0, 6):
        write_lines(tmp_path / "x.gz", lines, level)
        sizes[level] = (tmp_path / "x.gz").stat().st_size
    assert sizes[6] < sizes[0] / 4


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_write_that_breaks_off_leaves_what_was_there(name: str, tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"{}\n"
        raise RuntimeError

    path = tmp_path / name
    write_lines(path, map(to_line, ROWS))
    before = path.read_bytes()
    with pytest.raises(RuntimeError):
        write_lines(path, broken())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_reading_is_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(to_line(ROWS[0]) + b"oops\n")
    rows = read_records(path, Row)
    assert next(rows) == ROWS[0]
    with pytest.raises(DataError, match=r"rows\.jsonl, line 2: Invalid JSON"):
        next(rows)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"id": 1}', "`id`"),
        (b'{"id": "b", "number": "1"}', "`number`"),
        (b'{"id": "b", "more": 1}', "no field `more`; there are id, number"),
        (b'{"id": "a"}', "id 'a' is already that of line 1"),
        (b"", "line 2"),
        (b"\xff", "line 2"),
        (b'{"id": "\x00"}', "line 2"),
    ],
)
def test_a_bad_line_is_named(line: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(to_line(ROWS[0]) + line + b"\r\n")
    with pytest.raises(DataError, match=r"rows\.jsonl, line 2: ") as caught:
        list(read_records(path, Row, unique_ids=True))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_without_an_end_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 100)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 1000)
    with (
        open_lines(path) as file,
        pytest.raises(DataError, match="line 2 is longer than 100 bytes"),
    ):
        list(read_lines(file, path))


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read .*gone\.jsonl"):
        list(read_records(tmp_path / "gone.jsonl", Row))
    path = tmp_path / "cut.jsonl.gz"
    write_lines(path, map(to_line, ROWS))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match=r"cut\.jsonl\.gz is not a whole gzip file"):
        list(read_records(path, Row))


def test_a_digest_knows_where_a_text_ends() -> None:
    assert digest_of(("ab", "c")) != digest_of(("a", "bc")) != digest_of(("abc",))
    assert len(digest_of(("\ud800",), size=8)) == 8
    # Stored in the row files of runs, so it may never change.
    assert digest_of(("java", "int f() {}", "é"), size=8).hex() == "535c5a860ccfa294"
