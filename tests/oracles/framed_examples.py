"""Examples of operators as whole functions."""

from equimut.mutation.operator import Example

_FRAMES = {
    "java": "int f(int a, int b, int c, double d, boolean p, boolean q, int[] xs, String s)"
    " {{ int x = 0; while (x < 9) {{ {} }} return x; }}",
    "c": "int f(int a, int b, int c, double d, int p, int q, int *xs, char *s)"
    " {{ int x = 0; while (x < 9) {{ {} }} return x; }}",
    "python": "def f(a: int, b: int, c: int, d: float, p: bool, q: bool, xs: list, s: str):\n"
    "    x = 0\n    while x < 9:\n        {}\n    return x\n",
}


def framed(example: Example) -> tuple[str, str]:
    """The example as two whole functions."""
    if example.whole:
        return example.before, example.after
    frame = _FRAMES[example.language]
    return frame.format(example.before), frame.format(example.after)
