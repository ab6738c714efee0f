"""C labels: identical optimised code proves, copies do not disturb each other."""

from pathlib import Path

import pytest

from equimut.mutation import mutate
from equimut.parsing.tree import parse
from equimut.pretraining.labels.gcc.assembly import function_codes
from equimut.pretraining.labels.gcc.identity import (
    CProject,
    fitting_flags,
    identical,
    project_macros,
)
from equimut.pretraining.labels.gcc.label import label_c_file
from equimut.pretraining.labels.gcc.units import subjects, with_copies
from equimut.records import Mutant

SOURCE = """
#include <assert.h>
#include "lib/twice.h"
#define NOTHING(x)
static int helper(int x) { return TWICE(x) + 1; }

int clamp(int x, int low, int high)
{
    assert(low <= high);
    if (x < low) return low;
    NOTHING(x);
    return x > high ? high : x;
}

unsigned count(const char *s, char c)
{
    unsigned n = 0;
    for (; *s; s++) if (*s == c) n = n + 1;
    return helper(n);
}

const char *name(int k)
{
    switch (k) { case 0: return "zero"; case 1: return "one"; default: return "many"; }
}

int guarded(int x)
{
#ifdef NEVER
    x = x + 1;
#endif
    return x * 2;
}

int remembered(int x)
{
    static int total = 0;
    total += x; total += 1;
    return total;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "include" / "lib").mkdir(parents=True)
    (tmp_path / "deep" / "include" / "lib" / "twice.h").write_text("#define TWICE(x) ((x) * 2)\n")
    (tmp_path / "unit.c").write_text(SOURCE)
    return tmp_path


def _edited(function: str, old: str, new: str) -> Mutant:
    found = next(one for one in subjects(parse(SOURCE, "c")) if one.name == function)
    text = SOURCE.encode()[found.start : found.end].decode()
    assert text.count(old) == 1
    at = text.index(old)
    return Mutant(
        id="x", operator="X", function=function, line=1, start_byte=at, end_byte=at + len(old),
        original=old, replacement=new, origin_function=text,
        mutant_function=text.replace(old, new),
    )  # fmt: skip


def _same(project: Path, function: str, *edits: tuple[str, str]) -> list[bool | None]:
    subject = next(one for one in subjects(parse(SOURCE, "c")) if one.name == function)
    mutants = list(enumerate((_edited(function, *edit) for edit in edits), start=1))
    flags = fitting_flags(CProject(project), project / "unit.c")
    assert flags is not None
    found = identical(SOURCE.encode(), "unit.c", flags, {subject: mutants})
    return [found.get((function, number)) for number, _ in mutants]


def test_identical_code_is_told_from_different_code(project: Path) -> None:
    edits = [("x > high", "x >= high"), ("x > high", "x < high"), ("x > high", "!(x <= high)")]
    assert _same(project, "clamp", *edits) == [True, False, True]


def test_texts_that_differ_make_a_difference(project: Path) -> None:
    # The code of both is the same but for the label of the constant.
    assert _same(project, "name", ('"zero"', '"Zero"'), ('"one"', '"on" "e"')) == [False, True]


def test_an_assertion_names_neither_line_nor_copy(project: Path) -> None:
    edits = [("{\n    assert", "{\n\n\n    assert"), ("low <= high", "low < high")]
    assert _same(project, "clamp", *edits) == [True, False]


def test_copies_that_do_not_compile_are_dropped_and_the_others_kept(project: Path) -> None:
    edits = [("n + 1", "n + nothing"), ("n + 1", "1 + n"), ("helper(n)", "helper(TWICE(&n) )")]
    assert _same(project, "count", *edits) == [None, True, None]


def test_functions_with_directives_or_static_variables_are_left_out() -> None:
    names = [one.name for one in subjects(parse(SOURCE, "c"))]
    assert names == ["helper", "clamp", "count", "name"]


def test_headers_are_found_and_macros_of_the_system_do_not_count(project: Path) -> None:
    flags = fitting_flags(CProject(project), project / "unit.c")
    assert flags is not None
    assert f"-I{project / 'deep' / 'include'}" in flags
    assert {"NOTHING", "TWICE"} <= project_macros(project / "unit.c", flags)
    assert "assert" not in project_macros(project / "unit.c", flags)
    (project / "broken.c").write_text('#include "nowhere.h"\n')
    assert fitting_flags(CProject(project), project / "broken.c") is None


def test_flags_of_the_project_are_used(project: Path) -> None:
    (project / "compile_flags.txt").write_text("-I$ROOT/deep/include\n-DANSWER=42\n")
    (project / "flagged.c").write_text('#include "lib/twice.h"\nint f(void) { return ANSWER; }\n')
    assert fitting_flags(CProject(project), project / "flagged.c") is not None


def test_a_file_gives_pairs_with_both_labels(project: Path) -> None:
    rows = label_c_file(CProject(project), project / "unit.c", "c/own/unit.c", seed=0)
    assert rows == label_c_file(CProject(project), project / "unit.c", "c/own/unit.c", seed=0)
    assert {row.evidence for row in rows} == {"identical code", "different code"}
    assert all(row.weight < 1 for row in rows if not row.label)
    near = [row for row in rows if "NOTHING" not in row.mutant and row.program and row.label]
    assert all(row.weight < 1 for row in near if "NOTHING" in row.origin)


def test_each_copy_is_renamed_once_and_marked() -> None:
    subject = next(one for one in subjects(parse(SOURCE, "c")) if one.name == "helper")
    mutants = list(enumerate(mutate("static int helper(int x) { return x; }", "c")[:2], start=1))
    text, marks = with_copies(SOURCE.encode(), {subject: mutants})
    assert [number for _, number in marks.values()] == [0, 1, 2]
    assert text.count("helper__m0001") == 1
    assert text.replace("\r", "").startswith(SOURCE[: SOURCE.index("int clamp")].rstrip())


def test_labels_are_numbered_and_constants_shown() -> None:
    body = "{0}:\n\tje\t{1}\n\tleaq\t{2}(%rip), %rax\n{1}:\n\tret\n\t.size\t{0}, .-{0}\n"
    head = "\t.type\t{0}, @function\n"
    data = '.LC0:\n\t.string\t"a"\n.LC1:\n\t.string\t"a"\n.LC2:\n\t.string\t"b"\n\t.text\n'
    copies = [("f__m0000", ".L3", ".LC0"), ("f__m0001", ".L9", ".LC1"), ("f__m0002", ".L9", ".LC2")]
    text = data + "".join(head.format(*one) + body.format(*one) for one in copies)
    codes = function_codes(text)
    assert codes["f__m0000"] == codes["f__m0001"]
    assert codes["f__m0000"] != codes["f__m0002"]
