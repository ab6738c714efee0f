"""Operators on the syntax tree that make mutants: `mutate` and the table `OPERATORS`.

Loaded on first use: a scan names mutants, and makes none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equimut.mutation.engine import MutationRun as MutationRun
    from equimut.mutation.engine import mutate as mutate
    from equimut.mutation.engine import run_operators as run_operators
    from equimut.mutation.table import OPERATORS as OPERATORS
    from equimut.mutation.table import select_operators as select_operators

_HOME = {
    "MutationRun": "engine",
    "OPERATORS": "table",
    "mutate": "engine",
    "run_operators": "engine",
    "select_operators": "table",
}

__all__ = list(_HOME)

if not TYPE_CHECKING:  # checkers and editors see the imports above, and no name beside them

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
