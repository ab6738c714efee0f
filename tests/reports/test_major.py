"""Major's log: both dialects, code with colons and arrows in it, several sites on a line."""

from collections import Counter
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.parsing.tree import parse
from equimut.reports.major import read_log, read_major
from equimut.reports.reported import ReportedMutant, ReportError

SOURCE = """\
package shop;

public class Prices {
    static int total(int[] prices, int limit) {
        int sum = 0;
        for (int i=0; i<prices.length; i++) {
            sum = sum * limit * 2;
            if (prices[i] > 0 && limit > 0 || sum > 0)
                sum += prices[i];
            log("a:b |==> c", sum > 0 ? 1 : 2);
        }
        return sum;
    }

    static class Rate {
        int of(int a) { return a+a+a; }
    }
}
"""
PLACE = "shop.Prices@total(int[],int)"
LINES = [
    # one site, laid out in another way than the compiler prints it
    f"1:ROR:<(int,int):!=(int,int):{PLACE}:6:i < prices.length |==> i != prices.length",
    # three sites with the same code, in the order of the text
    f"2:LVR:0:POS:{PLACE}:8:0 |==> 1",
    f"3:LVR:0:POS:{PLACE}:8:0 |==> 1",
    f"4:LVR:0:POS:{PLACE}:8:0 |==> 1",
    # two of three: which ones is not said
    f"5:LVR:0:NEG:{PLACE}:8:0 |==> -1",
    f"6:LVR:0:NEG:{PLACE}:8:0 |==> -1",
    # statements
    f"7:STD:<ASSIGN>:<NO-OP>:{PLACE}:9:sum += prices[i] |==> <NO-OP>",
    f"8:STD:<RETURN>:<NO-OP>:{PLACE}:12:return sum; |==> <NO-OP>",
    f"9:STD:<INC>:<NO-OP>:{PLACE}:6:i++ |==> <NO-OP>",
    f'10:STD:<CALL>:<NO-OP>:{PLACE}:10:log("a:b |==> c", sum > 0 ? 1 : 2) |==> <NO-OP>',
    # the tree changes, not the text: parentheses are needed
    f"11:AOR:*(int,int):+(int,int):{PLACE}:7:sum * limit |==> sum + limit",
    # colons and arrows in the code, and in the symbols
    f'12:LVR:"a:b |==> c":"":{PLACE}:10:"a:b |==> c" |==> ""',
    f"13:COR:cond:rhs:{PLACE}:10:sum > 0 ? 1 : 2 |==> 2",
    # not there
    f"14:ROR:<(int,int):!=(int,int):{PLACE}:7:i < prices.length |==> true",
    f"15:ROR:<(int,int):!=(int,int):{PLACE}:7000:i < prices.length |==> true",
    # no expression: `limit * 2` is torn by the way `*` groups
    f"16:AOR:*(int,int):+(int,int):{PLACE}:7:limit * 2 |==> limit + 2",
    # an inner class; the code stands in one place as an expression
    "17:AOR:+(int,int):-(int,int):shop.Prices$Rate@of(int):16:a + a |==> a - a",
]
PLACED = {
    "1": ("i<prices.length", "i != prices.length"),
    "2": ("0", "1"),
    "3": ("0", "1"),
    "4": ("0", "1"),
    "7": ("sum += prices[i];", ";"),
    "8": ("return sum;", ";"),
    "9": ("i++", ""),
    "10": ('log("a:b |==> c", sum > 0 ? 1 : 2);', ";"),
    "11": ("sum * limit", "(sum + limit)"),
    "12": ('"a:b |==> c"', '""'),
    "13": ("sum > 0 ? 1 : 2", "2"),
    "17": ("a+a", "a - a"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "src/main/java/shop/Prices.java"
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    (tmp_path / "mutants.log").write_text("\n".join(LINES) + "\n")
    (tmp_path / "kill.csv").write_text(
        "MutantNo,[FAIL | TIME | EXC | LIVE | UNCOV]\n"
        "1,FAIL\n2,EXC\n3,TIME\n4,LIVE\n5,UNCOV\n6,ODD\n"
    )
    return tmp_path


def mutants(project: Path) -> dict[str, ReportedMutant]:
    report = read_major(project / "mutants.log", project)
    return {mutant.id: mutant for mutant in report.mutants()}


def test_each_line_is_put_where_its_code_stands(project: Path) -> None:
    found = mutants(project)
    changes = {
        key: (mutant.change.original, mutant.change.replacement)
        for key, mutant in found.items()
        if mutant.change
    }
    assert changes == PLACED
    for key in PLACED:
        change = found[key].change
        assert found[key].problem is None
        assert change is not None
        assert not parse(change.mutant_function, "java").errors
    assert {found["5"].problem, found["6"].problem} == {"ambiguous: 3 sites fit"}
    for key in ("14", "15", "16"):
        assert (found[key].problem or "").startswith("not locatable: the code is not on line 7")


def test_sites_on_one_line_are_taken_in_the_order_of_the_text(project: Path) -> None:
    found = mutants(project)
    places = [found[key].change for key in ("2", "3", "4")]
    starts = [place.start_byte for place in places if place]
    line = SOURCE.split("\n")[7]
    at = SOURCE.index(line)
    assert starts == [at + n for n, char in enumerate(line) if char == "0"]


def test_the_position_of_the_newer_dialect_decides(project: Path) -> None:
    at = SOURCE.index("sum > 0)") + 6
    operator = SOURCE.index("sum * limit") + 4
    (project / "mutants.log").write_text(
        f"1:LVR:0:POS:{PLACE}:8:{at}:0 |==> 1\n"
        f"2:AOR:*:+:{PLACE}:7:{operator}:sum * limit |==> sum + limit\n"
        f"3:LVR:0:POS:{PLACE}:8:{SOURCE.index('limit > 0 ||')}:0 |==> 1\n"
    )
    found = mutants(project)
    assert found["1"].change is not None
    assert found["1"].change.start_byte == at
    assert found["2"].change is not None
    assert found["3"].problem == "ambiguous: 3 sites fit"


def test_both_dialects_give_the_same_columns(tmp_path: Path) -> None:
    seven = f"3:ROR:<=(int,int):<(int,int):{PLACE}:8:a <= 0 |==> a < 0"
    eight = f"3:ROR:<=(int,int):<(int,int):{PLACE}:8:120:a <= 0 |==> a < 0"
    (tmp_path / "log").write_text(f"{seven}\n{eight}\n")
    one, other = read_log(tmp_path / "log")
    assert (one.position, other.position) == (None, 120)
    assert one.code == other.code == "a <= 0 |==> a < 0"
    assert one.file == "shop/Prices.java"
    assert (one.method, one.line, one.operator) == ("total", 8, "ROR")


def test_results_are_taken_from_kill_csv(project: Path) -> None:
    report = read_major(project / "mutants.log", project)
    assert report.counts == {
        "killed": 2,
        "survived": 1,
        "no_coverage": 1,
        "timeout": 1,
        "pending": 11,
        "unknown": 1,
    }
    (project / "kill.csv").unlink()
    assert read_major(project / "mutants.log", project).counts == {"unknown": 17}


@pytest.mark.parametrize(
    "line", ["hello", "1:ROR", "x:ROR:a:b:C@m:3:a |==> b", "1:ROR:a:b:C@m:3:a"]
)
def test_what_is_no_log_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "mutants.log").write_text(f"{LINES[0]}\n{line}\n")
    with pytest.raises(ReportError, match=r"line 2: not a line of Major"):
        read_major(tmp_path / "mutants.log", None)


def test_a_class_outside_the_sources_is_named(project: Path) -> None:
    (project / "mutants.log").write_text("1:ROR:a:b:other.Thing@m(int):3:a |==> b\n")
    assert mutants(project)["1"].problem == ("file not found under source root: 'other/Thing.java'")


TRIANGLE = """\
package triangle;

/** Triangles by their sides. */
public class Triangle {

    public enum Type {
        INVALID,
        SCALENE,
        ISOSCELES,
        EQUILATERAL
    }

    private Triangle() {
    }

    // the lines below stand where the log says

    public static Type
    classify(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return Type.INVALID;
        }
        int trian = 0;
        if (a == b) {
            trian = trian + 1;
        }
        if (a == c) {
            trian = trian + 2;
        }
        if (b == c) {
            trian = trian + 3;
        }
        if (trian == 0) {
            if (a + b <= c || a + c <= b || b + c <= a) {
                return Type.INVALID;
            } else {
                return Type.SCALENE;
            }
        }
        if (trian > 3) {
            return Type.EQUILATERAL;
        }
        if (trian == 1 && a + b > c) {
            return Type.ISOSCELES;
        } else if (trian == 2 && a + c > b) {
            return Type.ISOSCELES;
        } else if (trian == 3 && b + c > a) {
            return Type.ISOSCELES;
        }
        return Type.INVALID;
    }
}
"""


def test_the_real_log_is_located_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "Triangle.java").write_text(TRIANGLE)
    log = shared_file("samples", "major", "mutants_triangle.log")
    (tmp_path / "triangle").mkdir()
    (tmp_path / "Triangle.java").rename(tmp_path / "triangle/Triangle.java")
    report = read_major(log, tmp_path)
    rows = shared_file("samples", "major", "kill.csv").read_text().strip().split("\n")[1:]
    words = Counter(row.split(",")[1] for row in rows)
    assert {word: n for word, n in report.tool_counts.items() if word} == words
    found = list(report.mutants())
    assert len(found) == len(log.read_text().strip().split("\n")) == 150
    assert Counter(mutant.problem for mutant in found) == {None: 150}
    for mutant in found:
        assert mutant.change is not None
        before, after = mutant.description.split(": ", 1)[1].split(" |==> ")
        assert mutant.change.original.rstrip(";") == before.rstrip(";")
        assert mutant.change.replacement in (after, f"({after})", ";")
        line = TRIANGLE.encode()[: mutant.change.start_byte].count(b"\n") + 1
        assert line == mutant.line
