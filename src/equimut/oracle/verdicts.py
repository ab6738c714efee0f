"""What the oracle is asked and what it answers: frozen, validated, JSON-serialisable."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from equimut.records import NonEmpty, Record

OracleTier = Literal["killed", "proved", "unrefuted", "unknown"]
Proof = Literal["tokens", "compile", "exhaustive"]
Fault = Annotated[
    Literal["origin", "mutant", "sandbox"],
    BeforeValidator(lambda name: "sandbox" if name == "fence" else name),  # as it was called before
]
Outcome = Literal["returns", "throws", "crashes", "exits", "endless", "stack overflow"]


class OracleSettings(Record):
    """How hard the oracle tries, and where it gives up."""

    inputs: Annotated[int, Field(ge=1, le=1_000_000)] = 5_000
    """Inputs per origin on which the origin behaves (those outside its domain are not counted)."""
    seed: int = 0
    """Mixed with the text of the origin, so a rebuild tries the same inputs."""
    function: str | None = None
    """The function under test; the last one of the source when not given."""
    ordinary: bool = False
    """Only inputs that nobody would call extreme (see oracle/ordinary.py)."""
    origin_steps: Annotated[int, Field(ge=1)] = 20_000
    """An input on which the origin takes more steps than this is dropped."""
    least_steps: Annotated[int, Field(ge=1)] = 20_000
    """A mutant may always take this many steps ..."""
    step_factor: Annotated[int, Field(ge=1)] = 50
    """... or this many times the steps of the origin on that input; more is `endless`."""
    exhaustive_limit: Annotated[int, Field(ge=1, le=1_000_000)] = 65_536
    """An input domain up to this size is tried as a whole."""
    prove: bool = True
    """Compare the compiled code of what was not killed."""
    wall_seconds: Annotated[float, Field(gt=0)] = 20.0
    """The last limit around one mutant; passing it gives `unknown`, never `killed`."""
    memory_mb: Annotated[int, Field(ge=128)] = 1024
    """The memory limit; passing it gives `unknown`, never `killed`."""


class Behaviour(Record):
    """What one call does, as far as a test could see it."""

    outcome: Outcome
    value: str = ""
    """The result as canonical text; doubles are bitwise exact, NaN is NaN."""
    detail: str = ""
    """Exception type (and message where it is deterministic), crash kind or exit code."""
    arguments: tuple[str, ...] = ()
    """The arguments that can change, as they are after the call."""
    output: str = ""
    """What was written to standard output; of what is over 64 KiB, a digest."""
    errors: str = ""
    """The same of standard error."""


class Witness(Record):
    """An input on which origin and mutant differ, with both behaviours."""

    parameters: tuple[str, ...]
    arguments: tuple[Any, ...]
    """JSON values; non-finite floats are the strings `NaN`, `Infinity` and `-Infinity`."""
    call: str = ""
    """The call as source, where a function was run in its project."""
    origin: Behaviour
    mutant: Behaviour


class OracleVerdict(Record):
    """The tier of one mutant and the evidence it rests on."""

    tier: OracleTier
    inputs: int = 0
    """Inputs tried on this mutant; for a killed one, up to and including the witness."""
    dropped: int = 0
    """Inputs outside the domain: the origin was endless, undefined or out of memory on them."""
    proof: Proof | None = None
    witness: Witness | None = None
    reason: str = ""
    """Why nothing is known, for `unknown`."""
    fault: Fault | None = None
    """Whose fault `unknown` is: the origin's, the mutant's, or the sandbox's (time, memory)."""
    in_project: bool = False
    """Whether the function ran where it stands: it is then reached by few and telling inputs, not
    by all kinds of them, so that agreement says less."""
    network_isolated: bool = True
    """Whether the code ran without a network; False where the system does not allow it."""


class WitnessFile(Record):
    """A witness that can be replayed on its own: it carries both sources."""

    format: Literal["equimut-witness-1"] = "equimut-witness-1"
    language: NonEmpty
    settings: OracleSettings
    origin_source: NonEmpty
    mutant_source: NonEmpty
    witness: Witness
