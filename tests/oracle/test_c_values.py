"""What C functions are given, what is seen of them, and how a test says so: one kind each."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from equimut.oracle.c.project import judge_file
from equimut.oracle.project import FileAnswer, FileMutant, project_at
from equimut.oracle.verdicts import OracleSettings

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def mixed(number: int) -> int:
    """A hash that neither the compiler nor a constant of the text undoes."""
    x = (number ^ number >> 15) * 2654435769 % 2**32
    return x ^ x >> 13


SOURCE = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int state, count; unsigned kind : 3; int log[4]; } machine;
enum flags { READ = 256, WRITE = 512, APPEND = 1024, SYNC = 2048 };

static unsigned mixed(int number) {
    unsigned x = (unsigned)number;
    x = (x ^ x >> 15) * 2654435769u;
    return x ^ x >> 13;
}

void machine_init(machine *m, int count) {
    memset(m, 0, sizeof *m);
    m->state = (int)mixed(count);
    m->count = count;
}

int machine_step(machine *m) {
    if (m->state != (int)mixed(m->count))
        return -1;
    m->log[m->count & 3] = 9;
    return m->count++;
}

int kind_of(machine *m) {
    return m->kind == 5 ? 1 : 0;
}

char *skip(char *text) {
    return *text == ' ' ? text + 1 : text;
}

int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
int subtract(int a, int b) { return (int)((unsigned)a - (unsigned)b); }

int (*operation(char sign))(int, int) {
    return sign == '-' ? subtract : add;
}

void save(FILE *to, int number) {
    if (to != NULL)
        fprintf(to, "<%d>", number & 7);
}

double root(double x) {
    return x < 0 ? NAN : sqrt(x);
}

int give_away(char *text) {
    int length = text ? (int)strlen(text) : 0;
    free(text);
    return length;
}

int mode(enum flags flags) {
    return flags == (READ | APPEND) ? 3 : 0;
}

void complain(int level) {
    if (level > 2)
        fprintf(stderr, "level %d\\n", level);
}

int magic(int x) {
    return mixed(x) == %du ? 1 : 0;
}

int total(const int *values, size_t n) {
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (unsigned)values[i] * (unsigned)(i + 1);
    return (int)(sum & 0xffff);
}

int next_number(void) {
    static int last;
    return ++last;
}

int pick(int *values, int at) {
    return at == 3 ? values[0] : 0;
}
""".replace("%du", f"{mixed(7654321)}u")
STATE = {"x": "7654321"}
"""What only a solver would find: the one number that the function looks for."""
KILLED = {
    "an object as the file prepares it": ("m->count++", "m->count--"),
    "a bit field": ("m->kind == 5", "m->kind == 4"),
    "a pointer into its argument": ("text + 1 :", "text + 0 :"),
    "a function": ("? subtract", "? add"),
    "what is written to a file": ("number & 7", "number & 3"),
    "not a number": ("? NAN", "? 0.0"),
    "memory that is given away": ("strlen(text) :", "strlen(text) + 1 :"),
    "flags together": ("(READ | APPEND)", "(READ | SYNC)"),
    "standard error": ("level %d", "stage %d"),
    "a state of the prover": ("? 1 : 0;\n}\n\nint total", "? 2 : 0;\n}\n\nint total"),
    "all of a buffer": ("(i + 1)", "(i + 2)"),
    "a variable as it was": ("return ++last", "return last += 2"),
    "a null pointer": ("values[0] : 0", "*(int *)0 : 0"),
}
SAID = {
    "a pointer into its argument": " == (const char *)text + 1);",
    "a function": "assert(operation('-') == subtract);",
    "what is written to a file": "fread(written, 1, ",
    "not a number": "assert(isnan(root(",
    "memory that is given away": " = calloc(",
    "standard error": 'assert(strcmp(complaint, "level 3\\n") == 0);',
    "a variable as it was": "assert(next_number() == 1);",
    "a state of the prover": f"assert(magic({STATE['x']}) == 1);",
}
SETTINGS = OracleSettings(inputs=160)


def mutants() -> list[FileMutant]:
    found = []
    for name, (before, after) in KILLED.items():
        start = SOURCE.index(before)
        text = SOURCE[SOURCE.rindex("\n\n", 0, start) : SOURCE.index("\n}\n", start)]
        state = STATE if name == "a state of the prover" else {}
        found.append(
            FileMutant(start=start, end=start + len(before), replacement=after, function=text,
                       state=state)
        )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("values") / "values.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def answer(path: Path) -> FileAnswer:
    return judge_file(project_at(path.parent), path, SOURCE, mutants(), SETTINGS)


@pytest.mark.parametrize("key", KILLED)
def test_every_kind_of_value_is_made_seen_and_stated(answer: FileAnswer, key: str) -> None:
    number = list(KILLED).index(key)
    assert answer.verdicts[number].tier == "killed", answer.verdicts[number]
    texts = [test.text for test in answer.tests if number in test.kills]
    assert texts
    assert SAID.get(key, "") in texts[0]
    assert answer.dropped == 0


def test_a_state_of_the_prover_comes_first(answer: FileAnswer) -> None:
    witness = answer.verdicts[list(KILLED).index("a state of the prover")].witness
    assert witness is not None
    assert witness.call == f"magic({STATE['x']})"


TWICE = """
import sys
from pathlib import Path
from equimut.oracle.c.project import judge_file
from equimut.oracle.project import FileMutant, project_at
from equimut.oracle.verdicts import OracleSettings
path = Path(sys.argv[1])
mutants = [FileMutant.model_validate_json(each) for each in sys.argv[2:]]
settings = OracleSettings(inputs=80)
print(judge_file(project_at(path.parent), path, path.read_text(), mutants, settings))
"""


def test_another_process_says_the_same(path: Path) -> None:
    """Neither addresses nor the order of sets decide what is tried and found."""
    chosen = [mutants()[0].model_dump_json(), mutants()[6].model_dump_json()]
    words = [sys.executable, "-c", TWICE, str(path), *chosen]
    told = [
        subprocess.run(
            words, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert b"calloc" in told[0]
    assert told[0] == told[1]
