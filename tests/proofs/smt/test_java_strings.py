"""Characters of literals: what equals one, begins or ends with it, is nothing else."""

import shutil
import subprocess
from pathlib import Path

import pytest

from equimut.proofs.smt.proving import prove


def proved(one: str, other: str, sign: str = "!=", before: str = "") -> bool:
    origin = f"boolean f(String a, String b) {{ {before} return {one} || ({other}); }}"
    return prove(origin, origin.replace("||", sign), "java") is not None


@pytest.mark.parametrize(("one", "other"), [
    ('"ab".equals(a)', '"cd".equals(a)'),
    ('a.equals("ab")', '"ac".equals(a)'),
    ('a.equalsIgnoreCase("ab")', 'a.equalsIgnoreCase("cd")'),
    ('a.startsWith("ab")', 'a.startsWith("cde")'),
    ('a.startsWith("ab")', 'a.equals("ba")'),
    ('a.endsWith("ab")', 'a.endsWith("xac")'),
    ('a.startsWith("{")', "a.charAt(0) == '}'"),
    ('a.startsWith("\\t")', 'a.startsWith("t")'),
])  # fmt: skip
@pytest.mark.parametrize("sign", ["!=", "^"])
def test_no_string_is_both(one: str, other: str, sign: str) -> None:
    assert proved(one, other, sign, "if (a.isEmpty()) return false;")


@pytest.mark.parametrize(("one", "other"), [
    ('"ab".equals(a)', '"ab".equals(a)'),
    ('"ab".equals(a)', '"cd".equals(b)'),
    ('a.startsWith("a")', 'a.startsWith("ab")'),
    ('a.startsWith("a")', 'a.startsWith("\\u0061")'),
    ('a.startsWith("ab")', 'a.endsWith("cd")'),
    ('a.startsWith("ab")', 'a.contains("cd")'),
    ('a.startsWith("ab")', 'a.startsWith("cd", 1)'),
    ('a.startsWith("ab")', 'a.startsWith("")'),
    ('a.startsWith("ab")', 'a.startsWith(b)'),
    ('a.endsWith("b")', 'a.endsWith("ab")'),
    ('a.equalsIgnoreCase("ab")', 'a.equalsIgnoreCase("AB")'),
    ('a.equalsIgnoreCase("ab")', 'a.equals("AB")'),
    ('a.equalsIgnoreCase("k")', 'a.equals("\\u212a")'),
    ('a.equalsIgnoreCase("\\u00e9")', 'a.equalsIgnoreCase("\\u00c9")'),
    ('a.startsWith("{")', "a.charAt(1) == '}'"),
    ('a.equals("ab")', '(a = b).equals("cd")'),
    ('a.toString().equals("ab")', '!a.toString().equals("cd")'),
])  # fmt: skip
def test_what_may_be_both(one: str, other: str) -> None:
    assert not proved(one, other, before="if (a.isEmpty()) return false;")


def test_what_is_not_asked_does_not_throw() -> None:
    """Of two strings, the second may be null where the first question has its answer."""
    assert not proved('"ab".equals(a)', 'b.startsWith("cd") && !"ab".equals(a)')


ALIKE = """
class Alike {
    public static void main(String[] arguments) {
        for (int c = 0; c <= 0xFFFF; c++) {
            for (char d = 0; d < 128; d++) {
                char one = Character.toLowerCase(Character.toUpperCase((char) c));
                boolean alike = String.valueOf((char) c).equalsIgnoreCase(String.valueOf(d));
                if (alike != (one == Character.toLowerCase(d)))
                    System.out.println(c + " " + (int) d);
            }
        }
        System.out.println("done");
    }
}
"""


@pytest.mark.skipif(shutil.which("java") is None, reason="java is not here")
def test_a_case_that_is_ignored_is_one_case(tmp_path: Path) -> None:
    """What is claimed of `equalsIgnoreCase` rests on it: one character stands for all that fit."""
    (tmp_path / "Alike.java").write_text(ALIKE)
    done = subprocess.run(
        ["java", "Alike.java"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["done"]
