"""Constructors of the JDK that call nothing that could be overridden: what their bytecode says."""

import re
import shutil
import subprocess
from functools import cache

import pytest

from equimut.languages.java.api import PACKAGES, QUIET_SUPERCLASSES

pytestmark = pytest.mark.skipif(shutil.which("javap") is None, reason="no javap here")
_CALL = re.compile(r"invoke(\w+) +#.*// (?:Interface)?Method (\S+):")
IN_LANGUAGE = ("Object", "Number")


def place(name: str) -> str:
    package = "java.lang" if name in IN_LANGUAGE else PACKAGES.get(name, "java.util")
    return f"{package}.{name}"


@cache
def bytecodes() -> dict[str, str]:
    """What one `javap` says of all classes, which takes as long to start as for one."""
    names = sorted({*QUIET_SUPERCLASSES, "TreeMap"})
    command = ["javap", "-c", "-p", *map(place, names)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    _, *parts = told.split("Compiled from ")
    return dict(zip(names, parts, strict=True))


def bytecode(name: str) -> str:
    found = bytecodes()[name]
    assert found.startswith(f'"{name}.java"')
    return found


def calls_of_constructors(name: str) -> list[tuple[str, str]]:
    """How and what the constructors of a class call."""
    found, inside = [], False
    head = re.compile(r"  (\w+ )*" + re.escape(place(name)) + r"\(")
    for line in bytecode(name).splitlines():
        if re.match(r"  \S.*;$", line):
            inside = head.match(line) is not None
        call = _CALL.search(line) if inside else None
        if call is not None:
            found.append((call[1], call[2]))
    return found


@pytest.mark.parametrize("name", sorted(QUIET_SUPERCLASSES))
def test_a_constructor_keeps_its_object_to_itself(name: str) -> None:
    above = re.search(r" class \S+ extends (\S+)", bytecode(name))
    assert above is None or above[1].split("<")[0].split(".")[-1] in QUIET_SUPERCLASSES
    calls = calls_of_constructors(name)
    assert calls or name == "Object", "its constructor was found"
    for how, what in calls:
        own = "." not in what  # so are methods written that the class itself declares or inherits
        assert how == "special" or not own, f"{what} could be overridden"


def test_a_constructor_that_calls_what_may_be_overridden_is_told() -> None:
    own = [what for how, what in calls_of_constructors("TreeMap") if how != "special"]
    assert "putAll" in own
