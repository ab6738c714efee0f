"""Keys of Python code against the compiler: the same tokens only where the same program."""

import ast
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from equimut.mutation.identity import change_in_context, context_digest
from equimut.parsing.text_diff import code_tokens
from equimut.reports.reported import Change, ReportedMutant, read_report
from equimut.scanning.registry.registry import Registry, key_of
from oracles.command import call_equimut

ORIGINS = sorted((ROOT / "src/equimut/data/benchmark/origins/python").glob("*.pysrc"))[:40]
SOURCES = [path.read_text("utf-8") for path in ORIGINS]


def shaken(source: str, chance: random.Random) -> str:
    """The text with the layout of one line changed: some changes mean something, some do not."""
    lines = source.split("\n")
    at = chance.randrange(1, len(lines))
    line = lines[at]
    kind = chance.randrange(7)
    if kind == 0:
        lines[at] = "    " + line
    elif kind == 1:
        lines[at] = line.removeprefix("    ")
    elif kind == 2:
        lines[at] = line + "  # said"
    elif kind == 3:
        lines.insert(at, "")
    elif kind == 4:
        lines[at - 1 : at + 1] = [lines[at - 1] + " " + line.strip()]
    elif kind == 5:
        lines[at] = line.replace(", ", ",\n    ").replace(" = ", "  =  ")
    else:
        lines = [each.replace("    ", "\t") for each in lines]
    return "\n".join(lines)


def program(source: str) -> str | None:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


@given(st.integers(0, 2**32), st.sampled_from(SOURCES))
def test_equal_tokens_are_an_equal_program(seed: int, source: str) -> None:
    other = shaken(source, random.Random(seed))
    before, after = program(source), program(other)
    if after is None:
        return
    same = code_tokens(source, "python") == code_tokens(other, "python")
    if same:
        assert before == after
    elif before == after and len(other.split("\n")) >= len(source.split("\n")):
        # `if a: b` on one line is another layout with the same meaning, and another key: that is
        # on the safe side. No other change of these may touch the key.
        pytest.fail(f"layout changed the key:\n{other}")


def test_the_changes_are_of_both_kinds() -> None:
    kinds = set()
    for seed in range(200):
        source = SOURCES[seed % len(SOURCES)]
        other = shaken(source, random.Random(seed))
        if (after := program(other)) is not None:
            kinds.add(after == program(source))
    assert kinds == {True, False}


STORED = [
    # file, function, language, origin, old, new: change, place, context and key of registries
    (
        "A.java",
        "f",
        "java",
        "int f(int a, int b) {\n  // larger\n  if (a < b) { a = b; }\n  return a;\n}",
        "a < b",
        "a <= b",
        "< -> <=",
        13,
        "11455501a0e8f9b1",
        "76732eeb3688",
    ),
    (
        "s.c",
        "g",
        "c",
        "#define N 3\n"
        "int g(int *p)\n"
        "{\n"
        "\tint i; /* i */\n"
        "\tfor (i = 0; i < N; i++) p[i] = 'x';\n"
        "\treturn p[0] ? 1 : 0;\n"
        "}\n",
        "i < N",
        "i != N",
        "< -> !=",
        21,
        "e7bf95613fe821ff",
        "90e15deebf7d",
    ),
    (
        "m.py",
        "h",
        "python",
        'def h(xs, y="a # b"):\n'
        "    total = 0  # sum\n"
        "    for x in xs:\n"
        "        total += (x +\n"
        "                  1)\n"
        "        if x:\n"
        "            total -= \\\n"
        "                2\n"
        "    return total\n",
        "total -= ",
        "total += ",
        "-= -> +=",
        34,
        "8e1f53a38acad3eb",
        "2a5c9dc417b6",
    ),
    (
        "m.py",
        "h",
        "python",
        "def h(xs):\n    for x in xs:\n        g(x)\n        k()\n    return 1\n",
        "        k()",
        "    k()",
        "⏎2 -> ⏎1",
        17,
        "9f79b15f8c6af03f",
        "ef5e03a43049",
    ),
    (
        "t.py",
        "h",
        "python",
        "def h(xs):\n\tfor x in xs:\n\t\tg(x)\n\treturn 1\n",
        "return 1",
        "return 2",
        "1 -> 2",
        19,
        "6b5045ea0f26aad8",
        "391b90b36826",
    ),
    (
        "a.js",
        "q",
        "javascript",
        "function q(a) { return a  < 1; }",
        "<",
        "<=",
        "< -> <=",
        5,
        "c90455b289088b8d",
        "27c276ae82da",
    ),
]


@pytest.mark.parametrize("row", STORED, ids=[row[0] for row in STORED])
def test_a_registry_written_before_still_matches(
    tmp_path: Path, row: tuple[str, str, str, str, str, str, str, int, str, str]
) -> None:
    file, function, language, origin, old, new, change, place, context, key = row
    path = tmp_path / "equivalents.toml"
    fields = {"key": key, "file": file, "function": function, "change": change, "context": context}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    lines += [f"place = {place}", 'reason = "seen"', "date = 2026-03-01"]
    path.write_text("\n".join(["[[equivalent]]", *lines]), "utf-8")
    change_ = Change(
        scope="function", function=function, start_line=1, start_byte=0, end_byte=1,
        original=old, replacement=new, origin_function=origin,
        mutant_function=origin.replace(old, new, 1),
    )  # fmt: skip
    mutant = ReportedMutant(
        index=0, id="1", tool="own", file=file, language=language, status="survived",
        tool_status="", operator="", line=1, change=change_,
    )  # fmt: skip
    entry = Registry(path).find(key_of(mutant))
    assert entry is not None
    assert entry.key == key


@pytest.mark.parametrize("name", ["Search.java", "search.c", "search.py"])
def test_a_scan_shows_the_ids_that_mutate_gave(tmp_path: Path, name: str) -> None:
    source = {
        "Search.java": "class Search { /* ä */ int f(int a) { if (a < 3) { a += 2; } return a; } }",
        "search.c": "int g;\nint f(int a) { if (a < 3) { a += 2; } return a; }\n",
        "search.py": "def f(a):\n    if a < 3:  # few\n        a += 2\n    return a\n",
    }[name]
    (tmp_path / name).write_text(source, "utf-8")
    done = call_equimut("mutate", tmp_path / name, "--out", tmp_path / "mutants")
    assert done.returncode == 0
    made = [json.loads(line) for line in (tmp_path / "mutants/mutants.jsonl").open("rb")]
    assert len(made) > 5
    for row in made:
        report = read_report(tmp_path / "mutants" / row["file"], tmp_path / name, "pair")
        (mutant,) = report.mutants()
        key = key_of(mutant)
        assert key is not None
        assert key.text == row["id"]


def test_a_change_is_shown_with_what_stands_around_it() -> None:
    texts = "int f(int n) { return n < 2 ? n : 0; }", "int f(int n) { return n <= 2 ? n : 0; }"
    assert change_in_context(*texts, "java") == "return n < 2 ? -> return n <= 2 ?"
    gone = "def f(a):\n    g()\n    return a\n", "def f(a):\n    return a\n"
    assert change_in_context(*gone, "python", around=1) == "g ( ) return -> return"


def test_a_digest_names_the_tokens_and_their_borders() -> None:
    first, second = (context_digest(tokens) for tokens in (("ab", "c"), ("a", "bc")))
    assert first[:16] != second[:16]
    assert first[16:] != second[16:]
