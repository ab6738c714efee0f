"""Evidence from the solver: what it proves of mutants that people and rules have left over."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

from equimut.proofs.budget import Budget
from equimut.proofs.workers import (
    ProofAnswer,
    ProofQuestion,
    ask_prover,
    has_prover,
    prover_version,
)
from equimut.scanning.records import Candidate, Decision
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import digest_of, write_bytes
from equimut.storage.worker_pool import Lost


class KeptFiles:
    """Whole source files in the directory of a scan: each once, found by the digest of its text."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: tuple[str | None, str] = None, ""
        self._names: set[str] = set()

    def keep(self, text: str | None) -> str:
        """The name of a text, which is now on disk; empty where there is none."""
        if text is None:
            return ""
        if text is not self._last[0]:  # mutants of one file follow each other
            self._last = text, digest_of([text]).hex()
        name = self._last[1]
        if name not in self._names:
            write_bytes(self.path(name), text.encode(errors="replace"))
            self._names.add(name)
        return name

    def path(self, name: str) -> Path:
        """Where the text of this name is."""
        return self._folder / name


class ProverEvidence:
    """Asks the prover about candidates, in worker processes, and keeps its answers."""

    def __init__(self, budget: Budget, jobs: int, cache: VerdictCache, files: KeptFiles) -> None:
        self._budget = budget
        self._jobs = jobs
        self._cache = cache
        self._files = files
        self._version = f"{prover_version()} {astuple(budget)}"
        self.waiting = 0
        """Candidates that the cache does not know."""
        self.lost: Counter[str] = Counter()
        """Why some got no answer, and how many."""

    def look_up(self, candidate: Candidate) -> Candidate:
        """Settled by what is known from an earlier scan, or else waiting for the prover."""
        mutant, change = candidate.mutant, candidate.mutant.change
        if candidate.settled is not None or change is None or not has_prover(mutant.language):
            return candidate
        named = candidate.model_copy(update={"file": self._files.keep(change.file_text)})
        known = self._cache.get(self._key(named), ProofAnswer)
        if known is not None:
            return with_proof(named, known)
        self.waiting += 1
        return named.model_copy(update={"waits_for_prover": True})

    def add(
        self, candidates: Iterable[Candidate], progress: Callable[[int], None]
    ) -> Generator[Candidate, None, None]:
        """The candidates in their order, settled where the prover proved something.

        They are read twice, side by side: one reader asks, the other takes the answers.
        """
        asked = (self._question(each) for each in candidates if each.waits_for_prover)
        with closing(ask_prover(asked, self._budget, self._jobs)) as answers:
            for candidate in candidates:
                if not candidate.waits_for_prover:
                    yield candidate
                    continue
                answer = next(answers)
                progress(1)
                if isinstance(answer, Lost):
                    self.lost[answer.reason] += 1
                    yield candidate.with_remark(f"prover: {answer.reason}")
                else:
                    self._cache.put(self._key(candidate), answer)
                    yield with_proof(candidate, answer)

    def _question(self, candidate: Candidate) -> ProofQuestion:
        change = candidate.mutant.change
        assert change is not None  # else it would not wait
        return ProofQuestion(
            origin=change.origin_function,
            mutant=change.mutant_function,
            language=candidate.mutant.language,
            budget=self._budget,
            file=self._files.path(candidate.file) if candidate.file else None,
            line=change.start_line,
        )

    def _key(self, candidate: Candidate) -> bytes:
        """With the digest of the file: another method may have changed what is provable here."""
        asked = self._question(candidate)
        texts = asked.origin, asked.mutant, asked.language, candidate.file, str(asked.line)
        return answer_key("proof", self._version, texts)


def with_proof(candidate: Candidate, answer: ProofAnswer) -> Candidate:
    """The candidate with what the prover found."""
    if not answer.reason:
        return candidate.model_copy(update={"state": answer.state})
    settled = Decision(
        word="equivalent", tier="proved", reason=answer.reason, assumptions=answer.assumptions
    )
    return candidate.model_copy(update={"settled": settled})
