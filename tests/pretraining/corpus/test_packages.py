"""Packages by name: what apt gives becomes source files and a record; what it cannot, one line.

A small `apt-get` of the tests' own stands in for the real one, so nothing is downloaded.
"""

import io
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from equimut.errors import DataError
from equimut.pretraining.corpus.choices import chosen_sources
from equimut.pretraining.corpus.packages import fetch_package, package_files
from equimut.pretraining.corpus.sources import files_below

APT = """#!/bin/sh
echo "$@" >> {calls}
case "$*" in
  *indextargets*) echo "{archive}" ;;
  *"source --download-only nothing"*) echo "E: Unable to find a source package" >&2; exit 100 ;;
  *"source --download-only "*) cp {shelf}/* . ;;
  *" update"*) {update} ;;
esac
"""
SOURCE = "int f(int a) { return a; }\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory whose files the fake apt-get hands out as the sources of any package."""
    return stand_in(tmp_path, monkeypatch)


def stand_in(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    archive: str = "http://archive.invalid/ stable main Debian",
    update: str = ":",
) -> Path:
    shelf, programs = tmp_path / "shelf", tmp_path / "bin"
    shelf.mkdir()
    programs.mkdir()
    script = programs / "apt-get"
    calls = tmp_path / "calls"
    script.write_text(APT.format(shelf=shelf, calls=calls, archive=archive, update=update))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return shelf


def pack(path: Path, members: dict[str, str]) -> bytes:
    with tarfile.open(path, "w:gz") as tape:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tape.addfile(member, io.BytesIO(text.encode()))
    return path.read_bytes()


def fill(shelf: Path, members: dict[str, str]) -> bytes:
    (shelf / "tool_1%3a2.0-3.dsc").write_text("Format: 3.0\n")
    (shelf / "tool_2.0.orig.tar.gz.asc").write_text("signature")
    return pack(shelf / "tool_2.0.orig.tar.gz", members)


def test_sources_are_unpacked_and_recorded(shelf: Path, tmp_path: Path) -> None:
    members = {"t-2/a.c": SOURCE, "t-2/tests/b.c": SOURCE, "t-2/README": "", "t-2/lib/c.c": SOURCE}
    content = fill(shelf, members)
    fetched = fetch_package("tool", "c", tmp_path / "cache")
    assert (fetched.name, fetched.version, fetched.files) == ("tool", "1:2.0-3", 2)
    assert fetched.sha256["tool_2.0.orig.tar.gz"] == sha256(content).hexdigest()
    files = list(files_below(package_files(tmp_path / "cache", "tool"), "c", "tool"))
    assert [file.path for file in files] == ["t-2/a.c", "t-2/lib/c.c"]
    assert files[0].location.read_text() == SOURCE


def test_second_fetch_asks_nobody(shelf: Path, tmp_path: Path) -> None:
    fill(shelf, {"a.c": SOURCE})
    first = fetch_package("tool", "c", tmp_path / "cache")
    calls = tmp_path / "calls"
    asked = calls.read_text()
    assert fetch_package("tool", "c", tmp_path / "cache") == first
    assert calls.read_text() == asked
    fetch_package("other", "c", tmp_path / "cache")
    later = calls.read_text().removeprefix(asked)
    assert "other" in later
    assert "update" not in later  # the lists are there


def test_apt_keeps_its_lists_below_our_cache(shelf: Path, tmp_path: Path) -> None:
    fill(shelf, {"a.c": SOURCE})
    cache = tmp_path / "cache"
    fetch_package("tool", "c", cache)
    for call in (tmp_path / "calls").read_text().splitlines():
        if "indextargets" not in call:
            assert f"Dir::State::lists={cache / 'apt' / 'lists'}" in call
            assert f"Dir::Etc::sourcelist={cache / 'apt'}" in call
    lines = (cache / "apt" / "sources.list").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["deb", "deb-src"]
    assert all(line.endswith("http://archive.invalid/ stable main") for line in lines)


def test_stopped_fetch_leaves_no_half_package(shelf: Path, tmp_path: Path) -> None:
    whole = fill(shelf, {"a.c": SOURCE * 2000, "b.c": SOURCE})
    archive = shelf / "tool_2.0.orig.tar.gz"
    archive.write_bytes(whole[:-60])
    with pytest.raises(DataError, match="not a whole archive"):
        fetch_package("tool", "c", tmp_path / "cache")
    archive.write_bytes(whole)
    assert fetch_package("tool", "c", tmp_path / "cache").files == 2


def test_path_that_leads_out_is_refused(shelf: Path, tmp_path: Path) -> None:
    fill(shelf, {"../../evil.c": SOURCE})
    with pytest.raises(DataError, match="leads out"):
        fetch_package("tool", "c", tmp_path / "cache")
    assert not list(tmp_path.rglob("evil.c"))


def test_package_without_sources_of_the_language_is_refused(shelf: Path, tmp_path: Path) -> None:
    fill(shelf, {"README": "hello"})
    with pytest.raises(DataError, match="tool holds no c source files"):
        fetch_package("tool", "c", tmp_path / "cache")


def test_unknown_package_says_what_apt_said(shelf: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nothing: Unable to find a source package"):
        fetch_package("nothing", "c", tmp_path / "cache")


def test_without_apt_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DataError, match=r"apt-get is not on the PATH.*--directory"):
        fetch_package("tool", "c", tmp_path / "cache")


@pytest.mark.parametrize("update", ["echo 'E: no route to host' >&2; exit 100", "exit 100"])
def test_offline_the_way_out_is_named_and_the_next_try_asks_again(
    update: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, update=update)
    for _ in range(2):
        with pytest.raises(DataError, match=r"run the command again.*--directory"):
            fetch_package("tool", "c", tmp_path / "cache")
    assert (tmp_path / "calls").read_text().count("update") == 2


def test_system_without_an_archive_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, archive="")
    with pytest.raises(DataError, match="knows no Debian archive"):
        fetch_package("tool", "c", tmp_path / "cache")


def test_archive_inside_a_binary_package_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`NAME-source` packages hold an archive; `dpkg-deb` takes it out."""
    shelf = stand_in(tmp_path, monkeypatch)
    apt = tmp_path / "bin" / "apt-get"
    apt.write_text(apt.read_text().replace("source --download-only ", "download "))
    with zipfile.ZipFile(tmp_path / "src.zip", "w") as zipped:
        zipped.writestr("java.base/A.java", "class A {}")
        zipped.writestr("java.base/ATest.java", "class ATest {}")
    (shelf / "jdk-source_17-1_all.deb").write_text("")
    unpacker = tmp_path / "bin" / "dpkg-deb"
    unpacker.write_text(f"#!/bin/sh\nmkdir -p $3/usr/lib && cp {tmp_path}/src.zip $3/usr/lib\n")
    unpacker.chmod(0o755)
    fetched = fetch_package("jdk-source", "java", tmp_path / "cache")
    assert (fetched.version, fetched.files) == ("17-1", 1)


def test_directories_take_the_place_of_packages(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.c").write_text(SOURCE)
    packages, files = chosen_sources(None, [], [("c", tmp_path / "own")], tmp_path / "cache")
    assert [(file.language, file.package, file.path) for file in files] == [("c", "own", "a.c")]
    assert [package.files for package in packages] == [1]


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [("c", "absent", "is not a directory"), ("ada", "own", "no corpus for 'ada'")],
)
def test_wrong_directories_are_refused(language: str, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    with pytest.raises(DataError, match=said):
        chosen_sources(None, [], [(language, tmp_path / name)], tmp_path / "cache")
