"""What an audit of labels says: of a mutant, of a program, of a dataset."""

from collections.abc import Iterable, Sequence
from typing import Literal

from equimut.oracle.verdicts import Behaviour, OracleTier, Witness
from equimut.records import Label, Record

Finding = Literal["confirmed", "unrefuted", "refuted", "not killed", "not judged"]
"""What the verdict says of the label.

confirmed: 0 and killed, or 1 and proved; unrefuted: 1 and no input told them apart;
refuted: 1 and killed, or 0 and proved equivalent; not killed: 0 and no input told them apart.
"""
WitnessKind = Literal["ordinary", "outside domain", "extreme"]
"""Ordinary values within the domain of the program; ordinary values; anything."""
How = Literal["entry", "program", "function"]
LONGEST = 400


class AuditedMutant(Record):
    """One mutant, its published label and the evidence."""

    id: str
    program: str
    function: str
    operators: tuple[str, ...]
    label: Label
    finding: Finding
    tier: OracleTier
    kind: WitnessKind | None = None
    """The mildest kind of input that was found to kill it."""
    inputs: int = 0
    """Inputs tried, in all rounds; for a killed one, up to and including the witness."""
    how: How | None = None
    """Called through an entry of ours, in its program, or as a function on its own."""
    proof: str | None = None
    reason: str = ""
    """Why it was not judged."""
    witness: Witness | None = None


class ProgramAudit(Record):
    """The counts of one program, or of all of them."""

    program: str
    mutants: int
    equivalent: int
    """Mutants labelled equivalent."""
    judged: int
    killed_as_labelled: int
    proved_as_labelled: int
    unrefuted_as_labelled: int
    refuted_by_ordinary_input: int
    """Labelled equivalent, and an ordinary input kills it."""
    refuted_outside_domain: int
    """Labelled equivalent, and only input outside the domain, such as a year -1, kills it."""
    refuted_by_extreme_input: int
    """Labelled equivalent, and only an extreme input kills it."""
    refuted_by_proof: int
    """Labelled not equivalent, and proved equivalent."""
    not_killed: int
    """Labelled not equivalent, and no input killed it: suspicious, not refuted."""
    not_judged: int
    reasons: dict[str, int]


class AuditReport(Record):
    """Everything an audit found, and how to repeat it."""

    dataset: str
    language: str
    command: str
    inputs: int
    seed: int
    cores: int
    tools: dict[str, str]
    total: ProgramAudit
    programs: tuple[ProgramAudit, ...]
    mutants: tuple[AuditedMutant, ...]


def finding_of(label: Label, tier: OracleTier) -> Finding:
    """What a verdict says of a label."""
    table: dict[tuple[int, str], Finding] = {
        (0, "killed"): "confirmed",
        (1, "killed"): "refuted",
        (0, "proved"): "refuted",
        (1, "proved"): "confirmed",
        (0, "unrefuted"): "not killed",
        (1, "unrefuted"): "unrefuted",
    }
    return table.get((label, tier), "not judged")


def count_program(name: str, mutants: Sequence[AuditedMutant]) -> ProgramAudit:
    """The counts of some mutants."""

    def number(label: Label, tier: OracleTier, kind: WitnessKind | None = None) -> int:
        chosen = [one for one in mutants if (one.label, one.tier) == (label, tier)]
        return sum(kind is None or one.kind == kind for one in chosen)

    reasons: dict[str, int] = {}
    for one in mutants:
        if one.finding == "not judged":
            reasons[one.reason] = reasons.get(one.reason, 0) + 1
    missing = sum(reasons.values())
    return ProgramAudit(
        program=name,
        mutants=len(mutants),
        equivalent=sum(one.label for one in mutants),
        judged=len(mutants) - missing,
        killed_as_labelled=number(0, "killed"),
        proved_as_labelled=number(1, "proved"),
        unrefuted_as_labelled=number(1, "unrefuted"),
        refuted_by_ordinary_input=number(1, "killed", "ordinary"),
        refuted_outside_domain=number(1, "killed", "outside domain"),
        refuted_by_extreme_input=number(1, "killed", "extreme"),
        refuted_by_proof=number(0, "proved"),
        not_killed=number(0, "unrefuted"),
        not_judged=missing,
        reasons=dict(sorted(reasons.items())),
    )


def count_programs(mutants: Iterable[AuditedMutant]) -> tuple[ProgramAudit, ...]:
    """The counts of every program, in the order of their names."""
    by_program: dict[str, list[AuditedMutant]] = {}
    for one in mutants:
        by_program.setdefault(one.program, []).append(one)
    return tuple(count_program(name, by_program[name]) for name in sorted(by_program))


def shortened(witness: Witness) -> Witness:
    """A witness whose long outputs are cut, for reports; replay uses the whole one."""

    def cut(text: str) -> str:
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"

    def side(behaviour: Behaviour) -> Behaviour:
        changed = {"value": cut(behaviour.value), "output": cut(behaviour.output)}
        return behaviour.model_copy(update=changed)

    sides = {"origin": side(witness.origin), "mutant": side(witness.mutant)}
    return witness.model_copy(update=sides)
