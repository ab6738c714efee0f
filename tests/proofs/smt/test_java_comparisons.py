"""Changed comparisons of real Java code: what must be proved, and what must not, case by case."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.proving import prove

Case = tuple[str, str, str]
EQUIVALENT: dict[str, Case] = {
    # positions in strings
    "a part that was found fits": (
        "String f(String s, String t) { int i = s.indexOf(t); if (i < 0) { return s; } return i + t.length() >= s.length() ? s : t; }",
        "i + t.length() >=", "i + t.length() =="),
    "behind the last separator": (
        "String f(String s) { int i = s.lastIndexOf('/'); return i >= s.length() ? s : s.substring(i + 1); }", "i >= s.length()", "false"),
    "found from a place on": (
        "int f(String s) { int i = s.indexOf('a', 3); return i > 2 ? 1 : 2; }", "i > 2", "i >= 0"),
    "found up to a place": (
        "int f(String s, int k) { int i = s.lastIndexOf('a', k); if (k < 5) { return i < 5 ? 1 : 2; } return 3; }", "i < 5", "true"),
    "nothing is found in an empty string": (
        "int f(String s) { if (s.length() == 0) { return s.indexOf('a') < 0 ? 1 : 2; } return 3; }", "s.indexOf('a') < 0", "true"),
    "a prefix is not longer": (
        "boolean f(String s) { return s.startsWith(\"abc\") && s.length() >= 3; }", "s.length() >= 3", "true"),
    "equal strings are of one length": (
        "int f(String s) { if (s.equals(\"ab\")) { return s.length() > 2 ? 1 : 2; } return 3; }", "s.length() > 2", "false"),
    "code points end where the string ends": (
        "int f(String s) { int n = 0; int c; for (int i = 0; i < s.length(); i += Character.charCount(c)) { c = s.codePointAt(i); n += c; } return n; }",
        "i < s.length()", "i != s.length()"),
    # literals
    "characters of a literal": (
        "boolean f(char c) { return c < 32 || \",; \".indexOf(c) >= 0; }", "||", "!="),
    "an escape is one character": (
        "boolean f(char c) { return \"a\\n\\u0041\".indexOf(c) >= 0; }", "\"a\\n\\u0041\".indexOf(c) >= 0", "c == 'a' || c == 10 || c == 'A'"),
    "the character at a place": ("int f() { return \"abc\".charAt(1) == 'b' ? 1 : 2; }", "\"abc\".charAt(1) == 'b'", "true"),
    # counters
    "a counter that is moved before it is compared": (
        "int f(int[] a, int n) { int i = 0; if (n <= 0) { return 0; } while (true) { if (a[i] > 3) { return i; } if (++i == n) { return -1; } } }",
        "++i == n", "++i >= n"),
    "the next one is compared": (
        "int f(int[] a) { int i = 0, s = 0; while (i + 1 < a.length) { s += a[i]; i++; } return i > a.length ? s : s + 1; }",
        "i > a.length", "false"),
    "counters in step": (
        "int f(int[] a, int k) { int s = 0; for (int i = 0, j = 0; i < a.length; i++, j++) { s += i != j ? 1 : a[j]; } return s; }", "i != j", "i > j"),
    "counters that meet": (
        "int f(int[] a) { int s = 0; for (int i = 0, j = a.length - 1; i < a.length; i++, j--) { s += i + j >= a.length ? 1 : 2; } return s; }",
        "i + j >= a.length", "i + j > a.length"),
    "a place to write stays behind": (
        "int f(int[] a) { int to = -1; for (int i = 0; i < a.length; i++) { if (a[i] == 0) { continue; } to++; if (to < i) { a[to] = a[i]; } } return to; }",
        "to < i", "to <= i"),
    # a last iteration that does nothing
    "an element in the middle changes places with itself": (
        "void f(int[] a) { for (int i = 0, j = a.length - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } }", "i < j", "i <= j"),
    "a character in the middle is itself": (
        "boolean f(String s) { int i = 0, j = s.length() - 1; while (j > i) { if (s.charAt(i) != s.charAt(j)) { return false; } i++; j--; } return true; }",
        "j > i", "j >= i"),
    "nothing is added": ("int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }", "n > 0", "n >= 0"),
    "one iteration less": ("int f(int n) { int s = 0; while (n >= 0) { s += n; n--; } return s; }", "n >= 0", "n > 0"),
    "an iteration that ends the loop": (
        "int f(int[] a, int n) { int s = 0, i = 0; while (i < a.length) { if (i >= n) { break; } s += a[i++]; } return s; }",
        "i < a.length", "i < a.length && i < n"),
}  # fmt: skip
KILLABLE: dict[str, Case] = {
    "an empty part is found at the end": (
        "int f(String s, String t) { int i = s.indexOf(t); return i >= s.length() ? 1 : 2; }", "i >= s.length()", "false"),
    "behind the end an empty part is found before the place": (
        "int f(String s, String t) { int i = s.indexOf(t, 3); return i > 2 ? 1 : 2; }", "i > 2", "i >= 0"),
    "the last one may be anywhere before": (
        "int f(String s) { int i = s.lastIndexOf('a', 3); return i > 2 ? 1 : 2; }", "i > 2", "i >= 0"),
    "a prefix may be shorter": (
        "boolean f(String s, String t) { return s.startsWith(t) && s.length() > t.length(); }", "s.length() > t.length()", "true"),
    "no prefix says nothing": (
        "int f(String s) { if (!s.startsWith(\"abc\")) { return s.length() < 3 ? 1 : 2; } return 3; }", "s.length() < 3", "true"),
    "other strings are of other lengths": (
        "int f(String s) { if (s.equals(\"ab\")) { return 3; } return s.length() != 2 ? 1 : 2; }", "s.length() != 2", "true"),
    "another code point": (
        "int f(String s, int c) { int n = 0; for (int i = 0; i < s.length(); i += Character.charCount(c)) { n += s.codePointAt(i); } return n; }",
        "i < s.length()", "i != s.length()"),
    "a character of a literal": (
        "boolean f(char c) { return c < 33 || \",; \".indexOf(c) >= 0; }", "||", "!="),
    "an octal escape": ("boolean f(char c) { return \"\\101\".indexOf(c) >= 0; }", "\"\\101\".indexOf(c) >= 0", "c == '1'"),
    "not the first place": ("boolean f(char c) { return \"aba\".indexOf(c) > 1; }", "> 1", "> 0"),
    "not the last place": ("boolean f(char c) { return \"aba\".lastIndexOf(c) > 1; }", "> 1", "> 2"),
    "a code point that is no character": ("boolean f(int c) { return \"abc\".indexOf(c) < 0; }", "< 0", "< 1"),
    "a counter that may begin behind the end": (
        "int f(int[] a, int n) { int i = 0; while (true) { if (a[i] > 3) { return i; } if (++i == n) { return -1; } } }",
        "++i == n", "++i >= n"),
    "a counter that jumps over the end": (
        "int f(int[] a, int n) { int i = 0; if (n <= 0) { return 0; } while (true) { if (a[i] > 3) { return i; } if ((i += 2) == n) { return -1; } } }",
        "(i += 2) == n", "(i += 2) >= n"),
    "counters out of step": (
        "int f(int[] a) { int s = 0; for (int i = 0, j = 0; i < a.length; i++, j += a[i - 1]) { s += i != j ? 1 : a[j]; } return s; }", "i != j", "i > j"),
    "the sum begins elsewhere": (
        "int f(int[] a, int k) { int s = 0; for (int i = 0, j = k; i < a.length; i++, j--) { s += i + j >= a.length ? 1 : 2; } return s; }",
        "i + j >= a.length", "i + j > a.length"),
    "a place to write that overtakes": (
        "int f(int[] a) { int to = 0; for (int i = 0; i < a.length; i++) { if (a[i] == 0) { continue; } to++; if (to < i) { a[to] = a[i]; } } return to; }",
        "to < i", "to <= i + 1"),
    "the middle may be outside": (
        "void f(int[] a, int k) { for (int i = 0, j = k; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } }", "i < j", "i <= j"),
    "not a number is not itself": (
        "boolean f(double[] a) { int i = 0, j = a.length - 1; while (i < j) { if (a[i] != a[j]) { return false; } i++; j--; } return true; }",
        "i < j", "i <= j"),
    "the counter is read later": ("int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s + n; }", "n > 0", "n >= 0"),
    "the counter is read by the loop around": (
        "int f(int k) { int s = 0, n = 3; for (int i = 0; i < k; i++) { while (n > 0) { s += n; n--; } s += n; } return s; }", "n > 0", "n >= 0"),
    "the last iteration is not the last": ("int f(int n) { int s = 0; while (n > 0) { s += n; n -= s; } return s; }", "n > 0", "n >= 0"),
    "something is called once more": ("void f(int n) { while (n > 0) { note(0); n--; } }", "n > 0", "n >= 0"),
    "a field is written once more": ("int x; void f(int n) { while (n > 0) { this.x = 3; n--; } }", "n > 0", "n >= 0"),
    "the condition sets another element": ("int f(int[] a, int k) { a[0] = 0; int i = 0; while (i < k && (a[0] = 1) > 0) { i++; } return i; }", "(a[0] = 1)", "(a[0] = 2)"),
    "the condition sets another local": ("int f(int k) { int n = 0; int i = 0; while (i < k && (n = 1) > 0) { i++; } return n; }", "(n = 1)", "(n = 2)"),
    "the last iteration returns": ("int f(int[] a, int n) { int i = 0; while (i < n) { if (i == n) { return 7; } i++; } return 3; }", "i < n", "i <= n"),
    "the last iteration throws": ("int f(int[] a) { int i = a.length; int s = 0; while (i > 0) { i--; s = a[i]; } return 3; }", "i > 0", "i >= 0"),
    "the condition counts": ("int f(int n) { int s = 0; while (n-- > 0) { s += 0; } return n; }", "n-- > 0", "n-- >= 0"),
    "the condition throws": (
        "int f(int[] a, int n) { int i = 0; while (i < n) { i++; } return 3; }", "i < n", "i < n && a[0] > 3"),
    "the last iteration does not end": ("int f(int n) { while (n > 0) { for (;;) { if (n != 0) { break; } } n--; } return 3; }", "n > 0", "n >= 0"),
    "counters that wrap around": (
        "int f(int n) { int s = 0; for (int i = n, j = n - 1; s < 5; i++, j++) { s += j < i ? 1 : 3; } return s; }", "j < i", "true"),
}  # fmt: skip


def proved(case: Case) -> bool:
    origin, before, after = case
    assert origin.count(before) == 1, "the change is in one place"
    return prove(origin, origin.replace(before, after), "java") is not None


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent(name: str) -> None:
    assert proved(EQUIVALENT[name])


@pytest.mark.parametrize("name", KILLABLE)
def test_killable(name: str) -> None:
    assert not proved(KILLABLE[name])
