"""Data-flow graphs of C."""

from oracles.flow_examples.example import Example, edges

EXAMPLES: tuple[Example, ...] = (
    Example(
        "definition",
        "int f(int a) { int b = a; return b; }",
        edges("b#1<-a#2", "a#2<-a#1", "b#2<-b#1"),
    ),
    Example(
        "pointers",
        "void f(int *p, int n) { int *q = p; *q = n; n = *q; }",
        edges("q#1<-p#2", "p#2<-p#1", "q#2<-n#2", "n#2<-n#1", "n#3<-q#3", "q#3<-q#2"),
    ),
    Example(
        "struct fields are not variables",
        "int f(struct s *p, struct s t, int x) { t.x = p->x; return t.x + x; }",
        edges("t#2<-p#2,x#3", "x#2<-p#2,x#3", "p#2<-p#1", "t#3<-t#2", "x#4<-x#2", "x#5<-x#1"),
    ),
    Example(
        "arrays",
        "int f(int i) { int a[3] = {1, 2, i}; a[i] = 4; return a[i]; }",
        edges("a#1<-1,2,i#2", "i#2<-i#1", "a#2<-4", "i#3<-4", "a#3<-a#2", "i#4<-i#3"),
    ),
    Example(
        "sizes and declarations without a value",
        "int f(int n) { int buf[n], *p; p = buf; return *p; }",
        edges("n#2<-n#1", "p#2<-buf#2", "buf#2<-buf#1", "p#3<-p#2"),
    ),
    Example(
        "comma expression",
        "int f(int a, int b) { a = 1, b = a; return b; }",
        edges("a#2<-1", "b#2<-a#3", "a#3<-a#2", "b#3<-b#2"),
    ),
    Example(
        "goto: a label is no value",
        "int f(int a) { again: a = a - 1; if (a) goto again; return a; }",
        edges("a#2<-a#3,1", "a#3<-a#1", "a#4<-a#2", "a#5<-a#2"),
    ),
    Example(
        "macro called as a function",
        "#define MAX(x, y) ((x) > (y) ? (x) : (y))\nint f(int a) { return MAX(a, MAX(a, 2)); }",
        edges("a#2<-a#1", "MAX#3<-MAX#2", "a#3<-a#1"),
    ),
    Example(
        "K&R header",
        "f(a, b) int a; char *b; { a = *b; return a; }",
        edges("a#3<-b#3", "b#3<-b#2", "a#4<-a#3"),
    ),
    Example("implicit int", "main() { int x = 1; return x; }", edges("x#1<-1", "x#2<-x#1")),
    Example(
        "for",
        "int f(int n) { int i, s = 0; for (i = 1; i < n; i++) s += i; return s; }",
        edges(
            "s#1<-0",
            "i#2<-1",
            "i#3<-i#2,i#4",
            "n#2<-n#1",
            "i#4<-i#4",
            "s#2<-i#5",
            "i#5<-i#4",
            "s#3<-s#2",
        ),
    ),
    Example(
        "while and do",
        "int f(int n) { while (n > 9) n--; do n = n / 2; while (n > 1); return n; }",
        edges("n#2<-n#1,n#3", "n#3<-n#3", "n#4<-n#5,2", "n#5<-n#3,n#4", "n#6<-n#4", "n#7<-n#4"),
    ),
    Example(
        "if and else if",
        "int f(int a) { int x = 0; if (a) x = 1; else if (a > 5) x = 2; else x = 3; return x; }",
        edges("x#1<-0", "a#2<-a#1", "x#2<-1", "a#3<-a#1", "x#3<-2", "x#4<-3", "x#5<-x#2,x#3,x#4"),
    ),
    Example(
        "break ends a case, in a block too",
        "int f(int k) { int x = 0; switch (k) { case 1: { x = 4; break; } case 2: g(x); } }",
        edges("x#1<-0", "k#2<-k#1", "x#2<-4", "x#3<-x#1"),
    ),
    Example(
        "switch",
        "int f(int k) { int x = 0; switch (k) { case 1: x = 4; break; default: { x = 5; "
        "break; } } return x; }",
        edges("x#1<-0", "k#2<-k#1", "x#2<-4", "x#3<-5", "x#4<-x#2,x#3"),
    ),
    Example(
        "a type is no value",
        "int f(double d) { int i = (int) d; return i + sizeof(size_t); }",
        edges("i#1<-d#2", "d#2<-d#1", "i#2<-i#1"),
    ),
    Example(
        "a prototype defines no variable",
        "int x; int g(int x); int f() { return x; }",
        edges("x#3<-x#1"),
    ),
)
