"""Small Java projects on disk, as the prover's tests put them together."""

from pathlib import Path

from equimut.proofs.proving import constants_of_others
from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove
from equimut.reports.sources import SourceTree

Written = tuple[str, SourceTree]
"""The text of `a/b/Main.java`, and the sources that it stands in."""


def write_project(directory: Path, main: str, **files: str) -> Written:
    """A project of `a/b/Main` and other files, named by their paths without the suffix."""
    for name, text in {"a/b/Main": main, **files}.items():
        path = directory / "src" / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return main, SourceTree(directory)


def main(body: str, head: str = "class Main", imports: str = "") -> str:
    """The text of the class around a function."""
    return f"package a.b; {imports} {head} {{ {body} }}"


def proof_with_others(given: Written, function: str, before: str, after: str) -> Proof | None:
    """What is proved of a change with the other files in sight; without them it never is."""
    file, sources = given
    assert function.count(before) == 1, "the change is in one place"
    mutant = function.replace(before, after)
    others = constants_of_others(file, "java", sources)
    assert prove(function, mutant, "java", file=file) is None
    proof = prove(function, mutant, "java", file=file, others=others)
    assert proof is None or any("another file" in each for each in proof.assumptions)
    return proof
