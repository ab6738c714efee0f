"""Runs Java methods: all mutants compiled at once and run in one virtual machine."""

import re
from collections.abc import Sequence
from pathlib import Path

from equimut.oracle.inputs.literals import to_tokens
from equimut.oracle.java.signature import IMPORTS, JavaHome, find_method, simple_types
from equimut.oracle.sandbox.process import Finished, Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import Case, Findings, collect
from equimut.oracle.sandbox.ticking import JAVA, add_ticks
from equimut.oracle.sandbox.tools import compiled_once, tool

HARNESS = Path(__file__).parent.parent / "harness"
SOURCES = ("Harness.java", "Sources.java", "Steps.java", "Values.java")
CALL_SECONDS = 3.0
# C1 only: these machines live for seconds. One collector thread: the cores belong to others too.
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData",
       "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8")  # fmt: skip
COMPILER = tuple(f"-J{option}" for option in JVM)
"""The same for the machine that javac runs in."""
ARCHIVE = "compiler.jsa"
PACKAGE = re.compile(r"^\s*package\s+[\w.]+\s*;", re.M)


def _compiled_harness() -> Path:
    """The directory of the harness's class files."""
    javac = tool("javac", "a JDK is needed to judge Java")
    sources = [HARNESS / name for name in SOURCES]
    return compiled(javac, sources)


def compiled(javac: str, sources: Sequence[Path]) -> Path:
    """The directory of the class files of a harness, and of an archive that is made on the way."""
    options = (*COMPILER, "-J-XX:+IgnoreUnrecognizedVMOptions", "-nowarn")  # Java 11 has no archive

    def arguments(made: Path) -> list[object]:
        return [*options, f"-J-XX:ArchiveClassesAtExit={made / ARCHIVE}", "-d", made, *sources]

    release = Path(javac).resolve().parent.parent / "release"
    known = [release] if release.is_file() else []  # an archive is of one release
    return compiled_once("Java", javac, [*sources, *known], arguments)


def machine(classes: Path) -> list[str]:
    """The options of a virtual machine for a harness.

    Harnesses compile. A third of the time of a small job is the loading of the compiler, which is
    not among the classes that every machine shares: it shares those of the archive.
    """
    archive = classes / ARCHIVE
    return [*JVM, f"-XX:SharedArchiveFile={archive}"] if archive.is_file() else [*JVM]


def _unit(source: str, number: int, home: JavaHome) -> str:
    """The source of one unit: in a package of its own, wrapped into a class if it is bare.

    All on the first line, so that the compiler's line numbers stay those of the source.
    """
    package = f"package unit{number:06d}; {IMPORTS}"
    if home.wrapped:
        return f"{package}public class {home.class_name} {{ {source}\n}}\n"
    return package + PACKAGE.sub(" ", source, count=1)


def _write_units(case: Case, directory: Path, home: JavaHome) -> None:
    for folder in ("plain", "ticking"):
        (directory / folder).mkdir()
    for number, source in {0: case.origin, **case.mutants}.items():
        name = f"{number}.java"
        (directory / "plain" / name).write_text(_unit(source, number, home), encoding="utf-8")
        ticking = add_ticks(source, "java", JAVA)
        (directory / "ticking" / name).write_text(_unit(ticking, number, home), encoding="utf-8")


def _properties(case: Case, home: JavaHome) -> dict[str, str]:
    settings = case.settings
    return {
        "class": home.class_name,
        "method": case.signature.name,
        "parameters": simple_types(case.origin, settings.function),
        "wanted": str(case.wanted),
        "observe": str(int(case.observe)),
        "prove": str(int(settings.prove)),
        "origin_steps": str(settings.origin_steps),
        "least_steps": str(settings.least_steps),
        "step_factor": str(settings.step_factor),
        "wall_milliseconds": str(int(settings.wall_seconds * 1000)),
        "call_milliseconds": str(int(min(CALL_SECONDS, settings.wall_seconds) * 1000)),
    }


def run_java(case: Case) -> Findings:
    """Run a case; OracleError when the origin itself cannot be judged."""
    java = tool("java", "a JDK is needed to judge Java")
    classes = _compiled_harness()
    _, _, home = find_method(case.origin, case.settings.function)
    types = [parameter.type for parameter in case.signature.parameters]
    rows = [
        " ".join(to_tokens(t, value, "utf-16-be") for t, value in zip(types, row, strict=True))
        for row in case.inputs
    ]
    with work_directory() as directory:
        _write_units(case, directory, home)
        (directory / "inputs.txt").write_text("".join(f"{row}\n" for row in rows))
        properties = _properties(case, home)
        limits = Limits(case.settings.wall_seconds * (len(case.mutants) + 2) + 120)
        memory = f"-Xmx{case.settings.memory_mb // 2}m"
        command = [java, *machine(classes), memory, "-cp", classes, "equimut_.Harness", directory]

        def launch(order: list[int], skip: list[int]) -> Finished:
            lists = {"order": ",".join(map(str, order)), "skip": ",".join(map(str, skip))}
            lines = [f"{key}={value}\n" for key, value in {**properties, **lists}.items()]
            (directory / "job.properties").write_text("".join(lines))
            return run_in_sandbox(command, directory, limits)

        return collect(case, directory, launch)
