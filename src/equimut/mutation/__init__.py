"""Operators on the syntax tree that make mutants: `mutate` and the table `OPERATORS`."""

from equimut.mutation.engine import MutationRun, mutate, run_operators
from equimut.mutation.table import OPERATORS, select_operators

__all__ = ["OPERATORS", "MutationRun", "mutate", "run_operators", "select_operators"]
