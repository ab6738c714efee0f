"""Predictions: what the detector says of the pairs that evidence has left over, with an example."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice, tee
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from equimut.errors import DataError
from equimut.inputs.edit_features.edit import find_edit, kind_of_change
from equimut.models.explaining import explain
from equimut.models.judging import judge_with_states
from equimut.models.runtime import load_model
from equimut.models.scoring import Floats, PairModel, ViewStore
from equimut.mutation.identity import change_in_context
from equimut.records import Judgement, Label, NonEmpty, Pair, Query, Record
from equimut.scanning.records import NearestExample, Prediction
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import read_records, to_line, write_lines
from equimut.storage.worker_pool import Lost, WorkerLimits, answers

STATES, TEXTS = "examples.safetensors", "examples.jsonl"
MOST_BYTES = 1_000_000
"""Of the states: they are shipped with a detector."""
NEAR = 0.95
"""Similarity from which on an example says something: on held-out origins, examples of the same
kind of change as near as this have the label of the mutant in four of five cases, more than the
commoner label has; farther ones have not."""
_ARROW, _CUT = " -> ", "..."
_LONGEST = 120
_SHARD = 64
"""Pairs that a worker process gets at a time."""
_LIMITS = WorkerLimits(seconds=600, megabytes=6_000, patience=7_200)
PAIRS_AT_ONCE = 512
"""Few enough that a progress bar moves, many enough that like lengths meet."""


class Example(Record):
    """One labelled mutant, as people read it."""

    language: NonEmpty
    change: NonEmpty
    label: Label
    source: str


@dataclass(frozen=True)
class Examples:
    """Labelled mutants and how the head of one detector sees them."""

    texts: tuple[Example, ...]
    states: Floats
    """[E, hidden], of length 1 each."""

    @classmethod
    def load(cls, directory: Path) -> "Examples | None":
        """The examples in the directory of a detector; None where there are none."""
        if not (directory / STATES).is_file() or not (directory / TEXTS).is_file():
            return None
        try:
            states = load_file(directory / STATES)["states"].astype(np.float32)
            texts = tuple(read_records(directory / TEXTS, Example))
        except (OSError, SafetensorError, KeyError, DataError) as error:
            reason = str(error).split("\n")[0]
            raise DataError(f"{directory}: its examples cannot be read: {reason}") from error
        if states.ndim != 2 or len(states) != len(texts):
            raise DataError(f"{directory}: {STATES} and {TEXTS} do not belong together")
        return cls(texts, _unit(states))

    def save(self, directory: Path) -> None:
        """Write them into the directory of a detector, in half precision."""
        write_bytes(directory / STATES, save({"states": self.states.astype(np.float16)}))
        write_lines(directory / TEXTS, map(to_line, self.texts))

    def nearest(self, states: Floats, queries: Sequence[Query]) -> list[NearestExample | None]:
        """The most alike example of the same language and kind of change, where one is near."""
        if not self.texts or not len(states):
            return [None] * len(states)
        alike = _unit(states) @ self.states.T
        return [self._nearest(row, query) for row, query in zip(alike, queries, strict=True)]

    def _nearest(self, alike: Floats, query: Query) -> NearestExample | None:
        kind = find_edit(query).kind
        near = np.flatnonzero(alike >= NEAR)
        for position in near[np.argsort(-alike[near], kind="stable")].tolist():
            example, value = self.texts[position], float(alike[position])
            if example.language == query.language and example_kind(example) == kind:
                return NearestExample(
                    change=example.change,
                    label=example.label,
                    source=example.source,
                    similarity=min(value, 1.0),
                )
        return None


def build_examples(detector: PairModel, pairs: Sequence[Pair]) -> Examples:
    """Examples from labelled pairs: as many as fit, spread evenly over languages and labels."""
    most = MOST_BYTES // (2 * detector.hidden_size)
    chosen = _spread(pairs, most)
    judged = zip(chosen, judge_with_states(detector, chosen), strict=True)
    kept = [(pair, state) for pair, (_, state) in judged if state is not None]
    states = np.stack([state for _, state in kept]) if kept else np.zeros((0, 1), np.float32)
    return Examples(tuple(_example(pair) for pair, _ in kept), _unit(states))


def predict_pairs(
    detector: PairModel,
    queries: Iterable[Query],
    examples: Examples | None,
    store: ViewStore | None = None,
) -> Iterator[Prediction]:
    """Predictions of the detector as queries come, each with reasons and an example like it."""
    queries, again = tee(queries)
    found = judge_with_states(detector, queries, chunk_size=PAIRS_AT_ONCE, store=store)
    judged = zip(again, found, strict=True)
    while part := list(islice(judged, PAIRS_AT_ONCE)):
        near: Iterator[NearestExample | None] = iter(())
        scored = [(query, state) for query, (_, state) in part if state is not None]
        if examples is not None and scored:
            states = np.stack([state for _, state in scored])
            near = iter(examples.nearest(states, [query for query, _ in scored]))
        for query, (judgement, state) in part:
            if state is None or judgement.probability is None:
                yield Prediction(distance=judgement.distance, reason=_abstention(judgement))
                continue
            because = explain(detector, query, judgement.probability)
            yield Prediction(
                probability=judgement.probability,
                distance=judgement.distance,
                note=judgement.remark,
                supports=because.supports,
                opposes=because.opposes,
                nearest=next(near, None),
            )


def predict_in_workers(
    directory: Path, queries: Iterable[Query], jobs: int
) -> Generator[Prediction, None, None]:
    """The same from worker processes, in order; what one of them loses is predicted here."""
    under_way: deque[list[Query]] = deque()

    def asked() -> Iterator[tuple[Path, list[Query]]]:
        waiting = iter(queries)
        while part := list(islice(waiting, _SHARD)):
            under_way.append(part)
            yield directory, part

    with closing(answers(predict_part, asked(), jobs, _LIMITS, ahead=2)) as found:
        for predictions in found:
            part = under_way.popleft()
            if isinstance(predictions, Lost):
                predictions = predict_part((directory, part))
            yield from predictions


def predict_part(asked: tuple[Path, list[Query]]) -> list[Prediction]:
    """In a worker: a few predictions by a model that is loaded once."""
    directory, queries = asked
    detector, examples, store = _loaded(directory)
    return list(predict_pairs(detector, queries, examples, store))


@cache
def _loaded(directory: Path) -> "tuple[PairModel, Examples | None, ViewStore]":
    return load_model(directory), Examples.load(directory), ViewStore()


def _abstention(judgement: Judgement) -> str:
    if judgement.probability is None:
        return judgement.reason
    # Tokens are compared where proofs are; here it only means that the model has nothing to see.
    return "the model sees no difference between the two texts"


def _unit(states: Floats) -> Floats:
    lengths = np.linalg.norm(states, axis=1, keepdims=True)
    found: Floats = states / np.maximum(lengths, 1e-12)
    return found


@cache
def example_kind(example: Example) -> str | None:
    """The kind of its change; None where its text does not tell the two sides apart."""
    before, arrow, after = example.change.partition(_ARROW)
    if not arrow or _ARROW in after or after.endswith(_CUT):
        return None
    return kind_of_change(before, after, example.language)


def _example(pair: Pair) -> Example:
    change = change_in_context(pair.origin, pair.mutant, pair.language)
    named = ": ".join(part for part in (pair.source, pair.program) if part)
    return Example(
        language=pair.language,
        change=change if len(change) <= _LONGEST else change[: _LONGEST - 3] + _CUT,
        label=pair.label,
        source=named,
    )


def _spread(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """At most so many pairs, in turn from each language and label, evenly over each of them."""
    groups: dict[tuple[str, int], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.language, pair.label), []).append(pair)
    chosen: list[Pair] = []
    left = most
    for number, (_, group) in enumerate(sorted(groups.items(), key=lambda item: len(item[1]))):
        share = min(len(group), left // (len(groups) - number))
        chosen += [group[at * len(group) // share] for at in range(share)]
        left -= share
    return chosen
