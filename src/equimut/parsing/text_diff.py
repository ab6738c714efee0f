"""What differs between two texts or rows of tokens, and whether two texts are the same code."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from equimut.errors import ParseError
from equimut.languages import LANGUAGES, dialect_of
from equimut.parsing.tokens import LINE_START, TAB, TokenRow, tokenize
from equimut.parsing.tree import SyntaxTree, parse, walk

MAX_MATCHED_LINES = 1_000
"""Lines between the first and the last edit up to which they are matched exactly."""

_NARROW_TAB = 1
_LONE_RETURN = re.compile(r"\r(?!\n)")
_QUOTED = re.compile(r"""\"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""")
_WIDE_BLANK = re.compile(r"\s{2,}|[^\S ]")
_LINE_ENDS_HERE = re.compile(r"\b(return|break|continue|throw|yield)[ \t]*\r?\n")
_ROW_CHARACTERS = 64 * 1024  # the tree of a longer text takes too much memory to be kept


class Difference(NamedTuple):
    """The smallest span outside of which two sequences are the same; ends excluded."""

    start: int
    """The same in both."""
    old_end: int
    new_end: int


def common_prefix(first: Sequence[Any], second: Sequence[Any]) -> int:
    """Length of the common start, by halving: slices compare at the speed of memory."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(first: Sequence[Any], second: Sequence[Any]) -> int:
    """Length of the common end."""
    one, other = len(first), len(second)
    low, high = 0, min(one, other)
    while low < high:
        middle = (low + high + 1) // 2
        if first[one - middle : one - low] == second[other - middle : other - low]:
            low = middle
        else:
            high = middle - 1
    return low


def difference(old: Sequence[Any], new: Sequence[Any]) -> Difference:
    """What is left between the longest common start and the longest common end of the rest."""
    start = common_prefix(old, new)
    tail = min(common_suffix(old, new), min(len(old), len(new)) - start)
    return Difference(start, len(old) - tail, len(new) - tail)


def byte_difference(old: bytes, new: bytes) -> Difference:
    """The difference of two texts in UTF-8, widened to whole characters."""
    start = common_prefix(old, new)
    while start and (_continues(old, start) or _continues(new, start)):
        start -= 1
    tail = min(common_suffix(old, new), min(len(old), len(new)) - start)
    while tail and _continues(old, len(old) - tail):
        tail -= 1
    return Difference(start, len(old) - tail, len(new) - tail)


def _continues(text: bytes, at: int) -> bool:
    """Whether the byte at `at` is the second or a later one of its character."""
    return at < len(text) and text[at] & 0xC0 == 0x80


def line_differences(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int, int, int]]:
    """Stretches of lines that differ: start and end in the old, start and end in the new.

    Matching lines takes quadratic time, so between distant edits it is done line by line if
    that is possible, then roughly, then not at all.
    """
    head, old_end, new_end = difference(old, new)
    middle, other = old[head:old_end], new[head:new_end]
    lines = max(len(middle), len(other))
    if lines == 0:
        return []
    if lines > MAX_MATCHED_LINES and len(middle) == len(other):
        differs = [one != another for one, another in zip(middle, other, strict=True)]
        runs = [(different, len(list(run))) for different, run in groupby(differs)]
        ends = accumulate(length for _, length in runs)
        spans = [(e - n, e) for (different, n), e in zip(runs, ends, strict=True) if different]
        stretches = [(start, end, start, end) for start, end in spans]
    elif lines > 20 * MAX_MATCHED_LINES:
        stretches = [(0, len(middle), 0, len(other))]
    else:
        stretches = _matched(middle, other, roughly=lines > MAX_MATCHED_LINES)
    return [(a + head, b + head, c + head, d + head) for a, b, c, d in stretches]


def _matched(
    old: Sequence[Any], new: Sequence[Any], *, roughly: bool = False
) -> list[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, old, new, autojunk=roughly)
    return [opcode[1:] for opcode in matcher.get_opcodes() if opcode[0] != "equal"]


def changed_lines(origin: str, mutant: str) -> tuple[int, ...]:
    """The lines of the origin that the mutant changes, from 1; an insertion counts as the line
    it stands before."""
    old, new = origin.split("\n"), mutant.split("\n")
    # Of lines that may be matched in several ways, published figures rest on the longest match.
    short = max(len(old), len(new)) <= MAX_MATCHED_LINES
    stretches = _matched(old, new) if short else line_differences(old, new)
    return tuple(n + 1 for start, end, _, _ in stretches for n in range(start, end) or (start,))


def same_code(origin: str, mutant: str, language: str) -> bool:
    """Whether two texts differ in layout and comments only; False where that is not certain.

    Where layout has a meaning, lines must begin at the same depth, however wide a tab is. Where
    there is a preprocessor, a line that it reads ends where the line ends, and `#a` makes a text of
    code with its blanks: nothing is claimed of what holds a `#`, and where a macro may be used,
    tokens must stay in their lines and keep the blanks between them. Nothing is claimed of what
    compilers read as another text than the grammar does (`unclear` in the lexicon).
    """
    if origin == mutant:
        return True
    if language not in LANGUAGES:
        return False
    lexicon = LANGUAGES[language].lexicon
    marks = ["\\", *lexicon.line_comments, *(start for start, _ in lexicon.block_comments)]
    # Without comments and joined lines, equal tokens are equal text but for white space.
    plain = not any(mark in text for mark in marks for text in (origin, mutant))
    if plain and "".join(origin.split()) != "".join(mutant.split()):
        return False
    unclear = [_LONE_RETURN, *([re.compile(lexicon.unclear)] if lexicon.unclear else [])]
    if any(pattern.search(text) for pattern in unclear for text in (origin, mutant)):
        return False
    if lexicon.preprocessor and "#" in origin + mutant:
        return False
    try:
        trees = parse(origin, language), parse(mutant, language)
    except ParseError:
        return False
    if any(tree.errors for tree in trees):
        return False
    if lexicon.preprocessor and _may_use_macros(trees[0]):
        before, after = map(_layout, trees)
        if before != after:
            return False
    if code_tokens(origin, language) != code_tokens(mutant, language):
        return False
    if lexicon.layout != "indentation" or "\t" not in origin + mutant:
        return True
    return _tokens(origin, language, _NARROW_TAB) == _tokens(mutant, language, _NARROW_TAB)


def _may_use_macros(tree: SyntaxTree) -> bool:
    """Whether some name is neither declared in the text nor a function of the library."""
    declared: set[str] = {"true", "false"}
    used: set[str] = set()
    for node in walk(tree.root):
        for index, child in enumerate(node.children):
            if child.type == "identifier":
                is_declared = node.field_name_for_child(index) == "declarator"
                (declared if is_declared else used).add(tree.text(child))
    # A failed assertion tells its line and its text.
    return not used <= (declared | dialect_of(tree.language.name).library) - {"assert"}


def _layout(tree: SyntaxTree) -> list[tuple[int, bool]]:
    """Of each token its line, and whether a blank stands before it."""
    tokens = tokenize(tree)
    ends = [0, *(token.end for token in tokens)]
    return [(tree.line(t.start), t.start > end) for t, end in zip(tokens, ends, strict=False)]


def same_words(origin: str, mutant: str, language: str) -> bool:
    """Whether two texts have the same tokens, wherever their lines begin."""
    change = token_change(origin, mutant, language)
    before, after = (
        [token for token in tokens if not token.startswith(LINE_START)]
        for tokens in (change.removed, change.inserted)
    )
    return before == after


@lru_cache(maxsize=256)  # many mutants of one function follow each other
def code_tokens(text: str, language: str) -> tuple[str, ...]:
    """The tokens of a text, comments left out; words where there is no grammar for its language."""
    if language not in LANGUAGES:
        return _words(text)
    try:
        return _tokens(text, language)
    except ParseError:
        return _words(text)


def _words(text: str) -> tuple[str, ...]:
    """What blanks separate; those with a meaning are words too: in quotes, or behind a `return`."""
    marked = _QUOTED.sub(lambda found: _WIDE_BLANK.sub(_spelled_out, found[0]), text)
    return tuple(_LINE_ENDS_HERE.sub(r"\1 \\n ", marked).split())


def _spelled_out(blank: re.Match[str]) -> str:
    return " " + "".join(f"\\x{ord(character):02x}" for character in blank[0]) + " "


class TokenChange(NamedTuple):
    """What differs between the tokens of two texts."""

    before: tuple[str, ...]
    """All tokens of the first text."""
    place: int
    """Where the two begin to differ."""
    removed: tuple[str, ...]
    inserted: tuple[str, ...]


@lru_cache(maxsize=256)  # asked for a key, and before a model is asked
def token_change(origin: str, mutant: str, language: str) -> TokenChange:
    """The difference between the `code_tokens` of two texts."""
    if language in LANGUAGES and max(len(origin), len(mutant)) <= _ROW_CHARACTERS:
        try:
            old, new = parse(origin, language), parse(mutant, language)
            return edited_tokens(_row(old), new, byte_difference(old.source, new.source))
        except ParseError:
            pass
    before, after = code_tokens(origin, language), code_tokens(mutant, language)
    start, end, new_end = difference(before, after)
    return TokenChange(before, start, before[start:end], after[start:new_end])


def edited_tokens(row: TokenRow, tree: SyntaxTree, edit: Difference) -> TokenChange:
    """The same where the trees are known: only the tokens around the edit are read."""
    head, tail, middle = row.edited(tree, *edit)
    # Behind the edit the rows are the same, but as long as the common start is not known to end
    # before that, it may go on there: `a b a b` to `a b a b a b`.
    for end in (tail + 1, len(row.texts)):
        old, new = row.texts[head:end], middle + row.texts[tail:end]
        start, old_end, new_end = difference(old, new)
        if start < min(len(old), len(new)):
            break
    return TokenChange(row.texts, head + start, old[start:old_end], new[start:new_end])


@lru_cache(maxsize=16)  # a row holds its tree
def _row(tree: SyntaxTree, tab: int = TAB) -> TokenRow:
    return TokenRow(tree, tab)


def _tokens(text: str, language: str, tab: int = TAB) -> tuple[str, ...]:
    return _row(parse(text, language), tab).texts
