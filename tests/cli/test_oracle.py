"""`equimut oracle`: the verdict with evidence, replay, and one clear line for bad input."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from oracles.command import Result, call_equimut, says_one_line

ORIGIN = """def clamp(n: int, low: int, high: int) -> int:
    if n < low:
        return low
    if n > high:
        return high
    return n
"""
SAME = ORIGIN.replace("n > high", "n >= high")
KILLED = ORIGIN.replace("n > high", "n > high + 1")


def equimut(*arguments: object, **variables: str) -> Result:
    return call_equimut("oracle", *arguments, **variables)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    names = ("origin.py", "killed.py", "same.py")
    for name, text in zip(names, (ORIGIN, KILLED, SAME), strict=True):
        (tmp_path / name).write_text(text)
    origin, killed, same = (tmp_path / name for name in names)
    return origin, killed, same


def one_line(done: Result, *parts: str) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stderr.startswith("error: ")
    for part in parts:
        assert part in done.stderr


def test_a_killed_mutant_is_shown_saved_and_replayed(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    origin, killed, _ = files
    saved = tmp_path / "witness.json"
    done = equimut(origin, killed, "--save", saved, "--inputs", 500)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("killed")
    for word in ("input", "origin", "mutant", "tried", "n = "):
        assert word in done.stdout
    origin.unlink()  # the witness file stands on its own
    again = equimut("--replay", saved)
    assert again.returncode == 0, again.stderr
    assert "<-- differs" in again.stdout
    told = json.loads(saved.read_text())["witness"]
    assert json.loads(equimut("--replay", saved, "--json").stdout) == told


def test_an_unrefuted_mutant_says_how_much_was_tried(files: tuple[Path, Path, Path]) -> None:
    origin, _, same = files
    done = equimut(origin, same, "--json", "--inputs", 700, "--function", "clamp")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert (verdict["tier"], verdict["inputs"], verdict["witness"]) == ("unrefuted", 700, None)
    assert "unrefuted" in equimut(origin, same, "--inputs", 50).stdout


def test_saving_without_a_witness_writes_nothing(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    origin, _, same = files
    done = equimut(origin, same, "--inputs", 50, "--save", tmp_path / "none.json")
    assert done.returncode == 0
    assert "no witness" in done.stderr
    assert not (tmp_path / "none.json").exists()


def test_a_witness_that_no_longer_holds_fails(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    origin, killed, _ = files
    saved = tmp_path / "witness.json"
    equimut(origin, killed, "--save", saved, "--inputs", 500)
    content = json.loads(saved.read_text())
    content["mutant_source"] = content["origin_source"]
    saved.write_text(json.dumps(content))
    done = equimut("--replay", saved)
    assert done.returncode == 1
    assert "behave the same" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("broken.py", "def f(:", ("broken.py", "does not compile")),
        ("none.py", "x = 1\n", ("none.py", "no function")),
        ("hints.py", "def f(a, b): return a\n", ("no type hint",)),
        ("endless.py", "def f(a: int):\n    while True: pass\n", ("loops for ever",)),
        ("type.c", "int f(struct s *p) { return 0; }", ("not supported",)),
        ("broken.java", "static int f(int a) { return a", ("does not parse",)),
        ("undeclared.c", "int f(int a) { return b; }", ("does not compile",)),
        ("binary.py", "\0\0", ("NUL",)),
        ("language.rs", "fn f() {}", ("language.rs",)),
    ],
)
def test_bad_origins_get_one_clear_line(
    name: str, text: str, parts: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    mutant = tmp_path / f"mutant{path.suffix}"
    mutant.write_text("int f(int a) { return 0; }" if path.suffix != ".py" else text + "\ny = 2\n")
    one_line(equimut(path, mutant), *parts)


def test_other_bad_input_gets_one_clear_line(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    origin, killed, _ = files
    one_line(equimut(origin, tmp_path / "gone.py"), "gone.py")
    one_line(equimut(tmp_path, killed, "--language", "python"), str(tmp_path))
    one_line(equimut(origin, killed, "--language", "cobol"), "cobol")
    one_line(equimut(origin, killed, "--function", "other"), "other")
    stillborn = tmp_path / "stillborn.py"
    stillborn.write_text(ORIGIN.replace("return n", "return (n"))
    one_line(equimut(origin, stillborn), "stillborn.py", "does not compile")
    assert equimut(origin).returncode == 2
    assert equimut(origin, killed, "--inputs", 0).returncode == 2


@pytest.mark.parametrize(
    "content", ["", "{}", "[1, 2", '{"format": "equimut-witness-1"}', "\udcff", '{"format": 7}']
)
def test_broken_witness_files_get_one_clear_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "witness.json"
    path.write_text(content, errors="surrogateescape")
    one_line(equimut("--replay", path), "witness.json")


def test_a_witness_that_does_not_fit_its_source_gets_one_clear_line(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    origin, killed, _ = files
    saved = tmp_path / "witness.json"
    equimut(origin, killed, "--save", saved, "--inputs", 500)
    content = json.loads(saved.read_text())
    for arguments in ([1], ["x", 2, 3]):
        content["witness"]["arguments"] = arguments
        saved.write_text(json.dumps(content))
        one_line(equimut("--replay", saved), "witness.json")


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    path = tmp_path / "f.java"
    path.write_text("static int f(int a) { return a; }")
    other = tmp_path / "g.java"
    other.write_text("static int f(int a) { return -a; }")
    one_line(equimut(path, other, PATH=str(tmp_path)), "java", "PATH")
    for file in (path, other):
        file.rename(file.with_suffix(".c"))
    (tmp_path / "f.c").write_text("int f(int a) { return a; }")
    (tmp_path / "g.c").write_text("int f(int a) { return 1; }")
    one_line(equimut(tmp_path / "f.c", tmp_path / "g.c", PATH=str(tmp_path)), "gcc", "PATH")


def test_a_test_that_kills_the_mutant_is_printed(tmp_path: Path) -> None:
    origin, mutant = tmp_path / "prices.py", tmp_path / "changed.txt"
    text = "def cheap(price, limit=10):\n    return price <= limit\n"
    origin.write_text(text)
    mutant.write_text(text.replace("<=", "<"))
    done = call_equimut("oracle", origin, mutant, "--test")
    assert done.returncode == 0, done.stderr
    assert "# It asserts what the code does now" in done.stdout
    names: dict[str, object] = {}
    exec(done.stdout.replace("from prices import cheap", text), names)  # it passes on the origin
    test = next(value for name, value in names.items() if name.startswith("test_"))
    test()  # type: ignore[operator]
    exec(text.replace("<=", "<"), names)
    with pytest.raises(AssertionError):
        test()  # type: ignore[operator]
    same = call_equimut("oracle", origin, origin, "--test")
    assert says_one_line(same, "the same text as")


def test_a_c_test_that_kills_the_mutant_is_printed(tmp_path: Path) -> None:
    """It finds the header by `-I`; compiled and run, it passes on the origin alone."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include/limit.h").write_text("#define LIMIT 7\n")
    text = "#include <limit.h>\nint over(unsigned char a) { return a > LIMIT; }\n"
    (tmp_path / "over.c").write_text(text)
    (tmp_path / "changed.c").write_text(text.replace("a >", "a >="))
    words = ("oracle", tmp_path / "over.c", tmp_path / "changed.c", "--test", "--inputs", "60")
    done = call_equimut(*words, "-I", tmp_path / "include")
    assert done.returncode == 0, done.stderr
    assert "// It asserts what the code does now" in done.stdout
    assert "assert(over(7) == 0);" in done.stdout
    (tmp_path / "test.c").write_text(done.stdout)

    def passes() -> bool:
        command = ("gcc", "-Iinclude", "-I.", "-o", "test", "test.c", "-lm")
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        ran = subprocess.run(["./test"], cwd=tmp_path, check=False, capture_output=True)
        return ran.returncode == 0

    assert passes()
    shutil.copy(tmp_path / "changed.c", tmp_path / "over.c")
    assert not passes()


def test_a_difference_on_standard_error_alone_is_shown(tmp_path: Path) -> None:
    origin, mutant = tmp_path / "origin.py", tmp_path / "mutant.py"
    text = """import sys

def warn(low: bool) -> bool:
    if low:
        print("low", file=sys.stderr)
    return True
"""
    origin.write_text(text)
    mutant.write_text(text.replace('print("low", file=sys.stderr)', "pass"))
    saved = tmp_path / "witness.json"
    done = equimut(origin, mutant, "--save", saved, "--inputs", 50)
    assert "prints 'low\\n' to standard error" in done.stdout
    (line,) = [
        line
        for line in equimut("--replay", saved).stdout.splitlines()
        if line.strip().startswith("errors")
    ]
    assert "'low\\n'" in line
    assert line.endswith("<-- differs")
