"""What the oracle sees of a call, what it calls a proof, and mutants that share a process."""

import shutil
import textwrap

import pytest

from conftest import count
from equimut.oracle.closed import is_closed
from equimut.oracle.judging import judge, judge_mutants
from equimut.oracle.verdicts import OracleSettings

JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
GCC = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
FEW = OracleSettings(inputs=60)


def case(language: str, origin: str, old: str, new: str) -> object:
    origin = textwrap.dedent(origin).strip()
    assert old in origin
    marks = {"java": [JAVA], "c": [GCC]}.get(language, [])
    return pytest.param(language, origin, origin.replace(old, new, 1), marks=marks)


def sampled(cases: list[object]) -> list[object]:
    """The cases, of those for Java every third: each starts a machine and a compiler."""
    java = [each for each in cases if each.values[0] == "java"]  # type: ignore[attr-defined]
    return [each for each in cases if each not in java or java.index(each) % count(3, 1) == 0]


SEEN = [
    # standard error
    case("java", 'int f(boolean b) { System.err.println("low"); return 1; }',
         'System.err.println("low"); ', ""),
    case("c", '#include <stdio.h>\nint f(_Bool b) { fprintf(stderr, "low"); return 1; }',
         'fprintf(stderr, "low"); ', ""),
    case("python", """
        import sys
        def f(b: bool):
            print("low", file=sys.stderr)
            return 1
        """, "low", "high"),
    case("python", """
        import logging
        def f(b: bool):
            logging.warning("low %s", b)
            return 1
        """, "low", "high"),
    # output behind the first 64 KiB
    case("java", 'void f(boolean b) { System.out.print("x".repeat(70000)); System.out.print(1); }',
         "print(1)", "print(2)"),
    case("c", 'void f(_Bool b) { for (int i = 0; i < 7000; i++) printf("%10d", i); printf("1"); }',
         'printf("1")', 'printf("2")'),
    case("python", """
        def f(b: bool):
            print("x" * 70000)
            print("1" + "y" * 10)
        """, '"1"', '"2"'),
    # the order of what keeps one
    case("python", "def f(b: bool): return {1: b, 2: b}", "1: b, 2: b", "2: b, 1: b"),
    case("java", """
        java.util.Map<Integer, Integer> f(boolean b) {
            java.util.Map<Integer, Integer> m = new java.util.LinkedHashMap<>();
            m.put(1, 1); m.put(2, 2); return m; }
        """, "m.put(1, 1); m.put(2, 2);", "m.put(2, 2); m.put(1, 1);"),
    # messages that the code wrote itself, wherever they are built
    case("java", 'int f(int a) { if (a < 9) throw new IndexOutOfBoundsException("a: " + a);'
         " return a; }", '"a: " + a', '"a: " + -a'),
    case("java", "int f(int a) { if (a < 9) throw new IndexOutOfBoundsException(a); return a; }",
         "Exception(a)", "Exception(a - 1)"),
    case("java", "RuntimeException make(String m) { return new NullPointerException(m); }\n"
         'int f(int a) { String m = "a: " + a; if (a < 9) throw make(m); return a; }',
         '"a: " + a', '"b: " + a'),
    case("java", 'int f(String s) { return java.util.Objects.requireNonNull(s, "no s").length(); }',
         "no s", "none"),
    case("java", 'int f(int a) { if (a < 9) throw new ArithmeticException("/ by zero: " + a);'
         " return a; }", "zero: ", "none: "),
    case("python", """
        class Low(ValueError):
            def __init__(self, a): super().__init__(f"low: {a}")
        def f(a: int):
            if a < 9: raise Low(a)
            return a
        """, "Low(a)\n", "Low(a + 1)\n"),
    case("python", """
        def f(a: int):
            try:
                if a < 9: raise ValueError("low")
            finally:
                a += 1
            return a
        """, '"low"', '"high"'),
]  # fmt: skip


@pytest.mark.parametrize(("language", "origin", "mutant"), sampled(SEEN))
def test_a_difference_that_a_test_could_see_kills(language: str, origin: str, mutant: str) -> None:
    assert judge(origin, mutant, language, FEW).tier == "killed"


@pytest.mark.parametrize(("language", "origin", "mutant"), [
    case("java", "int f(int[] a) { return a[3] + a[4]; }", "a[3] + a[4]", "a[4] + a[3]"),
    case("java", 'String f(String s) { return s.substring(2, 9); }', "2, 9", "1 + 1, 9"),
    case("python", "def f(a: str): return int(a)", "int(a)", "int(a + '')"),
])  # fmt: skip
def test_messages_of_the_machine_and_its_library_are_not_compared(
    language: str, origin: str, mutant: str
) -> None:
    assert judge(origin, mutant, language, FEW).tier in ("unrefuted", "proved")


OPEN = [
    case("java", "boolean f(boolean b) { return toString().isEmpty(); }",
         "toString().isEmpty()", "false"),
    case("java", "int level; boolean f(boolean b) { return level > 3; }", "level > 3", "level > 2"),
    case("java", 'boolean f(boolean b) { return System.getProperty("x") == null; }',
         'System.getProperty("x") == null', "true"),
    case("java", 'void f() { System.setProperty("a.b", "1"); }', '"1"', '"2"'),
    case("java", "boolean f(boolean b) { return System.nanoTime() != 0; }",
         "System.nanoTime() != 0", "true"),
    case("c", "#include <unistd.h>\nvoid f(_Bool b) { write(1, \"a\", 1); }", '"a"', '"b"'),
    case("c", '#include <stdlib.h>\nint f(_Bool b) { return getenv("NONE") != 0; }',
         'getenv("NONE") != 0', "0"),
    case("c", "int level; int f(_Bool b) { return level > 3; }", "level > 3", "level > 2"),
    case("c", "static int k[2]; int *f(_Bool b) { return k; }", "return k", "return k + 1"),
    case("python", """
        import os
        def f(b: bool): return "NONE" in os.environ
        """, '"NONE" in os.environ', "False"),
    case("python", "import time\ndef f(b: bool): return time.time() > 9", "time.time()", "10"),
    case("python", "level = 0\ndef f(b: bool): return level > 3", "level > 3", "level > 2"),
    case("python", "def f(): return open('x').read() if False else 1", "1", "2 - 1"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "origin", "mutant"), sampled(OPEN))
def test_all_inputs_prove_nothing_where_more_than_parameters_is_touched(
    language: str, origin: str, mutant: str
) -> None:
    verdict = judge(origin, mutant, language, FEW)
    assert verdict.proof != "exhaustive"
    assert not (is_closed(origin, language) and is_closed(mutant, language))


def test_a_mutant_that_reaches_further_than_its_origin_is_not_proved() -> None:
    verdict = judge(
        "def f(b: bool): return 1", "import os\ndef f(b: bool): return len('a')", "python"
    )
    assert verdict.tier == "unrefuted"


@pytest.mark.parametrize(("language", "origin", "mutant"), [
    case("python", "def f(b: bool): return lambda: b", "lambda: b", "lambda: not b"),
    case("python", "def f(b: bool): return iter([b])", "[b]", "[not b]"),
    case("python", "def f(b: bool): return [object(), b][0]", "b][0]", "not b][0]"),
    case("java", "Object f(boolean b) { return new Object(); }", "return new", "; return new"),
    case("java", "Runnable f(boolean b) { return () -> {}; }", "{}", "{ f(b); }"),
    case("java", "Runnable f(boolean b) { return new Runnable() { public void run() {} }; }",
         "{} }", "{ f(b); } }"),
])  # fmt: skip
def test_values_without_a_text_are_not_compared(language: str, origin: str, mutant: str) -> None:
    verdict = judge(origin, mutant, language, FEW)
    assert verdict.tier == "unknown"
    assert "no text to compare" in verdict.reason


SPOILERS = {
    "python": (
        "import os\ndef f(a: int):\n    os.environ['K'] = '1'\n    x = os.environ.get('L', 'no')\n"
        "    return (x, a)\n",
        ("['K'] = '1'", "['L'] = 'spoiled'"),
        ("(x, a)", "(x, a + 0)"),
        ("(x, a)", "(x, a + 1)"),
    ),
    "java": (
        'String f(int a) { System.setProperty("K", "1"); String x = System.getProperty("L");'
        " return x + a; }",
        ('"K", "1"', '"L", "spoiled"'),
        ("x + a", "x + (a + 0)"),
        ("x + a", "x + (a + 1)"),
    ),
}


@pytest.mark.parametrize("language", ["python", pytest.param("java", marks=JAVA)])
def test_a_mutant_does_not_spoil_the_verdict_of_the_next(language: str) -> None:
    origin, *edits = SPOILERS[language]
    mutants = [origin.replace(old, new, 1) for old, new in edits]
    alone = [judge(origin, mutant, language, FEW).tier for mutant in mutants]
    assert alone == ["killed", "unrefuted", "killed"]
    assert [verdict.tier for verdict in judge_mutants(origin, mutants, language, FEW)] == alone
    backwards = judge_mutants(origin, mutants[::-1], language, FEW)
    assert [verdict.tier for verdict in backwards] == alone[::-1]


@JAVA
def test_standard_output_that_is_not_restored_does_not_kill_the_next() -> None:
    origin = """
    int f(boolean b) {
        java.io.PrintStream old = System.out;
        System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
        System.setOut(old);
        System.out.print("x");
        return b ? 1 : 0;
    }"""
    mutants = [
        origin.replace("System.setOut(old);", ""),
        origin.replace("b ? 1", "!!b ? 1"),
    ]
    tiers = [verdict.tier for verdict in judge_mutants(origin, mutants, "java", FEW)]
    assert tiers == ["killed", "proved"]  # by its compiled code


@GCC
def test_memory_that_leaks_from_call_to_call_is_limited_in_c() -> None:
    origin = "#include <stdlib.h>\nint f(unsigned short a) { return a; }"
    leaking = origin.replace("return a;", "volatile char *p = malloc(1 << 20); (void)p; return a;")
    settings = OracleSettings(memory_mb=256, wall_seconds=60)
    verdict = judge(origin, leaking, "c", settings)
    assert (verdict.tier, verdict.fault) == ("unknown", "sandbox")
    assert "memory limit" in verdict.reason
    assert verdict.inputs < 1000


@pytest.mark.parametrize(("language", "origin"), [
    ("python", "import os\ndef f(a: int):\n    os.closerange(0, 100)\n    return a"),
    pytest.param("c", "#include <unistd.h>\nint f(int a) { for (int i = 0; i < 99; i++) close(i);"
                 " return a; }", marks=GCC),
])  # fmt: skip
def test_closed_descriptors_are_not_called_a_lack_of_memory(language: str, origin: str) -> None:
    verdict = judge(origin, origin.replace("return a", "return a + 0"), language, FEW)
    assert verdict.tier == "unknown"
    assert "memory" not in verdict.reason
