"""What needs no model and runs no code: a person's word, the same tokens, rules, the solver."""

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple
from functools import cache
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from equimut.mutation import identity
from equimut.mutation.identity import ChangeDescription, describe
from equimut.parsing.text_diff import same_code
from equimut.proofs.budget import Budget
from equimut.proofs.proving import (
    ProofAnswer,
    ProofQuestion,
    ask_prover,
    constants_of_others,
    has_prover,
    prove,
    prover_version,
)
from equimut.records import Record
from equimut.reports.reported import Change, ReportedMutant
from equimut.reports.sources import SourceTree
from equimut.scanning.records import Candidate, Decision, Prediction
from equimut.scanning.registry.registry import Entry, Registry, key_of
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import GRAMMARS, code_version, digest_of, write_bytes
from equimut.storage.worker_pool import Lost, WorkerLimits, answers

_ROOMS = ("languages", "parsing", "semantics", "proofs")
Texts = tuple[str, str, str, bool]
"""Origin, mutant, language, and whether both are parsed functions."""
_Part = list[tuple[ReportedMutant, bool]]
"""Mutants, each with whether it is a check."""
_SHARD = 64
"""Mutants whose texts a worker reads at a time."""
_KNOWN_IN_A_ROW = 16
"""Shards that nobody has to read, from which on no worker is kept waiting for others."""
_LIMITS = WorkerLimits(seconds=600, megabytes=3_000, patience=7_200)


class Reading(Record):
    """What the two texts say by themselves."""

    description: ChangeDescription
    proof: str = ""
    """Why the two are equivalent; empty where the texts do not show it."""


class EvidenceFinder:
    """Looks at one mutant after the other."""

    def __init__(self, registry: Registry, cache: VerdictCache) -> None:
        self._registry = registry
        self._cache = cache
        self._version = _version()
        self._met: set[str] = set()
        self._just_read: dict[Texts, ReadByWorker] = {}

    @property
    def unmet(self) -> int:
        """Accepted equivalents that no mutant has asked for."""
        return sum(entry.key not in self._met for entry in self._registry.entries)

    def examine_all(
        self,
        mutants: Iterable[tuple[ReportedMutant, bool]],
        jobs: int,
        work: "Callable[[Sequence[Texts]], list[tuple[Texts, ReadByWorker]]] | None" = None,
    ) -> Generator[Candidate, None, None]:
        """Mutants, each with whether it is a check, in order; worker processes read their texts.

        `work` may do more in the worker than `read_all`, while the trees of the texts are at hand.
        """
        parts = self._parts(mutants)
        for part, unread in parts:
            if not unread:  # all of it is known
                yield from self._examined(part)
                continue
            by_workers = self._by_workers(chain([(part, unread)], parts), jobs, work or read_all)
            with closing(by_workers) as examined:
                yield from examined

    def _by_workers(
        self,
        parts: "Iterable[tuple[_Part, list[Texts]]]",
        jobs: int,
        work: "Callable[[Sequence[Texts]], list[tuple[Texts, ReadByWorker]]]",
    ) -> Generator[Candidate, None, None]:
        """Up to where all of many parts in a row is known: these wait here, and take memory."""
        under_way: deque[tuple[_Part, bool]] = deque()

        def asked() -> Iterator[list[Texts]]:
            known = 0
            for part, unread in parts:
                under_way.append((part, bool(unread)))
                known = 0 if unread else known + 1
                if unread:
                    yield unread
                elif known == _KNOWN_IN_A_ROW:
                    return

        with closing(answers(work, asked(), jobs, _LIMITS, ahead=2)) as found:
            for readings in found:
                while not under_way[0][1]:
                    yield from self._examined(under_way.popleft()[0])
                if not isinstance(readings, Lost):  # else it is read here
                    self._just_read = dict(readings)
                yield from self._examined(under_way.popleft()[0])
        while under_way:
            yield from self._examined(under_way.popleft()[0])

    def _parts(
        self, mutants: Iterable[tuple[ReportedMutant, bool]]
    ) -> "Iterator[tuple[_Part, list[Texts]]]":
        """What a worker gets at a time, and those of its texts that the cache does not know."""
        waiting = iter(mutants)
        while part := list(islice(waiting, _SHARD)):
            unread = [texts for mutant, _ in part if (texts := self._unread(mutant))]
            yield part, list(dict.fromkeys(unread))

    def _examined(self, part: "_Part") -> Iterator[Candidate]:
        return (self.examine(mutant, check=check) for mutant, check in part)

    def _unread(self, mutant: ReportedMutant) -> "Texts | None":
        change = mutant.change
        if change is None or self._cache.get(self._key(change, mutant), Reading) is not None:
            return None
        texts = change.origin_function, change.mutant_function, mutant.language
        return *texts, mutant.analysable

    def predicted(self, mutant: ReportedMutant) -> Prediction | None:
        """What a worker predicted of the mutant that was just examined, if it did."""
        change = mutant.change
        if change is None:
            return None
        texts = change.origin_function, change.mutant_function, mutant.language
        known = self._just_read.get((*texts, mutant.analysable))
        return None if known is None else known.prediction

    def examine(self, mutant: ReportedMutant, *, check: bool = False) -> Candidate:
        """Settle a mutant if evidence or a person's word can, or if it cannot be judged at all."""
        change = mutant.change
        if change is None:
            return Candidate(mutant=mutant, check=check, settled=_unknown(mutant))
        reading = self._reading(change, mutant)
        key = key_of(mutant, reading.description)
        settled = None
        if (entry := self._registry.find(key)) is not None:
            if not check:
                self._met.add(entry.key)
            settled = _decided(entry)
        elif not mutant.analysable:
            settled = _unknown(mutant)
        elif reading.proof:
            settled = Decision(word="equivalent", tier="proved", reason=reading.proof)
        return Candidate(mutant=mutant, key=key, check=check, settled=settled)

    def _reading(self, change: Change, mutant: ReportedMutant) -> Reading:
        key = self._key(change, mutant)
        known = self._cache.get(key, Reading)
        if known is None:
            texts = change.origin_function, change.mutant_function, mutant.language
            read = self._just_read.get((*texts, mutant.analysable))
            known = read.reading if read else read_texts(*texts, parsed=mutant.analysable)
            self._cache.put(key, known)
        return known

    def _key(self, change: Change, mutant: ReportedMutant) -> bytes:
        texts = change.origin_function, change.mutant_function, mutant.language, change.scope
        return answer_key("reading", self._version, texts)


def _decided(entry: Entry) -> Decision:
    """A person's word, against whatever else is known."""
    who = f" ({entry.author}, {entry.date})" if entry.author else f" ({entry.date})"
    if entry.decision == "rejected":
        return Decision(word="not-equivalent", tier="rejected", reason=entry.reason + who)
    return Decision(word="equivalent", tier="accepted", reason=entry.reason + who)


@cache
def _version() -> str:
    """Changes with the code that reads two texts; how results are shown does not matter here."""
    own = b"".join(Path(name).read_bytes() for name in (__file__, identity.__file__))
    return code_version(_ROOMS, GRAMMARS) + blake2b(own, digest_size=8).hexdigest()


class ReadByWorker(NamedTuple):
    """What a worker found out about two texts."""

    reading: Reading
    prediction: Prediction | None = None


def read_all(asked: Sequence[Texts]) -> list[tuple[Texts, ReadByWorker]]:
    """In a worker: what several pairs of texts say."""
    return [(each, ReadByWorker(read_texts(*each[:3], parsed=each[3]))) for each in asked]


def read_texts(origin: str, mutant: str, language: str, *, parsed: bool = True) -> Reading:
    """Describe a change and, if both texts are parsed functions, try to prove it harmless."""
    description = describe(origin, mutant, language)
    return Reading(
        description=description,
        proof=_proof(origin, mutant, language, description) if parsed else "",
    )


def _proof(origin: str, mutant: str, language: str, description: ChangeDescription) -> str:
    if description.is_layout:
        # The same tokens need not be the same code: a preprocessor line ends with its line.
        return "only layout or comments differ" if same_code(origin, mutant, language) else ""
    rule = prove(origin, mutant, language)
    return "" if rule is None else rule.sentence


def _unknown(mutant: ReportedMutant) -> Decision:
    reason = mutant.problem or "not locatable: the report does not say what changes"
    return Decision(word="unknown", tier="unknown", reason=reason)


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
        file = self._files.keep(change.file_text)
        others = self._beside(file, change.file_text, mutant.language)
        named = candidate.model_copy(update={"file": file, "others": others})
        known = self._cache.get(self._key(named), ProofAnswer)
        if known is not None:
            return with_proof(named, known)
        self.waiting += 1
        return named.model_copy(update={"waits_for_prover": True})

    def _beside(self, file: str, text: str | None, language: str) -> str:
        """The name of what other files below the source root tell of the constants of a file."""
        if text is None or self._sources is None:
            return ""
        if file not in self._others:
            found = constants_of_others(text, language, self._sources.text_of)
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
            others=self._files.path(candidate.others) if candidate.others else None,
        )

    def _key(self, candidate: Candidate) -> bytes:
        """With the digests of the file and of what others tell: what is provable depends on it."""
        asked = self._question(candidate)
        around = candidate.file, candidate.others, str(asked.line)
        texts = asked.origin, asked.mutant, asked.language, *around
        return answer_key("proof", self._version, texts)


def with_proof(candidate: Candidate, answer: ProofAnswer) -> Candidate:
    """The candidate with what the prover found."""
    if not answer.reason:
        return candidate.model_copy(update={"state": answer.state, "view": answer.view})
    settled = Decision(
        word="equivalent", tier="proved", reason=answer.reason, assumptions=answer.assumptions
    )
    return candidate.model_copy(update={"settled": settled})
