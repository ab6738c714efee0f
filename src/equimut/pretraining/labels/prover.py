"""Labels for the functions of one file of a project, by rules and by the solver.

A mutant that is proved is equivalent. One is different where the solver has a state of the
parameters that tells the two functions apart and nothing unmodelled has a part in that. Of the rest
it is likely that they differ, as likely as mutants of that form are killed in the verified
benchmark. A detector is asked about mutants that the prover left over, so a proved one needs a view
that a weaker prover would have had of it: some ingredients are switched off until nothing is proved
any more. The same is done to some of those that differ, or the weaker view would tell the label.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.mutation.identity import draw
from equimut.mutation.table import OPERATORS
from equimut.parsing.functions import Function, functions
from equimut.parsing.text_diff import code_tokens
from equimut.parsing.tree import SyntaxTree, parse
from equimut.pretraining.corpus.functions import MAX_TOKENS, MIN_TOKENS
from equimut.pretraining.labels.records import LabelledPair, pair_of
from equimut.pretraining.labels.rules import LEAST_SHARE, share_of
from equimut.proofs.budget import BUDGETS, DEFAULT, Budget
from equimut.proofs.proving import prove
from equimut.proofs.rules.change import find_change
from equimut.records import Mutant, ProverView

TOOLS = frozenset({"Major", "PIT", "Stryker", "mutmut"})
"""Whose operators make the mutants."""
TOOL_OPERATORS = tuple(name for name, one in OPERATORS.items() if TOOLS & set(one.tools))
FUNCTIONS_OF_A_FILE = 3
"""A thousand files tell more than one file of a thousand functions."""
MUTANTS_OF_A_FUNCTION = 10
SHARES = {
    "ROR": 5, "AORB": 2, "COR": 2, "ADL": 2, "SDL": 2, "AOIS": 2, "LVR": 1.5, "FCDL": 1, "CDL": 1,
    "OSDL": 1, "ABSI": 1, "AOIU": 1, "CR": 1, "ICR": 1, "SAR": 1, "LOR": 1, "SOR": 1, "SEOR": 1,
    "SLR": 0.5, "BCR": 0.5,
}  # fmt: skip
OTHERS = 0.2
"""How often operators come up. Taken evenly, one mutant in fifty is equivalent: a result, a block
or a condition that is turned round hardly ever is, and to ask about it costs as much."""
FITTING_BUDGET = BUDGETS["small"] or DEFAULT
"""For the many rows that only fit. Those that calibrate and measure are asked as a scan asks."""
READS_STATE = 0.9
"""The weight of a difference that depends on fields or memory: no caller may ever set them so."""
WEAKER_SHARE = 0.3
"""Of the mutants that differ, those that are looked at by a weaker prover too."""
INGREDIENTS = (
    "contracts", "path facts", "loop invariants", "one iteration", "whole scopes",
    "callees", "file",
)  # fmt: skip


@dataclass(frozen=True)
class ProjectFile:
    """A source file of a named project."""

    path: Path
    language: str
    project: str
    part: str
    program: str
    """Language, project and path in the project: the same on every machine."""


def budget_of(part: str) -> Budget:
    """How hard the solver tries on rows of a part."""
    return FITTING_BUDGET if part == "train" else DEFAULT


def label_project_file(
    file: ProjectFile, seed: int, odds: Mapping[str, float]
) -> list[LabelledPair]:
    """Pairs of some functions of a file, each labelled as surely as it can be."""
    text = file.path.read_bytes().decode().replace("\r\n", "\n")
    tree = parse(text, file.language)
    rows: list[LabelledPair] = []
    for function in chosen_functions(tree, file.program, seed):
        for mutant in chosen_mutants(tree, function, text, file.language, seed):
            row = _Labelling(file, text, function.start_line, mutant, seed).row(odds)
            if row is not None:
                rows.append(row)
    return rows


def chosen_functions(tree: SyntaxTree, program: str, seed: int) -> list[Function]:
    """Functions that are neither accessors nor too long for a model, and parse without an error."""
    fitting = [
        each
        for each in functions(tree)
        if not each.lexical and MIN_TOKENS <= _length(tree, each) <= MAX_TOKENS
    ]
    fitting.sort(key=lambda each: draw(f"{program} {each.start_line} {each.name}", seed))
    return fitting[:FUNCTIONS_OF_A_FILE]


def _length(tree: SyntaxTree, function: Function) -> int:
    text = tree.source[function.start : function.end].decode()
    try:
        return len(code_tokens(text, tree.language.name))
    except EquimutError:
        return 0


def chosen_mutants(
    tree: SyntaxTree, function: Function, text: str, language: str, seed: int
) -> list[Mutant]:
    """Some mutants of a function by the operators of four tools, operators by their shares."""
    own = tree.source[function.start : function.end].decode()
    try:
        made = mutate(text, language, operators=TOOL_OPERATORS, function=function.name)
    except EquimutError:
        return []
    mine = [mutant for mutant in made if mutant.origin_function.strip() == own.strip()]
    return drawn_by_operator(mine, MUTANTS_OF_A_FUNCTION, seed)


def drawn_by_operator(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """A weighted draw without replacement: the smallest of exponential times, one per mutant."""
    sizes = Counter(mutant.operator for mutant in mutants)

    def time(mutant: Mutant) -> float:
        share = SHARES.get(mutant.operator, OTHERS)
        return -log(1 - drawn(mutant.id, seed)) * sizes[mutant.operator] / share

    return sorted(mutants, key=time)[:number]


def drawn(name: str, seed: int) -> float:
    """A number from 0 to below 1 that depends on a name and a seed only."""
    return int.from_bytes(draw(name, seed), "big") / 2**64


@dataclass(frozen=True)
class _Labelling:
    """One mutant, its file and what is asked about it."""

    file: ProjectFile
    text: str
    line: int
    mutant: Mutant
    seed: int

    def row(self, odds: Mapping[str, float]) -> LabelledPair | None:
        mutant, language = self.mutant, self.file.language
        change = find_change(mutant.origin_function, mutant.mutant_function, language)
        if change is None:
            return None
        rule = prove(mutant.origin_function, mutant.mutant_function, language, self.text)
        if rule is not None:
            row = pair_of(mutant, language, self.file.program, 1, "fact", rule=rule.name)
            return self._viewed(row, None)
        proved, view = self._ask()
        if proved:
            row = pair_of(mutant, language, self.file.program, 1, "solver", rule=proved)
        elif view is not None and view.closed:
            weight = READS_STATE if view.reads_state else 1.0
            row = pair_of(mutant, language, self.file.program, 0, "differs", weight=weight)
        else:
            share = share_of(odds, mutant.operator, change)
            if share < LEAST_SHARE:
                return None
            row = pair_of(mutant, language, self.file.program, 0, "prior", weight=share)
        return self._viewed(row, view)

    def _ask(self, without: frozenset[str] = frozenset()) -> tuple[str, ProverView | None]:
        """The scope of a proof, or what there was to see."""
        from equimut.proofs.smt.proving import compare

        found = compare(
            self.mutant.origin_function,
            self.mutant.mutant_function,
            self.file.language,
            file=None if "file" in without else self.text,
            line=self.line,
            budget=budget_of(self.file.part),
            without=without,
        )
        return (found.proof.scope if found.proof else ""), found.view

    def _viewed(self, row: LabelledPair, view: ProverView | None) -> LabelledPair:
        common = {
            "project": self.file.project,
            "split": self.file.part,
            "line": self.line,
            "view": view,
        }
        weaker = row.label == 1 or drawn(f"{self.mutant.id} weaker", self.seed) < WEAKER_SHARE
        for without in self._weakenings() if weaker else ():
            proved, seen = self._ask(without)
            if not proved and seen is not None and seen.answer != "not modelled":
                common |= {"weak_view": seen, "without": tuple(sorted(without))}
                break
        return row.model_copy(update=common)

    def _weakenings(self) -> Iterator[frozenset[str]]:
        """Ever more ingredients, in an order of the mutant's own."""
        order = sorted(INGREDIENTS, key=lambda each: draw(f"{self.mutant.id} {each}", self.seed))
        for number in (1, 3, len(order)):
            yield frozenset(order[:number])
