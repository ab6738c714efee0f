"""From a report to verdicts: read and locate, look for evidence, ask prover, oracle and model.

Each stage writes its candidates to disk and the next one reads them, so that memory does not grow
with the report, and each stage is free to look ahead or to be done elsewhere.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from equimut.models.settings import MIN_PRECISION, ONLY_LAYOUT, ModelFiles, Thresholds, untrained
from equimut.oracle.project import ProjectSettings, SuggestedTest, project_at
from equimut.oracle.verdicts import OracleSettings
from equimut.proofs.budget import Budget
from equimut.records import Query
from equimut.reports.reported import Report, ReportedMutant
from equimut.reports.sources import SourceTree
from equimut.scanning.evidence.oracle import OracleEvidence
from equimut.scanning.evidence.texts import (
    EvidenceFinder,
    KeptFiles,
    ProverEvidence,
    ReadByWorker,
    Texts,
)
from equimut.scanning.records import (
    DETECTED,
    UNDETECTED,
    Candidate,
    MutationScores,
    OracleSummary,
    Predict,
    Prediction,
    ScanResult,
    ScanVerdict,
)
from equimut.scanning.registry.registry import Registry
from equimut.scanning.scope import Scope
from equimut.scanning.tallying import Rules, Selection, Totals
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import GRAMMARS, code_version, counted
from equimut.storage.jsonl import Spool

Progress = Callable[[str, int, int], None]
"""Stage, how many more are done, how many there are."""

_PREDICTING = ("languages", "parsing", "inputs", "models", "scanning/evidence")
_LIBRARIES = ("tokenizers", "numpy", *GRAMMARS)


_MANY = 250
"""Mutants from which on worker processes share the reading of texts and the predictions: their
start takes as long as a hundred mutants or so."""


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
    with TemporaryDirectory(prefix="equimut-scan-") as folder, VerdictCache(request.cache) as cache:
        yield _Scan(report, request, Path(folder), cache, progress).run()


@dataclass
class _Scan:
    report: Report
    request: ScanRequest
    folder: Path
    cache: VerdictCache
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    prover: ProverEvidence | None = None
    waiting_for_oracle: int = 0
    waiting_for_model: int = 0
    unmet: int = 0
    left_out: int = 0
    oracle_notes: list[str] = field(default_factory=list)
    oracle: OracleSummary | None = None
    tests: dict[str, tuple[SuggestedTest, ...]] = field(default_factory=dict)

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

    def _examined(self) -> Generator[Candidate, None, None]:
        """Mutants that are judged, as far as texts and people's words settle them."""
        request = self.request
        selection = Selection(
            self.report, everything=request.everything, check_killed=request.check_killed
        )
        finder = EvidenceFinder(request.registry, self.cache)
        if request.budget is not None:
            files = KeptFiles(self.folder / "files")
            root = request.source or self.report.root
            sources = SourceTree(root) if root is not None and root.is_dir() else None
            self.prover = ProverEvidence(request.budget, request.jobs, self.cache, files, sources)
        chosen = self._chosen(selection)
        if request.jobs > 1 and self.report.total >= _MANY:
            candidates: Generator[Candidate, None, None] = finder.examine_all(
                chosen, request.jobs, self._predicting_reader()
            )
        else:
            candidates = (finder.examine(mutant, check=check) for mutant, check in chosen)
        with closing(candidates):
            for candidate in candidates:
                judged = selection.judged(candidate.mutant.status)
                # Killed ones go the same way where a model depends on what the prover saw.
                if self.prover is not None and (self._sees_views or judged):
                    candidate = self.prover.look_up(candidate)
                candidate = self._known(candidate)
                if candidate.waits_for_model and (said := finder.predicted(candidate.mutant)):
                    candidate = self._with_prediction(candidate, said)
                yield self._counted(candidate)
        self.unmet = finder.unmet

    def _predicting_reader(self) -> "Callable[..., list[tuple[Texts, ReadByWorker]]] | None":
        """What a worker does that also predicts; None where others come before the model."""
        request = self.request
        others = request.budget or request.oracle or request.predict
        if request.model is None or others is not None:
            return None
        from equimut.scanning.evidence.model import read_and_predict

        return partial(read_and_predict, request.model.directory)

    def _with_prediction(self, candidate: Candidate, prediction: Prediction) -> Candidate:
        self.cache.put(self._prediction_key(candidate), prediction)
        return candidate.model_copy(update={"prediction": prediction})

    def _chosen(self, selection: Selection) -> Iterator[tuple[ReportedMutant, bool]]:
        """The mutants that are judged, each with whether it is a check."""
        scope = self.request.scope
        for mutant in self.report.mutants():
            self.progress("reading", 1, self.report.total)
            if scope is not None and not scope.covers(mutant):
                self.left_out += 1
                continue
            check = selection.check(mutant.status)
            if check or selection.judged(mutant.status):
                yield mutant, check

    def _counted(self, candidate: Candidate) -> Candidate:
        """The same, counted among those that wait."""
        self.waiting_for_oracle += candidate.settled is None and not candidate.check
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
                yield self._counted(self._known(asked))

    def _known(self, candidate: Candidate) -> Candidate:
        """With what the model is known to say of it, or why it will not be asked."""
        if candidate.settled is not None or candidate.prediction is not None:
            return candidate
        if candidate.waits_for_prover and self._sees_views:
            return candidate  # what it says may depend on what the prover will see
        model = self.request.model
        if model is None:
            return candidate.model_copy(update={"prediction": Prediction(reason=_NO_MODEL)})
        reason = untrained(model.settings, candidate.mutant.language)
        if not reason and candidate.key is not None and candidate.key.moves_lines_only:
            reason = ONLY_LAYOUT
        known = self.cache.get(self._prediction_key(candidate), Prediction) if not reason else None
        if not reason and known is None:
            return candidate
        return candidate.model_copy(update={"prediction": known or Prediction(reason=reason)})

    def _judged_by(self, candidates: Spool[Candidate]) -> Iterator[Candidate]:
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
        root = self.request.source or self.report.root
        if root is None or not root.is_dir():
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
        answers = predict(self._query(each) for each in candidates if each.waits_for_model)
        for candidate in candidates:
            if not candidate.waits_for_model:
                yield candidate
                continue
            prediction = next(answers)
            self.progress("judging", 1, self.waiting_for_model)
            yield self._with_prediction(candidate, prediction)

    def _prediction_key(self, candidate: Candidate) -> bytes:
        assert self.request.model is not None
        query = self._query(candidate)
        version = f"{self.request.model.digest} {predicting_version()}"
        seen = () if query.view is None else (query.view.model_dump_json(),)
        return answer_key(
            "prediction", version, (query.origin, query.mutant, query.language, *seen)
        )

    @property
    def _sees_views(self) -> bool:
        """Whether the model's answer depends on what the prover saw."""
        model = self.request.model
        return model is not None and model.settings.stack is not None

    def _query(self, candidate: Candidate) -> Query:
        change = candidate.mutant.change
        assert change is not None  # without one it is settled as unknown
        return Query(
            origin=change.origin_function,
            mutant=change.mutant_function,
            language=candidate.mutant.language,
            view=candidate.view if self._sees_views else None,
        )

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


_NO_MODEL = "no evidence, and no model was asked"


def predicting_version() -> str:
    """Changes when the same model could say something else of the same pair."""
    return code_version(_PREDICTING, _LIBRARIES)


def local_predict(directory: Path, jobs: int = 1) -> Predict:
    """Predict on this machine, in so many processes; the model is loaded at the first question."""

    def predict(questions: Iterable[Query]) -> Iterator[Prediction]:
        waiting = iter(questions)
        first = next(waiting, None)
        if first is None:
            return
        from equimut.models.runtime import load_model
        from equimut.scanning.evidence.model import Examples, predict_in_workers, predict_pairs

        if jobs > 1:
            with closing(predict_in_workers(directory, chain([first], waiting), jobs)) as found:
                yield from found
            return
        detector, examples = load_model(directory), Examples.load(directory)
        yield from predict_pairs(detector, chain([first], waiting), examples)

    return predict
