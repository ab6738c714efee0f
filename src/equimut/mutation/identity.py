"""The key of a mutant: named by content, so that it survives unrelated changes and no others."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, count

from equimut.errors import ParseError
from equimut.languages import LANGUAGES
from equimut.parsing.text_diff import (
    Difference,
    TokenChange,
    difference,
    edited_tokens,
    token_change,
)
from equimut.parsing.tokens import LINE_START, TokenRow
from equimut.parsing.tree import SyntaxTree
from equimut.records import NonEmpty, Record

_SHOWN, _MORE = 6, 18
"""Bytes of a key that people see, and that are stored and compared after them."""
_ARROW = " -> "
_SHORT_CONTEXT = 16
"""Characters of `context` that keys had before it was made longer."""
_STATEMENT_ENDS = (";", "{", "}")


class ChangeDescription(Record):
    """What changes, where in the function, and in which code."""

    change: NonEmpty
    """The changed tokens before and after, layout and comments aside: `a < b -> a <= b`."""
    place: int
    """Where in the function the change begins, in tokens: the same change may be made twice."""
    context: NonEmpty
    """Digest of the whole function as it was; entries written before it was 48 characters long
    hold its first 16."""
    statement: str = ""
    """Digest of the statement around the change: the same when code is added elsewhere."""

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
    owner: str = ""
    """What the function stands in (`Outer.Inner`); keys of before do not say."""
    function: str

    @property
    def text(self) -> str:
        """The key as people see and paste it; two mutants may share it."""
        return _digest(self._seen, _SHOWN)

    @property
    def full(self) -> str:
        """The key as it is stored: begins with `text`, and is long enough to be of one mutant."""
        content = (self.file, self.owner, self.function, self.change, str(self.place), self.context)
        return self.text + _digest(content, _MORE)

    @property
    def before_owners(self) -> str:
        """The key that files written before functions had owners call it by."""
        return _digest(self._seen[:5], _SHOWN)

    @property
    def survivor(self) -> str:
        """Names the mutant by its change alone, whatever else becomes of the function."""
        parts = (self.file, self.owner, self.function, self.change, self.statement)
        return _digest(parts, _SHOWN + _MORE)

    @property
    def _seen(self) -> tuple[str, ...]:
        short = self.context[:_SHORT_CONTEXT]
        parts = (self.file, self.function, self.change, str(self.place), short)
        return (*parts, self.owner) if self.owner else parts


def _digest(parts: Iterable[str], size: int) -> str:
    return blake2b("\0".join(parts).encode(errors="surrogatepass"), digest_size=size).hexdigest()


def describe(origin: str, mutant: str, language: str) -> ChangeDescription:
    """The part of a key that the two texts alone decide."""
    change = token_change(origin, mutant, language)
    if language in LANGUAGES:
        return _description(change)
    # Without a grammar nobody knows where a statement ends: its lines stand for it.
    old, new = origin.splitlines(), mutant.splitlines()
    start, end, new_end = difference(old, new)
    lines = (" ".join(line.split()) for line in (*old[start:end], _ARROW, *new[start:new_end]))
    return _description(change, tuple(lines))


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


def _description(
    change: TokenChange, statement: tuple[str, ...] | None = None
) -> ChangeDescription:
    return ChangeDescription(
        change=_ARROW.join((" ".join(change.removed), " ".join(change.inserted))),
        place=change.place,
        context=context_digest(change.before),
        statement=_digest(statement or _statement(change), _SHOWN),
    )


def _statement(change: TokenChange) -> tuple[str, ...]:
    """The tokens from the end of the statement before to the end of the last one that changes."""
    before, start, removed, inserted = change
    end = start + len(removed)
    first = start
    while first and not _ends_statement(before[first - 1]):
        first -= 1
    last = end
    if not _ends_statement((removed or inserted or ("",))[-1]):
        while last < len(before) and not before[last].startswith(LINE_START):
            last += 1
            if _ends_statement(before[last - 1]):
                break
    return (*before[first:start], _ARROW, *before[end:last])


def _ends_statement(token: str) -> bool:
    return token in _STATEMENT_ENDS or token.startswith(LINE_START)


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
    """Digest of a function's tokens: layout and comments may change, code may not.

    Begins with the one that short keys were made with.
    """
    return _digest(tokens, _SHORT_CONTEXT // 2) + _digest(tokens, 16)


def draw(name: str, seed: int) -> bytes:
    """A position in a random order that depends on a name and a seed only."""
    return blake2b(f"{seed}\0{name}".encode(), digest_size=8).digest()


class FileIds:
    """Ids of the mutants of one file: their keys, as long as it takes to tell them apart."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._given: set[str] = set()

    def new_id(self, owner: str, function: str, description: ChangeDescription) -> str:
        """The id of one more mutant; to be asked in the order of the text."""
        key = MutantKey(file=self._file, owner=owner, function=function, **description.model_dump())
        numbered = (f"{key.full}-{number}" for number in count(2))
        found = next(
            name for name in chain((key.text, key.full), numbered) if name not in self._given
        )
        self._given.add(found)
        return found
