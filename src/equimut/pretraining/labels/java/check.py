"""Which of many closed methods compile: one run of the compiler for all of them."""

import re
from collections.abc import Sequence

from equimut.oracle.java.runs import COMPILER
from equimut.oracle.java.signature import IMPORTS
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.tools import tool
from equimut.pretraining.labels.java.methods import ClosedMethod

_ERROR = re.compile(r"m(\d+)/Subject\.java:\d+: error")
COMPILE_SECONDS = 240.0
MOST_ROUNDS = 4
"""A syntax error hides what is wrong in other files."""


def compiling(methods: Sequence[ClosedMethod]) -> list[ClosedMethod]:
    """The methods that compile on their own, in their order."""
    javac = tool("javac", "a JDK is needed to label Java mutants")
    left = dict(enumerate(methods))
    with work_directory() as directory:
        for number, method in left.items():
            folder = directory / f"m{number}"
            folder.mkdir()
            text = f"package m{number}; {IMPORTS}public class Subject {{\n{method.source}\n}}\n"
            (folder / "Subject.java").write_text(text, encoding="utf-8")
        for _ in range(MOST_ROUNDS):
            if not left:
                break
            files = [directory / f"m{number}" / "Subject.java" for number in left]
            options = ("-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-implicit:none")
            command = [javac, *COMPILER, *options, "-d", directory / "out", *files]
            done = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
            if done.code == 0:
                return list(left.values())
            blamed = {int(number) for number in _ERROR.findall(done.errors)}
            if not blamed:
                break
            left = {number: method for number, method in left.items() if number not in blamed}
    return []
