"""Source files are found the way reports name them, and nothing outside the root is opened."""

import os
import shutil
from pathlib import Path

import pytest

from equimut.reports import sources
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceTree
from oracles.reports.report_files import files_opened

JAVA = "class Foo { int f() { return 1; } }\n"


def put(path: Path, content: str | bytes = JAVA) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path / "secret.java", "class Secret {}")
    put(tmp_path / "project/src/main/java/org/example/Foo.java")
    put(tmp_path / "project/src/test/java/org/example/FooTest.java")
    return tmp_path / "project"


@pytest.mark.parametrize(
    "name",
    [
        "src/main/java/org/example/Foo.java",
        "org/example/Foo.java",
        "Foo.java",
        "src\\main\\java\\org\\example\\Foo.java",
        "project/src/main/java/org/example/Foo.java",
        "./src/main/java/org/example/Foo.java",
    ],
)
def test_a_file_is_found_by_the_names_that_reports_use(root: Path, name: str) -> None:
    found = SourceTree(root).find(name)
    assert found.path == "src/main/java/org/example/Foo.java"
    assert found.text == JAVA
    assert [function.name for function in found.functions] == ["f"]


def test_an_absolute_path_below_the_root_is_fine(root: Path) -> None:
    path = root.resolve() / "src/main/java/org/example/Foo.java"
    assert SourceTree(root).find(str(path)).text == JAVA


@pytest.mark.parametrize(
    "name",
    [
        "../secret.java",
        "src/../../secret.java",
        "src\\..\\..\\secret.java",
        "{outside}",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "c:/secret.java",
        "link.java",
        "folder/secret.java",
        "",
        "a\0b.java",
        "x" * 5000 + ".java",
        "secret.java",
    ],
)
def test_nothing_outside_the_root_is_opened(root: Path, name: str) -> None:
    outside = root.parent / "secret.java"
    (root / "link.java").symlink_to(outside)
    (root / "folder").symlink_to(root.parent)
    tree = SourceTree(root)
    with files_opened() as opened, pytest.raises(ReportError) as caught:
        tree.find(name.format(outside=outside))
    assert not [path for path in opened if "secret" in path or "passwd" in path]
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_drive_is_outside_and_unknown_first_folders_are_not_dropped(root: Path) -> None:
    tree = SourceTree(root)
    for name in ("C:\\src\\Foo.java", "c:/Foo.java"):
        with pytest.raises(ReportError, match="refused"):
            tree.find(name)
    with pytest.raises(ReportError, match="not found"):
        tree.find("elsewhere/src/main/java/org/example/Foo.java")


@pytest.mark.parametrize("name", ["src/../src/main/java/org/example/Foo.java", "..", "a/.."])
def test_two_dots_are_refused_wherever_they_lead(root: Path, name: str) -> None:
    with pytest.raises(ReportError, match="leads out of the source root"):
        SourceTree(root).find(name)


def test_the_recorder_of_opened_files_sees_an_open(root: Path) -> None:
    with files_opened() as opened:
        SourceTree(root).find("Foo.java")
    assert [path for path in opened if path.endswith("Foo.java")]


def test_a_link_inside_the_root_is_followed(root: Path) -> None:
    (root / "Alias.java").symlink_to(root / "src/main/java/org/example/Foo.java")
    assert SourceTree(root).find("Alias.java").text == JAVA


@pytest.mark.parametrize("part", ["src", "src/main", "src/main/java/org/example"])
def test_a_folder_that_becomes_a_link_is_not_followed(root: Path, part: str) -> None:
    tree = SourceTree(root)
    assert tree.find("Foo.java").text == JAVA  # the path is checked, and known from now on
    put(root.parent / "outside/Foo.java", "class Secret {}")
    below = "src/main/java/org/example/Foo.java".removeprefix(f"{part}/")
    put(root.parent / "outside" / below, "class Secret {}")
    shutil.move(root / part, root.parent / "moved")
    (root / part).symlink_to(root.parent / "outside")
    with pytest.raises(ReportError, match="not readable"):
        tree.find("Foo.java", "c")  # another language: it is opened again


def test_links_in_a_circle_are_not_found(root: Path) -> None:
    (root / "A.java").symlink_to(root / "B.java")
    (root / "B.java").symlink_to(root / "A.java")
    with pytest.raises(ReportError, match="not found"):
        SourceTree(root).find("A.java")


def test_two_files_that_fit_are_ambiguous_not_guessed(root: Path) -> None:
    put(root / "other/org/example/Foo.java")
    with pytest.raises(ReportError, match=r"ambiguous: 2 files fit 'org/example/Foo.java'"):
        SourceTree(root).find("org/example/Foo.java")


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "Pipe.java")
    with pytest.raises(ReportError):
        SourceTree(root).find("Pipe.java")


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        ("x = 'ä'\n".encode(), "x = 'ä'\n", "utf-8-sig"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n", "utf-8-sig"),
        ("x = 'ä'\n".encode("utf-16"), "x = 'ä'\n", "utf-16"),
        ("x = 'ä'\n".encode("latin-1"), "x = 'ä'\n", "latin-1"),
        (b"# coding: cp1251\nx = '\xe4'\n", "# coding: cp1251\nx = 'д'\n", "cp1251"),
        (b"# coding: no-such\nx = '\xe4'\n", "# coding: no-such\nx = 'ä'\n", "latin-1"),
        (b"# coding: rot13\nx = '\xe4'\n", "# coding: rot13\nx = 'ä'\n", "latin-1"),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, text: str, encoding: str) -> None:
    put(tmp_path / "a.py", content)
    found = SourceTree(tmp_path).find("a.py")
    assert (found.text, found.encoding) == (text, encoding)


def test_binary_and_huge_files_are_refused(tmp_path: Path) -> None:
    put(tmp_path / "binary.c", b"int a;\0int b;")
    put(tmp_path / "huge.c", b" " * (sources.MAX_BYTES + 1))
    tree = SourceTree(tmp_path)
    with pytest.raises(ReportError, match="NUL"):
        tree.find("binary.c")
    with pytest.raises(ReportError, match="over the limit"):
        tree.find("huge.c")


def test_a_file_is_read_once_and_only_some_are_kept(tmp_path: Path) -> None:
    for number in range(sources.KEPT_FILES + 5):
        put(tmp_path / f"f{number}.c", f"int f{number};")
    tree = SourceTree(tmp_path)
    first = tree.find("f0.c")
    assert tree.find("f0.c") is first
    for number in range(sources.KEPT_FILES + 5):
        tree.find(f"f{number}.c")
    assert tree.find("f0.c") is not first
    assert len(tree._kept) <= sources.KEPT_FILES


def test_a_root_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="no such directory"):
        SourceTree(tmp_path / "nowhere")
