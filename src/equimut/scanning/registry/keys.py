"""The key of a mutant: named by content, so that it survives unrelated changes and no others."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from equimut.errors import ParseError
from equimut.languages import LANGUAGES
from equimut.parsing.tokens import Token, tokenize
from equimut.parsing.tree import parse
from equimut.records import NonEmpty, Record
from equimut.reports.reported import ReportedMutant

_LENGTH = 12
_NO_CHANGE = " -> "
_LINE = "⏎"
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class MutantKey(Record):
    """What a mutant is: the file, the function, the change in it, and the code around it."""

    file: str
    function: str
    change: NonEmpty
    """The changed tokens before and after, layout and comments aside: `a < b -> a <= b`."""
    place: int
    """Where in the function the change begins, in tokens: the same change may be made twice."""
    context: NonEmpty
    """Digest of the whole function as it was."""

    @property
    def moves_lines_only(self) -> bool:
        """Whether no word changes, only where lines begin and how deep: in Python, a change."""
        return all(token == "->" or token.startswith(_LINE) for token in self.change.split())

    @property
    def text(self) -> str:
        """The key as people paste it."""
        parts = (self.file, self.function, self.change, str(self.place), self.context)
        return blake2b(
            "\0".join(parts).encode(errors="surrogatepass"), digest_size=_LENGTH // 2
        ).hexdigest()


class ChangeDescription(Record):
    """What changes, where in the function, and in which code."""

    change: NonEmpty
    place: int
    context: NonEmpty

    @property
    def is_layout(self) -> bool:
        """Whether no token changes."""
        return self.change == _NO_CHANGE


def key_of(mutant: ReportedMutant) -> MutantKey | None:
    """The key of a located mutant; None where the report does not say what changes."""
    change = mutant.change
    if change is None:
        return None
    texts = change.origin_function, change.mutant_function
    return key_with(mutant, describe(*texts, mutant.language))


def key_with(mutant: ReportedMutant, description: ChangeDescription) -> MutantKey | None:
    """The key of a located mutant whose change has been described already."""
    if mutant.change is None:
        return None
    return MutantKey(
        file=mutant.file,
        function=mutant.change.function,
        change=description.change,
        place=description.place,
        context=description.context,
    )


def describe(origin: str, mutant: str, language: str) -> ChangeDescription:
    """The part of a key that the two texts alone decide."""
    before, after = code_tokens(origin, language), _tokens_of_mutant(mutant, language)
    start, removed, added = token_change(before, after)
    return ChangeDescription(
        change=_NO_CHANGE.join((" ".join(removed), " ".join(added))),
        place=start,
        context=context_digest(before),
    )


def change_in_context(origin: str, mutant: str, language: str, around: int = 2) -> str:
    """A change with a few tokens on either side, as people recognise it: `i < n -> i <= n`."""
    before, after = code_tokens(origin, language), _tokens_of_mutant(mutant, language)
    start, removed, added = token_change(before, after)
    left, right = before[max(start - around, 0) : start], before[start + len(removed) :][:around]
    sides = (
        " ".join(token for token in (*left, *middle, *right) if not token.startswith(_LINE))
        for middle in (removed, added)
    )
    return _NO_CHANGE.join(sides)


@lru_cache(maxsize=256)  # many mutants of one function follow each other
def code_tokens(text: str, language: str) -> tuple[str, ...]:
    """The tokens of a text; words where there is no grammar for its language.

    Where layout has a meaning, the start of a line is a token too: `⏎2` at the second depth.
    """
    if language not in LANGUAGES:
        return tuple(text.split())
    try:
        tokens = tokenize(parse(text, language))
    except ParseError:
        return tuple(text.split())
    if language == "python":
        return tuple(_with_lines(text.encode(errors="replace"), tokens))
    return tuple(token.text for token in tokens)


def _with_lines(source: bytes, tokens: Sequence[Token]) -> Iterator[str]:
    """Tokens, and a mark where a line begins that does not go on with the one before."""
    depths, brackets, last, joined = [0], 0, 0, False
    for token in tokens:
        if token.text == "\\":  # the line goes on
            last, joined = token.end, True
            continue
        begin = source.rfind(b"\n", 0, token.start) + 1
        margin = source[begin : token.start]
        if brackets == 0 and begin > last and not margin.strip() and not joined:
            column = len(margin.expandtabs(8))
            while column < depths[-1]:
                depths.pop()
            if column > depths[-1]:
                depths.append(column)
            yield f"{_LINE}{len(depths) - 1}"
        brackets += (token.text in _OPENING) - (token.text in _CLOSING and brackets > 0)
        last, joined = token.end, False
        yield token.text


_tokens_of_mutant = code_tokens.__wrapped__  # a mutant comes once and is not worth keeping


def token_change(
    before: tuple[str, ...], after: tuple[str, ...]
) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Where two token rows begin to differ, and what stands there in each."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, before[start : len(before) - end], after[start : len(after) - end]


def context_digest(tokens: tuple[str, ...]) -> str:
    """Digest of a function's tokens: layout and comments may change, code may not."""
    return blake2b("\0".join(tokens).encode(errors="surrogatepass"), digest_size=8).hexdigest()
