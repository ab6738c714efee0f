"""Verdicts in every language: what is killed, what is proved, what stays open, and why."""

import json
import shutil
from dataclasses import dataclass, field

import pytest

from conftest import count
from equimut.oracle.judging import judge, judge_mutants, replay
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, WitnessFile

NEEDS = {"java": "javac", "c": "gcc", "python": None}
LANGUAGES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            bool(tool) and shutil.which(str(tool)) is None, reason=f"{tool} is not installed"
        ),
    )
    for name, tool in NEEDS.items()
]
SEARCH = {
    "java": """
static int search(int[] arr, int x) {
    int lo = 0, hi = arr.length - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (arr[mid] == x) return mid;
        if (arr[mid] < x) lo = mid + 1;
        else hi = mid - 1;
    }
    return -1;
}
""",
    "c": """
int search(const int *arr, int n, int x) {
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (arr[mid] == x) return mid;
        if (arr[mid] < x) lo = mid + 1;
        else hi = mid - 1;
    }
    return -1;
}
""",
    "python": """
def search(arr: list[int], x: int) -> int:
    lo, hi = 0, len(arr) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if arr[mid] == x: return mid
        if arr[mid] < x: lo = mid + 1
        else: hi = mid - 1
    return -1
""",
}
# CPython has no `++`: the analogue changes mid right after the comparison, or after its last use.
AOIS = {
    "java": (("arr[mid] == x", "arr[mid++] == x"), ("return mid;", "return mid++;")),
    "c": (("arr[mid] == x", "arr[mid++] == x"), ("return mid;", "return mid++;")),
    "python": (
        ("if arr[mid] == x: return mid", "if arr[mid] == x: return mid + 1"),
        ("return mid\n", "return (mid, mid := mid + 1)[0]\n"),
    ),
}


def changed(source: str, old: str, new: str) -> str:
    assert old in source
    return source.replace(old, new, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_binary_search_of_the_literature(language: str) -> None:
    origin = SEARCH[language]
    compared, returned = AOIS[language]
    mutants = [
        changed(origin, *compared),
        changed(origin, *returned),
        changed(origin, "lo = mid + 1", "lo = mid"),
        changed(origin, "return -1", "return (-1)  " if language != "python" else "return  -1 # x"),
    ]
    verdicts = judge_mutants(origin, mutants, language)
    killed, unrefuted, endless, same = verdicts
    assert killed.tier == "killed"
    assert unrefuted.tier in ("unrefuted", "proved")
    assert unrefuted.inputs >= 5_000
    assert endless.witness is not None
    assert endless.witness.mutant.outcome == "endless"
    assert same.tier == "proved"
    # Same verdicts and same witnesses, however the batch is cut.
    assert judge_mutants(origin, mutants[2:3], language) == [endless]


@dataclass(frozen=True)
class Claim:
    """One pair and what the oracle has to say about it."""

    title: str
    language: str
    origin: str
    old: str
    new: str
    tier: str
    expect: dict[str, str] = field(default_factory=dict)
    """Parts of the verdict: `proof`, `fault`, `reason`, or of the mutant's behaviour."""

    def __str__(self) -> str:
        return f"{self.language}: {self.title}"


CLAIMS = [
    # what a call can show
    Claim("output", "java", 'static void f(int n) { System.out.print("n" + n); }', '"n"', '"m"',
          "killed", {"output": "m0"}),
    Claim("output", "c", 'void f(int n) { printf("n%d", n); }', "n%d", "m%d",
          "killed", {"output": "m0"}),
    Claim("output", "python", "def f(n: int): print('n', n)", "'n'", "'m'",
          "killed", {"output": "m 0\n"}),
    Claim("changed array", "java", "static void f(int[] a) { if (a.length > 1) a[1] = 7; }",
          "a[1] = 7", "a[0] = 7", "killed", {"arguments": "[7, 0]"}),
    Claim("changed array", "c", "void f(int *a, int n) { if (n > 1) a[1] = 7; }",
          "a[1] = 7", "a[0] = 7", "killed", {"arguments": "[7, 0]"}),
    Claim("changed list", "python", "def f(a: list[int]):\n    if len(a) > 1: a[1] = 7",
          "a[1] = 7", "a[0] = 7", "killed", {"arguments": "[7, 0]"}),
    Claim("changed string", "c", "void f(char *s) { if (s[0]) s[0] = 'x'; }", "'x'", "'y'",
          "killed", {"arguments": '"y"'}),
    Claim("exception type", "java",
          'static int f(int n) { if (n < 0) throw new IllegalStateException(); return n; }',
          "IllegalStateException", "RuntimeException",
          "killed", {"detail": "java.lang.RuntimeException"}),
    Claim("message of its own exception", "python",
          "def f(n: int):\n    if n < 0: raise ValueError(f'bad {n}')",
          "bad", "Bad", "killed", {"detail": "ValueError: Bad -1"}),
    Claim("message of the machine does not count", "java",
          "static int f(int[] a) { return a[a.length]; }", "a[a.length]", "a[a.length + 1]",
          "unrefuted"),
    Claim("message of the interpreter does not count", "python",
          "def f(a: list[int]): return a[len(a)]", "a[len(a)]", "a.copy()[len(a)]", "unrefuted"),
    Claim("NaN is NaN, but zero has a sign", "java",
          "static double f(double x) { return x + 0.0; }", "x + 0.0", "x - 0.0",
          "killed", {"value": "-0.0"}),
    Claim("NaN equals NaN", "c", "double f(double x) { return x * 1.0; }", "x * 1.0", "1.0 * x",
          "proved"),
    Claim("true is not one", "python", "def f(p: bool): return p", "return p", "return int(p)",
          "killed", {"value": "0"}),
    Claim("exit", "c", "int f(int n) { if (n > 3) exit(2); return n; }", "exit(2)", "exit(3)",
          "killed", {"outcome": "exits", "detail": "3"}),
    # numbers at their ends
    Claim("int overflow", "java", "static int f(int a) { return a < 0 ? -a : a; }",
          "a < 0 ? -a : a", "a < 0 ? Math.max(-a, 0) : a", "killed", {"value": "0"}),
    Claim("wrap-around is defined", "java", "static boolean f(int a) { return a + 1 > a; }",
          "a + 1 > a", "true", "killed", {"value": "true"}),
    Claim("undefined overflow is outside the domain", "c", "int f(int a) { return a + 1 > a; }",
          "a + 1 > a", "1", "proved", {"proof": "compile"}),
    # C: memory and undefined behaviour
    Claim("undefined counts, also where the optimiser hides it", "c",
          "int f(int a) { int b = a; return b; }", "return b;", "return b++;",
          "killed", {"detail": "signed integer overflow"}),
    Claim("reading past the end", "c",
          "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) "
          "s ^= a[i]; return s; }", "i < n", "i <= n",
          "killed", {"outcome": "crashes", "detail": "heap-buffer-overflow"}),
    Claim("a stack array", "c", "int f(int k) { int t[4] = {1, 2, 3, 4}; return t[k & 3]; }",
          "k & 3", "k & 7", "killed", {"detail": "index out of bounds"}),
    Claim("division by zero", "c", "int f(int a, int b) { return b != 0 ? a % b : 0; }",
          "b != 0", "b != 1", "killed", {"detail": "division by zero or overflow"}),
    Claim("no value returned", "c", "int f(int a) { if (a > 2) return 1; return 0; }",
          "return 0;", "", "killed", {"detail": "no value returned"}),
    Claim("a variable without a value", "c", "int f(int a) { int s = 0; return s + (a & 1); }",
          "int s = 0", "int s", "killed"),
    Claim("null pointer", "c", "int f(const char *s) { return s == NULL ? -1 : s[0]; }",
          "s == NULL", "s != NULL", "killed"),
    Claim("goto loop", "c", "int f(int n) { n &= 7; top: if (n > 0) { n--; goto top; } return n; }",
          "n--;", "", "killed", {"outcome": "endless"}),
    Claim("a pointer is a place in an argument", "c",
          "const int *f(const int *a, int n) { return n > 1 ? a + 1 : a; }", "a + 1", "a",
          "killed", {"value": "argument buffer 0, byte 0"}),
    # endless
    Claim("swallowed step error", "java",
          "static int f(int n) { int i = 0; while (i < 9) { try { i++; } finally { } } return i; }",
          "i++", "i--; i++", "killed", {"outcome": "endless"}),
    Claim("recursion", "java",
          "static int f(byte n) { return n <= 0 ? 0 : 1 + f((byte) (n - 1)); }", "n - 1", "n",
          "killed", {"outcome": "endless"}),
    Claim("recursion", "c", "int f(int8_t n) { return n <= 0 ? 0 : 1 + f(n - 1); }",
          "n - 1", "n", "killed", {"outcome": "endless"}),
    Claim("recursion", "python", "def f(p: bool): return f(False) if p else 0",
          "f(False)", "f(p)", "killed", {"outcome": "stack overflow"}),
    Claim("bare except", "python",
          "def f(n: int):\n    i = 0\n    while i < 9:\n        try: i += 1\n        except: pass\n"
          "    return i", "i += 1", "i += 0", "killed", {"outcome": "endless"}),
    # proofs
    Claim("comments", "java", "static int f(int a) { return a; }", "return a;",
          "/* the */ return  a; /* same */", "proved", {"proof": "tokens"}),
    Claim("dead store", "c", "int f(int a) { int b = a; return b; }", "return b;",
          "int c = b; c ^= 1; return b;", "proved", {"proof": "compile"}),
    Claim("constant folding", "java", "static int f(int a) { return a + 4; }", "4", "(2 + 2)",
          "proved", {"proof": "compile"}),
    Claim("constant folding", "python", "def f(a: int): return a + 4", "4", "(2 + 2)",
          "proved", {"proof": "compile"}),
    Claim("a constant of another type", "python", "def f(a: bool): return 1", "1", "1.0",
          "killed", {"value": "1.0"}),
    Claim("constants are compared with their types", "python", "def f(a: bool): return a == 1",
          "1", "1.0", "proved", {"proof": "exhaustive"}),
    Claim("the whole domain", "java", "static int f(byte a, boolean p) { return p ? a * 2 : a; }",
          "a * 2", "a + a", "proved", {"proof": "exhaustive"}),
    Claim("the whole domain", "c", "int f(unsigned char a) { return a * 6 % 4; }",
          "a * 6 % 4", "a % 2 * 2", "proved", {"proof": "exhaustive"}),
    Claim("the whole domain", "python", "def f(p: bool, q: bool): return not (p and q)",
          "not (p and q)", "(not p) or (not q)", "proved", {"proof": "exhaustive"}),
    # what cannot be judged
    Claim("does not compile", "java", "static int f(int a) { return a; }", "return a", "return b",
          "unknown", {"fault": "mutant", "reason": "does not compile"}),
    Claim("does not compile", "c", "int f(int a) { return a; }", "return a", "return b",
          "unknown", {"fault": "mutant", "reason": "does not compile"}),
    Claim("does not compile", "python", "def f(a: int): return a", "return a", "return (a",
          "unknown", {"fault": "mutant", "reason": "does not compile"}),
    Claim("endless origin", "java", "static int f(int a) { while (true) { a++; } }", "a++", "a--",
          "unknown", {"fault": "origin", "reason": "loops for ever"}),
    Claim("endless origin", "c", "int f(unsigned a) { for (;;) a++; return 0; }", "a++", "a--",
          "unknown", {"fault": "origin", "reason": "loops for ever"}),
    Claim("endless origin", "python", "def f(a: int):\n    while True: a += 1", "+= 1", "+= 2",
          "unknown", {"fault": "origin", "reason": "loops for ever"}),
    Claim("chance", "java", "static double f(int a) { return Math.random(); }",
          "return", "return 1 *", "unknown", {"fault": "origin", "reason": "does not repeat"}),
    Claim("state", "c", "static int calls; int f(int a) { return ++calls; }", "++calls", "calls++",
          "unknown", {"fault": "origin", "reason": "does not repeat"}),
    Claim("state", "python", "seen = []\ndef f(a: int):\n    seen.append(a)\n    return len(seen)",
          "len(seen)", "len(seen) + 0", "unknown",
          {"fault": "origin", "reason": "does not repeat"}),
    Claim("always undefined", "c", "int f(const int *a) { return a[1]; }", "a[1]", "a[2]",
          "unknown", {"fault": "origin", "reason": "undefined"}),
    Claim("memory is no evidence", "python", "def f(p: bool): return 1 if p else 0",
          "1 if p", "len(bytearray(1 << 40)) if p",
          "unknown", {"fault": "sandbox", "reason": "memory"}),
    Claim("the end of the process is no evidence", "java",
          "static int f(int a) { return a; }",
          "return a;", "Runtime.getRuntime().halt(0); return a;", "unknown",
          {"fault": "sandbox", "reason": "ended the process"}),
]  # fmt: skip


def faults(claim: Claim, verdict: OracleVerdict) -> list[str]:
    """Where a verdict is not what the claim says."""
    seen: dict[str, str] = {"proof": str(verdict.proof), "fault": str(verdict.fault)}
    if verdict.witness is not None:
        mutant = verdict.witness.mutant
        seen |= {key: getattr(mutant, key) for key in ("outcome", "value", "detail", "output")}
        seen["arguments"] = ", ".join(mutant.arguments)
    found = [
        f"{key} is {seen.get(key)!r}, not {text!r}"
        for key, text in claim.expect.items()
        if key != "reason" and seen.get(key) != text
    ]
    if claim.expect.get("reason", "") not in verdict.reason or "\n" in verdict.reason:
        found.append(f"the reason is {verdict.reason!r}")
    if verdict.tier != claim.tier:
        found.append(f"{verdict} is not {claim.tier}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_claims(language: str) -> None:
    """All claims of a language; those about one origin are judged together."""
    origins: dict[str, list[Claim]] = {}
    for claim in (claim for claim in CLAIMS if claim.language == language):
        origins.setdefault(claim.origin, []).append(claim)
    wrong: list[str] = []
    # A machine or a compiler per origin takes its time: every third origin in the reduced run.
    step = count(3, 1) if language != "python" else 1
    for origin, claims in list(origins.items())[::step]:
        mutants = [changed(origin, claim.old, claim.new) for claim in claims]
        verdicts = judge_mutants(origin, mutants, language, OracleSettings(inputs=400))
        pairs = zip(claims, verdicts, strict=True)
        wrong += [
            f"{claim}: {fault}" for claim, verdict in pairs for fault in faults(claim, verdict)
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_bad_mutant_does_not_spoil_the_batch(language: str) -> None:
    origin = SEARCH[language]
    unbalanced = changed(origin, "(lo + hi)", "((lo + hi)")
    good = changed(origin, "lo <= hi", "lo < hi")
    wrong = changed(origin, "return -1", "return nothing")
    mutants = [good, unbalanced, good, wrong, origin, good]
    verdicts = judge_mutants(origin, mutants, language, OracleSettings(inputs=300))
    tiers = [verdict.tier for verdict in verdicts]
    # Python finds out that a name is missing only when it gets there.
    missing = "killed" if language == "python" else "unknown"
    assert tiers == ["killed", "unknown", "killed", missing, "proved", "killed"]
    assert verdicts[0] == verdicts[2] == verdicts[5]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_witness_is_json_and_replays_to_the_same_behaviours(language: str) -> None:
    origin = SEARCH[language]
    mutant = changed(origin, "lo <= hi", "lo < hi")
    settings = OracleSettings(inputs=300)
    verdict = judge(origin, mutant, language, settings)
    assert OracleVerdict.model_validate(json.loads(verdict.model_dump_json())) == verdict
    assert verdict.witness is not None
    file = WitnessFile(
        language=language,
        settings=settings,
        origin_source=origin,
        mutant_source=mutant,
        witness=verdict.witness,
    )
    assert replay(WitnessFile.model_validate_json(file.model_dump_json())) == verdict.witness


@pytest.mark.parametrize("language", LANGUAGES)
def test_helpers_beside_the_function_may_be_mutated_too(language: str) -> None:
    sources = {
        "java": "static int half(int a) { return a / 2; }\n"
        "static int f(byte a) { return half(a) + 1; }",
        "c": "#define ONE 1\nenum way { UP, DOWN };\nstruct pair { int x; };\n"
        "static int half(int a) { struct pair p = {a / 2}; return p.x; }\n"
        "int f(int8_t a) { return half(a) + ONE + UP; }",
        "python": "def half(a: int): return a // 2\n\ndef f(a: bool): return half(a + 3) + 1\n",
    }
    origin = sources[language]
    old = "a // 2" if language == "python" else "a / 2"
    mutants = [changed(origin, old, "a * 2"), changed(origin, "return half", "return 0 + half")]
    killed, same = judge_mutants(origin, mutants, language)
    assert killed.tier == "killed"
    # A call may reach anything, so that all inputs are no proof; gcc compiles both to the same.
    assert same.tier == ("proved" if language == "c" else "unrefuted")
    named = judge(origin, mutants[1], language, OracleSettings(function="half", inputs=200))
    assert named.tier in ("proved", "unrefuted")


def test_a_java_class_is_built_anew_for_every_call_and_its_fields_are_seen() -> None:
    if shutil.which("javac") is None:
        pytest.skip("javac is not installed")
    origin = (
        "package any.where;\npublic class Counter { int total; boolean open = true;\n"
        "  int add(byte n) { total += n; return total; }\n  int zero() { return 0; } }"
    )
    mutants = [
        changed(origin, "total += n;", "total += n; open = n != 3;"),
        changed(origin, "return total;", "return this.total;"),
        changed(origin, "total += n", "total -= n"),
    ]
    settings = OracleSettings(function="add")
    fields, same, killed = judge_mutants(origin, mutants, "java", settings)
    assert fields.witness is not None
    assert fields.witness.arguments == (3,)
    assert "open=false" in fields.witness.mutant.arguments[0]
    assert (same.tier, same.proof) == ("proved", "compile")
    assert killed.tier == "killed"


def test_a_verdict_written_before_the_sandbox_had_its_name_is_read() -> None:
    verdict = OracleVerdict.model_validate_json('{"tier": "unknown", "fault": "fence"}')
    assert verdict.fault == "sandbox"
