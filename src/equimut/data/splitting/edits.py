"""Where a mutant differs from its origin, and whether it differs in anything but layout."""

from difflib import SequenceMatcher
from functools import lru_cache

from equimut.errors import ParseError
from equimut.records import Pair


def changed_lines(origin: str, mutant: str) -> tuple[int, ...]:
    """The lines of the origin that the mutant changes, from 1; an insertion counts as the line
    it stands before."""
    before, after = origin.split("\n"), mutant.split("\n")
    lines: set[int] = set()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, _, _ in matcher.get_opcodes():
        if tag != "equal":
            lines.update(range(start, end) or (start,))
    return tuple(sorted(line + 1 for line in lines))


def token_identical(pair: Pair) -> bool:
    """Whether origin and mutant are the same but for comments and white space."""
    if pair.origin == pair.mutant:
        return True
    if _plainly_differ(pair.origin, pair.mutant):
        return False
    origin = _fingerprint(pair.origin, pair.language)
    return origin is not None and origin == _fingerprint(pair.mutant, pair.language)


def _plainly_differ(first: str, second: str) -> bool:
    """Whether a look at the characters is enough, as it nearly always is; parsing is slow.

    Equal tokens in a row are equal text but for white space, if there are no comments and no
    escaped line ends.
    """
    if any(mark in text for mark in ("//", "/*", "#", "\\") for text in (first, second)):
        return False
    return "".join(first.split()) != "".join(second.split())


@lru_cache(maxsize=512)
def _fingerprint(text: str, language: str) -> tuple[str, ...] | None:
    from equimut.parsing.comments import remove_comments
    from equimut.parsing.tokens import tokenize
    from equimut.parsing.tree import parse

    try:
        bare = remove_comments(text, language)
        tree = parse(bare, language)
        tokens = tuple(token.text for token in tokenize(tree))
    except ParseError:
        return None  # text the parser refuses can only be compared as text
    # Indentation carries meaning in Python, and only the shape of the tree tells it.
    return (*tokens, str(tree.root)) if language == "python" else tokens
