"""Labels for C in the wild: mutants of real functions whose optimised code equals the origin's.

The functions are compiled where they stand, in their file, with their headers; the copies of one
file are compiled together, so a mutant costs milliseconds. Identical code proves equivalence.
Different code proves nothing, and says much: see `labels_weights.py`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from equimut.errors import OracleError
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.tools import tool
from equimut.pretraining.labels.gcc.assembly import function_codes
from equimut.pretraining.labels.gcc.units import Subject, with_copies
from equimut.records import Mutant

# No inlining and nothing else that looks across functions: the position of a copy in the file must
# not matter. No tables: they would stand outside the function.
IDENTITY = ("-O2", "-g0", "-w", "-S", "-fno-ident", "-fno-asynchronous-unwind-tables",
            "-fno-inline", "-fno-ipa-icf", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-ra",
            "-fno-ipa-vrp", "-fno-ipa-bit-cp", "-fno-partial-inlining", "-fno-jump-tables",
            "-fno-tree-switch-conversion", "-fno-reorder-blocks-and-partition",
            "-fcf-protection=none", "-fno-stack-protector")  # fmt: skip
# `assert` names the line and the file: the same for all copies. An error inside a macro must be
# reported where the macro is used, in the copy that is to blame.
LANGUAGE = ("-std=gnu17", "-w", "-D_GNU_SOURCE", "-D__LINE__=1", '-D__FILE__="file.c"',
            "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
            "-ftrack-macro-expansion=0")  # fmt: skip
ERROR = re.compile(r"^(equimut_\w+):\d+:\d+: (?:fatal )?error: ", re.M)
MISSING = re.compile(r"fatal error: ([^:\s]+): No such file")
MOST_MISSING = 12
CHECK_SECONDS = 20.0
COMPILE_SECONDS = 120.0
MOST_ROUNDS = 4
"""Compilations that may be needed to find all copies that do not compile."""


@dataclass(frozen=True)
class CProject:
    """A tree of C sources, configured if it needs that.

    A file `compile_flags.txt` in its root, one flag a line, is used as other tools use it.
    """

    root: Path

    def first_flags(self, path: Path) -> tuple[str, ...]:
        """The flags to begin with: those of the project, and the folders every file has."""
        return (*project_flags(self.root), f"-I{path.parent}", f"-I{self.root}")


@cache
def project_flags(root: Path) -> tuple[str, ...]:
    """The flags a project asks for; the configuration header counts as one."""
    written = root / "compile_flags.txt"
    if written.exists():
        lines = [line.strip() for line in written.read_text().splitlines()]
        return tuple(line.replace("$ROOT", str(root)) for line in lines if line)
    config = headers(root).get("config.h", ())
    return ("-DHAVE_CONFIG_H", f"-I{config[0].parent}") if config else ()


@cache
def headers(root: Path) -> dict[str, tuple[Path, ...]]:
    """The headers of a tree by their base name, those near the root first."""
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.h"), key=lambda one: (len(one.parts), one.as_posix())):
        if not any(part.startswith(".") for part in path.relative_to(root).parts):
            found.setdefault(path.name, []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}


def folder_of(root: Path, include: str) -> Path | None:
    """The directory from which `#include <a/b.h>` finds a header of the tree."""
    for path in headers(root).get(include.rpartition("/")[2], ()):
        if path.as_posix().endswith(f"/{include}"):
            return Path(path.as_posix()[: -len(include) - 1])
    return None


def fitting_flags(project: CProject, path: Path) -> tuple[str, ...] | None:
    """The flags with which a file compiles; None for a file that does not compile here.

    Headers that the compiler misses are looked for in the project, one after the other.
    """
    gcc = tool("gcc", "a C compiler is needed to label C mutants")
    flags = project.first_flags(path)
    with work_directory() as directory:
        for _ in range(MOST_MISSING):
            command = [gcc, *LANGUAGE, *flags, "-fsyntax-only", path]
            done = run_in_sandbox(command, directory, Limits(CHECK_SECONDS))
            if done.code == 0:
                return flags
            missing = MISSING.search(done.errors)
            folder = folder_of(project.root, missing[1]) if missing else None
            if folder is None or f"-I{folder}" in flags:
                return None
            flags = (*flags, f"-I{folder}")
    return None


def project_macros(path: Path, flags: Sequence[str]) -> frozenset[str]:
    """The macros that a file sees and the compiler and the system's headers do not define."""
    gcc = tool("gcc", "a C compiler is needed to label C mutants")
    with work_directory() as directory:
        shown = directory / "macros.i"
        command = [gcc, *LANGUAGE, *flags, "-E", "-dD", path, "-o", shown]
        done = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
        if done.code != 0:
            raise OracleError(f"{path.name}: gcc does not show its macros")
        text = shown.read_text(errors="replace")
    found, ours = set(), False
    for line in text.splitlines():
        if mark := re.match(r'# \d+ "([^"]*)"', line):
            ours = not mark[1].startswith(("/usr/", "<"))
        elif ours and (named := re.match(r"#define (\w+)", line)):
            found.add(named[1])
    return frozenset(found)


def identical(
    source: bytes,
    name: str,
    flags: Sequence[str],
    chosen: Mapping[Subject, Sequence[tuple[int, Mutant]]],
) -> dict[tuple[str, int], bool]:
    """(function, number of the mutant) -> whether its code is the origin's; compiled ones only."""
    gcc = tool("gcc", "a C compiler is needed to label C mutants")
    left = {subject: list(mutants) for subject, mutants in chosen.items()}
    with work_directory() as directory:
        unit, assembly = directory / name, directory / "unit.s"
        for _ in range(MOST_ROUNDS):
            text, marks = with_copies(source, left)
            unit.write_text(text, encoding="utf-8")
            command = [gcc, *LANGUAGE, *flags, "-fsyntax-only", unit]
            done = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
            if done.code == 0:
                break
            blamed = {marks[mark] for mark in ERROR.findall(done.errors) if mark in marks}
            if not blamed:
                raise OracleError(f"{name} does not compile with copies of its functions")
            left = _without(left, blamed)
        else:
            raise OracleError(f"{name}: too many copies do not compile")
        command = [gcc, *LANGUAGE, *flags, *IDENTITY, unit, "-o", assembly]
        done = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
        if done.code != 0 or not assembly.exists():
            raise OracleError(f"{name}: gcc gave up ({'time' if done.timed_out else done.code})")
        codes = function_codes(assembly.read_text(errors="replace"))
    return _compared(codes, left)


def _without(
    left: Mapping[Subject, list[tuple[int, Mutant]]], blamed: set[tuple[Subject, int]]
) -> dict[Subject, list[tuple[int, Mutant]]]:
    """What is left without the copies that do not compile; an origin takes its mutants along."""
    return {
        subject: [item for item in mutants if (subject, item[0]) not in blamed]
        for subject, mutants in left.items()
        if (subject, 0) not in blamed
    }


def _compared(
    codes: Mapping[str, str], left: Mapping[Subject, list[tuple[int, Mutant]]]
) -> dict[tuple[str, int], bool]:
    found = {}
    for subject, mutants in left.items():
        origin = codes.get(subject.copy_name(0))
        for number, _ in mutants:
            code = codes.get(subject.copy_name(number))
            if origin is not None and code is not None:
                found[subject.name, number] = code == origin
    return found
