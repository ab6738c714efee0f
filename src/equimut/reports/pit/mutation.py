"""One mutation of a PIT report, and what its mutator and description ask for."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "boundary", "negate", "remove", "math", "increment", "remove_increment", "negation", "call",
    "naked_receiver", "construct", "return",
]  # fmt: skip


@dataclass(frozen=True)
class PitMutation:
    """A `<mutation>` element: PIT mutates bytecode, so it has an index and no source text."""

    position: int
    """Place in the report, from 0."""
    status: str
    source_file: str
    class_name: str
    method: str
    descriptor: str
    line: int | None
    mutator: str
    indexes: tuple[int, ...]
    """Places in the method's list of instructions; several where `finally` was copied."""
    description: str
    reason: str
    """Why it was marked, if it was written back."""
    tests_run: int | None
    killing_tests: int | None


@dataclass(frozen=True)
class Wanted:
    """What a mutation does, in the words of the source; only the fields of its kind are set."""

    kind: Kind
    operator: str = ""
    replacement: str = ""
    number: str = ""
    """`integer`, `long`, `float`, `double`, or empty where PIT does not say."""
    family: str = ""
    """`equality` or `comparison`, for removed conditions."""
    jumps: bool = False
    """A removed condition: whether the jump is always taken (PIT's "with false")."""
    amount: int = 0
    owner: str = ""
    name: str = ""
    void: bool = False
    value: str = ""
    """A return value: how it is described; `old` for the mutator before PIT 1.4."""

    @property
    def subject(self) -> tuple[str, str]:
        """What a site must be for this mutator to mutate it as well."""
        return self.kind, {"remove": self.family, "call": self.name}.get(self.kind, "")


_OPERATIONS = {
    "addition": "+", "subtraction": "-", "multiplication": "*", "division": "/", "modulus": "%",
    "OR": "|", "AND": "&", "XOR": "^",
    "Shift Left": "<<", "Shift Right": ">>", "Unsigned Shift Right": ">>>",
}  # fmt: skip
_MATH = re.compile(
    r"Replaced (?:(integer|long|float|double) |bitwise )?({0}) with (?:bitwise )?({0})$".format(
        "|".join(_OPERATIONS)
    )
)
_REMOVED = re.compile(r"removed conditional - replaced (equality|comparison) check with (\w+)")
_INCREMENT = re.compile(r"Changed increment from (-?\d{1,6}) to (-?\d{1,6})$")
_NO_INCREMENT = re.compile(r"Removed increment (-?\d{1,6})$")
_CALL = re.compile(r"(?:removed call to|replaced call to) (\S+)::(\S+)")
_RETURN = re.compile(r"replaced (?:(\w+) )?return(?: value)? with (.+?)(?: for \S+)?$", re.DOTALL)
_OLD_RETURN = re.compile(r"replaced return of (\w+)|mutated return of (Object) value")


def wanted(mutation: PitMutation) -> Wanted | None:
    """What the mutation does; None for mutators that have no place in the source text here.

    The description alone decides: mutators were renamed more than once, it was not.
    """
    text = mutation.description.strip()
    if text == "changed conditional boundary":
        return Wanted("boundary")
    if text == "negated conditional":
        return Wanted("negate")
    if text == "removed negation":
        return Wanted("negation")
    if found := _MATH.match(text):
        number, old, new = found.groups()
        return Wanted(
            "math", operator=_OPERATIONS[old], replacement=_OPERATIONS[new], number=number or ""
        )
    if found := _REMOVED.match(text):
        if found[2] not in ("true", "false"):
            return None
        return Wanted("remove", family=found[1], jumps=found[2] == "false")
    if found := _INCREMENT.match(text):
        return Wanted("increment", amount=int(found[1]))
    if found := _NO_INCREMENT.match(text):
        return Wanted("remove_increment", amount=int(found[1]))
    if found := _CALL.match(text):
        return _call(mutation, text, found[1], found[2])
    if _OLD_RETURN.match(text):
        return Wanted("return", value="old")
    if found := _RETURN.match(text):
        return Wanted("return", number=found[1] or "", value=found[2])
    return None


def _call(mutation: PitMutation, text: str, owner: str, name: str) -> Wanted | None:
    mutator = mutation.mutator.rpartition(".")[2].upper().replace("_", "")
    if text.startswith("replaced"):
        receiver = text.endswith("with receiver")
        return Wanted("naked_receiver", owner=owner, name=name) if receiver else None
    if name == "<init>":
        return Wanted("construct", owner=owner, name=name)
    return Wanted("call", owner=owner, name=name, void=mutator.startswith("VOID"))


def mutator_name(mutator: str) -> str:
    """The short name of a mutator: `MathMutator` for its class, `MATH` as it stands."""
    return mutator.rpartition(".")[2] or mutator
