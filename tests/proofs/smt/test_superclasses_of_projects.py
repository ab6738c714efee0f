"""A superclass in another file: its constructors may leave the new object alone, or not."""
# ruff: noqa: E501

from pathlib import Path

import pytest

from equimut.proofs.proving import constants_of_others
from equimut.proofs.smt.proving import prove
from equimut.reports.sources import SourceTree

MAKER = "Main(Object o) { super(o); Foo.bar(o); this.n = 0; }"
BODY = f"private int n; private Object x; void set(int k) {{ n = k; }} {MAKER}"


def proved(tmp_path: Path, files: dict[str, str], body: str = BODY, imports: str = "") -> bool:
    file = f"package a.b; {imports} class Main extends Base {{ {body} }}"
    for name, text in {"a/b/Main": file, **files}.items():
        path = tmp_path / "src" / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    origin = next(
        each
        for each in (MAKER, MAKER.replace("super(o); ", "super(o); x = new In(); "))
        if each in body
    )
    mutant = origin.replace("this.n = 0;", "")
    others = constants_of_others(file, "java", SourceTree(tmp_path))
    assert prove(origin, mutant, "java", file=file) is None, "the other file is needed"
    proof = prove(origin, mutant, "java", file=file, others=others)
    assert proof is None or any("another file" in each for each in proof.assumptions)
    return proof is not None


def base(body: str, head: str = "class Base", imports: str = "") -> str:
    return f"package a.b; {imports} {head} {{ Object o; {body} }}"


QUIET = {
    "sets its fields": {"a/b/Base": base("Base(Object o) { this.o = o; }")},
    "has a quiet one above": {
        "a/b/Base": base("Base(Object o) { super(); this.o = o; }", "class Base extends Top"),
        "a/b/Top": "package a.b; class Top { int k = 3; Top() { k = 4; } }",
    },
    "has one of the JDK above": {
        "a/b/Base": base("Base(Object o) { this.o = o; }", "class Base extends InputStream", "import java.io.InputStream;"),
    },
}  # fmt: skip


@pytest.mark.parametrize("case", QUIET)
def test_a_superclass_that_leaves_new_objects_alone(case: str, tmp_path: Path) -> None:
    assert proved(tmp_path, QUIET[case])


LOUD = {
    "calls a method": {"a/b/Base": base("Base(Object o) { set(3); } void set(int k) { }")},
    "calls a method of this": {"a/b/Base": base("Base(Object o) { this.set(3); } void set(int k) { }")},
    "hands it out": {"a/b/Base": base("Base(Object o) { Foo.all.add(this); }")},
    "hands it out in a first value": {"a/b/Base": base("Object p = Foo.keep(this); Base(Object o) { }")},
    "hands it out in an initialiser": {"a/b/Base": base("{ Foo.keep(this); } Base(Object o) { }")},
    "makes an inner object": {"a/b/Base": base("Base(Object o) { new In(); } class In { In() { set(3); } } void set(int k) { }")},
    "makes an inner object of one above": {
        "a/b/Base": base("Base(Object o) { new In(); }", "class Base extends Top"),
        "a/b/Top": "package a.b; class Top { void set(int k) { } class In { In() { set(3); } } }",
    },
    "calls another constructor that hands it out": {"a/b/Base": base("Base(Object o) { this(); } Base() { Foo.keep(this); }")},
    "has one above that calls a method": {
        "a/b/Base": base("Base(Object o) { this.o = o; }", "class Base extends Top"),
        "a/b/Top": "package a.b; class Top { Top() { set(3); } void set(int k) { } }",
    },
    "has one above that is not there": {"a/b/Base": base("Base(Object o) { this.o = o; }", "class Base extends Top")},
    "has one of the JDK above that is loud": {
        "a/b/Base": base("Base(Object o) { this.o = o; }", "class Base extends TreeMap", "import java.util.TreeMap;"),
    },
    "has one above named like one of the JDK": {
        "a/b/Base": base("Base(Object o) { this.o = o; }", "class Base extends InputStream", "import my.InputStream;"),
    },
    "is not there": {"a/b/Other": "package a.b; class Other { }"},
}  # fmt: skip


@pytest.mark.parametrize("case", LOUD)
def test_a_superclass_that_may_not(case: str, tmp_path: Path) -> None:
    assert not proved(tmp_path, LOUD[case])


def test_an_inherited_inner_class_knows_the_new_object(tmp_path: Path) -> None:
    inner = "class In { In() { set(3); } } void set(int k) { }"
    files = {"a/b/Base": base(f"Base(Object o) {{ this.o = o; }} {inner}")}
    assert proved(tmp_path, files)
    made = MAKER.replace("super(o); ", "super(o); x = new In(); ")
    assert not proved(tmp_path, files, BODY.replace(MAKER, made))
    assert not proved(tmp_path, files, BODY.replace("Object x;", "Object x = new In();"))


def test_what_an_import_names_is_the_superclass(tmp_path: Path) -> None:
    files = {
        "a/b/Base": base("Base(Object o) { this.o = o; }"),
        "far/Base": "package far; public class Base { public Base(Object o) { set(3); } public void set(int k) { } }",
    }
    assert not proved(tmp_path, files, imports="import far.Base;")
