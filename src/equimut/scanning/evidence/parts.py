"""A part of a report, from its entries to candidates: what one process does of a scan.

Locating, keys, rules, prover and model follow each other in one process, so that each text is
parsed and cut into tokens there once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from equimut.models.settings import ModelFiles
from equimut.parsing.tree import KEPT_BYTES
from equimut.proofs.budget import Budget
from equimut.reports.reported import ReportPart
from equimut.reports.sources import SourceTree
from equimut.scanning.evidence.prover import KeptFiles, ProverEvidence
from equimut.scanning.evidence.questions import ModelQuestions
from equimut.scanning.evidence.texts import EvidenceFinder
from equimut.scanning.records import OPEN, Candidate
from equimut.scanning.registry.registry import Registry
from equimut.scanning.scope import Scope
from equimut.scanning.verdict_cache import VerdictCache
from equimut.storage.jsonl import spool_line
from equimut.storage.worker_pool import WorkerLimits, allow

MUTANTS_AT_ONCE = 48
"""That a worker gets at a time."""
PROVED_AT_ONCE = 8
"""The same where the prover is asked, which takes its time."""
_SECONDS = 600
"""Of processor time for all but the prover."""
_MEGABYTES = 6_000
_PATIENCE = 7_200


_TEXT_AT_ONCE = KEPT_BYTES // 2
"""Of functions before and after: the model is asked while the trees of all of them are kept."""


class ChosenPart(NamedTuple):
    """Some mutants of a report; of each whether it is a check, None if it is left out."""

    mutants: ReportPart
    checks: tuple[bool | None, ...]


class Examined(NamedTuple):
    """What was found out about parts of a report."""

    candidates: tuple[bytes, ...]
    """As lines of a spool: whoever asks need not read them to keep them."""
    waiting_for_oracle: int
    waiting_for_model: int
    left_out: int
    """Mutants outside of the scope."""
    met: frozenset[str]
    """Keys of the accepted equivalents that are among them."""
    answers: dict[bytes, bytes]
    """For the cache."""


@dataclass
class PartExaminer:
    """What all parts of a scan have in common; called in a worker, where it makes its tools."""

    registry: Registry
    cache: Path | None
    files: Path
    """Where the scan keeps the texts of whole files."""
    budget: Budget | None = None
    sources: Path | None = None
    """The root of the sources, for the prover."""
    model: ModelFiles | None = None
    predicts: bool = False
    """Whether the model is asked at once: nobody comes between it and the prover."""
    everything: bool = False
    scope: Scope | None = None
    """The part of the report that is judged; None: all of it."""
    _left_out: int = field(default=0, init=False)

    @property
    def limits(self) -> WorkerLimits:
        """What the parts of one question may cost."""
        seconds = _SECONDS if self.budget is None else max(_SECONDS, self.budget.seconds)
        return WorkerLimits(seconds, _MEGABYTES, _PATIENCE)

    @property
    def at_once(self) -> int:
        """How many mutants a worker gets at a time."""
        return MUTANTS_AT_ONCE if self.budget is None else PROVED_AT_ONCE

    def __call__(self, parts: Sequence[ChosenPart]) -> Examined:
        """In a worker: all that is found out about some mutants."""
        candidates: list[Candidate] = []
        waiting: list[Candidate] = []
        size = 0
        for candidate in self._proved(parts):
            waiting.append(candidate)
            size += _size(candidate)
            if size > _TEXT_AT_ONCE:
                candidates += self._predicted(waiting)
                waiting, size = [], 0
        candidates += self._predicted(waiting)
        met, self._finder.met = self._finder.met, set()
        left_out, self._left_out = self._left_out, 0
        return Examined(
            tuple(map(spool_line, candidates)),
            sum(candidate.waits_for_oracle for candidate in candidates),
            sum(candidate.waits_for_model for candidate in candidates),
            left_out,
            frozenset(met),
            self._cache.handed_over(),
        )

    def _proved(self, parts: Sequence[ChosenPart]) -> Iterator[Candidate]:
        for part in parts:
            wanted = [check is not None for check in part.checks]
            checks = (check for check in part.checks if check is not None)
            for mutant, check in zip(part.mutants.located(wanted), checks, strict=True):
                if self.scope is not None and not self.scope.covers(mutant):
                    self._left_out += 1
                    continue
                candidate = self._finder.examine(mutant, check=check)
                judged = self.everything or mutant.status in OPEN
                if self._prover is not None and (self._questions.sees_views or judged):
                    candidate = self._prover.look_up(candidate)
                    if candidate.waits_for_prover and self.budget is not None:
                        allow(self.budget.seconds)
                        candidate = self._prover.prove(candidate)
                        allow(_SECONDS)
                yield self._questions.known(candidate)

    def _predicted(self, candidates: Sequence[Candidate]) -> Iterable[Candidate]:
        if not self.predicts:
            return candidates
        return self._asked(candidates)

    def _asked(self, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
        from equimut.scanning.evidence.model import predict_part

        assert self.model is not None
        queries = [self._questions.query(each) for each in candidates if each.waits_for_model]
        found = iter(predict_part((self.model.directory, queries)) if queries else ())
        for each in candidates:
            yield self._questions.answered(each, next(found)) if each.waits_for_model else each

    @cached_property
    def _cache(self) -> VerdictCache:
        return VerdictCache(self.cache, shared=True)

    @cached_property
    def _finder(self) -> EvidenceFinder:
        return EvidenceFinder(self.registry, self._cache)

    @cached_property
    def _questions(self) -> ModelQuestions:
        return ModelQuestions(self.model, self._cache)

    @cached_property
    def _prover(self) -> ProverEvidence | None:
        if self.budget is None:
            return None
        sources = None if self.sources is None else SourceTree(self.sources)
        return ProverEvidence(self.budget, 1, self._cache, KeptFiles(self.files), sources)


def _size(candidate: Candidate) -> int:
    change = candidate.mutant.change
    return 0 if change is None else len(change.origin_function) + len(change.mutant_function)
