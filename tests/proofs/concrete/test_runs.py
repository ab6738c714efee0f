"""Runs of lowered functions end as the JVM, gcc's code and CPython ended on the same inputs."""

import json
import math
from collections import Counter
from typing import Any

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.languages.concrete import Array, Stuck, Thrown
from equimut.languages.lowered import Function, Type, Unsupported
from equimut.oracle.verdicts import Behaviour
from equimut.proofs.concrete.refuting import FUEL
from equimut.proofs.concrete.run import Endless, Undefined
from equimut.proofs.concrete.states import Items, Memory, State
from equimut.proofs.smt.proving import compare, known_of, lowered


def value_of(type_: Type, given: Any) -> Any:
    """An argument of a witness as a value of a state."""
    if given in ("NaN", "Infinity", "-Infinity"):
        return float(given)
    if type_.kind == "int" and type_.element is not None:
        if given is None:
            return 0
        if isinstance(given, str):
            return Memory(type_.element, (*given.encode(), 0))
        return Memory(type_.element, tuple(value_of(type_.element, each) for each in given))
    if type_.kind == "ref" and isinstance(given, list):
        return Items(tuple(value_of(Type("ref"), each) for each in given))
    if type_.kind == "value" and isinstance(given, list):
        return [value_of(type_, each) for each in given]
    if type_.kind == "int" and isinstance(given, str):
        return ord(given)
    return float(given) if type_.kind == "float" else given


def spelt(value: Any, function: Function) -> str:
    """A result as the witness spells it."""
    if function.result.kind == "value":
        return repr(value)
    if isinstance(value, Array):
        return f"[{', '.join(spelt(each, function) for each in value.items)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)  # NaN, Infinity
    return json.dumps(value) if isinstance(value, str | type(None)) else str(value)


def ended(function: Function, arguments: tuple[Any, ...], language: str) -> str | None:
    """What a run gives back; None where it is stuck, or says nothing."""
    values = tuple(
        value_of(local.type, given)
        for local, given in zip(function.parameters, arguments, strict=True)
    )
    run = State(0, values).run(function, FUEL)
    try:
        left = known_of(language).compiled(function)(run)
    except (Stuck, Endless, Undefined):
        return None
    except Thrown as thrown:
        return f"throws {thrown.kind}" if not run.drawn else None
    said = left is not None and left[2] is not None and not run.drawn
    return None if not said else spelt(left[2], function)


def agrees(found: str, wanted: Behaviour) -> bool:
    if wanted.outcome == "throws":
        return found.startswith("throws ")
    if wanted.outcome != "returns":
        return True  # killed by the clock, or by the machine
    if found in ("true", "false") and wanted.value in ("0", "1"):
        return (found == "true") == (wanted.value == "1")
    if found.startswith('"') and wanted.value.startswith('"'):
        return bool(json.loads(found) == json.loads(wanted.value))
    try:
        return repr(float(found)) == repr(float(wanted.value))
    except ValueError:
        return found.replace(",)", ")") == wanted.value.replace(",)", ")")


def sample(language: str) -> list[VerifiedPair]:
    rows = [row for row in bundled(language) if row.evidence.witness is not None]
    return rows[:: max(1, len(rows) // count(60, 8_000))]


@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_runs_end_as_the_machine_ended(language: str) -> None:
    tally: Counter[str] = Counter()
    wrong = []
    for row in sample(language):
        witness = row.evidence.witness
        assert witness is not None
        for text, wanted in ((row.origin, witness.origin), (row.mutant, witness.mutant)):
            try:
                function = lowered(text, language)
            except Unsupported:
                continue
            if function is None or wanted.output:
                continue
            found = ended(function, witness.arguments, language)
            tally["stuck" if found is None else "ran"] += 1
            if found is not None and not agrees(found, wanted):
                wrong.append((row.id, witness.arguments, found, wanted))
    assert not wrong, wrong[:5]
    assert tally["ran"] > 2 * tally["stuck"]


@pytest.mark.parametrize(("function", "before", "after"), [
    ("String f(int n) { StringBuilder b = new StringBuilder(other); b.append(n > 0); "
     "return b.toString(); }", "n > 0", "n >= 0"),
    ("int f(String s, int n) { return s.indexOf(n - 5) + n; }", "+ n", "- n"),
])  # fmt: skip
def test_values_that_the_library_is_not_made_for_end_a_run(
    function: str, before: str, after: str
) -> None:
    assert compare(function, function.replace(before, after), "java").proof is None
