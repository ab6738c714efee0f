"""Builds labelled pairs: many small jobs, each kept when it is done, then put together.

A job is one source file. Its result depends on the file, the seed and our code; what is done
stays done, so a build that was stopped goes on, and one with more sources adds to the last.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from equimut.errors import EquimutError
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.corpus.sources import files_below, wanted_content
from equimut.pretraining.corpus.store import Corpus
from equimut.pretraining.labels.projects import Project, project_files
from equimut.pretraining.labels.prover import ProjectFile
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.labels.store import (
    LabelIndex,
    write_labels,
    write_rows,
)
from equimut.storage.files import code_version
from equimut.storage.jsonl import read_records
from equimut.storage.worker_pool import Lost, WorkerLimits, answers

FOUNDATION = ("languages", "parsing", "semantics", "mutation", "pretraining/labels")
WAYS = {
    "gcc": FOUNDATION,
    "oracle": (*FOUNDATION, "oracle"),
    "rules": (*FOUNDATION, "proofs"),
    "prover": (*FOUNDATION, "proofs"),
    "verified": (*FOUNDATION, "proofs", "data/benchmark"),
}
"""Ways to label, and the folders whose change makes their jobs new."""
LIMITS = {
    "prover": WorkerLimits(1_200, 4_000, 24_000),
    "verified": WorkerLimits(1_200, 4_000, 24_000),
}
"""What a job may cost where the solver works in the worker itself."""
OTHER_LIMITS = WorkerLimits(3_600, 1 << 20, 36_000)
"""For ways whose work is done by child processes with limits of their own."""
FUNCTIONS_PER_JOB = 40
POLITE = 10
"""Added to the niceness of the workers: other work goes first."""


@dataclass(frozen=True)
class Job:
    """One source file, or some functions of the corpus, and how to label them."""

    kind: str
    """A language, a dash, and one of the ways to label it."""
    root: Path
    path: Path
    program: str
    functions: tuple[CorpusFunction, ...] = ()
    project: str = ""
    part: str = ""
    """Of a named project: which it is, and in which part."""

    @property
    def way(self) -> str:
        """How the labels are made."""
        return self.kind.partition("-")[2]

    def content(self) -> bytes:
        """What the labels are made from; the code's version stands for the bundled benchmark."""
        if self.way == "verified":
            return b""
        if not self.functions:
            return self.path.read_bytes()
        return "\0".join(function.text for function in self.functions).encode()


@dataclass(frozen=True)
class Built:
    """The index of what was written, and why jobs gave nothing."""

    index: LabelIndex
    failures: Counter[str]


def jobs_below(root: Path, kind: str, package: str, most: int | None = None) -> list[Job]:
    """The jobs of a directory of sources, in an order that spreads over its folders."""
    language = kind.split("-")[0]
    found = [
        Job(kind, root, file.location, f"{language}/{package}/{file.path}")
        for file in files_below(root, language, package)
        if not file.path.startswith(".")
    ]
    found.sort(key=lambda job: hashlib.sha256(job.program.encode()).digest())
    return found[:most]


def corpus_jobs(corpus: Corpus, language: str, number: int) -> list[Job]:
    """Jobs on functions of the corpus, some at a time; only the part that models may learn from."""
    kind = f"{language}-rules"
    found = corpus.functions("train", [language], number)
    jobs = []
    while some := tuple(islice(found, FUNCTIONS_PER_JOB)):
        jobs.append(Job(kind, corpus.directory, corpus.directory, f"{language}/corpus", some))
    return jobs


def project_jobs(projects: Iterable[Project], cache: Path, files: int) -> list[Job]:
    """Jobs on files of named projects in turn: the first of them are a fair part."""
    by_project = [
        [
            Job(
                f"{file.language}-prover", cache, file.path, file.program,
                project=file.project, part=file.part,
            )
            for file in project_files(project, cache, files)
        ]
        for project in projects
    ]  # fmt: skip
    longest = max(map(len, by_project), default=0)
    return [jobs[at] for at in range(longest) for jobs in by_project if at < len(jobs)]


def verified_jobs() -> list[Job]:
    """Jobs on the origins of the verified benchmark that no model is trained on."""
    from equimut.pretraining.labels.verified import held_out_origins

    return [
        Job(f"{language}-verified", Path(), Path(), f"{language}/benchmark/{number}", part=part)
        for language, number, part in held_out_origins()
    ]


def build_labels(
    jobs: Iterable[Job],
    work: Path,
    out: Path,
    *,
    seed: int = 0,
    processes: int = 2,
    held_out: Sequence[Path] = (),
    on_job: Callable[[Job, int], None] = lambda job, rows: None,
) -> Built:
    """Run the jobs that are not done and write all their pairs.

    `held_out` has sources of projects whose functions, and those like them, are left out.
    """
    failures: Counter[str] = Counter()
    done: list[Path] = []
    wanted = list(jobs)
    for way in dict.fromkeys(job.way for job in wanted):
        own = [job for job in wanted if job.way == way]
        questions = ((job, work, seed) for job in own)
        limits = LIMITS.get(way, OTHER_LIMITS)
        with closing(answers(_answer, questions, processes, limits)) as given:
            for job, found in zip(own, given, strict=True):
                if isinstance(found, Lost):  # it is tried again next time
                    failures[found.reason] += 1
                    on_job(job, 0)
                    continue
                path, rows, failure = found
                done.append(path)
                if failure:
                    failures[failure] += 1
                on_job(job, rows)
    return Built(write_labels(out, _all_rows(sorted(done)), seed, held_out), failures)


def _answer(question: tuple[Job, Path, int]) -> tuple[Path, int, str]:
    """In a worker."""
    if os.nice(0) < POLITE:
        os.nice(POLITE)
    return run_job(*question)


def collect_labels(
    jobs: Iterable[Job], work: Path, out: Path, *, seed: int = 0, held_out: Sequence[Path] = ()
) -> Built:
    """Write the pairs of the jobs that are done, and leave the others alone."""
    kept = [path_of_job(job, work, seed) for job in jobs]
    done = sorted(path for path in kept if path.exists())
    missing = Counter({"not done": len(kept) - len(done)})
    return Built(write_labels(out, _all_rows(done), seed, held_out), +missing)


def _all_rows(paths: list[Path]) -> Iterator[LabelledPair]:
    for path in paths:
        yield from read_records(path, LabelledPair)


def run_job(job: Job, work: Path, seed: int) -> tuple[Path, int, str]:
    """Label one file, unless it was done before: where the rows are, how many, why none."""
    kept = path_of_job(job, work, seed)
    if kept.exists():
        return kept, sum(1 for _ in read_records(kept, LabelledPair)), ""
    rows: list[LabelledPair] = []
    failure = ""
    try:
        if job.functions or job.way == "verified" or wanted_content(job.content()):
            rows = _label(job, seed, work)
    except (EquimutError, UnicodeDecodeError) as error:
        failure = type(error).__name__
    write_rows(kept, rows)
    return kept, len(rows), failure


def path_of_job(job: Job, work: Path, seed: int) -> Path:
    """The file that holds the rows of a job once it is done."""
    identity = "\0".join([job.kind, job.program, str(seed), version_of(job.way)]).encode()
    digest = hashlib.sha256(identity + b"\0" + job.content()).hexdigest()
    return work / job.kind / digest[:2] / f"{digest[2:20]}.jsonl.gz"


def _label(job: Job, seed: int, work: Path) -> list[LabelledPair]:
    if job.way == "gcc":
        from equimut.pretraining.labels.gcc.identity import CProject
        from equimut.pretraining.labels.gcc.label import label_c_file

        return label_c_file(CProject(job.root), job.path, job.program, seed)
    if job.way == "oracle":
        from equimut.pretraining.labels.java.label import label_java_file

        return label_java_file(job.path, job.program, seed)
    if job.way == "verified":
        from equimut.pretraining.labels.verified import label_verified_origin

        return label_verified_origin(job.kind.split("-")[0], job.program, job.part, seed)
    from equimut.pretraining.labels.rules import killed_without_proof, label_function

    if job.way == "prover":
        from equimut.pretraining.labels.prover import label_project_file

        language = job.kind.split("-")[0]
        file = ProjectFile(job.path, language, job.project, job.part, job.program)
        odds = killed_without_proof(language, work / version_of(job.way))
        return label_project_file(file, seed, odds)
    odds = killed_without_proof(job.functions[0].language, work / version_of(job.way))
    return [
        row
        for one in job.functions
        for row in label_function(
            one.text, one.language, f"{one.language}/{one.package}/{one.path}", seed, odds
        )
    ]


@cache
def version_of(way: str) -> str:
    """Changes with the code that a job of this way runs."""
    return code_version(WAYS[way])[:16]
