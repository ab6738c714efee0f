"""Proves a mutant equivalent from its text: by a named rule, or by the solver in a worker."""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from pydantic import Field
from tree_sitter import Node

from equimut.errors import EquimutError, ParseError
from equimut.languages import LANGUAGES, dialect_of
from equimut.parsing.tree import parse
from equimut.proofs.budget import Budget
from equimut.proofs.rules.change import Change, find_change
from equimut.proofs.rules.comparisons import same_truth
from equimut.proofs.rules.control import loop_exit, needless_jump, unreachable
from equimut.proofs.rules.elsewhere import names_elsewhere
from equimut.proofs.rules.numbers import (
    absolute_of_non_negative,
    divisor_sign,
    negated_zero_test,
    shift_of_non_negative,
    tie,
)
from equimut.proofs.rules.stores import dead_store, dead_update, unused_update_value
from equimut.records import ProverView, Record
from equimut.storage.files import GRAMMARS, code_version, read_text
from equimut.storage.worker_pool import Lost, WorkerLimits, answers


@dataclass(frozen=True)
class Rule:
    """A rule and the reason why it is sound."""

    name: str
    holds: Callable[[Change], bool]

    @property
    def reason(self) -> str:
        """Why a mutant for which the rule holds is equivalent."""
        return " ".join((self.holds.__doc__ or "").split())

    @property
    def sentence(self) -> str:
        """Its name and the reason in short, as a verdict shows it."""
        return f"{self.name}: {self.reason.split('. ')[0].rstrip('.')}"


_SOUND = (
    dead_update, dead_store, unused_update_value, same_truth, tie, loop_exit,
    absolute_of_non_negative, negated_zero_test, divisor_sign, shift_of_non_negative,
    needless_jump, unreachable,
)  # fmt: skip

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.__name__.replace("_", "-"): Rule(rule.__name__.replace("_", "-"), rule)
        for rule in _SOUND
    }
)
"""Name -> rule, the cheap ones first."""


def prove(origin: str, mutant: str, language: str, file: str | None = None) -> Rule | None:
    """The first rule that proves two functions equivalent; None says nothing about them.

    `file`: the text of the whole file, which may give a well-known name another meaning.
    """
    rule = _prove(origin, mutant, language)
    if rule is None or file is None:
        return rule
    elsewhere = names_elsewhere(file, language, origin, mutant)
    return rule if not elsewhere else prove_without(origin, mutant, language, elsewhere)


def prove_without(
    origin: str, mutant: str, language: str, elsewhere: frozenset[str]
) -> Rule | None:
    """The same, where names that both may use mean something else than they do everywhere."""
    if not dialect_of(language).dynamic_types:  # what a type or a macro means is seen everywhere
        return None
    return _prove(origin, mutant, language, elsewhere)


def _prove(
    origin: str, mutant: str, language: str, rebound: frozenset[str] = frozenset()
) -> Rule | None:
    try:
        change = find_change(origin, mutant, language, rebound)
    except ParseError:
        return None
    return None if change is None else proving_rule(change)


def proving_rule(change: Change) -> Rule | None:
    """The first rule that holds for a change."""
    try:
        return next((rule for rule in RULES.values() if rule.holds(change)), None)
    except RecursionError:  # a limit of depth is missing somewhere: it costs this proof
        return None


MEGABYTES = 3_000
"""Of address space for one worker; the solver needs some hundreds."""
PATIENCE = 20
"""Times the processor time that may pass on the clock: a machine may be busy."""
_ROOMS = ("languages", "parsing", "semantics", "proofs")


@dataclass(frozen=True)
class ProofQuestion:
    """Two functions, and the file around the first where it is known."""

    origin: str
    mutant: str
    language: str
    budget: Budget | None
    """Of the solver; None: it is not asked."""
    rules: bool = False
    """Whether rules are asked first."""
    file: Path | None = None
    """Holds the text of the whole source file."""
    line: int | None = None
    """Where the origin begins in that file."""
    others: Path | None = None
    """Holds what `constants_of_others` found for that file."""


class ProofAnswer(Record):
    """Why two functions behave alike; nothing where there is no proof."""

    reason: str = ""
    assumptions: tuple[str, ...] = ()
    """Contracts the proof rests on, which a class of the user's might break."""
    state: dict[str, str] = Field(default_factory=dict)
    """Without a proof: values of parameters that may tell the two apart."""
    view: ProverView | None = None
    """Without a proof: what the solver saw; nothing where it was not asked."""


@cache
def has_prover(language: str) -> bool:
    """Whether functions of this language can be lowered for the solver."""
    return language in LANGUAGES and (
        find_spec(f"equimut.languages.{language}.lowering") is not None
    )


class Sources(Protocol):
    """The files of a project, by the ends of their paths."""

    def text_of(self, name: str) -> str | None:
        """The text of the one file whose path ends like this; None where that is not certain."""

    def has(self, name: str) -> bool:
        """Whether the path of any file ends like this."""


@dataclass(frozen=True)
class _Parsed:
    """The files of a project, parsed."""

    sources: Sources
    language: str

    def __call__(self, name: str) -> tuple[Node, bytes] | None:
        found = self.sources.text_of(name)
        tree = None if found is None else parse(found + "\n", self.language)  # some lack their last
        return None if tree is None or tree.root.has_error else (tree.root, tree.source)

    def has(self, name: str) -> bool:
        return self.sources.has(name)


def constants_of_others(text: str, language: str, sources: Sources) -> str:
    """Constants of other files of a project that a file names, as declarations; empty for none."""
    lowering = import_module(f"equimut.languages.{language}.lowering")
    if not hasattr(lowering, "neighbours"):
        return ""

    try:
        tree = parse(text, language)
        return str(lowering.neighbours(tree.root, tree.source, _Parsed(sources, language)))
    except (ParseError, RecursionError):
        return ""


def prover_version() -> str:
    """Changes when the same question could get another answer; the solver is not imported."""
    return code_version(_ROOMS, (*GRAMMARS, "z3-solver"))


def ask_prover(
    questions: Iterable[ProofQuestion], budget: Budget, jobs: int
) -> Generator[ProofAnswer | Lost, None, None]:
    """The answers to questions with this budget, in order."""
    return answers(
        answer, questions, jobs, WorkerLimits(budget.seconds, MEGABYTES, PATIENCE * budget.seconds)
    )


def answer(question: ProofQuestion) -> ProofAnswer:
    """In the worker: what is proved of one mutant."""
    texts = question.origin, question.mutant, question.language
    if question.rules and question.language in LANGUAGES:
        from equimut.proofs import proving

        whole = None if question.file is None else _text(question.file)
        if (rule := proving.prove(*texts, whole)) is not None:
            return ProofAnswer(reason=rule.sentence)
    if question.budget is None or not has_prover(question.language):
        return ProofAnswer()
    from equimut.proofs.smt.explaining import sentence
    from equimut.proofs.smt.proving import compare

    found = compare(
        *texts,
        file=None if question.file is None else _text(question.file),
        line=question.line,
        others=None if question.others is None else _text(question.others),
        budget=question.budget,
    )
    if (proof := found.proof) is None:
        return ProofAnswer(state=found.state or {}, view=found.view)
    return ProofAnswer(reason=sentence(proof), assumptions=proof.assumptions)


@lru_cache(maxsize=4)
def _text(path: Path) -> str | None:
    try:
        return read_text(path)
    except EquimutError:  # not UTF-8 when it was kept: the functions alone will do
        return None
