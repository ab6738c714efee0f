"""Every line of the table of C's library is checked against the running libc."""
# ruff: noqa: E501

import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from equimut.languages.c.api import CONTRACTS, RETURNS

_PROGRAM = r"""
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char texts[][12] = {"", "a", "A", "ab", "ba", "abcabc", "7", "-42", " 12x", "\377z", "same", "same"};
#define COUNT (sizeof texts / sizeof texts[0])
static char before[COUNT][12];
static const long numbers[] = {0, 1, -1, 2, 9, -9, 127, 255, -128, 65536, INT_MAX, INT_MIN + 1L, LONG_MAX,
                               LONG_MIN + 1, 123456789};
static const double fractions[] = {0.0, -0.0, 0.5, -0.5, 1.5, -2.75, 1e300, -1e-300, INFINITY, NAN};

static long at(const void *p, const void *base) { return p ? (const char *) p - (const char *) base : -1; }
static long bits(double d) { long n; memcpy(&n, &d, sizeof n); return n; }
static int complained;
#define QUIET(call) ({ errno = 0; long found = (long) (call); complained |= errno != 0; found; })
/* name, arguments, result, the result of a second call */
#define ROW0(name, a, call) printf(#name " 1 %ld 0 0 %ld %ld\n", (long) (a), QUIET(call), QUIET(call))
#define ROW2(name, a, b, call) printf(#name " 2 %ld %ld 0 %ld %ld\n", (long) (a), (long) (b), QUIET(call), QUIET(call))
#define ROW3(name, a, b, c, call) \
    printf(#name " 3 %ld %ld %ld %ld %ld\n", (long) (a), (long) (b), (long) (c), QUIET(call), QUIET(call))
#define CLASS(name) for (int c = -1; c < 256; c++) ROW0(name, c, name(c))
#define FRACTION(name) for (unsigned i = 0; i < sizeof fractions / sizeof fractions[0]; i++) \
    ROW0(name, i, bits(name(fractions[i])))
#define LONGS(name, low) for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) \
    if (numbers[i] > low && numbers[i] <= -(low + 1)) ROW0(name, numbers[i], name(numbers[i]))

int main(void) {
    memcpy(before, texts, sizeof texts);
    CLASS(isalnum); CLASS(isalpha); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit); CLASS(isgraph);
    CLASS(islower); CLASS(isprint); CLASS(ispunct); CLASS(isspace); CLASS(isupper); CLASS(isxdigit);
    CLASS(toupper); CLASS(tolower);
    LONGS(abs, (long) INT_MIN); LONGS(labs, LONG_MIN); LONGS(llabs, LONG_MIN);
    FRACTION(fabs); FRACTION(floor); FRACTION(ceil); FRACTION(trunc);
    for (unsigned i = 0; i < COUNT; i++) {
        ROW0(strlen, i, strlen(texts[i]));
        for (int c = 0; c < 256; c += 7) {
            ROW2(strchr, i, c, at(strchr(texts[i], c), texts));
            ROW2(strrchr, i, c, at(strrchr(texts[i], c), texts));
            ROW3(memchr, i, c, 3, at(memchr(texts[i], c, 3), texts));
        }
        for (unsigned j = 0; j < COUNT; j++) {
            ROW2(strcmp, i, j, strcmp(texts[i], texts[j]));
            ROW2(strstr, i, j, at(strstr(texts[i], texts[j]), texts));
            ROW2(strspn, i, j, strspn(texts[i], texts[j]));
            ROW2(strcspn, i, j, strcspn(texts[i], texts[j]));
            for (unsigned n = 0; n < 7; n++) {
                ROW3(strncmp, i, j, n, strncmp(texts[i], texts[j], n));
                ROW3(memcmp, i, j, n, memcmp(texts[i], texts[j], n));
            }
        }
    }
    printf("unchanged %d\n", !complained && memcmp(before, texts, sizeof texts) == 0);
}
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], list[list[int]]]:
    path: Path = tmp_path_factory.mktemp("libc") / "calls"
    path.with_suffix(".c").write_text(_PROGRAM)
    subprocess.run(
        ["gcc", "-w", "-O0", "-fno-builtin", "-o", path, path.with_suffix(".c"), "-lm"], check=True
    )
    found: dict[tuple[str, int], list[list[int]]] = defaultdict(list)
    *lines, last = subprocess.run(
        [path], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert last == "unchanged 1"
    for line in lines:
        name, arity, *numbers = line.split()
        found[name, int(arity)].append([int(number) for number in numbers])
    return found


@pytest.mark.parametrize("key", CONTRACTS, ids=lambda key: key[1])
def test_a_contract_is_kept_by_the_running_library(
    key: tuple[str, str, int], rows: dict[tuple[str, int], list[list[int]]]
) -> None:
    contract = CONTRACTS[key]
    called = rows[key[1], key[2]]
    assert len(called) >= 10
    for a0, a1, a2, result, again in called:
        names = {"a0": a0, "a1": a1, "a2": a2, "result": result}
        assert result == again, "pure"
        if contract.throws:
            assert not eval(contract.throws, {}, names), "only defined calls are made"
        for text in contract.ensures:
            assert eval(text, {}, names), (text, names)
        if contract.defines:
            assert result == eval(contract.defines, {}, names)


def test_a_contract_and_the_signatures_agree() -> None:
    assert all(len(RETURNS[name].split(", ")) == arity + 1 for _, name, arity in CONTRACTS)
