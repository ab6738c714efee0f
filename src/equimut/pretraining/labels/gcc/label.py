"""Labels for the functions of one C file, by the code that gcc makes of them."""

import re
from pathlib import Path

from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.mutation.identity import draw
from equimut.parsing.tokens import remove_comments
from equimut.parsing.tree import parse
from equimut.pretraining.labels.gcc.identity import (
    CProject,
    fitting_flags,
    identical,
    project_macros,
)
from equimut.pretraining.labels.gcc.units import Subject, subjects
from equimut.pretraining.labels.priors import killed_share
from equimut.pretraining.labels.records import LabelledPair, in_turn, kept_of_origin, pair_of
from equimut.records import Mutant

TRIED = 36
"""Mutants compiled per function; compiling is cheap, and most are not equivalent."""
MOST_FUNCTIONS = 12
"""Functions of one file: a thousand files tell more than one file of a thousand functions."""
BEHIND_A_MACRO = 0.7
"""The weight of identity where a macro of the project is near: its text may be empty here."""


def label_c_file(project: CProject, path: Path, program: str, seed: int) -> list[LabelledPair]:
    """Pairs of the functions of a file; none for a file that does not compile here."""
    flags = fitting_flags(project, path)
    if flags is None:
        return []
    source = remove_comments(path.read_bytes().decode(errors="replace"), "c")
    found = sorted(subjects(parse(source, "c")), key=lambda one: draw(one.name, seed))
    chosen = {
        subject: list(enumerate(in_turn(_mutants(source, subject), TRIED, seed), start=1))
        for subject in found[:MOST_FUNCTIONS]
    }
    chosen = {subject: mutants for subject, mutants in chosen.items() if mutants}
    if not chosen:
        return []
    same = identical(source.encode(), path.name, flags, chosen)
    macros = project_macros(path, flags)
    rows: list[LabelledPair] = []
    for subject, mutants in chosen.items():
        judged = [
            _row(mutant, program, same[subject.name, number], macros)
            for number, mutant in mutants
            if (subject.name, number) in same and not _drops_result(mutant)
        ]
        rows += kept_of_origin(judged, seed)
    return rows


def _mutants(source: str, subject: Subject) -> list[Mutant]:
    """Mutants of the function's own text: what the model sees is what the operators saw."""
    text = source.encode()[subject.start : subject.end].decode()
    try:
        return [one for one in mutate(text, "c") if one.function == subject.name]
    except EquimutError:
        return []


def _row(mutant: Mutant, program: str, same: bool, macros: frozenset[str]) -> LabelledPair:
    if not same:
        weight = killed_share("c", mutant.operator)
        return pair_of(mutant, "c", program, 0, "different code", weight=weight)
    weight = BEHIND_A_MACRO if _near_macro(mutant, macros) else 1.0
    return pair_of(mutant, "c", program, 1, "identical code", weight=weight)


def _drops_result(mutant: Mutant) -> bool:
    """Whether a result is lost: what the caller then gets is undefined, whatever gcc does today."""
    return mutant.original.startswith("return ") and not mutant.replacement.startswith("return")


def _near_macro(mutant: Mutant, macros: frozenset[str]) -> bool:
    """Whether the statement around the edit names a macro of the project."""
    text = mutant.origin_function.encode()
    start = max(text.rfind(mark, 0, mutant.start_byte) for mark in (b";", b"{", b"}")) + 1
    ends = [at for mark in (b";", b"{", b"}") if (at := text.find(mark, mutant.end_byte)) >= 0]
    around = text[start : min(ends, default=len(text))].decode(errors="replace")
    return not macros.isdisjoint(re.findall(r"[A-Za-z_]\w*", around))
