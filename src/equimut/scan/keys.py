"""The key of a mutant: named by content, so that it survives unrelated changes and no others."""

from hashlib import blake2b

from equimut.errors import ParseError
from equimut.languages import LANGUAGES
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.records import NonEmpty, Record
from equimut.reports.reported import ReportedMutant

_LENGTH = 12


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
    def text(self) -> str:
        """The key as people paste it."""
        parts = (self.file, self.function, self.change, str(self.place), self.context)
        return blake2b("\0".join(parts).encode(), digest_size=_LENGTH // 2).hexdigest()


def key_of(mutant: ReportedMutant) -> MutantKey | None:
    """The key of a located mutant; None where the report does not say what changes."""
    change = mutant.change
    if change is None:
        return None
    before = code_tokens(change.origin_function, mutant.language)
    after = code_tokens(change.mutant_function, mutant.language)
    start, removed, added = token_change(before, after)
    return MutantKey(
        file=mutant.file,
        function=change.function,
        change=f"{' '.join(removed)} -> {' '.join(added)}",
        place=start,
        context=context_digest(before),
    )


def code_tokens(text: str, language: str) -> tuple[str, ...]:
    """The tokens of a text; words where there is no grammar for its language."""
    if language not in LANGUAGES:
        return tuple(text.split())
    try:
        return tuple(token.text for token in tokenize(parse(text, language)))
    except ParseError:
        return tuple(text.split())


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
    return blake2b("\0".join(tokens).encode(), digest_size=8).hexdigest()
