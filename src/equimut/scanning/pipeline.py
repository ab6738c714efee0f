"""From a report to verdicts: read and locate, look for evidence, ask prover, oracle and model.

Each stage writes its candidates to disk and the next one reads them, so that memory does not grow
with the report, and each stage is free to look ahead or to be done elsewhere.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from equimut.models.settings import MIN_PRECISION, ModelFiles, Thresholds
from equimut.oracle.project import ProjectSettings, SuggestedTest, project_at
from equimut.oracle.verdicts import OracleSettings
from equimut.proofs.budget import Budget
from equimut.reports.reported import Report, ReportedMutant
from equimut.reports.sources import SourceTree
from equimut.scanning.evidence.parts import ChosenPart, PartExaminer
from equimut.scanning.evidence.prover import KeptFiles, ProverEvidence
from equimut.scanning.evidence.questions import ModelQuestions, local_predict
from equimut.scanning.evidence.texts import EvidenceFinder
from equimut.scanning.records import (
    DETECTED,
    UNDETECTED,
    Candidate,
    MutationScores,
    OracleSummary,
    Predict,
    ScanResult,
    ScanVerdict,
)
from equimut.scanning.registry.registry import Registry
from equimut.scanning.scope import Scope
from equimut.scanning.tallying import Rules, Selection, Totals
from equimut.scanning.verdict_cache import VerdictCache
from equimut.storage.files import counted
from equimut.storage.jsonl import Spool
from equimut.storage.worker_pool import Lost, answers, serve
from equimut.storage.worker_template import Template, worker_template

Progress = Callable[[str, int, int], None]
"""Stage, how many more are done, how many there are."""

_MANY = 250
"""Mutants from which on worker processes share all of the work: their start takes as long as a
hundred mutants or so."""


def _nobody(stage: str, more: int, total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class ScanRequest:
    """What a scan is asked to do."""

    registry: Registry
    model: ModelFiles | None = None
    predict: Predict | None = None
    """Who predicts; the model itself, in this process, when not given."""
    oracle: OracleSettings | None = None
    """Whether and how hard functions are run."""
    python: Path | None = None
    """The project's interpreter, for running its functions where they stand."""
    calls: Path | None = None
    """Recorded calls of the project's functions."""
    classpath: str | None = None
    """Compiled classes of the project and what they need (Java)."""
    junit: int = 5
    """The release of JUnit that tests are written for."""
    compile_commands: Path | None = None
    """The build's list of commands (C)."""
    includes: tuple[Path, ...] = ()
    """Directories with headers (C)."""
    budget: Budget | None = None
    """How hard the prover tries; None: it is not asked."""
    jobs: int = 1
    """Worker processes."""
    min_precision: float = MIN_PRECISION
    everything: bool = False
    scope: Scope | None = None
    """The part of the report that is judged; None: all of it."""
    check_killed: int = 500
    cache: Path | None = None
    """Where answers are kept between scans; None: nowhere."""
    source: Path | None = None
    """The root of the sources, for outputs that give whole files."""


@contextmanager
def scanned(
    report: Report, request: ScanRequest, progress: Progress = _nobody
) -> Iterator[ScanResult]:
    """Scan a report; the verdicts can be read until the block ends."""
    by_workers = request.jobs > 1 and report.total >= _MANY
    # The template comes first: a database that is open must not be forked.
    forks = by_workers and not VerdictCache.is_open()
    with (
        worker_template(serve) if forks else nullcontext() as template,
        TemporaryDirectory(prefix="equimut-scan-") as folder,
        VerdictCache(request.cache) as cache,
    ):
        yield _Scan(report, request, Path(folder), cache, progress, by_workers, template).run()


@dataclass
class _Scan:
    report: Report
    request: ScanRequest
    folder: Path
    cache: VerdictCache
    progress: Progress
    by_workers: bool
    """Whether worker processes share the work."""
    template: Template | None
    """That they are forked from; None: they start by themselves."""
    seconds: dict[str, float] = field(default_factory=dict)
    prover: ProverEvidence | None = None
    waiting_for_oracle: int = 0
    waiting_for_model: int = 0
    unmet: int = 0
    left_out: int = 0
    oracle_notes: list[str] = field(default_factory=list)
    oracle: OracleSummary | None = None
    tests: dict[str, tuple[SuggestedTest, ...]] = field(default_factory=dict)

    @cached_property
    def questions(self) -> ModelQuestions:
        """What the model is asked."""
        return ModelQuestions(self.request.model, self.cache)

    def run(self) -> ScanResult:
        """The stages, in order."""
        with self._timed("evidence"), closing(self._examined()) as examined:
            candidates = self._spool("read", Candidate).write(examined)
        if self.prover is not None and self.prover.waiting:
            with self._timed("prover"), closing(self._proved_by(self.prover, candidates)) as proved:
                candidates = self._spool("proved", Candidate).write(proved)
        if self.request.oracle is not None:
            with self._timed("oracle"):
                candidates = self._spool("oracle", Candidate).write(self._judged_by(candidates))
        with self._timed("model"):
            if self.waiting_for_model:
                candidates = self._spool("predicted", Candidate).write(self._predicted(candidates))
        rules = self._rules()
        promised = rules.thresholds
        totals = Totals()
        with self._timed("tally"):
            verdicts = self._spool("verdicts", ScanVerdict).write(totals.count(candidates, rules))
        counts = self.report.counts
        return ScanResult(
            report=self.report,
            model=self.request.model.name if self.request.model else "",
            min_precision=self.request.min_precision,
            counting_from=promised.equivalent_from,
            worth_a_test_to=promised.not_equivalent_to,
            basis=promised.basis,
            tiers=dict(totals.tiers),
            unknown_reasons=dict(totals.reasons.most_common()),
            scores=MutationScores(
                detected=sum(counts.get(status, 0) for status in DETECTED),
                undetected=sum(counts.get(status, 0) for status in UNDETECTED),
                equivalent=totals.equivalent,
            ),
            killed=totals.killed,
            mistakes=tuple(totals.mistakes),
            oracle=self.oracle,
            tests=self.tests,
            read=lambda: iter(verdicts),
            notes=tuple(self._notes(promised)),
            analysed=totals.analysed,
            seconds=self.seconds,
            source=self.request.source or self.report.root,
        )

    def _examined(self) -> Generator[Candidate | bytes, None, None]:
        """Mutants that are judged, as far as texts and people's words settle them.

        Those that workers have examined come as lines of a spool.
        """
        request = self.request
        selection = Selection(
            self.report, everything=request.everything, check_killed=request.check_killed
        )
        finder = EvidenceFinder(request.registry, self.cache)
        if request.budget is not None:
            files = KeptFiles(self.folder / "files")
            root = self._sources()
            sources = None if root is None else SourceTree(root)
            self.prover = ProverEvidence(request.budget, request.jobs, self.cache, files, sources)
        found = self._by_workers if self.by_workers else self._one_by_one
        with closing(found(selection, finder)) as candidates:
            yield from candidates
        self.unmet = finder.unmet

    def _one_by_one(
        self, selection: Selection, finder: EvidenceFinder
    ) -> Generator[Candidate, None, None]:
        for mutant, check in self._chosen(selection):
            yield self._counted(self._looked_up(finder.examine(mutant, check=check), selection))

    def _looked_up(self, candidate: Candidate, selection: Selection) -> Candidate:
        judged = selection.judged(candidate.mutant.status)
        # Killed ones go the same way where a model depends on what the prover saw.
        if self.prover is not None and (self.questions.sees_views or judged):
            candidate = self.prover.look_up(candidate)
        return self.questions.known(candidate)

    def _by_workers(
        self, selection: Selection, finder: EvidenceFinder
    ) -> Generator[Candidate | bytes, None, None]:
        """All that is found out about mutants in worker processes, where each has its texts."""
        request = self.request
        examiner = PartExaminer(
            registry=request.registry,
            cache=request.cache if self.cache.is_kept else None,
            files=self.folder / "files",
            budget=request.budget,
            sources=self._sources(),
            model=request.model,
            predicts=request.model is not None and not (request.oracle or request.predict),
            everything=request.everything,
            scope=request.scope,
        )
        under_way: deque[list[ChosenPart]] = deque()

        def asked() -> Iterator[list[ChosenPart]]:
            for question in self._questions_for_workers(selection, examiner.at_once):
                under_way.append(question)
                yield question

        with closing(
            answers(
                examiner, asked(), request.jobs, examiner.limits, ahead=2, template=self.template
            )
        ) as examined:
            for found in examined:
                question = under_way.popleft()
                if isinstance(found, Lost):  # the stages that follow ask prover and model again
                    yield from self._examined_here(question, selection, finder)
                    continue
                finder.met |= found.met
                self.cache.take(found.answers)
                self.waiting_for_oracle += found.waiting_for_oracle
                self.waiting_for_model += found.waiting_for_model
                self.left_out += found.left_out
                yield from found.candidates

    def _questions_for_workers(self, selection: Selection, most: int) -> Iterator[list[ChosenPart]]:
        """The parts of the report with what is chosen of them, about as many mutants at a time."""
        question: list[ChosenPart] = []
        count = 0
        for part in self.report.parts(most):
            checks: list[bool | None] = []
            for status in part.statuses:
                self.progress("reading", 1, self.report.total)
                check = selection.check(status)
                checks.append(check if check or selection.judged(status) else None)
            chosen = sum(check is not None for check in checks)
            if question and count + chosen > most:
                yield question
                question, count = [], 0
            if chosen:
                question.append(ChosenPart(part, tuple(checks)))
                count += chosen
        if question:
            yield question

    def _examined_here(
        self, question: Sequence[ChosenPart], selection: Selection, finder: EvidenceFinder
    ) -> Iterator[Candidate]:
        for part, checks in question:
            wanted = [check is not None for check in checks]
            for mutant, check in zip(
                part.located(wanted), (c for c in checks if c is not None), strict=True
            ):
                if self._is_left_out(mutant):
                    continue
                yield self._counted(self._looked_up(finder.examine(mutant, check=check), selection))

    def _sources(self) -> Path | None:
        """The root of the sources, where there is one."""
        root = self.request.source or self.report.root
        return root if root is not None and root.is_dir() else None

    def _chosen(self, selection: Selection) -> Iterator[tuple[ReportedMutant, bool]]:
        """The mutants that are judged, each with whether it is a check."""
        for mutant in self.report.mutants():
            self.progress("reading", 1, self.report.total)
            check = selection.check(mutant.status)
            chosen = check or selection.judged(mutant.status)
            if chosen and not self._is_left_out(mutant):
                yield mutant, check

    def _is_left_out(self, mutant: ReportedMutant) -> bool:
        """Whether a mutant lies outside of what is judged; those are counted."""
        scope = self.request.scope
        left_out = scope is not None and not scope.covers(mutant)
        self.left_out += left_out
        return left_out

    def _counted(self, candidate: Candidate) -> Candidate:
        """The same, counted among those that wait."""
        self.waiting_for_oracle += candidate.waits_for_oracle
        self.waiting_for_model += candidate.waits_for_model
        return candidate

    def _proved_by(
        self, prover: ProverEvidence, candidates: Spool[Candidate]
    ) -> Generator[Candidate, None, None]:
        """With what the prover finds; it settles some that seemed to wait for others."""
        self.waiting_for_oracle = self.waiting_for_model = 0
        with closing(
            prover.add(candidates, lambda more: self.progress("proving", more, prover.waiting))
        ) as found:
            for candidate in found:
                asked = candidate.model_copy(update={"waits_for_prover": False})
                yield self._counted(self.questions.known(asked))

    def _judged_by(self, candidates: Spool[Candidate]) -> Iterator[Candidate]:
        from equimut.scanning.evidence.oracle import OracleEvidence

        assert self.request.oracle is not None
        total = self.waiting_for_oracle
        oracle = OracleEvidence(
            self.request.oracle,
            self.cache,
            lambda more: self.progress("running", more, total),
            self._project(),
        )
        self.waiting_for_model = 0
        for candidate in oracle.add(candidates):
            self.waiting_for_model += candidate.waits_for_model
            yield candidate
        self.oracle_notes, self.oracle = oracle.notes, oracle.summary
        self.tests = oracle.project.tests if oracle.project is not None else {}

    def _project(self) -> ProjectSettings | None:
        """Where functions are run; None where no source tree is known."""
        root = self._sources()
        if root is None:
            return None
        asked = self.request
        return project_at(
            root, asked.python, asked.calls, asked.classpath, asked.junit,
            asked.compile_commands, asked.includes,
        )  # fmt: skip

    def _predicted(self, candidates: Spool[Candidate]) -> Iterator[Candidate]:
        """Read twice, side by side: one reader asks the questions, the other takes the answers."""
        model = self.request.model
        if model is None:
            yield from candidates
            return
        jobs = self.request.jobs if self.waiting_for_model >= _MANY else 1
        predict = self.request.predict or local_predict(model.directory, jobs)
        answers = predict(self.questions.query(each) for each in candidates if each.waits_for_model)
        for candidate in candidates:
            if not candidate.waits_for_model:
                yield candidate
                continue
            prediction = next(answers)
            self.progress("judging", 1, self.waiting_for_model)
            yield self.questions.answered(candidate, prediction)

    def _rules(self) -> Rules:
        """Which probabilities make a verdict, and what promises that."""
        request = self.request
        if request.model is None:
            return Rules(everything=request.everything)
        promised = request.model.settings.thresholds(request.min_precision)
        return Rules(promised, everything=request.everything)

    def _notes(self, promised: Thresholds) -> Iterator[str]:
        if promised.basis and promised.equivalent_from is None:
            yield promised.basis
        yield from self.oracle_notes
        for reason, count in self.prover.lost.items() if self.prover else ():
            yield f"the prover gave no answer {count:,} times: {reason}"
        if self.cache.trouble:
            yield f"answers are not kept: {self.cache.trouble}"
        if self.request.scope is not None:
            yield (
                f"only {self.request.scope.words}: "
                f"{counted(self.left_out, 'mutant')} of the report left out, which its scores count"
            )
        elif self.unmet:
            entries = counted(self.unmet, "entry", "entries")
            verb = "is" if self.unmet == 1 else "are"
            yield (
                f"{entries} of {self.request.registry.path} {verb} not among the "
                "survivors; `equimut registry check` says why"
            )

    def _spool(self, name: str, kind: type) -> Spool:  # type: ignore[type-arg]
        return Spool(self.folder / f"{name}.jsonl", kind)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[stage] = time.perf_counter() - start
