"""What the prover believes of the JDK, put to the JDK: every overload on many values."""

import math
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import oracles.datasets
from equimut.languages.contracts import Contract
from equimut.languages.java.api import CONTRACTS
from equimut.languages.java.io_api import LEFT_TO_OTHERS, PARENTS
from oracles import jdk

PROGRAM = Path(oracles.datasets.__file__).parent / "JdkContracts.java"
PRIMITIVE = {"int", "long", "char", "byte", "short", "boolean", "double", "float"}
Method = tuple[str, str, int]
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="no java here")


class Object:
    """A reference that the program printed: which one, and how many elements it has."""

    def __init__(self, number: str, size: str) -> None:
        self.number, self.size = number, int(size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and other.number == self.number

    __hash__ = None  # type: ignore[assignment]


def value(text: str) -> object:
    kind, *rest = text.split(" ")
    if kind == "int":
        return int(rest[0])
    if kind == "bool":
        return rest[0] == "true"
    return Object(*rest) if kind == "ref" else float(rest[0]) if kind == "float" else None


@cache
def calls() -> dict[Method, list[list[str]]]:
    """All calls of one run of the program, by method."""
    lines = "\n".join(f"{owner} {name} {arity}" for owner, name, arity in CONTRACTS)
    done = subprocess.run(
        [*jdk.JAVA, PROGRAM], input=lines, capture_output=True, text=True, timeout=300, check=True
    )
    found = defaultdict(list)
    for line in done.stdout.splitlines():
        method, *rest = line.split("\t")
        owner, name, arity = method.split(" ")
        found[owner, name, int(arity)].append(rest)
    return found


def broken(method: Method, contract: Contract, call: list[str]) -> str:
    """The promise that a call breaks, or nothing."""
    types, receiver, *arguments, outcome, effect = call
    result, *parameters = types.split(" ")
    if contract.result == "=":
        typed = result == parameters[0]
    else:
        typed = result == (parameters[0] if contract.result == "a0" else contract.result)
        typed |= contract.result == "a0" and result == "Object[]"
    if not typed:
        return f"returns {result}"
    if contract.pure and effect != "quiet":
        return "has an effect"
    names = {f"a{place}": value(text) for place, text in enumerate(arguments)}
    names |= {"this": value(receiver), "null": None, "result": value(outcome)}
    names |= {"nan": math.isnan, "infinite": math.isinf}
    names["minus"] = lambda each: not math.isnan(each) and math.copysign(1, each) < 0
    names |= {name: lambda each: each.size for name in ("length", "size", "count")}
    names["width"] = lambda each: 1 if isinstance(each, int) else each.size
    whole = contract.result != "=" or result in ("int", "long")
    if contract.throws:
        if eval(contract.throws, names) != (outcome == "threw"):
            return f"throws {contract.throws}"
    elif contract.pure and outcome == "threw" and (contract.total or {*parameters} <= PRIMITIVE):
        return "throws"
    if outcome == "threw":
        return ""
    if contract.defines and whole:
        expected = eval(contract.defines, names)
        if isinstance(expected, int) and not isinstance(expected, bool):
            bits = 64 if result == "long" else 32
            expected = (expected + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        if expected != names["result"]:
            return f"is {contract.defines}"
    if contract.fresh and outcome == "null":
        return "is null"
    return next((text for text in contract.ensures if not eval(text, names)), "")


@pytest.mark.parametrize("method", CONTRACTS, ids=lambda method: " ".join(map(str, method)))
def test_the_jdk_keeps_what_is_believed_of_it(method: Method) -> None:
    made = calls()[method]
    assert made, "no such method"
    for call in made:
        assert not broken(method, CONTRACTS[method], call), call
    if CONTRACTS[method].throws:
        assert {call[-2] == "threw" for call in made} == {True, False}


@pytest.mark.parametrize(
    ("method", "lie"),
    [
        (("String", "indexOf", 1), Contract("int", pure=True, ensures=("result < length(this)",))),
        (("Math", "abs", 1), Contract("=", pure=True, ensures=("result >= 0",))),
        (("StringBuilder", "append", 1), Contract("StringBuilder", pure=True)),
        (("String", "charAt", 1), Contract("char", pure=True, throws="a0 < 0")),
        (("Character", "toLowerCase", 1), Contract("int")),
        (("Integer", "sum", 2), Contract("int", defines="a0 - a1")),
    ],
)
def test_a_wrong_belief_is_found(method: Method, lie: Contract) -> None:
    assert any(broken(method, lie, call) for call in calls()[method])


FIELDS = """
import java.lang.reflect.*; import java.util.*;
class Fields {
    public static void main(String[] names) throws Exception {
        Set<String> found = new TreeSet<>();
        for (String name : names) { of(Class.forName(name), found); }
        System.out.print(String.join(" ", found));
    }
    static void of(Class<?> type, Set<String> found) {
        if (type == null) { return; }
        for (Field each : type.getDeclaredFields()) {
            if ((each.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) { found.add(each.getName()); }
        }
        of(type.getSuperclass(), found);
        for (Class<?> each : type.getInterfaces()) { of(each, found); }
    }
}
"""  # noqa: E501


def test_fields_that_types_of_the_jdk_leave_to_others(tmp_path: Path) -> None:
    program = tmp_path / "Fields.java"
    program.write_text(FIELDS)
    names = [f"{package}.{name}" for name, package in PARENTS.items()]
    done = subprocess.run(
        ["java", program, *names], capture_output=True, text=True, timeout=300, check=True
    )
    assert set(done.stdout.split()) == LEFT_TO_OTHERS
