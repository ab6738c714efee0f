"""One cache for all commands, where the user wants it."""

from pathlib import Path

import pytest

from equimut.storage.user_cache import cache_directory
from oracles.command import call_equimut

PARTS = ("datasets", "corpus", "labels", "oracle", "scan")


@pytest.fixture(autouse=True)
def a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    for name in ("EQUIMUT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("part", PARTS)
def test_the_first_that_is_set_decides(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_directory(part) == Path("/home/user/.cache/equimut") / part
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_directory(part) == Path("/xdg/equimut") / part
    monkeypatch.setenv("EQUIMUT_CACHE", "/own")
    assert cache_directory(part) == Path("/own/equimut") / part


def test_a_relative_xdg_directory_is_ignored_and_an_own_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert cache_directory("scan") == Path("/home/user/.cache/equimut/scan")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", "here")
    assert cache_directory("scan") == tmp_path / "here/equimut/scan"


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (("data", "prepare", "emd-java", "--out", "x"), "datasets"),
        (("dev", "corpus", "show"), "corpus"),
        (("dev", "labels", "show"), "labels"),
        (("dev", "pretrain", "--out", "x"), "corpus"),
    ],
)
def test_commands_look_where_the_user_says(
    command: tuple[str, ...], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "/nowhere")
    monkeypatch.chdir(tmp_path)
    done = call_equimut(*command)
    assert done.returncode == 2
    assert str(tmp_path / "equimut" / part) in done.stderr.replace("\n", "")


def test_the_benchmark_is_built_where_the_user_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from equimut.data.benchmark.build import BuiltLanguage

    places: list[Path] = []

    def build(language: str, work: Path, **_: object) -> BuiltLanguage:
        places.append(work)
        return BuiltLanguage(language, (), 0, 0)

    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("equimut.data.benchmark.build.build", build)
    call_equimut("dev", "build-bundled", "--language", "c", "--out", tmp_path)
    assert places == [tmp_path / "cache/equimut/datasets/build-bundled"]


def test_the_oracle_and_the_scan_keep_things_where_the_user_says(tmp_path: Path) -> None:
    for name, sign in (("a.c", "+"), ("b.c", "-")):
        (tmp_path / name).write_text(f"int f(int a) {{ return a {sign} 1; }}\n")
    environment = {"EQUIMUT_CACHE": str(tmp_path / "cache"), "XDG_CACHE_HOME": "/nowhere"}
    judged = call_equimut("oracle", tmp_path / "a.c", tmp_path / "b.c", **environment)
    assert judged.returncode == 0, judged.stderr
    scanned = call_equimut("scan", "--example", **environment)
    assert scanned.returncode == 0, scanned.stderr
    kept = {path.name for path in (tmp_path / "cache/equimut").iterdir()}
    assert kept == {"oracle", "scan"}
