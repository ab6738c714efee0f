"""C functions run where they stand in a project, and the tests that come of it."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from equimut.errors import OracleError
from equimut.oracle.c import suggesting
from equimut.oracle.c.building import Workshop, read_commands
from equimut.oracle.c.project import judge_file
from equimut.oracle.c.source_text import character, integer, quoted, real
from equimut.oracle.c.suggesting import suggested_file, verify
from equimut.oracle.project import (
    FileAnswer,
    FileMutant,
    ProjectSettings,
    SuggestedTest,
    project_at,
)
from equimut.oracle.sandbox.process import work_directory
from equimut.oracle.sandbox.ticking import C_PLACES, add_probes
from equimut.oracle.verdicts import OracleSettings

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
HEADER = """#ifndef KIT_H
#define KIT_H
#include <stddef.h>
#define PUBLIC __attribute__((visibility("default")))
typedef struct shelf { int size; int used; int note; char **items; } shelf;
enum color { RED, GREEN = 5, BLUE };
typedef struct { int x; double y; } point;
struct words { const char *first; struct words *next; };
int other(int x);
#endif
"""
KIT = """#include "kit.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls = 0;

shelf *shelf_new(int size) {
    if (size < 0 || size > 1000) return NULL;
    shelf *s = malloc(sizeof *s);
    s->size = size;
    s->used = 0;
    s->items = calloc((size_t)size + 1, sizeof *s->items);
    return s;
}

PUBLIC int shelf_put(shelf *s, const char *item) {
    if (s == NULL || item == NULL)
        return -1;
    if (s->used >= s->size)
        return -2;
    s->items[s->used++] = strdup(item);
    return s->used;
}

static int is_vowel(char c) {
    return c == 'a' || c == 'e' || c == 'i';
}

size_t count_vowels(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        if (is_vowel(*text))
            n++;
    return n;
}

void reverse(int *values, size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        int kept = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = kept;
    }
}

double move(point p, enum color c) {
    if (c == BLUE)
        return p.x + p.y;
    return p.y / 2;
}

void shift(point *p, int by) {
    calls += 2;
    p->x = by;
}

int hello(int n) {
    for (int i = 0; i < n; i++)
        printf("hello %d\\n", i);
    return other(7);
}

int twice(int x) {
    return x * 2;
}

size_t length_of(struct words *w) {
    size_t n = 0;
    for (; w; w = w->next)
        n += 1;
    return n;
}

int sum(int n, ...) {
    va_list rest;
    int all = 0;
    va_start(rest, n);
    while (n-- > 0) all += va_arg(rest, int);
    va_end(rest);
    return all;
}

int first_of(const int *values, size_t n) {
    if (n == 0)
        return 7;
    int kept = values[0];
    return kept;
}

int dice(void) {
    return rand() % 100000;
}

int dead(int x) {
    if (x > 3 && x < 3)
        return x + 1;
    return 0;
}

int main(void) {
    return 0;
}
"""
KILLED = {
    "size": ("size > 1000", "size >= 1000"),
    "full": ("s->used >= s->size", "s->used > s->size"),
    "vowel": ("c == 'e'", "c != 'e'"),
    "count": ("n++;", "n--;"),
    "reverse": ("= kept", "= 0"),
    "color": ("c == BLUE", "c == GREEN"),
    "half": ("p.y / 2", "p.y * 2"),
    "global": ("calls += 2", "calls += 3"),
    "field": ("p->x = by", "p->x = -by"),
    "print": ("hello %d", "hallo %d"),
    "other": ("other(7)", "other(8)"),
    "list": ("n += 1", "n += 2"),
    "endless": ("i < n; i++)\n", "i < n; i--)\n"),
}
SHOWN_BY_A_SANITIZER = {
    "no value": ("return kept;", ";"),
    "out of bounds": ("values[0]", "values[n]"),
}
SAME = {
    "layout": ("n - 1 - i] = kept", "n - i - 1] = kept"),
    "where the origin overflows": ("x * 2", "(int)(2u * (unsigned)x)"),
    "fresh memory": ("s->used = 0;", "s->used = 0; s->note = 1;"),
}
CANNOT = {
    "cannot be called: it takes variable arguments": ("all += va", "all -= va"),
    "no input that the function does the same twice": ("% 100000", "% 99999"),
    "no input reaches the change": ("return x + 1", "return x"),
    "the mutant does not compile": ("return s;", "return ++;"),
}
CHANGES = [*KILLED.values(), *SAME.values(), *CANNOT.values(), *SHOWN_BY_A_SANITIZER.values()]
SETTINGS = OracleSettings(inputs=280)


def mutant_of(source: str, change: tuple[str, str]) -> FileMutant:
    before, after = change
    start = source.index(before)
    return FileMutant(start=start, end=start + len(before), replacement=after, function=source)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ProjectSettings:
    root = tmp_path_factory.mktemp("kit")
    (root / "src").mkdir()
    (root / "include").mkdir()
    (root / "include/kit.h").write_text(HEADER)
    (root / "src/kit.c").write_text(KIT)
    (root / "src/other.c").write_text('#include "kit.h"\nint other(int x) { return x * 3; }\n')
    return project_at(root, includes=[root / "include"])


@pytest.fixture(scope="module")
def answer(project: ProjectSettings) -> FileAnswer:
    mutants = [mutant_of(KIT, change) for change in CHANGES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suggesting, "SECONDS", 1)  # of the processor, for a test that never ends
        return judge_file(project, project.root / "src/kit.c", KIT, mutants, SETTINGS)


@pytest.mark.parametrize("key", KILLED)
def test_a_change_that_a_call_shows_is_killed_and_has_a_test(answer: FileAnswer, key: str) -> None:
    number = list(KILLED).index(key)
    verdict = answer.verdicts[number]
    assert verdict.tier == "killed", verdict
    assert any(number in test.kills for test in answer.tests)


@pytest.mark.parametrize("key", SAME)
def test_a_change_that_no_defined_call_shows_is_unrefuted(answer: FileAnswer, key: str) -> None:
    verdict = answer.verdicts[len(KILLED) + list(SAME).index(key)]
    assert (verdict.tier, verdict.in_project) == ("unrefuted", True), verdict


@pytest.mark.parametrize("reason", CANNOT)
def test_what_cannot_be_run_says_why(answer: FileAnswer, reason: str) -> None:
    verdict = answer.verdicts[len(KILLED) + len(SAME) + list(CANNOT).index(reason)]
    assert verdict.tier == "unknown"
    assert verdict.reason.startswith(reason)


@pytest.mark.parametrize("key", SHOWN_BY_A_SANITIZER)
def test_undefined_behaviour_of_the_mutant_kills_it_without_a_test(
    answer: FileAnswer, key: str
) -> None:
    number = len(CHANGES) - len(SHOWN_BY_A_SANITIZER) + list(SHOWN_BY_A_SANITIZER).index(key)
    verdict = answer.verdicts[number]
    assert verdict.witness is not None
    assert verdict.witness.mutant.outcome == "crashes"
    assert all(number not in test.kills for test in answer.tests)


def test_inputs_are_shrunk_and_shown_in_one_line(answer: FileAnswer) -> None:
    calls = {key: v.witness.call for key, v in zip(KILLED, answer.verdicts, strict=False)
             if v.witness is not None}  # fmt: skip
    assert calls["size"] == "shelf_new(1000)"
    assert calls["count"] in ('count_vowels("a")', 'count_vowels("e")', 'count_vowels("i")')
    assert len(calls["reverse"]) <= len("reverse({-1, 0}, 2)")


def test_survivors_killed_by_one_input_share_a_test(answer: FileAnswer) -> None:
    field, counter = list(KILLED).index("field"), list(KILLED).index("global")
    assert any({field, counter} <= set(test.kills) for test in answer.tests)
    assert answer.dropped == 0


def test_what_is_not_initialised_is_not_asserted(answer: FileAnswer) -> None:
    assert all("note" not in test.text for test in answer.tests)


def test_the_written_file_passes_on_the_project_and_fails_on_every_mutant(
    answer: FileAnswer, project: ProjectSettings, tmp_path: Path
) -> None:
    """The compiler and the program alone, as a reader would use them."""
    name, text = suggested_file("src/kit.c", answer.tests)
    assert name == "test_src_kit_survivors.c"
    assert text.startswith("/*\n * Tests that kill mutants of src/kit.c which survived,")
    shutil.copytree(project.root, tmp_path / "kit")

    def outcome(source: str) -> int:
        (tmp_path / "kit/src/kit.c").write_text(source)
        (tmp_path / "kit" / name).write_text(text)
        words = ("gcc", "-I.", "-Iinclude", "-o", "tests", name, "src/other.c", "-lm")
        subprocess.run(words, cwd=tmp_path / "kit", check=True, capture_output=True)
        command = ["sh", "-c", "ulimit -t 2; exec ./tests"]
        return subprocess.run(
            command, cwd=tmp_path / "kit", check=False, capture_output=True
        ).returncode

    assert outcome(KIT) == 0
    for key in ("full", "reverse", "print", "endless", "list"):
        assert outcome(KIT.replace(*KILLED[key], 1)) != 0, key


def test_a_test_stands_alone(answer: FileAnswer) -> None:
    (test,) = (test for test in answer.tests if list(KILLED).index("half") in test.kills)
    lines = test.alone.splitlines()
    assert lines[0] == "#undef NDEBUG"
    assert "#undef main" in lines  # the file has one of its own
    assert lines[-4:] == ["int main(void) {", f"    {test.name}();", "    return 0;", "}"]


def test_a_test_that_does_not_hold_is_dropped_and_counted(project: ProjectSettings) -> None:
    path = project.root / "src/kit.c"
    mutants = [mutant_of(KIT, KILLED["vowel"])]
    tests = [
        SuggestedTest(name=name, imports=HEAD, text=f"static void {name}(void) {{ {body} }}\n",
                      kills=(0,))
        for name, body in (
            ("fails_on_both", "assert(is_vowel('x') == 1);"),
            ("passes_on_both", "assert(is_vowel('a') == 1);"),
            ("works", "assert(is_vowel('e') == 1);"),
            ("leaves_something", "assert(calls++ == 0 && is_vowel('e'));"),
            ("needs_a_fresh_start", "assert(calls == 0 && is_vowel('e'));"),
            ("does_not_compile", "assert(is_vowel(;"),
        )
    ]  # fmt: skip
    with work_directory() as directory:
        kept, dropped = verify(Workshop(project, path, directory), KIT, mutants, tests)
    assert [test.name for test in kept] == ["works", "leaves_something"]
    assert dropped == 4


HEAD = ("#define main other_main", '#include "src/kit.c"', "#undef main", "#include <assert.h>")


def test_options_of_a_file_come_from_the_build(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/limit.h").write_text("#define LIMIT (BASE + 1)\n")
    source = "#include <limit.h>\nint over(int x) { return x > LIMIT; }\n"
    (tmp_path / "over.c").write_text(source)
    entry = {"directory": str(tmp_path / "build"), "file": "../over.c",
             "command": "cc -I../lib -O2 -Wall -DBASE=41 -o over.o -c ../over.c"}  # fmt: skip
    (tmp_path / "build/compile_commands.json").write_text(json.dumps([entry]))
    project = project_at(tmp_path)
    assert project.compile_commands == tmp_path / "build/compile_commands.json"
    assert read_commands(project.compile_commands) == {
        tmp_path / "over.c": ["-I", f"{tmp_path}/build/../lib", "-D", "BASE=41"]
    }
    mutant = mutant_of(source, ("x > LIMIT", "x >= LIMIT"))
    found = judge_file(project, tmp_path / "over.c", source, [mutant], SETTINGS)
    witness = found.verdicts[0].witness
    assert witness is not None
    assert witness.call == "over(42)"
    without = project_at(tmp_path, includes=[tmp_path / "lib"]).model_copy(
        update={"compile_commands": None}
    )
    found = judge_file(without, tmp_path / "over.c", source, [mutant], SETTINGS)
    assert found.verdicts[0].reason.startswith("its file cannot be compiled: line 1: ")


def test_what_is_defined_nowhere_is_no_obstacle_until_it_is_called(tmp_path: Path) -> None:
    source = (
        "int far(int x);\nint f(int x) {\n    if (x > 9) return far(x);\n    return x == 5;\n}\n"
    )
    (tmp_path / "f.c").write_text(source)
    mutants = [mutant_of(source, ("x == 5", "x != 5")), mutant_of(source, ("far(x)", "far(-x)"))]
    found = judge_file(project_at(tmp_path), tmp_path / "f.c", source, mutants, SETTINGS)
    assert [verdict.tier for verdict in found.verdicts] == ["killed", "unknown"]
    assert found.verdicts[1].reason == "no input reaches the change"
    assert len(found.tests) == 1


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(OracleError, match="--compile-commands names it"):
        project_at(tmp_path, compile_commands=tmp_path / "none.json")
    with pytest.raises(OracleError, match="-I names one"):
        project_at(tmp_path, includes=[tmp_path / "none"])
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(OracleError, match="no compilation database"):
        read_commands(tmp_path / "bad.json")


LAYOUT = """#include <stdint.h>
#include <stdio.h>
struct inner { char tag; union { double d; int i; }; };
typedef struct node { const struct node *next; unsigned a : 3; int b : 5; short s[3];
                      struct inner in; _Bool flag; float f; FILE *out; } node;
int use(node n, const unsigned char *bytes) { return n.s[0] + bytes[0]; }
"""


def test_layouts_are_those_of_the_compiler(tmp_path: Path) -> None:
    """What is read from the debug information, and what a compiled program says of itself."""
    path = tmp_path / "layout.c"
    path.write_text(LAYOUT)
    with work_directory() as directory:
        file = Workshop(project_at(tmp_path), path, directory).debug_info(LAYOUT)
    (function,) = file.functions
    type_ = function.parameters[0][1]
    plain = [each for each in type_.fields if not each.bits]
    shown = "".join(
        f'printf("{name} %zu %zu\\n", offsetof(node, {name}), sizeof ((node *)0)->{name});'
        for name in (each.name for each in plain)
    )
    main = f"#include <stddef.h>\nint main(void) {{ {shown} return 0; }}\n"
    (tmp_path / "main.c").write_text(LAYOUT + main)
    words = ("gcc", "-o", tmp_path / "main", tmp_path / "main.c")
    subprocess.run(words, check=True)
    told = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout
    assert told == "".join(f"{each.name} {each.offset} {each.type.size}\n" for each in plain)
    assert [(each.name, each.bits, each.first_bit) for each in type_.fields if each.bits] == [
        ("a", 3, 64), ("b", 5, 67),
    ]  # fmt: skip
    assert type_.fields[0].type.pointee.fields == type_.fields
    assert function.parameters[1][1].pointee.const
    assert (function.line, function.static, function.result.name) == (6, False, "int")


def test_values_are_written_as_c_reads_them(tmp_path: Path) -> None:
    chance = random.Random(7)
    letters = [*map(chr, range(1, 256)), *'01789abcfAF?"\\'] * 3
    texts = ["".join(chance.choices(letters, k=chance.randint(0, 12))) for _ in range(300)]
    texts += ["\x01" + "1", "??=", "\n\r\t", "é0", "\xff" + "F"]
    rows = "".join(f"fwrite({quoted(text)}, 1, {len(text)}, stdout);\n" for text in texts)
    numbers = [0, -1, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63), 2**64 - 1]
    rows += "".join(
        f'printf(" %{"llu" if value > 2**63 else "lld"}", ({"un" if value > 2**63 else ""}signed '
        f"long long){integer(value)});\n"
        for value in numbers
    )
    reals = [0.1, -2.0, 1e300, 5e-324, float("inf"), float("-inf"), 3.0]
    rows += "".join(f'printf(" %.17g", {real(repr(value), False)});\n' for value in reals)
    rows += "".join(f"putchar({character(code)});\n" for code in range(32, 127))
    text = f"#include <math.h>\n#include <stdio.h>\nint main(void) {{\n{rows}return 0;\n}}\n"
    (tmp_path / "values.c").write_text(text)
    words = ("gcc", "-std=c99", "-trigraphs", "-o", tmp_path / "values", tmp_path / "values.c")
    subprocess.run(words, check=True, capture_output=True)
    told = subprocess.run([tmp_path / "values"], check=True, capture_output=True).stdout
    wanted = "".join(texts).encode("latin-1")
    assert told.startswith(wanted)
    rest = told[len(wanted) :].decode()
    shown = "".join(f" {value}" for value in numbers)
    assert rest.startswith(shown)
    parts = rest[len(shown) :].split(" ")[1:8]
    assert [float(part.removesuffix(" ")) for part in parts[:6]] == reals[:6]
    assert rest.endswith("".join(map(chr, range(32, 127))))


def test_probes_stand_in_bodies_that_parse() -> None:
    source = """EXPORT int f(int x) {
    if (x) return 1; else return 2;
    switch (x) { case 1: x++; default: break; }
    while (x) x--;
    return x;
}
int broken(int x) { return (x; }
"""
    probed = add_probes(source, "c", C_PLACES)
    assert "{ equimut_at(" in probed.text
    assert "else { equimut_at(" in probed.text
    body = probed.text.replace("EXPORT ", "").split("int broken")[0]
    place = probed.around(source.index("return 2"), source.index("return 2") + 8)
    assert place is not None
    assert source[slice(*probed.places[place])] == "return 2;"
    assert probed.text.endswith("int broken(int x) { return (x; }\n")
    text = f"void equimut_at(int place);\n{body}"
    done = subprocess.run(["gcc", "-fsyntax-only", "-xc", "-"], input=text.encode(), check=False)
    assert done.returncode == 0
