"""Downloads from a real server: whole, resumed, refused, and never believed without their sum."""

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.data.published.fetch import copy_from, dataset_named, fetch, matches
from equimut.data.published.pinned import PinnedDataset, PinnedFile, datasets
from equimut.errors import DataError
from oracles.datasets.file_server import FileServer, serving

BIG = bytes(range(256)) * 1200
SMALL = b"int main(void) { return 0; }\n"
PATH = "/someone/things/abc1234"


def pinned(name: str, content: bytes, *remotes: str) -> PinnedFile:
    return PinnedFile(name, len(content), hashlib.sha256(content).hexdigest(), remotes)


DATASET = PinnedDataset(
    "things",
    "someone/things",
    "abc1234",
    (
        pinned("big.bin", BIG, "data/big.bin"),
        pinned("programs/a b.c", SMALL, "new/a b.c", "old/a b.c"),
    ),
)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[FileServer]:
    files = {f"{PATH}/data/big.bin": BIG, f"{PATH}/old/a%20b.c": SMALL}
    with serving(files) as running:
        yield running


def complete(cache: Path) -> bool:
    names = {str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file()}
    return (
        names == {"things/big.bin", "things/programs/a b.c"}
        and (cache / "things/big.bin").read_bytes() == BIG
        and (cache / "things/programs/a b.c").read_bytes() == SMALL
    )


def test_all_files_come_and_progress_adds_up(server: FileServer, tmp_path: Path) -> None:
    steps: list[int] = []
    assert fetch(DATASET, tmp_path, server.url, steps.append) == tmp_path / "things"
    assert complete(tmp_path)
    assert sum(steps) == len(BIG) + len(SMALL)
    assert len(steps) > 3


def test_what_is_there_is_not_asked_for_again(server: FileServer, tmp_path: Path) -> None:
    fetch(DATASET, tmp_path, server.url)
    server.requests.clear()
    steps: list[int] = []
    fetch(DATASET, tmp_path, server.url, steps.append)
    assert server.requests == []
    assert sum(steps) == len(BIG) + len(SMALL)


def test_a_file_spoiled_in_the_cache_is_fetched_again(server: FileServer, tmp_path: Path) -> None:
    fetch(DATASET, tmp_path, server.url)
    (tmp_path / "things/big.bin").write_bytes(BIG[:-1] + b"!")
    fetch(DATASET, tmp_path, server.url)
    assert complete(tmp_path)


def test_a_dropped_connection_is_taken_up_where_it_stopped(
    server: FileServer, tmp_path: Path
) -> None:
    server.cut_after = [100_000]
    steps: list[int] = []
    fetch(DATASET, tmp_path, server.url, steps.append)
    assert complete(tmp_path)
    assert server.requests[:2] == [
        (f"{PATH}/data/big.bin", None),
        (f"{PATH}/data/big.bin", "bytes=100000-"),
    ]
    assert sum(steps) == len(BIG) + len(SMALL)


def test_a_connection_that_keeps_dropping_fails_and_the_next_run_goes_on(
    server: FileServer, tmp_path: Path
) -> None:
    server.cut_after = [1000, 1000, 1000]
    with pytest.raises(DataError, match=f"after 3000 of {len(BIG)} bytes.*--from DIR"):
        fetch(DATASET, tmp_path, server.url)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["big.bin.part"]
    server.requests.clear()
    fetch(DATASET, tmp_path, server.url)
    assert complete(tmp_path)
    assert server.requests[0][1] == "bytes=3000-"


def test_an_interrupted_download_goes_on_in_the_next_run(
    server: FileServer, tmp_path: Path
) -> None:
    def interrupt(size: int) -> None:
        if size:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(DATASET, tmp_path, server.url, interrupt)
    part = tmp_path / "things/big.bin.part"
    already = part.stat().st_size
    assert 0 < already < len(BIG)
    assert not (tmp_path / "things/big.bin").exists()
    server.requests.clear()
    fetch(DATASET, tmp_path, server.url)
    assert complete(tmp_path)
    assert server.requests[0][1] == f"bytes={already}-"


def test_a_server_without_ranges_starts_over(server: FileServer, tmp_path: Path) -> None:
    server.ranges = False
    server.cut_after = [5000]
    steps: list[int] = []
    fetch(DATASET, tmp_path, server.url, steps.append)
    assert complete(tmp_path)
    assert sum(steps) == len(BIG) + len(SMALL)


@pytest.mark.parametrize("leftover", [b"from another file" * 50, BIG + b"too long"])
def test_a_wrong_leftover_is_thrown_away(
    server: FileServer, tmp_path: Path, leftover: bytes
) -> None:
    part = tmp_path / "things/big.bin.part"
    part.parent.mkdir()
    part.write_bytes(leftover)
    steps: list[int] = []
    fetch(DATASET, tmp_path, server.url, steps.append)
    assert complete(tmp_path)
    assert sum(steps) == len(BIG) + len(SMALL)


@pytest.mark.parametrize("content", [BIG[:-1] + b"!", BIG + b"more", BIG * 50])
def test_a_wrong_sum_is_refused_and_nothing_is_kept(
    server: FileServer, tmp_path: Path, content: bytes
) -> None:
    server.files[f"{PATH}/data/big.bin"] = content
    with pytest.raises(DataError, match=r"not the published file: its SHA-256 is not"):
        fetch(DATASET, tmp_path, server.url)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_file_the_server_lacks_is_named(server: FileServer, tmp_path: Path) -> None:
    server.files.clear()
    with pytest.raises(DataError, match=r"has no big\.bin of someone/things at commit abc1234"):
        fetch(DATASET, tmp_path, server.url)


def test_a_closed_network_is_one_line_that_names_from(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(DataError, match="equimut data fetch things --from DIR") as caught:
        fetch(DATASET, tmp_path, url)
    assert "\n" not in str(caught.value)
    assert "Connection refused" in str(caught.value)


@pytest.mark.parametrize("url", ["file:///etc", "ftp://x", "nonsense"])
def test_only_web_addresses_are_asked(tmp_path: Path, url: str) -> None:
    with pytest.raises(DataError, match="http or https"):
        fetch(DATASET, tmp_path, url)


def write_things(directory: Path) -> None:
    (directory / "programs").mkdir(parents=True)
    (directory / "big.bin").write_bytes(BIG)
    (directory / "programs/a b.c").write_bytes(SMALL)


def test_a_local_directory_serves_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equimut.data.published.locate.PLACES", {"things": (".", "things")})
    write_things(tmp_path / "local" / "things")
    copy_from(DATASET, tmp_path / "local", tmp_path / "cache")
    assert complete(tmp_path / "cache")


def test_a_local_file_with_a_wrong_sum_stops_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equimut.data.published.locate.PLACES", {"things": (".",)})
    write_things(tmp_path / "local")
    (tmp_path / "local/programs/a b.c").write_bytes(SMALL + b" ")
    with pytest.raises(DataError, match=r"a b\.c is not the published file"):
        copy_from(DATASET, tmp_path / "local", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_an_unknown_dataset_is_an_error_that_names_the_known() -> None:
    with pytest.raises(DataError, match="known: emd, mutantbench"):
        dataset_named("imagenet")


def test_the_pinned_table_is_whole() -> None:
    for dataset in datasets().values():
        assert len({file.name for file in dataset.files}) == len(dataset.files)
        assert all(len(file.sha256) == 64 and file.size > 0 for file in dataset.files)
    assert [len(dataset.files) for dataset in datasets().values()] == [3, 38]


@pytest.mark.parametrize("name", ["emd", "mutantbench"])
def test_the_pinned_sums_are_those_of_the_published_files(name: str, tmp_path: Path) -> None:
    source = shared_file("data")
    for file in dataset_named(name).files:
        assert matches(source / name / file.name, file)
    copied = copy_from(dataset_named(name), source, tmp_path)
    assert all(matches(copied / file.name, file) for file in dataset_named(name).files)
