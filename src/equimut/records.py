"""The things that travel through the code: frozen, without torch, without I/O."""

from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

Label = Literal[0, 1]
"""1: equivalent to its origin; 0: not."""

Tier = Literal["proved", "unrefuted", "killed", "predicted", "accepted", "rejected", "unknown"]
"""What a verdict rests on; `accepted` and `rejected` on a person's word, `unknown` on nothing."""

VerdictWord = Literal["equivalent", "not-equivalent", "unknown"]
"""What is said of a mutant; `unknown` where nothing can be."""

NonEmpty = Annotated[str, Field(min_length=1)]


class Record(BaseModel):
    """A frozen, validated value; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Snippet(Record):
    """A piece of source text: one function or method, or the file around it."""

    text: str
    language: NonEmpty


class Pair(Record):
    """An origin and one of its mutants: a row of every dataset."""

    id: NonEmpty
    source: NonEmpty
    """The dataset the pair comes from."""
    language: NonEmpty
    class_id: Annotated[int, Field(ge=0)]
    """Names the origin: all mutants of one origin share it."""
    program: str
    operators: tuple[str, ...]
    origin: NonEmpty
    mutant: str
    label: Label
    split: str
    """The part of the published split the pair belongs to (`train`, `test`), or empty."""


ProverAnswer = Literal["differs", "unknown", "too large", "not modelled"]
"""How the solver ended without a proof: with a state that tells the two apart in its model, without
an answer, in a function that is too large, or before it began."""


class ProverView(Record):
    """What the solver saw of a change that it did not prove harmless."""

    answer: ProverAnswer
    scope: str = ""
    """The widest piece of code that was compared; empty where nothing was."""
    effects: tuple[str, ...] = ()
    """What may differ behind it: `return`, `throw`, `end`, `call`, `field`, `element`, ..."""
    unmodelled: Annotated[int, Field(ge=0)] = 0
    """Functions in the difference that are not looked into: calls, loops, opaque code."""
    through: tuple[str, ...] = ()
    """Their kinds: `call`, `loop`, `iteration`, `float`, `operator`, `opaque`, `other`."""
    reads_state: bool = False
    """Whether the difference depends on fields, elements or memory, and not on parameters alone."""
    tried: Annotated[int, Field(ge=0)] = 0
    """Pieces of code that were compared."""
    unsure: Annotated[int, Field(ge=0)] = 0
    """How many of these comparisons ended without an answer."""

    @property
    def closed(self) -> bool:
        """Whether the whole function differs, with nothing unmodelled in the difference."""
        return self.answer == "differs" and self.scope == "function" and not self.unmodelled


class Query(Record):
    """An origin and a mutant of which nothing else is known: the pair to be judged."""

    origin: NonEmpty
    mutant: str
    language: NonEmpty
    view: ProverView | None = None
    """What the prover saw, where it was asked before."""


class PairLike(Protocol):
    """What is needed of a pair to judge it; `Pair` and `Query` have it."""

    @property
    def origin(self) -> str: ...
    @property
    def mutant(self) -> str: ...
    @property
    def language(self) -> str: ...


class Judgement(Record):
    """What is said of one pair: by a detector, or proved before it is asked."""

    verdict: VerdictWord
    tier: Tier = "predicted"
    """What the verdict rests on."""
    probability: float | None = None
    """Of being equivalent, calibrated if the detector is; None where it abstains."""
    distance: float | None = None
    """Half the cosine distance of the two CLS embeddings."""
    reason: str = ""
    """Why the detector abstains, or what the verdict rests on other than its judgement."""
    remark: str = ""
    """What a reader of the verdict should know: the model saw a part of the function only, say."""


class Mutant(Record):
    """One edit of a source text, made by one mutation operator."""

    id: NonEmpty
    """The key that a scan shows for it, which does not depend on line numbers."""
    operator: NonEmpty
    function: str
    line: int
    start_byte: int
    end_byte: int
    original: str
    replacement: str
    origin_function: str
    mutant_function: str
