"""A Java file whose survivors need the prover, some of them the whole file; provers that fail."""

import json
import os
import signal
from collections.abc import Iterable
from pathlib import Path

from equimut.proofs.proving import ProofAnswer, ProofQuestion, answer
from oracles.scans.scan_project import elements, entry

SOURCE = """\
class Shelf {
    private static final int SLOTS = 8;

    static boolean isEmpty(java.util.List<String> goods) {
        return goods.size() == 0;
    }

    static int slot(int number) {
        if (number < SLOTS) {
            return number;
        }
        return 0;
    }

    static boolean has(String name) {
        return name.indexOf('x') < 0;
    }

    static int twice(int number) {
        return number * 2;
    }
}
"""
EDITS = (
    ("goods.size() == 0", "goods.size() <= 0", "Survived"),
    ("number * 2", "number * 3", "Survived"),
    ("number < SLOTS", "number <= 7", "Survived"),
    ("name.indexOf('x') < 0", "name.indexOf('x') == -1", "Survived"),
    ("number * 2", "number + 2", "Killed"),
    ("name.indexOf('x') < 0", "name.indexOf('x') <= -1", "Killed"),
)
"""The first, third and fourth are proved, the third from the whole file only."""
DEADLY = "number * 3"


def shelf_report(
    folder: Path, source: str = SOURCE, edits: Iterable[tuple[str, str, str]] = EDITS
) -> Path:
    """The report on the file, with its source inside."""
    mutants = [entry(number, source, *edit) for number, edit in enumerate(edits)]
    path = folder / "shelf.json"
    path.write_text(json.dumps(elements(("Shelf.java", "java", source, mutants))))
    return path


def killed_answer(question: ProofQuestion) -> ProofAnswer:
    """The prover, whose process is killed by one of the mutants."""
    if DEADLY in question.mutant:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(question)


def endless_answer(question: ProofQuestion) -> ProofAnswer:
    """The prover, which one of the mutants keeps busy for ever."""
    while DEADLY in question.mutant:
        pass
    return answer(question)


def no_answer(question: ProofQuestion) -> ProofAnswer:
    """A prover that must not be asked."""
    raise AssertionError(question)
