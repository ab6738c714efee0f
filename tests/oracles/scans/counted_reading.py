"""How often each text is parsed and cut into tokens, in every process that examines parts."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from equimut.inputs.edit_features import edit
from equimut.parsing import tokens, tree
from equimut.scanning.evidence.parts import ChosenPart, Examined, PartExaminer

Counts = dict[str, Counter[str]]
"""By what is done: how often it is done to each text."""
KINDS = ("parse", "tokens", "words")
FOLDER = "EQUIMUT_COUNTED_READING"
"""Names the folder that workers leave their counts in."""


class CountingExaminer(PartExaminer):
    """Leaves a file of counts for every question that it answers."""

    def __call__(self, parts: Sequence[ChosenPart]) -> Examined:
        with counting() as counts:
            found = super().__call__(parts)
        folder = Path(os.environ[FOLDER])
        name = f"{os.getpid()}-{sum(1 for _ in folder.iterdir())}.json"
        (folder / name).write_text(json.dumps(counts))
        return found


def left_in(folder: Path) -> tuple[Counts, set[int]]:
    """The counts of all processes together, and which processes there were."""
    total: Counts = {kind: Counter() for kind in KINDS}
    processes: set[int] = set()
    for path in folder.iterdir():
        processes.add(int(path.name.split("-")[0]))
        for kind, counts in json.loads(path.read_text()).items():
            total[kind].update(counts)
    return total, processes


@contextmanager
def counting() -> Iterator[Counts]:
    """Count in this process."""
    counts: Counts = {kind: Counter() for kind in KINDS}
    parse, finish, lexer = tree._parse, tokens.LeafReader.finish, edit._lexer

    def parsed(text: bytes, *given: Any) -> Any:
        counts["parse"][text.decode()] += 1
        return parse(text, *given)

    def finished(reader: tokens.LeafReader) -> None:
        counts["tokens"][reader.source.decode()] += 1
        finish(reader)

    class Lexer:
        def __init__(self, language: str) -> None:
            self._pattern = lexer(language)

        def __getattr__(self, name: str) -> Callable[[str], Any]:
            def applied(text: str) -> Any:
                counts["words"][text] += 1
                return getattr(self._pattern, name)(text)

            return applied

    with (
        mock.patch.object(tree, "_parse", parsed),
        mock.patch.object(tokens.LeafReader, "finish", finished),
        mock.patch.object(edit, "_lexer", Lexer),
    ):
        yield counts
