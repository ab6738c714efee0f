"""Functions of the standard library on concrete numbers, in the C locale."""

from collections.abc import Callable

from equimut.languages.concrete import Native, Stuck


def _of_character(test: Callable[[str], bool], said: int) -> Callable[[int], int]:
    """A test of a character; any number but 0 may say yes, and this is glibc's."""

    def call(code: int) -> int:
        if not -1 <= code < 256:
            raise Stuck  # undefined
        return said if 0 <= code < 128 and test(chr(code)) else 0

    return call


def _turned(turn: Callable[[str], str]) -> Callable[[int], int]:
    def call(code: int) -> int:
        if not -1 <= code < 256:
            raise Stuck
        return ord(turn(chr(code))) if 0 <= code < 128 else code

    return call


def _magnitude(bits: int) -> Callable[[int], int]:
    def call(number: int) -> int:
        if number == -(1 << bits - 1):
            raise Stuck  # undefined: its magnitude is one too large
        return abs(number)

    return call


_TESTS: dict[str, tuple[Callable[[str], bool], int]] = {
    "isalnum": (str.isalnum, 1 << 3), "isupper": (str.isupper, 1 << 8),
    "islower": (str.islower, 1 << 9), "isalpha": (str.isalpha, 1 << 10),
    "isdigit": (str.isdigit, 1 << 11),
    "isxdigit": (lambda sign: sign in "0123456789abcdefABCDEF", 1 << 12),
    "isspace": (lambda sign: sign in " \t\n\v\f\r", 1 << 13),
}  # fmt: skip
NATIVES: dict[tuple[str, str, int], Native] = {
    **{("", name, 1): _of_character(*test) for name, test in _TESTS.items()},
    ("", "tolower", 1): _turned(str.lower),
    ("", "toupper", 1): _turned(str.upper),
    ("", "abs", 1): _magnitude(32),
    ("", "labs", 1): _magnitude(64),
}
