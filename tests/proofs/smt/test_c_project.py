"""Constants of a project's headers: what a name stands for in C, and what it may not."""

from pathlib import Path

import pytest

from equimut.proofs.proving import constants_of_others
from equimut.proofs.smt.proving import prove
from equimut.reports.sources import SourceTree

USE = "int f(int n) { if (n < SLOTS) { return n; } return 0; }"
MAIN = f'#include "limits_of.h"\n{USE}\n'


def guarded(text: str) -> str:
    return f"#ifndef LIMITS_H\n#define LIMITS_H\n{text}\n#endif\n"


PLAIN = "#define SLOTS 8"


def proved(folder: Path, after: str = "n <= 7", main: str = MAIN, **files: str) -> bool:
    """Whether the change is proved with the headers in sight; never without them."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.h"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    mutant = USE.replace("n < SLOTS", after)
    others = constants_of_others(main, "c", SourceTree(folder))
    assert prove(USE, mutant, "c", file=main) is None
    proof = prove(USE, mutant, "c", file=main, others=others)
    assert proof is None or "`SLOTS` is the constant that a header declares" in proof.assumptions
    return proof is not None


@pytest.mark.parametrize("text", [
    PLAIN,
    guarded(PLAIN),
    guarded("/* how many */\n#define SLOTS (0x8)\n"),
    guarded("enum slots { NONE, FEW = 7, SLOTS };"),
    "#pragma once\nenum { SLOTS = 010 };",
])  # fmt: skip
def test_constants_of_a_header(tmp_path: Path, text: str) -> None:
    assert proved(tmp_path, limits_of=text)
    assert not proved(tmp_path, "n <= 8", limits_of=text)


def test_headers_include_others(tmp_path: Path) -> None:
    outer = guarded('#include "inner/slots.h"')
    assert proved(tmp_path, limits_of=outer, inner__slots=PLAIN)


@pytest.mark.parametrize("text", [
    "#define SLOTS 9",
    "#define SLOTS slots()",
    "#define SLOTS 8 + n",
    "#define SLOTS(x) 8",
    PLAIN + "\n#undef SLOTS\n",
    PLAIN + "\n#undef SLOTS\n#define SLOTS 9\n",
    "#ifdef BIG\n#define SLOTS 80\n#else\n#define SLOTS 8\n#endif\n",
    "#ifndef SLOTS\n#define SLOTS 8\n#endif\n",
    "#ifdef LIMITS_H\n#define LIMITS_H\n#define SLOTS 8\n#endif\n",
    guarded(PLAIN).replace("#endif", "#else\n#define OTHER\n#endif"),
    guarded("#ifdef X\n#define SLOTS 8\n#endif"),
    guarded("enum { NONE = sizeof(int), SLOTS };"),
    guarded("enum { SLOTS = 8 };\n#define SLOTS 9\n"),
    guarded("extern int SLOTS;"),
])  # fmt: skip
def test_what_is_no_such_constant(tmp_path: Path, text: str) -> None:
    assert not proved(tmp_path, limits_of=text)


@pytest.mark.parametrize("main", [
    MAIN.replace("int f", "#undef SLOTS\n#define SLOTS 9\nint f"),
    MAIN.replace("int f", "extern int SLOTS;\nint f"),
    '#ifdef X\n#include "limits_of.h"\n#else\n#define SLOTS 9\n#endif\n' + USE,
    '#ifdef X\n#include "limits_of.h"\n#endif\n' + USE,
    MAIN.replace('"limits_of.h"', "<limits_of.h>"),
    MAIN.replace('"limits_of.h"', '"../limits_of.h"'),
    '#include "more.h"\n' + MAIN,
])  # fmt: skip
def test_what_the_file_makes_of_it(tmp_path: Path, main: str) -> None:
    assert not proved(tmp_path, main=main, limits_of=PLAIN, more="#define SLOTS 9\n")


def test_two_headers_that_fit_are_none(tmp_path: Path) -> None:
    assert not proved(tmp_path, limits_of=PLAIN, other__limits_of=PLAIN)
