"""Whole JUnit tests from recipes and from what the origin does."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equimut.oracle.choosing import Facet
from equimut.oracle.java.source_text import Names, Recipe, Script, quoted
from equimut.oracle.project import JUnit

INDENT = "        "
LONGEST_NAME = 70
JUPITER, FOUR = "org.junit.jupiter.api", "org.junit"
EQUALS = "equals "
"""Before a subject whose `equals` is looked at."""
FRESH = re.compile(r"fresh (.+)\.equals\(\{\}\)")
"""The facet of an object made anew that is asked whether it equals the subject."""


@dataclass(frozen=True)
class Sight:
    """What a test is about: one call, and what the origin does."""

    call: Recipe
    origin: Mapping[str, Any]

    def facet(self, facet: Facet) -> tuple[Recipe, str]:
        """The value of a facet of the origin's behaviour, and the type of its expression."""
        rows = (row for row in self.origin["facets"] if (row[0], row[1]) == facet)
        row = next(rows)
        return row[3], row[4]


class TestWriter:
    """Writes the tests of one file: names are told apart, imports shared."""

    def __init__(self, package: str, junit: JUnit) -> None:
        self.names = Names(package)
        self.names.used["Test"] = f"{JUPITER if junit == 5 else FOUR}.Test"
        self.junit = junit
        self.taken: set[str] = set()
        self._asserts: set[str] = set()

    def write(
        self, sight: Sight, facets: Sequence[Facet], both_throw: bool
    ) -> tuple[str, tuple[str, ...], str]:
        """A test's name, the lines on top of its file, and its text."""
        self._asserts = set()
        if sight.origin["outcome"] == "throws":
            ending, lines = self._throwing(sight, facets, both_throw)
        else:
            ending, lines = self._returning(sight, facets)
        called = sight.call["name"] if "call" in sight.call else f"new{_last(sight.call['new'])}"
        wanted = f"{called}{ending}"[:LONGEST_NAME]
        name, at = wanted, 2
        while name in self.taken:
            name, at = f"{wanted}_{at}", at + 1
        self.taken.add(name)
        public = "public " if self.junit == 4 else ""
        head = ["    @Test", f"    {public}void {name}() throws Exception {{"]
        text = "\n".join([*head, *(INDENT + line for line in lines), "    }", ""])
        return name, self._top(text), text

    def _top(self, text: str) -> tuple[str, ...]:
        package = [f"package {self.names.package};"] if self.names.package else []
        home = f"{JUPITER}.Assertions" if self.junit == 5 else f"{FOUR}.Assert"
        asserts = [f"import static {home}.{name};" for name in sorted(self._asserts)]
        return (*package, *asserts, *self.names.imports(text))

    def _assert(self, name: str, *values: str) -> str:
        self._asserts.add(name)
        return f"{name}({', '.join(values)});"

    def _throwing(
        self, sight: Sight, facets: Sequence[Facet], both_throw: bool
    ) -> tuple[str, list[str]]:
        script = Script(self.names)
        call = self._call(script, sight, set())
        raised, _ = sight.facet(("raised", "{}"))
        kind = self.names.name(raised["class"])
        thrown = self._assert("assertThrows", f"{kind}.class", f"() -> {call}")
        ending = f"Throws{_last(raised['class'])}"
        lines = [*script.lines]
        later = []
        if both_throw and ("raised", "{}") in facets:
            later.append(self._assert("assertEquals", f"{kind}.class", "thrown.getClass()"))
        if ("message", "{}") in facets:
            message, _ = sight.facet(("message", "{}"))
            later.append(self._assert("assertEquals", quoted(message["v"]), "thrown.getMessage()"))
        lines.append(f"{kind} thrown = {thrown}" if later else thrown)
        return ending, [*lines, *later]

    def _call(self, script: Script, sight: Sight, kept: set[str]) -> str:
        call = dict(sight.call)
        receiver = ""
        if "on" in call:
            receiver = script.receiver(call["on"], call["call"], bool(kept & {"receiver", "same"}))
        self._shown = {"receiver": receiver}
        arguments = list(call["args"])
        for subject in sorted(kept):
            word, _, place = subject.partition(" ")
            if word == "argument":
                at = int(place)
                name = script.variable(call["types"][at], script.value(arguments[at]))
                arguments[at] = {"variable": name}
                self._shown[subject] = name
        return script.call({**call, "args": arguments}, receiver)

    def _returning(self, sight: Sight, facets: Sequence[Facet]) -> tuple[str, list[str]]:
        script = Script(self.names)
        subjects = {subject.removeprefix(EQUALS) for subject, _ in facets}
        call = self._call(script, sight, subjects)
        about = subjects & {"result", "same"}
        if len(facets) == 1 and facets[0][0] in about:
            self._shown["result"] = call
        elif about:
            self._shown["result"] = script.variable(sight.call["returns"], call, "result")
        else:
            script.lines.append(f"{call};")
        for facet in facets:
            line = self._assertion(script, sight, facet)
            script.lines.append(line)
        return self._ending(sight, facets), script.lines

    def _assertion(self, script: Script, sight: Sight, facet: Facet) -> str:
        subject, template = facet
        recipe, type_ = sight.facet(facet)
        if subject == "same":
            return self._assert("assertSame", self._shown["receiver"], self._shown["result"])
        if subject.startswith(EQUALS):
            return self._equality(script, sight, facet)
        shown = template.replace("{}", self._shown[subject])
        if "lit" in recipe and "v" not in recipe:
            return self._assert("assertNull", shown)
        if type_ == "boolean":
            return self._assert(f"assert{recipe['v'].capitalize()}", shown)
        delta = ["0.0"] if self.junit == 4 else []
        if "array" in recipe:
            component = recipe["array"]
            cast = "" if type_.endswith("]") else f"({self.names.name(component)}[]) "
            values = [script.value(recipe), cast + shown]
            return self._assert(
                "assertArrayEquals", *values, *delta * (component in ("float", "double"))
            )
        values = [script.expected(recipe), shown]
        return self._assert("assertEquals", *values, *delta * (type_ in ("float", "double")))

    def _equality(self, script: Script, sight: Sight, facet: Facet) -> str:
        """Asserts `left.equals(right)`: JUnit asks the first of the two."""
        right = left = self._shown[facet[0].removeprefix(EQUALS)]
        fresh = FRESH.fullmatch(facet[1])
        if fresh:
            left = script.value(_part(sight.call, fresh[1]))
        name = "assertEquals" if _holds(sight, facet) else "assertNotEquals"
        return self._assert(name, left, right)

    def _ending(self, sight: Sight, facets: Sequence[Facet]) -> str:
        if not facets:
            return "Runs"
        subject, template = facets[0]
        word, _, place = subject.partition(" ")
        if word == "same":
            return "ReturnsItself"
        if word == EQUALS.strip():
            owner = "Result" * (place == "result")
            other = "AFreshOne" if FRESH.fullmatch(template) else "Itself"
            return f"{owner}{'Equals' if _holds(sight, facets[0]) else 'DiffersFrom'}{other}"
        if word == "argument":
            return f"ChangesArgument{int(place) + 1}"
        if word == "receiver":
            return f"Changes{_last(sight.call['call'])}"
        recipe, _ = sight.facet(facets[0])
        value = _camel(recipe.get("v", "null") if "lit" in recipe else recipe.get("name", ""))
        part = "" if template in ("{}", "{}.toString()") else _camel(template)
        return f"Returns{part}{value[:24]}"


def _part(call: Recipe, subject: str) -> Recipe:
    """The recipe of the receiver, of an argument, or of the result: the call itself."""
    word, _, place = subject.partition(" ")
    if word == "argument":
        part: Recipe = call["args"][int(place)]
        return part
    return call["on"] if word == "receiver" else call


def _holds(sight: Sight, facet: Facet) -> bool:
    return bool(sight.facet(facet)[0]["v"] == "true")


def _last(name: str) -> str:
    return re.split(r"[.$]", name.rstrip("[]"))[-1]


def _camel(text: str) -> str:
    """Words of a text as a part of a name."""
    text = re.sub(r"^-(?=\d)", "minus ", text)
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", text))
