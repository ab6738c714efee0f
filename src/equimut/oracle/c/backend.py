"""C to the oracle."""

import re

from equimut.oracle.backend import Backend, WholePrograms
from equimut.oracle.c.project import judge_file
from equimut.oracle.c.runs import run_c
from equimut.oracle.c.signature import read_signature
from equimut.oracle.c.suggesting import suggested_file

_MISSING_HEADER = re.compile(r'^\s*#\s*include\s*["<]conio\.h[">].*$', re.M)
_LABELLED_ENDIF = re.compile(r"^([ \t]*#[ \t]*endif)[ \t]+\w+[ \t]*$", re.M)
# C lets `main` end without a return; under another name that would be undefined.
_BARE_MAIN = re.compile(r"^(?:main(?=\s*\()|int main(?=\s*\(\s*void\s*\)))", re.M)

BACKEND = Backend(
    read_signature,
    run_c,
    programs=WholePrograms(
        # The origin's undefined behaviour puts an input outside the domain.
        refuse="equimut_zero = 1 / equimut_zero;",
        needed="static volatile int equimut_zero = 0;\n",
        repairs=((_MISSING_HEADER, ""), (_LABELLED_ENDIF, r"\1"), (_BARE_MAIN, "void main")),
        # Every mutant compiles the whole program.
        largest=60_000,
    ),
    compiler="gcc",
    judge_file=judge_file,
    suggested_file=suggested_file,
)
