"""Data-flow graphs of Java."""

from oracles.flow_examples.example import Example, edges

EXAMPLES: tuple[Example, ...] = (
    Example(
        "definition",
        "int f(int a) { int b = a; return b; }",
        edges("b#1<-a#2", "a#2<-a#1", "b#2<-b#1"),
    ),
    Example(
        "assignment and compound assignment",
        "int f(int a, int b) { a = b; a += b; return a; }",
        edges("a#2<-b#2", "b#2<-b#1", "a#3<-b#3", "b#3<-b#1", "a#4<-a#3"),
    ),
    Example(
        "both ways of an if",
        "int f(int a) { int x; if (a > 0) { x = 1; } else { x = 2; } return x; }",
        edges("a#2<-a#1", "x#2<-1", "x#3<-2", "x#4<-x#1,x#2,x#3"),
    ),
    Example(
        "for",
        "int f(int n) { for (int i = 0; i < n; i++) n = n - i; return n; }",
        edges(
            "i#1<-0",
            "i#2<-i#1,i#3",
            "n#2<-n#1,n#3",
            "i#3<-i#3",
            "n#3<-n#4,i#4",
            "n#4<-n#1,n#3",
            "i#4<-i#3",
            "n#5<-n#3",
        ),
    ),
    Example(
        "for over values, varargs",
        "int f(int... v) { int s = 0; for (int x : v) s += x; return s; }",
        edges("s#1<-0", "x#1<-v#2", "v#2<-v#1", "s#2<-x#2", "x#2<-x#1", "s#3<-s#2"),
    ),
    Example(
        "while",
        "int f(int n) { while (n > 0) { int m = n; n = m - 1; } return n; }",
        edges("n#2<-n#1,n#4", "m#1<-n#3", "n#3<-n#1,n#4", "n#4<-m#2,1", "m#2<-m#1", "n#5<-n#4"),
    ),
    Example(
        "do",
        "int f(int a) { do { a = a + 1; } while (a < 3); return a; }",
        edges("a#2<-a#3,1", "a#3<-a#1,a#2", "a#4<-a#2", "a#5<-a#2"),
    ),
    Example(
        "old switch, with and without falling through",
        "int f(int k) { int x = 0; switch (k) { case 1: x = 1; break; case 2: x = 2; "
        "default: x = x + 3; } return x; }",
        edges(
            "x#1<-0",
            "k#2<-k#1",
            "x#2<-1#2",
            "x#3<-2#2",
            "x#4<-x#5,3",
            "x#5<-x#1,x#3",
            "x#6<-x#2,x#3,x#4",
        ),
    ),
    Example(
        "break ends a case",
        "int f(int k) { int x = 0; switch (k) { case 1: x = 4; break; case 2: g(x); } return x; }",
        edges("x#1<-0", "k#2<-k#1", "x#2<-4", "x#3<-x#1", "x#4<-x#1,x#2"),
    ),
    Example(
        "switch without default",
        "int f(int k) { int x = 0; switch (k) { case 1: x = 4; } return x; }",
        edges("x#1<-0", "k#2<-k#1", "x#2<-4", "x#3<-x#1,x#2"),
    ),
    Example(
        "arrow switch",
        "int f(int k) { int x = 0; switch (k) { case 1 -> x = 4; case 2 -> { x = 5; } "
        "default -> x = 6; } return x; }",
        edges("x#1<-0", "k#2<-k#1", "x#2<-4", "x#3<-5", "x#4<-6", "x#5<-x#2,x#3,x#4"),
    ),
    Example(
        "switch expression",
        "int f(int k) { return switch (k) { case 1 -> 2; default -> { int y = k; yield y; } }; }",
        edges("k#2<-k#1", "y#1<-k#3", "k#3<-k#1", "y#2<-y#1"),
    ),
    Example(
        "patterns",
        "int f(Object o) { if (o instanceof String s) return s.length(); return switch "
        "(o) { case P(int x) -> x; default -> 0; }; }",
        edges("o#2<-o#1", "s#1<-o#2", "s#2<-s#1", "o#3<-o#1", "x#2<-x#1"),
    ),
    Example(
        "try with resources",
        "void f(R a) { int x = 0; try (R r = a) { x = r.get(); } catch (E e) { log(e, "
        "x); } finally { x++; } }",
        edges(
            "x#1<-0",
            "r#1<-a#2",
            "a#2<-a#1",
            "x#2<-r#2,get",
            "r#2<-r#1",
            "e#2<-e#1",
            "x#3<-x#1,x#2",
            "x#4<-x#4",
        ),
    ),
    Example(
        "ternary",
        "int f(int a, int b) { int c = a > b ? a : b; return c; }",
        edges("c#1<-a#2,b#2,a#3,b#3", "a#2<-a#1", "b#2<-b#1", "a#3<-a#1", "b#3<-b#1", "c#2<-c#1"),
    ),
    Example(
        "lambdas keep their parameters",
        "void f(int n) { g(x -> x + n); g((x, y) -> { int z = x; return z + y; }); h(x); }",
        edges("x#2<-x#1", "n#2<-n#1", "g#2<-g#1", "z#1<-x#4", "x#4<-x#3", "z#2<-z#1", "y#2<-y#1"),
    ),
    Example(
        "record",
        "record P(int a, int b) { P { a = b; } int sum() { return a + b; } }",
        edges("a#2<-b#2", "b#2<-b#1", "a#3<-a#1", "b#3<-b#1"),
    ),
    Example("bare constructor", "public Foo(int a) { this.b = a; }", edges("b<-a#2", "a#2<-a#1")),
    Example(
        "a value that is no variable", "void f() { boolean b = true; g(b); }", edges("b#2<-b#1")
    ),
    Example(
        "methods do not see each other's variables",
        "class A { void f() { int x = 1; } void g() { h(x); } }",
        edges("x#1<-1"),
    ),
)
