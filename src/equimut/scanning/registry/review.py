"""Which mutants a person is asked about, and what was rejected before."""

from collections.abc import Iterable
from pathlib import Path

from equimut.errors import EquimutError
from equimut.scanning.records import OPEN, ScanVerdict
from equimut.storage.files import write_bytes


class Rejections:
    """Keys of mutants that somebody found to be worth a test, so as not to ask again.

    Kept in the user's cache with the keys of the last scan: it is a note to oneself, and no
    score depends on it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self.keys = set(path.read_text("ascii").split())
        except (OSError, UnicodeDecodeError):
            self.keys = set()

    def add(self, key: str) -> None:
        """Remember a key."""
        self.keys.add(key)
        try:
            write_bytes(self._path, "".join(f"{each}\n" for each in sorted(self.keys)).encode())
        except EquimutError:
            return  # it is asked again, that is all


def questions(verdicts: Iterable[ScanVerdict], rejected: set[str]) -> list[ScanVerdict]:
    """Survivors that nobody has decided on, the most probably equivalent first, each key once."""
    waiting: dict[str, ScanVerdict] = {}
    for verdict in verdicts:
        if verdict.mutant.status not in OPEN or verdict.key is None:
            continue
        if verdict.tier in ("accepted", "proved") or verdict.key.text in rejected:
            continue
        waiting.setdefault(verdict.key.text, verdict)
    return sorted(waiting.values(), key=_order)


def _order(verdict: ScanVerdict) -> tuple[float, int]:
    if verdict.tier == "unrefuted":
        likely = 2.0
    elif verdict.tier == "killed":
        likely = -1.0
    else:
        likely = 0.5 if verdict.probability is None else verdict.probability
    return -likely, verdict.mutant.index
