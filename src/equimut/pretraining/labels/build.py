"""Builds labelled pairs: many small jobs, each kept when it is done, then put together.

A job is one source file. Its result depends on the file, the seed and our code; what is done
stays done, so a build that was stopped goes on, and one with more sources adds to the last.
"""

import hashlib
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from equimut.errors import EquimutError
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.corpus.sources import files_below, wanted_content
from equimut.pretraining.corpus.store import Corpus
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.labels.store import (
    LabelIndex,
    write_labels,
    write_rows,
)
from equimut.storage.files import code_version
from equimut.storage.jsonl import read_records

FOUNDATION = ("languages", "parsing", "semantics", "mutation", "pretraining/labels")
WAYS = {"gcc": FOUNDATION, "oracle": (*FOUNDATION, "oracle"), "rules": (*FOUNDATION, "proofs")}
"""Ways to label, and the folders whose change makes their jobs new."""
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

    @property
    def way(self) -> str:
        """How the labels are made."""
        return self.kind.partition("-")[2]

    def content(self) -> bytes:
        """What the labels are made from."""
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


def build_labels(
    jobs: Iterable[Job],
    work: Path,
    out: Path,
    *,
    seed: int = 0,
    processes: int = 2,
    on_job: Callable[[Job, int], None] = lambda job, rows: None,
) -> Built:
    """Run the jobs that are not done and write all their pairs."""
    failures: Counter[str] = Counter()
    done: list[Path] = []
    context = multiprocessing.get_context("spawn")  # a fork copies locks that threads hold
    with ProcessPoolExecutor(processes, context, os.nice, (POLITE,)) as pool:
        futures = {pool.submit(run_job, job, work, seed): job for job in jobs}
        try:
            for future in as_completed(futures):
                path, rows, failure = future.result()
                done.append(path)
                if failure:
                    failures[failure] += 1
                on_job(futures[future], rows)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Built(write_labels(out, _all_rows(sorted(done)), seed), failures)


def collect_labels(jobs: Iterable[Job], work: Path, out: Path, *, seed: int = 0) -> Built:
    """Write the pairs of the jobs that are done, and leave the others alone."""
    kept = [path_of_job(job, work, seed) for job in jobs]
    done = sorted(path for path in kept if path.exists())
    missing = Counter({"not done": len(kept) - len(done)})
    return Built(write_labels(out, _all_rows(done), seed), +missing)


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
        if job.functions or wanted_content(job.content()):
            rows = _label(job, seed, work)
    except EquimutError as error:
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
    from equimut.pretraining.labels.rules import killed_without_proof, label_function

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
