"""Signatures are read from the source, and what is not supported is said in one line."""

from collections.abc import Callable

import pytest

from equimut.errors import OracleError
from equimut.oracle.c import signature as c_signature
from equimut.oracle.java import signature as java_signature
from equimut.oracle.python import signature as python_signature
from equimut.oracle.signature import Signature

Reader = Callable[[str, str | None], Signature]
READERS: dict[str, Reader] = {
    "java": java_signature.read_signature,
    "c": c_signature.read_signature,
    "python": python_signature.read_signature,
}


def kinds(signature: Signature) -> list[str]:
    """Types as short text: `array[int]`, `string?`."""

    def text(type_: object) -> str:
        from equimut.oracle.signature import ValueType

        assert isinstance(type_, ValueType)
        inner = f"[{','.join(text(item) for item in type_.items)}]" if type_.items else ""
        return f"{type_.kind}{inner}"

    return [f"{parameter.name}:{text(parameter.type)}" for parameter in signature.parameters]


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("java", "static int f(int a, long[] b) { return a; }", ["a:int", "b:array[int]"]),
        ("java", "int f(final String s, char c[]) { return 0; }", ["s:string", "c:array[char]"]),
        ("java", "int f(int[][] m, double... d) { return 0; }",
         ["m:array[array[int]]", "d:array[float]"]),
        ("java", "public java.lang.String f( java.lang.Integer n ) { return null; }", ["n:int"]),
        ("java", "class A { int f() { return 1; } }", []),
        ("c", "int f(const int *a, int n) { return n; }", ["a:array[int]", "n:int"]),
        ("c", "int f(const char *s, int k) { return k; }", ["s:string", "k:int"]),
        ("c", "void f(void) { }", []),
        ("c", "char *f(unsigned char c, bool b, float x) { return 0; }",
         ["c:int", "b:bool", "x:float"]),
        ("python", "def f(a: int, b: list[list[int]]) -> int: return a",
         ["a:int", "b:array[array[int]]"]),
        ("python", "def f(a: 'Optional[str]', *, b: dict[str, int] = {}): pass",
         ["a:string", "b:dict[string,int]"]),
        ("python", "def f(a: tuple[int, str], b: float | None): pass",
         ["a:tuple[int,string]", "b:float"]),
    ],
)  # fmt: skip
def test_parameters_are_read(language: str, source: str, expected: list[str]) -> None:
    assert kinds(READERS[language](source, None)) == expected


def lengths(source: str) -> dict[str, tuple[str, ...] | int | None]:
    """What the length of every C array or string is tied to: parameters, a constant, nothing."""
    parameters = c_signature.read_signature(source, None).parameters
    return {
        p.name: tuple(parameters[i].name for i in p.lengths) or p.type.length
        for p in parameters
        if p.type.kind in ("array", "string")
    }


def test_c_arrays_are_tied_to_their_lengths() -> None:
    assert lengths("int f(int *a, int n) {}") == {"a": ("n",)}
    assert lengths("int f(const int *a, const int *b, size_t len) {}") == {
        "a": ("len",),
        "b": ("len",),
    }
    assert lengths("int f(int a[], int count, int *best) {}") == {"a": ("count",), "best": 1}
    assert lengths("int f(const char *s) {}") == {"s": None}
    assert lengths("int f(const char *s, int buf_size) {}") == {"s": ("buf_size",)}
    assert lengths("int f(const char *s, int shift) {}") == {"s": None}
    assert lengths("int f(int a[8], int k) {}") == {"a": 8}
    assert lengths("int f(int *p, int minimum) {}") == {"p": 1}
    assert lengths("int f(const int *m, int rows, int cols) {}") == {"m": ("rows", "cols")}
    assert lengths("int f(int n, int a[n]) {}") == {"a": ("n",)}
    assert lengths("int f(int *a, int n, int *b, int m_len) {}") == {"a": ("n",), "b": ("m_len",)}


def test_the_last_function_is_under_test_unless_one_is_named() -> None:
    sources = {
        "java": "static int g(int a) { return a; } static int f(int a, int b) { return g(a); }",
        "c": "static int g(int a) { return a; } int f(int a, int b) { return g(a); }",
        "python": "def g(a: int): return a\n\ndef f(a: int, b: int): return g(a)\n",
    }
    for language, source in sources.items():
        assert READERS[language](source, None).name == "f"
        assert len(READERS[language](source, "g").parameters) == 1


@pytest.mark.parametrize(
    ("language", "source", "name", "message"),
    [
        ("java", "int x = 3;", None, "no method"),
        ("java", "static int f(List<Integer> a) { return 0; }", None, "List<Integer>"),
        ("java", "static int f(int a) { return a; }", "g", "no method g"),
        ("java", "static int f(int a) { return a;", None, "does not parse"),
        ("c", "int x;", None, "no function"),
        ("c", "int f(struct node *p) { return 0; }", None, "parameter p of f"),
        ("c", "int f(int **p) { return 0; }", None, "parameter p of f"),
        ("c", "int f(int (*g)(int)) { return 0; }", None, "not supported"),
        ("c", "int f(const char *s, ...) { return 0; }", None, "variable arguments"),
        ("c", "struct s f(int a) { struct s x; return x; }", None, "returns struct s"),
        ("python", "x = 1", None, "no function"),
        ("python", "def f(a): return a", None, "no type hint"),
        ("python", "def f(a: set[int]): return a", None, "set[int]"),
        ("python", "def f(*a: int): return a", None, "* or **"),
        ("python", "def f(a: int: return a", None, "does not compile"),
    ],
)
def test_what_is_not_supported_is_said(
    language: str, source: str, name: str | None, message: str
) -> None:
    with pytest.raises(OracleError) as caught:
        READERS[language](source, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
