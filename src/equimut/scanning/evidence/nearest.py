"""The labelled mutant that the model finds most alike: what a prediction can be compared with.

Examples lie beside a detector: `examples.safetensors` holds the hidden layer of its head for each,
`examples.jsonl` what they change and how they are labelled.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor
from torch.nn.functional import normalize

from equimut.errors import DataError
from equimut.models.detector import Detector
from equimut.models.judging import judge
from equimut.mutation.identity import change_in_context
from equimut.records import Judgement, Label, NonEmpty, Pair, Query, Record
from equimut.scanning.candidates import Prediction
from equimut.scanning.verdicts import NearestExample
from equimut.storage.files import read_text, write_bytes

STATES, TEXTS = "examples.safetensors", "examples.jsonl"
MOST_BYTES = 1_000_000
"""Of the states: they are shipped with a detector."""
_LONGEST = 120


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
    states: Tensor
    """[E, hidden], of length 1 each."""

    @classmethod
    def load(cls, directory: Path) -> "Examples | None":
        """The examples beside a detector; None where there are none."""
        if not (directory / STATES).is_file() or not (directory / TEXTS).is_file():
            return None
        try:
            states = load_file(directory / STATES)["states"].float()
            lines = read_text(directory / TEXTS).splitlines()
            texts = tuple(Example.model_validate_json(line) for line in lines)
        except (OSError, SafetensorError, KeyError, ValidationError) as error:
            reason = str(error).split("\n")[0]
            raise DataError(f"{directory}: its examples cannot be read: {reason}") from error
        if states.dim() != 2 or len(states) != len(texts):
            raise DataError(f"{directory}: {STATES} and {TEXTS} do not belong together")
        return cls(texts, normalize(states, dim=-1))

    def save(self, directory: Path) -> None:
        """Write them beside a detector, in half precision."""
        write_bytes(directory / STATES, save({"states": self.states.half().contiguous()}))
        lines = (example.model_dump_json() for example in self.texts)
        write_bytes(directory / TEXTS, "".join(f"{line}\n" for line in lines).encode())

    def nearest(self, states: Tensor, languages: Sequence[str]) -> list[NearestExample | None]:
        """The most alike example of the same language for each row of states."""
        if not self.texts or not len(states):
            return [None] * len(states)
        alike = normalize(states.float(), dim=-1) @ self.states.T
        same = torch.tensor(
            [[example.language == language for example in self.texts] for language in languages]
        )
        best = alike.masked_fill(~same, -2.0).max(dim=1)
        found: list[NearestExample | None] = []
        for value, position in zip(best.values.tolist(), best.indices.tolist(), strict=True):
            example = self.texts[position]
            found.append(
                None
                if value < -1.5
                else NearestExample(
                    change=example.change,
                    label=example.label,
                    source=example.source,
                    similarity=min(max(value, -1.0), 1.0),
                )
            )
        return found


def build_examples(detector: Detector, pairs: Sequence[Pair]) -> Examples:
    """Examples from labelled pairs: as many as fit, spread evenly over languages and labels."""
    most = MOST_BYTES // (2 * detector.head.out.in_features)
    chosen = _spread(pairs, most)
    questions = [
        Query(origin=pair.origin, mutant=pair.mutant, language=pair.language) for pair in chosen
    ]
    with watched_head(detector) as seen:
        judgements = list(judge(detector, questions))
    kept = [pair for pair, said in zip(chosen, judgements, strict=True) if _was_scored(said)]
    states = seen.take(len(kept))
    return Examples(tuple(_example(pair) for pair in kept), normalize(states, dim=-1))


def predict_pairs(
    detector: Detector, questions: Sequence[Query], examples: Examples | None
) -> list[Prediction]:
    """What the detector says of pairs, each with its nearest example."""
    with watched_head(detector) as seen:
        judgements = list(judge(detector, questions))
    scored = [number for number, said in enumerate(judgements) if _was_scored(said)]
    near: dict[int, NearestExample | None] = {}
    if examples is not None and scored:
        languages = [questions[number].language for number in scored]
        found = examples.nearest(seen.take(len(scored)), languages)
        near = dict(zip(scored, found, strict=True))
    return [
        Prediction(
            probability=said.probability if _was_scored(said) else None,
            distance=said.distance,
            # Tokens are compared where proofs are; here it only means that nothing was seen.
            reason="" if _was_scored(said) else _abstained(said),
            note=said.remark,
            nearest=near.get(number),
        )
        for number, said in enumerate(judgements)
    ]


@dataclass
class _Seen:
    """Rows that went into the last layer of the head, in order."""

    parts: list[Tensor] = field(default_factory=list)

    def take(self, rows: int) -> Tensor:
        states = torch.cat(self.parts) if self.parts else torch.zeros(0, 1)
        if len(states) != rows:
            raise AssertionError(f"{len(states)} states for {rows} scored pairs")
        return states


@contextmanager
def watched_head(detector: Detector) -> Iterator[_Seen]:
    """Keep the hidden layer of the head for every pair that is scored meanwhile."""
    seen = _Seen()

    def note(_: Any, inputs: tuple[Tensor, ...]) -> None:
        seen.parts.append(inputs[0].detach().float().cpu())

    hook = detector.head.out.register_forward_pre_hook(note)
    try:
        yield seen
    finally:
        hook.remove()


def _was_scored(judgement: Judgement) -> bool:
    return judgement.probability is not None and not judgement.reason


def _abstained(judgement: Judgement) -> str:
    if judgement.probability is None:
        return judgement.reason
    return "the model sees no difference between the two texts"


def _example(pair: Pair) -> Example:
    change = change_in_context(pair.origin, pair.mutant, pair.language)
    named = ": ".join(part for part in (pair.source, pair.program) if part)
    return Example(
        language=pair.language,
        change=change if len(change) <= _LONGEST else change[: _LONGEST - 3] + "...",
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
        chosen += [group[place * len(group) // share] for place in range(share)]
        left -= share
    return chosen
