"""What JUnit itself says of a test class, with the sources compiled on disk."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from oracles import jdk

LIBRARY = Path("/usr/share/java")
JARS = {
    5: ("junit-platform-console-standalone", "junit-jupiter-api", "junit-jupiter-engine",
        "junit-platform-engine", "junit-platform-commons", "junit-platform-launcher",
        "junit-platform-console", "junit-platform-reporting", "opentest4j", "apiguardian-api",
        "univocity-parsers", "picocli", "junit-jupiter-params"),
    4: ("junit4", "hamcrest-core"),
}  # fmt: skip
MAIN = {
    5: ("org.junit.platform.console.ConsoleLauncher", "-c"),
    4: ("org.junit.runner.JUnitCore",),
}


def has_junit(junit: int) -> bool:
    """Whether Debian's packages are there."""
    return (LIBRARY / f"{'junit4' if junit == 4 else 'junit-platform-console'}.jar").exists()


def junit_outcome(
    roots: Sequence[Path], made: Path, test_class: str, junit: int = 5
) -> tuple[int, str]:
    """Exit code and output of JUnit, after javac has compiled what is under some directories."""
    jars = ":".join(str(LIBRARY / f"{each}.jar") for each in JARS[junit])
    files = [str(path) for root in roots for path in root.rglob("*.java")]
    command = [*jdk.JAVAC, "-nowarn", "-cp", jars, "-d", str(made), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    command = [*jdk.JAVA, "-cp", f"{made}:{jars}", *MAIN[junit], test_class]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout
