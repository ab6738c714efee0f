"""What the oracle is asked about functions of a project where they stand, and what it answers."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from equimut.errors import OracleError
from equimut.oracle.sandbox.process import network_isolated
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, Witness
from equimut.records import NonEmpty, Record

CALLS_FILE = "equimut-calls.json"
JUnit = Annotated[int, Field(ge=4, le=5)]
COMPILED = ("target/classes", "build/classes/java/main")
"""Where Maven and Gradle put classes, from the directory of the project."""
COMMANDS = "compile_commands.json"
FEW = 50
"""Inputs that reach a change: with fewer, that they show no difference is no evidence."""
ASSERTS = "It asserts what the code does now: whether that is right is for the reader to decide."
ENDED = "running its function ended the process"


class ProjectSettings(Record):
    """Where a project is and what runs it."""

    root: Path
    python: Path | None = None
    """The project's interpreter; its own virtual environment, or ours, where none is given."""
    calls: Path | None = None
    """Recorded calls (`equimut record`)."""
    classpath: tuple[Path, ...] = ()
    """Directories and archives with the project's compiled classes and what they need (Java)."""
    junit: JUnit = 5
    """The release of JUnit that tests are written for."""
    compile_commands: Path | None = None
    """The build's list of commands, with the options of every file (C)."""
    includes: tuple[Path, ...] = ()
    """Directories with headers (C)."""


class FileMutant(Record):
    """A change of one file: bytes of its text in UTF-8, and the function around it."""

    start: int
    end: int
    replacement: str
    function: str
    """The text of the function before the change: its literals are worth trying."""
    state: dict[str, str] = Field(default_factory=dict)
    """Values of parameters that may tell the two apart, as the prover found them."""

    def applied_to(self, source: str) -> str:
        """The file with the change."""
        data = source.encode()
        return (data[: self.start] + self.replacement.encode() + data[self.end :]).decode()


class SuggestedTest(Record):
    """A test that was seen to pass on the origin and to fail on the mutants it names."""

    name: NonEmpty
    imports: tuple[str, ...]
    """Lines that the test needs at the top of its file."""
    text: NonEmpty
    """The function, without the lines above."""
    kills: tuple[int, ...]
    """Places of mutants in the question."""
    frame: tuple[str, str] = ("", "")
    """What stands before and after the function in a file, where it needs something around it."""
    comment: str = "#"
    """How a comment begins in the language."""

    @property
    def alone(self) -> str:
        """The test as a file of its own, which says what it asserts."""
        before, after = self.frame
        head = f"{self.comment} {ASSERTS}\n"
        head += f"{before}\n" if before else ""
        text = f"{head}{self.text}{after}\n" if after else head + self.text
        return "\n".join([*self.imports, "", "", text]) if self.imports else text


class FileAnswer(Record):
    """What became of the mutants of one file."""

    verdicts: tuple[OracleVerdict, ...]
    tests: tuple[SuggestedTest, ...] = ()
    dropped: int = 0
    """Tests that did not pass on the origin or fail on the mutant twice."""
    note: str = ""
    """What a reader should know, in one line."""


JudgeFile = Callable[[ProjectSettings, Path, str, Sequence[FileMutant], OracleSettings], FileAnswer]


def project_at(
    root: Path,
    python: Path | None = None,
    calls: Path | None = None,
    classpath: str | None = None,
    junit: JUnit = 5,
    compile_commands: Path | None = None,
    includes: Sequence[Path] = (),
) -> ProjectSettings:
    """The project around a source root, with its recorded calls where there are some."""
    root = root.resolve()
    if python is not None and not python.is_file():
        raise OracleError(f"{python}: no such interpreter; --python names the project's own")
    if calls is not None and not calls.is_file():
        raise OracleError(f"{calls}: no such file; `equimut record` writes it")
    if compile_commands is not None and not compile_commands.is_file():
        raise OracleError(f"{compile_commands}: no such file; --compile-commands names it")
    for folder in includes:
        if not folder.is_dir():
            raise OracleError(f"{folder}: no such directory; -I names one with headers")
    listed = compile_commands or _listed(root)
    places = (folder / CALLS_FILE for folder in (Path.cwd(), root, *root.parents[:2]))
    calls = calls or next((path for path in places if path.is_file()), None)
    # An interpreter may be a link into an environment: its path must stay as it is.
    python = None if python is None else Path.cwd() / python
    return ProjectSettings(
        root=root,
        python=python,
        calls=calls and calls.resolve(),
        classpath=_compiled(root) if classpath is None else _parts(classpath),
        junit=junit,
        compile_commands=listed and listed.resolve(),
        includes=tuple(folder.resolve() for folder in includes),
    )


def _parts(classpath: str) -> tuple[Path, ...]:
    parts = [Path(part) for part in classpath.split(os.pathsep) if part]
    for part in parts:
        if not part.exists():
            raise OracleError(f"{part}: no such file or directory; --classpath names it")
    return tuple(part.resolve() for part in parts)


def _compiled(root: Path) -> tuple[Path, ...]:
    """What the build tool has compiled of the project, as far as its place is the usual one."""
    found = [folder / name for folder in (root, *root.parents[:3]) for name in COMPILED]
    return tuple(path for path in found if path.is_dir())[:1]


def _listed(root: Path) -> Path | None:
    """The build's list of commands, as far as its place is the usual one."""
    folders = (folder / name for folder in (root, *root.parents[:2]) for name in ("", "build"))
    return next((path for each in folders if (path := each / COMMANDS).is_file()), None)


def cannot(reason: str) -> OracleVerdict:
    """Nothing is known, because of what the origin is."""
    return OracleVerdict(tier="unknown", reason=reason, fault="origin")


def unit_verdict(
    unit: Mapping[str, Any], dropped: int, witness: Callable[[], Witness], stillborn: str
) -> OracleVerdict:
    """What the harness says of one mutant; `stillborn`: the reason, if it cannot be run."""
    if not unit:
        return cannot(ENDED)
    counts: dict[str, Any] = {
        "network_isolated": network_isolated(), "in_project": True,
        "inputs": unit.get("tried", 0), "dropped": dropped,
    }  # fmt: skip
    match unit["result"]:
        case "killed":
            return OracleVerdict(tier="killed", witness=witness(), **counts)
        case "stillborn":
            return OracleVerdict(tier="unknown", reason=stillborn, fault="mutant", **counts)
        case "stopped":
            return OracleVerdict(tier="unknown", reason=unit["reason"], fault="sandbox", **counts)
        case "unreached":
            return cannot("no input reaches the change")
    if unit["tried"] < FEW:
        return cannot(f"no difference, but few inputs reach the change: {unit['tried']}")
    return OracleVerdict(tier="unrefuted", **counts)
