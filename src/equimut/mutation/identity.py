"""The key of a mutant: named by content, so that it survives unrelated changes and no others."""

from collections import Counter
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b

from equimut.errors import ParseError
from equimut.parsing.text_diff import Difference, TokenChange, edited_tokens, token_change
from equimut.parsing.tokens import LINE_START, TokenRow
from equimut.parsing.tree import SyntaxTree
from equimut.records import NonEmpty, Record

_LENGTH = 12
_ARROW = " -> "


class ChangeDescription(Record):
    """What changes, where in the function, and in which code."""

    change: NonEmpty
    """The changed tokens before and after, layout and comments aside: `a < b -> a <= b`."""
    place: int
    """Where in the function the change begins, in tokens: the same change may be made twice."""
    context: NonEmpty
    """Digest of the whole function as it was."""

    @property
    def is_layout(self) -> bool:
        """Whether no token changes."""
        return self.change == _ARROW

    @property
    def moves_lines_only(self) -> bool:
        """Whether no word changes, only where lines begin and how deep: in Python, a change."""
        before, _, after = self.change.partition(_ARROW)
        return all(token.startswith(LINE_START) for token in f"{before} {after}".split())


class MutantKey(ChangeDescription):
    """What a mutant is: the file, the function, the change in it, and the code around it."""

    file: str
    function: str

    @property
    def text(self) -> str:
        """The key as people paste it."""
        return _key_text(self.file, self.function, self)


def _key_text(file: str, function: str, change: ChangeDescription) -> str:
    parts = (file, function, change.change, str(change.place), change.context)
    content = "\0".join(parts).encode(errors="surrogatepass")
    return blake2b(content, digest_size=_LENGTH // 2).hexdigest()


def describe(origin: str, mutant: str, language: str) -> ChangeDescription:
    """The part of a key that the two texts alone decide."""
    return _description(token_change(origin, mutant, language))


class Describer:
    """Describes many mutants of one origin: of each, only what its edit changes is read."""

    def __init__(self, origin: SyntaxTree) -> None:
        self._origin = origin
        self._row: TokenRow | None = None
        with suppress(ParseError):
            self._row = TokenRow(origin)

    def describe(self, mutant: SyntaxTree, edit: Difference) -> ChangeDescription:
        """What `describe` says of the two texts."""
        if self._row is not None:
            with suppress(ParseError):
                return _description(edited_tokens(self._row, mutant, edit))
        texts = self._origin.source.decode(), mutant.source.decode()
        return describe(*texts, mutant.language.name)


def _description(change: TokenChange) -> ChangeDescription:
    return ChangeDescription(
        change=_ARROW.join((" ".join(change.removed), " ".join(change.inserted))),
        place=change.place,
        context=context_digest(change.before),
    )


def change_in_context(origin: str, mutant: str, language: str, around: int = 2) -> str:
    """A change with a few tokens on either side, as people recognise it: `i < n -> i <= n`."""
    before, start, removed, inserted = token_change(origin, mutant, language)
    end = start + len(removed)
    left, right = before[max(start - around, 0) : start], before[end : end + around]
    sides = (
        " ".join(token for token in (*left, *middle, *right) if not token.startswith(LINE_START))
        for middle in (removed, inserted)
    )
    return _ARROW.join(sides)


@lru_cache(maxsize=16)  # many mutants of one function follow each other
def context_digest(tokens: tuple[str, ...]) -> str:
    """Digest of a function's tokens: layout and comments may change, code may not."""
    return blake2b("\0".join(tokens).encode(errors="surrogatepass"), digest_size=8).hexdigest()


class FileIds:
    """Ids of the mutants of one file: their keys, numbered where the file repeats a function."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._given: Counter[str] = Counter()

    def new_id(self, function: str, description: ChangeDescription) -> str:
        """The id of one more mutant; to be asked in the order of the text."""
        key = _key_text(self._file, function, description)
        self._given[key] += 1
        return key if self._given[key] == 1 else f"{key}-{self._given[key]}"
