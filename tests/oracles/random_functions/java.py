"""Random Java methods, and the JDK that runs them."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from oracles import jdk
from oracles.random_functions.writing import CORNERS, FunctionWriter, RandomFunction

_NUMBERS = ("int", "int", "int", "long", "short", "byte", "char")
_TIMEOUT = 120


class JavaWriter(FunctionWriter):
    """Methods with fields of the names of locals, labels, fall-through, lambdas and `finally`."""

    deepest: ClassVar[int] = 4  # a class is around the method
    simple: ClassVar[list[str]] = [
        "assign", "assign", "augment", "update", "declare", "declare", "call", "jump", "jump",
    ]  # fmt: skip
    compound: ClassVar[list[str]] = [
        "if", "else", "while", "for", "for", "switch", "try", "lambda", "each",
    ]  # fmt: skip

    def function(self) -> RandomFunction:
        self.braces = True
        types = tuple(self.random.choice(_NUMBERS) for _ in range(3))
        fields = {"x": self.random.choice(("int", "int", "long", "double")), "y": "int"}
        self.scopes = [dict(fields), dict(zip(("a", "b", "c"), types, strict=True))]
        given = ", ".join(f"{kind} {name}" for name, kind in self.scopes[1].items())
        body = self.block(2)
        lines = [
            "class P {",
            f"    {fields['x']} x = 1;", "    int y = 2;", "    int calls;",
            "    int note(long v) { calls = calls * 31 + (int) v; return calls & 7; }",
            f"    long f({given}) {{", *body,
            f"        return (long) {self.value()};", "    }", "}",
        ]  # fmt: skip
        return RandomFunction("\n".join(lines) + "\n", types, ("x", "y", "calls"))

    def stored(self, name: str) -> str:
        kind = self.visible()[name]
        return f"({kind}) ({self.value()})"

    def write_assign(self, depth: int) -> list[str]:
        name = self.target()
        return [f"{name} = {self.stored(name)};"]

    def write_augment(self, depth: int) -> list[str]:
        return [f"{self.target()} {self.random.choice(('+=', '-=', '*='))} {self.expression(0)};"]

    def write_update(self, depth: int) -> list[str]:
        name, sign = self.target(), self.random.choice(("++", "--"))
        return [self.random.choice((f"{name}{sign};", f"{sign}{name};"))]

    def write_declare(self, depth: int) -> list[str]:
        locals_ = {name for scope in self.scopes[1:] for name in scope}
        free = [name for name in ("x", "y", "u", "v", "w") if name not in locals_]
        kind = self.random.choice(_NUMBERS)
        name = self.random.choice(free) if free else self.fresh("t")
        line = f"{kind} {name} = ({kind}) ({self.value()});"
        self.scopes[-1][name] = kind
        return [line]

    def write_call(self, depth: int) -> list[str]:
        call = f"note((long) {self.expression(0)})"
        return [self.random.choice((f"{call};", f"y = {call};", f"this.y = {call};"))]

    def write_for(self, depth: int) -> list[str]:
        index, label = self.fresh("i"), self.random.choice(("", "", self.fresh("out")))
        with self.scope():
            bound = self.random.choice(("3", "4", f"((int) {self.name()} & 3)"))
            kind = self.random.choice(("int", "int", "byte", "short"))
            self.scopes[-1][index] = kind
            self.fixed.add(index)
            head = f"for ({kind} {index} = 0; {index} < {bound}; {index}++)"
            lines = self.looping(head, depth, label)
        return [f"{label}:", *lines] if label else lines

    def write_while(self, depth: int) -> list[str]:
        index = self.fresh("n")
        start = f"int {index} = {self.random.randint(1, 3)};"
        self.fixed.add(index)
        self.scopes[-1][index] = "int"
        if self.random.random() < 0.3:
            loop = self.looping("do", depth)
            return [start, *loop[:-1], f"}} while (--{index} > 0 && {self.condition(0)});"]
        return [start, *self.looping(f"while (--{index} > 0)", depth)]

    def write_each(self, depth: int) -> list[str]:
        with self.scope():
            name = self.fresh("e")
            values = ", ".join(f"(int) {self.expression(0)}" for _ in range(2))
            self.scopes[-1][name] = "int"
            return self.looping(f"for (int {name} : new int[] {{{values}}})", depth)

    def write_switch(self, depth: int) -> list[str]:
        lines = [f"switch ((int) {self.name()} & 3) {{"]
        self.loops.append("")
        for case in self.random.sample(("case 0", "case 1", "case 2", "default"), 3):
            lines.append(f"    {case}: {{")
            lines += ["    " + line[4 * depth :] for line in self.block(depth + 1)]
            lines.append("    }")
            if self.random.random() < 0.5:
                lines.append("    break;")
        self.loops.pop()
        # A `continue` needs a loop around the switch.
        kept = "; " if not self.loops else ""
        return [re.sub(r"^(\s*)continue;", rf"\1break;{kept}", line) if kept else line
                for line in [*lines, "}"]]  # fmt: skip

    def write_try(self, depth: int) -> list[str]:
        lines = self.nested("try", depth)
        if self.random.random() < 0.6:
            lines += self.nested("catch (ArithmeticException error)", depth)
            if self.random.random() < 0.5:
                return lines
        loops, self.loops = self.loops, []
        finish = [line for line in self.nested("finally", depth) if "return" not in line]
        self.loops = loops
        return [*lines, *(finish if _balanced(finish) else ["finally {", "    y++;", "}"])]

    def write_lambda(self, depth: int) -> list[str]:
        kept, made = self.fresh("k"), self.fresh("s")
        value = f"(long) {self.value()}"
        name = self.target()
        kind = self.visible()[name]
        return [
            f"final long {kept} = {value};",
            f"java.util.function.LongUnaryOperator {made} = "
            f"q -> q > {self.literal()} ? q + {kept} : y++;",
            f"{name} = ({kind}) {made}.applyAsLong((long) {self.expression(0)});",
        ]


def _balanced(lines: list[str]) -> bool:
    text = "".join(lines)
    return text.count("{") == text.count("}") and "if" not in text


_MAIN = """
import java.lang.reflect.*;
import java.util.concurrent.*;

public class Main {
    static Object as(Class<?> t, long v) {
        if (t == int.class) return (int) v;
        if (t == long.class) return v;
        if (t == short.class) return (short) v;
        if (t == byte.class) return (byte) v;
        return (char) v;
    }

    static String run(Class<?> c, String[] inputs, String[] state) throws Exception {
        StringBuilder out = new StringBuilder();
        Method f = null;
        for (Method m : c.getDeclaredMethods()) if (m.getName().equals("f")) f = m;
        f.setAccessible(true);
        Constructor<?> k = c.getDeclaredConstructor();
        k.setAccessible(true);
        for (String input : inputs) {
            String[] values = input.split(" ");
            Object[] given = new Object[values.length];
            for (int i = 0; i < given.length; i++)
                given[i] = as(f.getParameterTypes()[i], Long.parseLong(values[i]));
            Object o = k.newInstance();
            try {
                out.append(f.invoke(o, given));
            } catch (InvocationTargetException e) {
                out.append(e.getCause().getClass().getName());
            }
            for (String name : state) {
                Field field = c.getDeclaredField(name);
                field.setAccessible(true);
                out.append(' ').append(field.get(o));
            }
            out.append(';');
        }
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool(r -> {
            Thread t = new Thread(null, r, "run", 1 << 20);
            t.setDaemon(true);
            return t;
        });
        java.nio.file.Path path = java.nio.file.Path.of(args[0]);
        for (String job : java.nio.file.Files.readAllLines(path)) {
            String[] parts = job.split("\\\\|");
            Future<String> answer = pool.submit(
                () -> run(Class.forName(parts[0]), parts[1].split(","), parts[2].split(",")));
            String said;
            try {
                said = answer.get(5, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                said = "timeout";
            } catch (ExecutionException e) {
                said = "not run: " + e.getCause();
            }
            System.out.println(parts[0] + " " + said);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
"""


def inputs(writer: FunctionWriter, number: int) -> list[tuple[int, ...]]:
    """Values for three parameters, mostly from the corners."""
    return [tuple(writer.random.choice(CORNERS) for _ in range(3)) for _ in range(number)]


def run(
    folder: Path, jobs: Sequence[tuple[RandomFunction, Sequence[str], Sequence[tuple[int, ...]]]]
) -> list[list[str | None]]:
    """What each text of each job does; None for one that does not compile."""
    names: dict[str, tuple[int, int]] = {}
    for at, (_, texts, _) in enumerate(jobs):
        for number, text in enumerate(texts):
            name = f"P{at}_{number}"
            names[name] = at, number
            (folder / f"{name}.java").write_text(text.replace("class P ", f"class {name} "))
    (folder / "Main.java").write_text(_MAIN)
    while True:
        files = sorted(str(path) for path in folder.glob("*.java"))
        stop = "-XDshould-stop.ifError=FLOW"  # every class that does not compile says so
        options = ["-nowarn", "-proc:none", "-Xmaxerrs", "100000", "-d", str(folder), stop]
        done = subprocess.run(
            [*jdk.JAVAC, *options, *files],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )
        bad = set(re.findall(r"(P\d+_\d+)\.java:\d+: error", done.stderr))
        if not bad:
            assert done.returncode == 0, done.stderr[:2000]
            break
        for name in bad:
            (folder / f"{name}.java").unlink()
    lines = []
    for name, (at, _) in names.items():
        function, _, values = jobs[at]
        if (folder / f"{name}.java").exists():
            rows = ",".join(" ".join(map(str, row)) for row in values)
            lines.append(f"{name}|{rows}|{','.join(function.state)}")
    (folder / "jobs").write_text("\n".join(lines))
    done = subprocess.run(
        [*jdk.JAVA, "-cp", str(folder), "Main", str(folder / "jobs")],
        capture_output=True, text=True, timeout=_TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return [
        [said.get(f"P{at}_{number}") for number in range(len(texts))]
        for at, (_, texts, _) in enumerate(jobs)
    ]
