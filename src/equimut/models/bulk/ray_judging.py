"""Judging shared between processes or machines through Ray, in the order of the questions."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from equimut.errors import EquimutError
from equimut.models.judging import judge
from equimut.models.runtime import load_model
from equimut.models.scoring import PairModel
from equimut.models.settings import model_directory
from equimut.records import Judgement, PairLike, Query
from equimut.storage.ray_session import LIVES, ray_session

SHARD = 512
"""Questions a worker gets at a time: some seconds of work, so that a lost one costs little."""


class Cluster(NamedTuple):
    """Who shares the work."""

    workers: int = 2
    threads: int = 1
    """Of each worker."""
    address: str | None = None
    """Of a cluster; without, workers of this machine."""


def judge_with_ray(
    model: str | Path,
    questions: Iterable[PairLike | Judgement],
    *,
    threshold: float | None = None,
    workers: int = 2,
    threads: int = 1,
    address: str | None = None,
    shard: int = SHARD,
) -> Iterator[Judgement]:
    """Judge questions in order, with several workers; a judgement among them is passed on.

    A shard whose worker dies is done again by another. Only a few shards are under way at a time,
    so the number of questions does not matter. Every worker loads the model once; on a cluster it
    must have the same path on every machine.
    """
    cluster = Cluster(workers, threads, address)
    work = partial(_judged, str(model), threshold=threshold)
    for text in in_order(work, map(_as_text, questions), cluster, shard):
        yield Judgement.model_validate_json(text)


def ray_judging(
    model: Path, cluster: Cluster
) -> Callable[[Iterable[PairLike | Judgement], float | None], Iterator[Judgement]]:
    """A function that has a cluster judge; a directory is named by its absolute path."""
    directory = model_directory(model)
    place = directory.absolute() if directory.exists() else model
    return lambda questions, threshold: judge_with_ray(
        place, questions, threshold=threshold, **cluster._asdict()
    )


def in_order(
    work: Callable[[list[Any]], list[str]], asked: Iterable[Any], cluster: Cluster, shard: int
) -> Iterator[str]:
    """The answers of workers to questions, in the order of the questions.

    Questions travel in shards, a few of them under way at a time; a lost one is sent again.
    """
    waiting = iter(asked)
    with ray_session(cluster.workers, cluster.threads, cluster.address) as ray:
        remote = ray.remote(num_cpus=cluster.threads, max_retries=LIVES - 1)(_work)
        under_way: deque[Any] = deque()
        while True:
            while len(under_way) < 2 * cluster.workers and (part := list(islice(waiting, shard))):
                under_way.append(remote.remote(work, part))
            if not under_way:
                return
            yield from _received(ray, under_way.popleft())


def _work(work: Callable[[list[Any]], list[str]], part: list[Any]) -> list[str]:
    return work(part)


def _received(ray: Any, reference: Any) -> list[str]:
    try:
        texts: list[str] = ray.get(reference)
    except ray.exceptions.WorkerCrashedError as error:
        raise EquimutError(
            f"a worker died {LIVES} times over the same questions; is there enough memory?"
        ) from error
    return texts


def _as_text(question: PairLike | Judgement) -> tuple[bool, str]:
    """Text travels between the processes, whatever kind of pair the caller has."""
    if isinstance(question, Judgement):
        return True, question.model_dump_json()
    fields = Query.model_construct(
        origin=question.origin, mutant=question.mutant, language=question.language
    )
    return False, fields.model_dump_json()


def _judged(model: str, questions: list[tuple[bool, str]], threshold: float | None) -> list[str]:
    """In the worker: one shard."""
    asked = [
        Judgement.model_validate_json(text) if settled else Query.model_validate_json(text)
        for settled, text in questions
    ]
    found = judge(_model(model), asked, threshold=threshold)
    return [judgement.model_dump_json() for judgement in found]


@cache
def _model(model: str) -> PairModel:
    return load_model(Path(model))
