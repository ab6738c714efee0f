"""What the solver proves about candidates, and the texts of whole files that it looks at."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import astuple
from functools import cached_property
from pathlib import Path

from equimut.proofs.budget import Budget
from equimut.proofs.proving import (
    ProofAnswer,
    ProofQuestion,
    answer,
    ask_prover,
    constants_of_others,
    has_prover,
    prover_version,
)
from equimut.reports.sources import SourceTree
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

    def __init__(
        self,
        budget: Budget,
        jobs: int,
        cache: VerdictCache,
        files: KeptFiles,
        sources: SourceTree | None = None,
    ) -> None:
        self._budget = budget
        self._sources = sources
        self._others: dict[str, str] = {}
        self._jobs = jobs
        self._cache = cache
        self._files = files
        self.waiting = 0
        """Candidates that the cache does not know."""
        self.lost: Counter[str] = Counter()
        """Why some got no answer, and how many."""

    def look_up(self, candidate: Candidate) -> Candidate:
        """Settled by what is known from an earlier scan, or else waiting for the prover."""
        mutant, change = candidate.mutant, candidate.mutant.change
        if candidate.settled is not None or change is None or not has_prover(mutant.language):
            return candidate
        file = self._files.keep(change.file_text)
        others = self._beside(file, change.file_text, mutant.language)
        named = candidate.model_copy(update={"file": file, "others": others})
        known = self._cache.get(self._key(named), ProofAnswer) if self._cache.is_kept else None
        if known is not None:
            return with_proof(named, known)
        self.waiting += 1
        return named.model_copy(update={"waits_for_prover": True})

    def prove(self, candidate: Candidate) -> Candidate:
        """What the solver says of one that waits, in this process: it may take it down."""
        found = answer(self._question(candidate))
        self._keep(candidate, found)
        return with_proof(candidate.model_copy(update={"waits_for_prover": False}), found)

    def _keep(self, candidate: Candidate, found: ProofAnswer) -> None:
        if self._cache.is_kept:
            self._cache.put(self._key(candidate), found)

    def _beside(self, file: str, text: str | None, language: str) -> str:
        """The name of what other files below the source root tell of the constants of a file."""
        if text is None or self._sources is None:
            return ""
        if file not in self._others:
            found = constants_of_others(text, language, self._sources)
            self._others[file] = self._files.keep(found) if found else ""
        return self._others[file]

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
                found = next(answers)
                progress(1)
                if isinstance(found, Lost):
                    self.lost[found.reason] += 1
                    yield candidate.with_remark(f"prover: {found.reason}")
                else:
                    self._keep(candidate, found)
                    yield with_proof(candidate, found)

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
            others=self._files.path(candidate.others) if candidate.others else None,
        )

    def _key(self, candidate: Candidate) -> bytes:
        """With the digests of the file and of what others tell: what is provable depends on it."""
        asked = self._question(candidate)
        around = candidate.file, candidate.others, str(asked.line)
        texts = asked.origin, asked.mutant, asked.language, *around
        return answer_key("proof", self._version, texts)

    @cached_property
    def _version(self) -> str:
        return f"{prover_version()} {astuple(self._budget)}"


def with_proof(candidate: Candidate, answer: ProofAnswer) -> Candidate:
    """The candidate with what the prover found."""
    if not answer.reason:
        return candidate.model_copy(update={"state": answer.state, "view": answer.view})
    settled = Decision(
        word="equivalent", tier="proved", reason=answer.reason, assumptions=answer.assumptions
    )
    return candidate.model_copy(update={"settled": settled})
