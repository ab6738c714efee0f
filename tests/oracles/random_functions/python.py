"""Random Python functions, and the CPython that runs them."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from oracles.random_functions.writing import FunctionWriter, RandomFunction

_TIMEOUT = 120
_GIVEN = {
    "int": ("0", "1", "-1", "2", "3", "7", "128", "True", "False", "10**12"),
    "list": ("[]", "[1]", "[3, -1, 2]", "[0, 0]", "[True, 5, 7, 9]"),
    "any": ("0", "1", "-3", "1.5", "-0.0", "'ab'", "''", "None", "[]", "[2]", "True", "Odd(3)"),
}
_PRELUDE = """LOG = []
y = 2
class Odd:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"Odd({self.v})"
    def __bool__(self): LOG.append("bool"); return self.v > 2
    def __lt__(self, other): LOG.append("lt"); return True
    def __eq__(self, other): LOG.append("eq"); return self is other
    def __add__(self, other): LOG.append("add"); return 5
    def __del__(self): LOG.append("del")
    def __enter__(self): return self.v
    def __exit__(self, *error): LOG.append("exit"); return self.v == 3
def note(v):
    LOG.append(repr(v))
    return len(LOG)
"""


class PythonWriter(FunctionWriter):
    """Functions with closures, captures, `del`, `with`, `finally`, `match` and the walrus."""

    operators: ClassVar[tuple[str, ...]] = ("+", "-", "*", "&", "|", "^", "//", "%")
    logical: ClassVar[tuple[str, str, str]] = ("and", "or", "not ")
    simple: ClassVar[list[str]] = [
        "assign", "assign", "augment", "declare", "declare", "call", "jump", "jump", "delete",
        "object",
    ]  # fmt: skip
    compound: ClassVar[list[str]] = [
        "if", "else", "for", "for", "while", "try", "with", "match", "closure", "walrus",
        "loop_else",
    ]  # fmt: skip

    def function(self) -> RandomFunction:
        self.braces = False
        types = tuple(self.random.choice(("int", "int", "list", "any")) for _ in range(3))
        self.scopes = [dict(zip(("a", "b", "c"), types, strict=True))]
        hints = {"int": ": int", "list": ": list", "any": ""}
        given = ", ".join(f"{name}{hints[kind]}" for name, kind in self.scopes[0].items())
        body = ["    global y"] if self.random.random() < 0.2 else []
        for name in ("u", "v", "w"):
            body.append(f"    {name} = {self.literal()}")
            self.scopes[0][name] = "int"
        body += self.block(1) + self.block(1)
        lines = [f"def f({given}):", *body, f"    return {self.value()}"]
        return RandomFunction(_PRELUDE + "\n".join(lines) + "\n", types, ("y", "LOG"))

    def block(self, depth: int) -> list[str]:
        return super(FunctionWriter, self).block(depth)  # a name belongs to the whole function

    def name(self) -> str:
        numbers = [name for name, kind in self.visible().items() if kind == "int"]
        return self.random.choice(numbers) if self.random.random() < 0.85 else super().name()

    def literal(self) -> str:
        return self.random.choice(("0", "1", "2", "3", "-1", "len('ab')", "True", "7"))

    def write_assign(self, depth: int) -> list[str]:
        return [f"{self.target()} = {self.value()}"]

    def write_augment(self, depth: int) -> list[str]:
        return [f"{self.target()} {self.random.choice(('+=', '-=', '*='))} {self.expression(0)}"]

    def write_declare(self, depth: int) -> list[str]:
        if self.random.random() < 0.2:
            self.scopes[0]["z"] = "any"
            return [f"z = {self.random.choice(('None', repr(''), self.name(), '0'))}"]
        name = self.random.choice(("u", "v", "w", "y", "t"))
        line = f"{name} = {self.random.choice((self.literal(), self.value(), 'len([1, 2])'))}"
        self.scopes[0][name] = "int"
        return [line]

    def write_object(self, depth: int) -> list[str]:
        name = self.random.choice(("h", "z"))
        self.scopes[0][name] = "any"
        return [f"{name} = Odd({self.literal()})"]

    def write_call(self, depth: int) -> list[str]:
        return [f"note({self.expression(0)})"]

    def write_delete(self, depth: int) -> list[str]:
        return [f"del {self.target()}"] if self.random.random() < 0.3 else self.write_call(depth)

    def write_for(self, depth: int) -> list[str]:
        index = self.random.choice((self.fresh("i"), "u"))
        over = self.random.choice(("range(3)", "range(1, 4)", "[2, 0, 5]", "range(len('abc'))"))
        self.scopes[0][index] = "int"
        return self.looping(f"for {index} in {over}", depth)

    def write_loop_else(self, depth: int) -> list[str]:
        return self.write_for(depth) + self.nested("else", depth)

    def write_while(self, depth: int) -> list[str]:
        index = self.fresh("n")
        self.fixed.add(index)
        self.scopes[0][index] = "int"
        loop = self.looping(f"while {index} > 0", depth)
        return [f"{index} = 3", loop[0], f"    {index} -= 1", *loop[1:]]

    def write_try(self, depth: int) -> list[str]:
        lines = self.nested("try", depth)
        if self.random.random() < 0.7:
            caught = self.random.choice(("", " as error", " as u"))
            lines += self.nested(f"except Exception{caught}", depth)
            if self.random.random() < 0.5:
                return lines
        return lines + self.nested("finally", depth)

    def write_with(self, depth: int) -> list[str]:
        name = self.random.choice(("", " as u", " as v"))
        return self.nested(f"with Odd({self.literal()}){name}", depth)

    def write_match(self, depth: int) -> list[str]:
        lines = [f"match {self.name()}:"]
        for pattern in self.random.sample(("0", "[u]", "[_, *v]", "int() as w", "None"), 2):
            lines.append(f"    case {pattern}:")
            lines += ["    " + line[4 * depth :] for line in self.block(depth + 1)]
        return lines

    def write_closure(self, depth: int) -> list[str]:
        made, name = self.fresh("g"), self.target()
        bodies = (f"lambda: {self.expression(0)}", f"lambda q={self.name()}: q + {self.name()}")
        return [f"{made} = {self.random.choice(bodies)}", *self.write_assign(depth),
                f"{name} = {made}()"]  # fmt: skip

    def write_walrus(self, depth: int) -> list[str]:
        name = self.random.choice(("u", "v"))
        self.scopes[0][name] = "int"
        return self.nested(f"if (({name} := {self.value()}) > {self.literal()})", depth)


_HARNESS = """
import io, json, signal, sys
sys.set_int_max_str_digits(0)
def late(*_): raise BaseException("late")
signal.signal(signal.SIGALRM, late)
def show(v):
    text = repr(v)
    return text if "<" not in text else type(v).__name__
for job in json.load(open(sys.argv[1])):
    said = []
    try:
        code = compile(job["text"], "f", "exec")
        exec(code, {})
    except (SyntaxError, ValueError, NameError):  # a text made smaller may have lost a head
        print(json.dumps(None)); continue
    for row in job["rows"]:
        space = {}
        exec(code, space)
        given = [eval(one, space) for one in row]
        signal.setitimer(signal.ITIMER_REAL, 5)
        try:
            got = show(space["f"](*given))
        except BaseException as error:
            got = type(error).__name__
        signal.setitimer(signal.ITIMER_REAL, 0)
        said.append([got, show(given), show(space.get("y")), list(space.get("LOG", ()))])
    print(json.dumps(json.dumps(said)), flush=True)
"""


def inputs(writer: FunctionWriter, types: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Expressions for the parameters, by type."""
    return [tuple(writer.random.choice(_GIVEN[kind]) for kind in types) for _ in range(number)]


def run(
    folder: Path, jobs: Sequence[tuple[RandomFunction, Sequence[str], Sequence[tuple[str, ...]]]]
) -> list[list[str | None]]:
    """What each text of each job does; None for one that does not compile."""
    asked = [{"text": text, "rows": rows} for _, texts, rows in jobs for text in texts]
    (folder / "jobs.json").write_text(json.dumps(asked))
    (folder / "harness.py").write_text(_HARNESS)
    done = subprocess.run(
        [sys.executable, "-I", str(folder / "harness.py"), str(folder / "jobs.json")],
        capture_output=True, text=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    said = iter([json.loads(line) for line in done.stdout.splitlines()])
    answers = [[next(said, None) for _ in texts] for _, texts, _ in jobs]
    assert done.returncode == 0, done.stderr[-2000:]
    return answers
