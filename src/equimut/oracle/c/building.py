"""Compiles files of a C project: with the options of its build, and what they need to link."""

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from equimut.errors import OracleError
from equimut.oracle.c.debug_info import HERE, CFile, read_debug_info
from equimut.oracle.c.runs import COMPILE, HARNESS, gcc
from equimut.oracle.project import ProjectSettings
from equimut.oracle.sandbox.process import Finished, Limits, run_in_sandbox
from equimut.oracle.sandbox.tools import COMPILE_SECONDS, compiled_once, tool

KEPT = ("-I", "-D", "-U", "-std", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
        "-m", "-funsigned-char", "-fsigned-char", "-fshort-enums", "-ansi", "-pthread")  # fmt: skip
WITH_VALUE = ("-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros")
PATHS = ("-I", "-include", "-isystem", "-iquote", "-idirafter", "-imacros")
NOT_KEPT = ("-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-M", "-MM")
SANITIZED = tuple(option for option in COMPILE if not option.startswith("-std"))
COUNTING = "-fsanitize-coverage=trace-pc"
COMPARING = "-fsanitize-coverage=trace-cmp"
ZEROED = "-ftrivial-auto-var-init=zero"
PLAIN = ("-O0", "-g0", "-w")
COMPARISONS = ("const_cmp1", "const_cmp2", "const_cmp4", "const_cmp8", "switch")
WRAPPED = ("exit", "_exit", "_Exit", "abort", "__assert_fail",
           *(f"__sanitizer_cov_trace_{name}" for name in COMPARISONS))  # fmt: skip
MOST_NEIGHBOURS, MOST_LINKS = 60, 5
UNDEFINED = re.compile(r"undefined reference to [`'](\w+)'")
ERROR = re.compile(r"^[^\n]*?:(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.M)


@dataclass
class Workshop:
    """One file of a project, and a directory where versions of it are compiled."""

    project: ProjectSettings
    path: Path
    directory: Path
    _archives: dict[str, Path | None] = field(default_factory=dict)
    _needs_others: bool = False
    _missing: set[str] = field(default_factory=set)

    @cached_property
    def title(self) -> str:
        """The file as tests include it: from the directory of the project."""
        root = self.project.root
        return str(self.path.relative_to(root) if root in self.path.parents else self.path.name)

    @cached_property
    def commands(self) -> dict[Path, list[str]]:
        """The options of every file that the build compiles."""
        listed = self.project.compile_commands
        return {} if listed is None else read_commands(listed)

    @cached_property
    def options(self) -> list[str]:
        """Where the file finds its headers, and how it is compiled."""
        return self._options_of(self.path)

    def _options_of(self, path: Path) -> list[str]:
        own = self.commands.get(path, [])
        added = [option for folder in self.project.includes for option in ("-I", str(folder))]
        return [*own, *added]

    def write(self, text: str, version: str) -> Path:
        """Put a version of the file into a directory of its own; that directory."""
        folder = self.directory / version
        file = folder / self.title
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        return folder

    def compile(self, source: Path, target: Path, folder: Path, options: Sequence[object]) -> str:
        """Compile one text that includes a version of the file; the first error, if any."""
        command = [gcc(), *options, *self.options, "-I", folder, "-iquote", self.path.parent,
                   f"-fmacro-prefix-map={folder}/=", "-c", source, "-o", target]  # fmt: skip
        return first_error(run_in_sandbox(command, self.directory, Limits(COMPILE_SECONDS)))

    def debug_info(self, text: str) -> CFile:
        """What the compiler knows of the file; OracleError if it does not compile."""
        folder = self.write(f"{text}\nint {HERE};\n", "described")
        made, told = folder / "described.o", folder / "described.txt"
        kept = (
            "-O0",
            "-g",
            "-gdwarf-5",
            "-w",
            "-fkeep-static-functions",
            "-fkeep-inline-functions",
        )
        if trouble := self.compile(folder / self.title, made, folder, kept):
            raise OracleError(trouble)
        reader = tool("readelf", "the debug information of C files is read with it")
        script = 'exec "$0" -W --debug-dump=info "$1" > "$2"'
        command = ["sh", "-c", script, reader, made, told]
        run_in_sandbox(command, self.directory, Limits(COMPILE_SECONDS))
        return read_debug_info(told.read_text(errors="replace"))

    def build(self, driver: str, version: str, folder: Path, options: Sequence[str] = ()) -> Path:
        """A program that runs functions of a version of the file; OracleError if there is none."""
        source, made = folder / "driver.c", folder / f"{version}.o"
        source.write_text(driver, encoding="utf-8", errors="surrogateescape")
        header = HARNESS / "c_project.h"
        every = [*SANITIZED, COUNTING, *options, "-include", header]
        if trouble := self.compile(source, made, folder, every):
            raise OracleError(trouble)
        library = harness_library()
        wrapped = [f"-Wl,--wrap={name}" for name in WRAPPED]
        more = [*wrapped, library, f"-Wl,-rpath,{library.parent}", "-fsanitize=address"]
        return self.link(made, folder / version, more, (*SANITIZED, COUNTING))

    def link(
        self, made: Path, program: Path, options: Sequence[object], like: Sequence[str]
    ) -> Path:
        """Link, with other files of the project where they are needed.

        What is nowhere to be found gets a stand-in: calling it is the end of a call.
        """
        threads = ["-pthread"] if "-pthread" in self.options else []
        for _ in range(MOST_LINKS):
            others: list[object] = []
            if self._needs_others:
                archive = self._archive(like)
                others = [archive] if archive else []
                others += [self._stand_ins(program.parent)] if self._missing else []
            command = [gcc(), "-w", "-o", program, made, *others, *options, *threads, "-lm"]
            done = run_in_sandbox(command, self.directory, Limits(COMPILE_SECONDS))
            if done.code == 0:
                return program
            missing = set(UNDEFINED.findall(done.errors))
            if not missing - self._missing:
                break
            self._missing |= missing if self._needs_others else set()
            self._needs_others = True
        lines = done.errors.strip().splitlines() or ["no reason given"]
        raise OracleError(f"it does not link: {lines[0][-160:]}")

    def _stand_ins(self, folder: Path) -> Path:
        """A function without a use for everything that is missing."""
        file = folder / "missing.c"
        traps = (f"void {name}(void) {{ __builtin_trap(); }}\n" for name in sorted(self._missing))
        file.write_text("".join(traps))
        return file

    def _archive(self, like: Sequence[str]) -> Path | None:
        """The other files of the project, compiled in the same way."""
        key = " ".join(like)
        if key not in self._archives:
            self._archives[key] = self._packed(like, f"neighbours{len(self._archives)}")
        return self._archives[key]

    def _packed(self, like: Sequence[str], name: str) -> Path | None:
        folder = self.directory / name
        folder.mkdir()
        made = []
        for number, path in enumerate(self.neighbours):
            target = folder / f"{number}.o"
            # A second `main` must not be in the way.
            command = [gcc(), *like, *self._options_of(path), "-Dmain=equimut_other_main",
                       "-c", path, "-o", target]  # fmt: skip
            if run_in_sandbox(command, self.directory, Limits(COMPILE_SECONDS)).code == 0:
                made.append(target)
        archive = folder / "lib.a"
        if not made:
            return None
        packer = tool("ar", "files of a C project are put together with it")
        command = [packer, "rcs", archive, *made]
        done = run_in_sandbox(command, self.directory, Limits(COMPILE_SECONDS))
        return archive if done.code == 0 else None

    @cached_property
    def neighbours(self) -> list[Path]:
        """The other files of the build, or of the directory."""
        known: Iterable[Path] = self.commands or sorted(self.path.parent.glob("*.c"))
        return [path for path in known if path != self.path and path.suffix == ".c"][
            :MOST_NEIGHBOURS
        ]


def first_error(done: Finished) -> str:
    """The first error of a compiler's run, empty where there is none."""
    if done.code == 0:
        return ""
    found = ERROR.search(done.errors)
    lines = done.errors.strip().splitlines() or [f"exit code {done.code}"]
    return f"line {found[1]}: {found[2]}"[:200] if found else lines[0][:200]


def harness_library() -> Path:
    """The compiled harness, a library of its own."""
    sources = [HARNESS / name for name in ("c_project.c", "c_project.h", "c_call.h")]
    options = ("-std=gnu17", "-O2", "-w", "-fPIC", "-shared", sources[0], "-o")
    made = compiled_once("C", gcc(), sources, lambda place: [*options, place / "libequimut.so"])
    return made / "libequimut.so"


def read_commands(path: Path) -> dict[Path, list[str]]:
    """The options of each file in `compile_commands.json`, as far as they matter here."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {_file(row): _kept(row) for row in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OracleError(f"{path} is no compilation database: {error}") from error


def _file(row: Mapping[str, str]) -> Path:
    return (Path(row["directory"]) / row["file"]).resolve()


def _kept(row: Mapping[str, object]) -> list[str]:
    folder = Path(str(row["directory"]))
    words = row.get("arguments") or shlex.split(str(row["command"]))
    assert isinstance(words, list)
    kept: list[str] = []
    at = 1
    while at < len(words):
        word = str(words[at])
        at += 1
        if word in NOT_KEPT or not word.startswith(KEPT):
            continue
        option = next((name for name in sorted(WITH_VALUE, key=len, reverse=True)
                       if word.startswith(name)), "")  # fmt: skip
        value = word[len(option) :]
        if option and not value and at < len(words):
            value = str(words[at])
            at += 1
        if option in PATHS:
            value = str(folder / value)
        kept += [option, value] if option else [word]
    return kept
