"""Judging shared between processes or machines through Ray, in the order of the questions."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from equimut.errors import EquimutError
from equimut.models.detector import Detector
from equimut.models.judging import Asked, Judgement, Question, judge
from equimut.models.ray_session import LIVES, ray_session
from equimut.training.run_files import load_model

SHARD = 512
"""Questions a worker gets at a time: some seconds of work, so that a lost one costs little."""


def judge_with_ray(
    model: str | Path,
    questions: Iterable[Asked | Judgement],
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
    asked = iter(questions)
    with ray_session(workers, threads, address) as ray:
        remote = ray.remote(num_cpus=threads, max_retries=LIVES - 1)(_judged)
        under_way: deque[Any] = deque()
        start = partial(remote.remote, str(model), threshold=threshold)
        while True:
            while len(under_way) < 2 * workers and (lot := list(islice(asked, shard))):
                under_way.append(start(list(map(_as_text, lot))))
            if not under_way:
                return
            yield from _received(ray, under_way.popleft())


def _received(ray: Any, reference: Any) -> Iterator[Judgement]:
    try:
        texts = ray.get(reference)
    except ray.exceptions.WorkerCrashedError as error:
        raise EquimutError(
            f"a worker died {LIVES} times over the same questions; is there enough memory?"
        ) from error
    return (Judgement.model_validate_json(text) for text in texts)


def _as_text(question: Asked | Judgement) -> tuple[bool, str]:
    """Text travels between the processes, whatever kind of pair the caller has."""
    if isinstance(question, Judgement):
        return True, question.model_dump_json()
    fields = Question.model_construct(
        origin=question.origin, mutant=question.mutant, language=question.language
    )
    return False, fields.model_dump_json()


def _judged(model: str, questions: list[tuple[bool, str]], threshold: float | None) -> list[str]:
    """In the worker: one shard."""
    asked = [
        Judgement.model_validate_json(text) if settled else Question.model_validate_json(text)
        for settled, text in questions
    ]
    found = judge(_detector(model), asked, threshold=threshold)
    return [judgement.model_dump_json() for judgement in found]


@cache
def _detector(model: str) -> Detector:
    return load_model(Path(model))
