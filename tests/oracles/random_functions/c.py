"""Random C functions, and the gcc that runs them; undefined behaviour is an outcome."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from oracles.random_functions.writing import FunctionWriter, RandomFunction

_NUMBERS = (
    "int", "int", "unsigned", "unsigned", "char", "unsigned char", "short", "long", "unsigned long",
)  # fmt: skip
_TIMEOUT = 120


class CWriter(FunctionWriter):
    """Functions with globals of the names of locals, mixed signs, addresses and `goto`."""

    simple: ClassVar[list[str]] = [
        "assign", "assign", "augment", "update", "declare", "declare", "call", "jump", "jump",
    ]  # fmt: skip
    compound: ClassVar[list[str]] = [
        "if", "else", "while", "for", "for", "switch", "address", "block_value",
    ]  # fmt: skip

    def function(self) -> RandomFunction:
        self.braces = True
        types = tuple(self.random.choice(_NUMBERS) for _ in range(3))
        globals_ = {"x": self.random.choice(("int", "unsigned", "double")), "y": "unsigned"}
        bare = self.random.random() < 0.5  # without calls and globals, rules need no file
        outside = {} if bare else dict(globals_)
        self.calls = not bare
        self.scopes = [outside, dict(zip(("a", "b", "c"), types, strict=True))]
        given = ", ".join(f"{kind} {name}" for name, kind in self.scopes[1].items())
        body = self.block(1)
        lines = [
            f"static {globals_['x']} x = 1;", "static unsigned y = 2;", "static unsigned calls;",
            "static int note(long v) { calls = calls * 31 + (unsigned) v; return calls & 7; }",
            f"long f({given}) {{", *body, f"    return (long) {self.value()};", "}",
        ]  # fmt: skip
        return RandomFunction("\n".join(lines) + "\n", types, ("x", "y", "calls"))

    def name(self) -> str:
        found = super().name()
        # A double has no bits and no remainder.
        return found if self.visible()[found] != "double" else f"(int) ({found} > 0)"

    def write_assign(self, depth: int) -> list[str]:
        return [f"{self.target()} = {self.value()};"]

    def write_augment(self, depth: int) -> list[str]:
        return [f"{self.target()} {self.random.choice(('+=', '-=', '*='))} {self.expression(0)};"]

    def write_update(self, depth: int) -> list[str]:
        name, sign = self.target(), self.random.choice(("++", "--"))
        return [self.random.choice((f"{name}{sign};", f"{sign}{name};", f"({name}){sign};"))]

    def write_declare(self, depth: int) -> list[str]:
        free = [name for name in ("x", "y", "u", "v", "w", "a") if name not in self.scopes[-1]]
        kind = self.random.choice(_NUMBERS)
        name = self.random.choice(free) if free else self.fresh("t")
        if depth == 1 and name == "a":
            name = self.fresh("t")
        line = f"{kind} {name} = {self.value()};"
        # In its own initialiser the new name is meant.
        if re.search(rf"\b{name}\b", line.split("=", 1)[1]):
            line = f"{kind} {name} = {self.literal()};"
        self.scopes[-1][name] = kind
        return [line]

    def write_call(self, depth: int) -> list[str]:
        if not self.calls:
            return self.write_update(depth)
        call = f"note({self.expression(0)})"
        return [self.random.choice((f"{call};", f"{self.target()} = {call};"))]

    def write_for(self, depth: int) -> list[str]:
        index = self.fresh("i")
        with self.scope():
            bound = self.random.choice(("3", "4u", "4", f"({self.name()} & 3)"))
            kind = self.random.choice(("int", "unsigned", "char", "short", "unsigned char"))
            self.scopes[-1][index] = kind
            self.fixed.add(index)
            return self.looping(f"for ({kind} {index} = 0; {index} < {bound}; {index}++)", depth)

    def write_while(self, depth: int) -> list[str]:
        index = self.fresh("n")
        start = f"int {index} = {self.random.randint(1, 3)};"
        self.fixed.add(index)
        self.scopes[-1][index] = "int"
        if self.random.random() < 0.3:
            loop = self.looping("do", depth)
            return [start, *loop[:-1], f"}} while (--{index} > 0 && {self.condition(0)});"]
        return [start, *self.looping(f"while (--{index} > 0)", depth)]

    def write_switch(self, depth: int) -> list[str]:
        lines = [f"switch ({self.name()} & 3) {{"]
        continues = bool(self.loops)
        self.loops.append("")
        for case in self.random.sample(("case 0", "case 1", "case 2", "default"), 3):
            lines.append(f"    {case}: {{")
            lines += ["    " + line[4 * depth :] for line in self.block(depth + 1)]
            lines.append("    }")
            if self.random.random() < 0.5:
                lines.append("    break;")
        self.loops.pop()
        lines.append("}")
        return lines if continues else [line.replace("continue;", "break;") for line in lines]

    def write_address(self, depth: int) -> list[str]:
        name, pointer = self.target(), self.fresh("p")
        kind = self.visible()[name]
        spelled = self.random.choice((f"&{name}", f"&({name})"))
        return [
            f"{kind} *{pointer} = {spelled};", f"{name} = {self.literal()};",
            f"{self.target()} += *{pointer};", f"*{pointer} = {self.expression(0)};",
        ]  # fmt: skip

    def write_block_value(self, depth: int) -> list[str]:
        name = self.target()
        return [f"{self.target()} = ({{ {name}{self.random.choice(('++', '--'))}; }});"]


_FRAME = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static sigjmp_buf back;
static void leave(int which) { siglongjmp(back, which); }
"""
_MAIN = """
int main(void) {
    int signals[] = {SIGILL, SIGFPE, SIGSEGV, SIGALRM, SIGTRAP, SIGABRT};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = leave;
    action.sa_flags = SA_NODEFER;
    for (int i = 0; i < 6; i++) sigaction(signals[i], &action, 0);
    for (int i = 0; i < (int) (sizeof jobs / sizeof *jobs); i++) {
        printf("%s ", names[i]);
        jobs[i]();
        printf("\\n");
    }
    return 0;
}
"""
_WRAPPER = """
static void call_{n}(void) {{
    static const long values[][3] = {{{values}}};
    for (int i = 0; i < (int) (sizeof values / sizeof *values); i++) {{
        x_{n} = 1; y_{n} = 2; calls_{n} = 0;
        int which = sigsetjmp(back, 1);
        if (which == 0) {{
            alarm(5);
            long got = f_{n}({given});
            alarm(0);
            printf("%ld %g %u %u;", got, (double) x_{n}, y_{n}, calls_{n});
        }} else printf(which == SIGALRM ? "timeout;" : "undefined;");
    }}
}}
"""


def _unit(name: str, text: str, function: RandomFunction, values: Sequence[tuple[int, ...]]) -> str:
    own = ("f", "note", *function.state)
    rename = "".join(f"#define {word} {word}_{name}\n" for word in own)
    given = ", ".join(f"({kind}) values[i][{at}]" for at, kind in enumerate(function.types))
    rows = ", ".join("{" + ", ".join(f"{v}L" for v in row) + "}" for row in values)
    after = "".join(f"#undef {word}\n" for word in own)
    return rename + text + after + _WRAPPER.format(n=name, values=rows, given=given)


def run(
    folder: Path, jobs: Sequence[tuple[RandomFunction, Sequence[str], Sequence[tuple[int, ...]]]]
) -> list[list[str | None]]:
    """What each text of each job does; None for one that does not compile."""
    units = {
        f"{at}_{number}": _unit(f"{at}_{number}", text, function, values)
        for at, (function, texts, values) in enumerate(jobs)
        for number, text in enumerate(texts)
    }
    file, program = folder / "all.c", folder / "all"
    command = ["gcc", "-w", "-O0", "-std=gnu11", "-fsanitize=undefined,float-cast-overflow",
               "-fsanitize-undefined-trap-on-error", "-o", str(program), str(file)]  # fmt: skip
    for _ in range(20):
        listed = "static void (*jobs[])(void) = {" + ", ".join(f"call_{n}" for n in units) + "};\n"
        listed += "static const char *names[] = {" + ", ".join(f'"{n}"' for n in units) + "};\n"
        marked = "".join(f'#line 1 "unit_{n}"\n{unit}\n' for n, unit in units.items())
        file.write_text(_FRAME + marked + '#line 1 "main"\n' + listed + _MAIN)
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
        bad = set(re.findall(r"unit_(\d+_\d+):\d+:\d+: error", done.stderr))
        if done.returncode == 0:
            break
        assert bad, done.stderr[:2000]
        units = {name: unit for name, unit in units.items() if name not in bad}
    ran = subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=_TIMEOUT, check=False
    )
    said = dict(line.split(" ", 1) for line in ran.stdout.splitlines() if " " in line)
    return [
        [said.get(f"{at}_{number}") for number in range(len(texts))]
        for at, (_, texts, _) in enumerate(jobs)
    ]
