"""Errors a user can cause and understand. The command line prints them as one line.

Exit codes: 0 fine, 1 a gate failed, 2 usage or unreadable input, 3 nothing could be analysed.
"""


class EquimutError(Exception):
    """Base of every expected error: says what is wrong, where, and what to do."""

    exit_code = 2


_TRAIN = frozenset(
    {"accelerate", "matplotlib", "rdflib", "scipy", "sklearn", "torch", "transformers"}
)
"""What `equimut[train]` installs, by the names of the modules."""


class MissingExtra(EquimutError):
    """A library that the small installation does not have."""

    @classmethod
    def of(cls, error: ModuleNotFoundError, what: str = "this") -> "MissingExtra | None":
        """What to install for a module that was not found; None for one that is nobody's extra."""
        name = (error.name or "").partition(".")[0]
        if name not in _TRAIN:
            return None
        return cls(f"{what} needs {name}, which is not installed: pip install 'equimut[train]'")


class ParseError(EquimutError):
    """Source text that cannot be turned into what was asked for (no function, over a limit)."""


class DataError(EquimutError):
    """A dataset, or a row of one, that cannot be read or does not fit its schema."""


class OracleError(EquimutError):
    """Code that the oracle cannot compile, run or compare."""


class GateFailed(EquimutError):
    """A check that the user asked for did not pass."""

    exit_code = 1


class NothingToAnalyse(EquimutError):
    """The input was readable, but nothing in it could be analysed."""

    exit_code = 3
