"""Many C functions in one program, each run in a process of its own, with sanitizers."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

_PRELUDE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#define SHOW(x) printf(" %lld", (long long) (x))
"""
_MAIN = """
int main(void) {
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status = 0;
        fflush(stdout);
        if (fork() == 0) {
            struct itimerval own = {{0, 0}, {0, 400000}}; /* of its own time: others may be busy */
            close(2); alarm(60); setitimer(ITIMER_PROF, &own, 0);
            cases[i](); fflush(stdout); _exit(0);
        }
        wait(&status);
        printf(" %s\\n", status ? "fails" : "ends");
    }
}
"""


def ran(path: Path, texts: Sequence[str], runs: Sequence[tuple[str, str]]) -> list[str]:
    """What each text shows: given is what stands before it, and the statements that run it."""
    parts = [
        _renamed(text, run, number)
        for number, (text, run) in enumerate(zip(texts, runs, strict=True))
    ]
    table = ", ".join(f"case{number}" for number in range(len(parts)))
    source = path.with_suffix(".c")
    source.write_text(
        _PRELUDE + "\n".join(parts) + f"\nstatic void (*cases[])(void) = {{{table}}};\n" + _MAIN
    )
    flags = ["-w", "-O0", "-ftrivial-auto-var-init=pattern", "-fno-sanitize-recover=all"]
    checks = "-fsanitize=undefined,address,float-cast-overflow"
    subprocess.run(["gcc", *flags, checks, "-o", path, source, "-lm"], check=True)
    done = subprocess.run([path], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def _renamed(text: str, run: tuple[str, str], number: int) -> str:
    """The case with names of its own, followed by its run."""
    before, statements = run
    whole = f"{before}\n{text}"
    code = f"{whole}\nstatic void case{number}(void) {{ {statements} }}\n"
    names = {"f", *re.findall(r"\bstatic\b[^;={(]*?(\w+)(?:\[\d+\])?\s*[;=(,]", whole)}
    names |= set(re.findall(r"\bstruct (\w+) \{", whole))
    for name in names:
        code = re.sub(rf"(?<![\w.>]){name}\b", f"{name}_{number}", code)
    macros = re.findall(r"#define (\w+)", code)
    return code + "".join(f"#undef {name}\n" for name in macros)
