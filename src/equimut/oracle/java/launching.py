"""Starts the Java harness on files of a project: class paths, JUnit, and the virtual machine."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from equimut.oracle.java.runs import HARNESS, SOURCES, compiled, machine
from equimut.oracle.project import ProjectSettings
from equimut.oracle.sandbox.process import Finished, Limits, run_in_sandbox
from equimut.oracle.sandbox.tools import tool

NEEDED = "a JDK is needed to run Java"
GUARD = ("-Djava.security.manager=allow",)
LIBRARIES = (Path("/usr/share/java"),)
"""Where Debian puts archives."""
JUPITER = (
    "junit-jupiter-api", "junit-jupiter-engine", "junit-platform-commons",
    "junit-platform-engine", "junit-platform-launcher", "opentest4j", "apiguardian-api",
)  # fmt: skip
FOUR = ("junit4", "hamcrest-core")
OTHER_NAMES = {"junit4": ("junit4", "junit"), "hamcrest-core": ("hamcrest-core", "hamcrest")}


@dataclass(frozen=True)
class JavaRun:
    """One file of a project, and what running it needs."""

    path: Path
    package: str
    project: ProjectSettings

    @property
    def name(self) -> str:
        """The class that the file is named for."""
        return f"{self.package}.{self.path.stem}" if self.package else self.path.stem

    @property
    def sources(self) -> Path:
        """Where the directories of packages begin."""
        parts = self.package.split(".") if self.package else []
        folder = self.path.parent
        for part in reversed(parts):
            if folder.name != part:
                return self.path.parent
            folder = folder.parent
        return folder

    @cached_property
    def properties(self) -> dict[str, object]:
        """What both harnesses are told."""
        return {
            "name": self.name,
            "package": self.package,
            "classpath": os.pathsep.join(map(str, self.project.classpath)),
            "sourcepath": self.sources,
            "harness": harness_classes(),
        }


def harness_classes() -> Path:
    """The directory of the harness's class files."""
    javac = tool("javac", NEEDED)
    folder = HARNESS / "project_java"
    sources = [*(HARNESS / name for name in SOURCES), *sorted(folder.glob("*.java"))]
    return compiled(javac, sources)


def launch(
    main: str,
    directory: Path,
    seconds: float,
    memory_mb: int,
    jars: Sequence[Path] = (),
    options: Sequence[str] = (),
) -> Finished:
    """Run one of the harness's programs on the job in a directory."""
    java = tool("java", NEEDED)
    classes = harness_classes()
    path = os.pathsep.join(map(str, [classes, *jars]))
    command = [java, *machine(classes), *_guard(java), *options, f"-Xmx{memory_mb}m", "-cp", path]
    return run_in_sandbox([*command, f"equimut_.{main}", directory], directory, Limits(seconds))


def _guard(java: str) -> Sequence[str]:
    """The option without which later releases have no guard; from release 24 on there is none."""
    release = Path(java).resolve().parent.parent / "release"
    known = re.search(r'JAVA_VERSION="(\d+)', release.read_text()) if release.is_file() else None
    return GUARD if known is not None and 12 <= int(known[1]) < 24 else ()


def properties_text(properties: Mapping[str, object]) -> str:
    """A file that `java.util.Properties` reads."""
    lines = []
    for key, value in properties.items():
        text = str(value).replace("\\", "\\\\").encode("utf-16-be")
        units = (int.from_bytes(text[at : at + 2], "big") for at in range(0, len(text), 2))
        shown = "".join(chr(u) if 32 <= u < 127 else f"\\u{u:04x}" for u in units)
        lines.append(f"{key}={shown}\n")
    return "".join(lines)


@dataclass(frozen=True)
class Framework:
    """What runs tests: JUnit, its assertions alone, or a stand-in of ours."""

    runner: str
    """`5` or `4`; `0` where the methods are just called."""
    jars: tuple[Path, ...]
    note: str = ""

    @property
    def stands_in(self) -> bool:
        """Whether JUnit's own assertions are missing."""
        return not self.jars


def find_framework(project: ProjectSettings) -> Framework:
    """The JUnit of the class path, or else the system's."""
    wanted = JUPITER if project.junit == 5 else FOUR
    found = {name: _archive(name, project.classpath) for name in wanted}
    jars = tuple(path for path in found.values() if path is not None)
    if None not in found.values():
        return Framework(str(project.junit), jars)
    title = f"JUnit {project.junit}"
    if found[wanted[0]] is not None and (project.junit == 4 or found["opentest4j"] is not None):
        missing = ", ".join(name for name, path in found.items() if path is None)
        return Framework("0", jars, f"tests were run without {title}'s launcher: no {missing}")
    note = f"{title} was not found (--classpath): tests were run by a stand-in for it"
    return Framework("0", (), note)


def _archive(name: str, classpath: Sequence[Path]) -> Path | None:
    names = OTHER_NAMES.get(name, (name,))
    shape = re.compile(rf"({'|'.join(names)})(-\d[\w.\-]*)?\.jar")
    for path in classpath:
        if shape.fullmatch(path.name):
            return path
    places = (folder / f"{each}.jar" for folder in LIBRARIES for each in names)
    return next((path for path in places if path.is_file()), None)
