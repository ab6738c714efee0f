"""The table of operators: MutantBench's first, then those of the other tools."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from equimut.errors import EquimutError
from equimut.mutation.operator import Operator
from equimut.mutation.operators import (
    arithmetic,
    assignments,
    bits,
    comparisons,
    conditions,
    deletions,
    literals,
    statements,
    values,
)

MUTANTBENCH_NAMES = (
    "AOIS", "ROR", "AORB", "ROD", "VDL", "ABSI", "AOIU", "LOI", "CDL", "SEOD", "CR", "SEOI", "ADL",
    "AORS", "SEOR", "FCDL", "ISDL", "SAR", "AODU", "AODS", "LOR", "WLDL", "OSDL", "FLDL", "SOR",
    "LOD",
)  # fmt: skip
"""The operators of MutantBench, most frequent in its data first."""


def _table() -> Mapping[str, Operator]:
    families = (
        arithmetic,
        bits,
        conditions,
        comparisons,
        deletions,
        assignments,
        statements,
        literals,
        values,
    )
    by_name = {operator.name: operator for family in families for operator in family.OPERATORS}
    first = [by_name[name] for name in MUTANTBENCH_NAMES]
    rest = [operator for name, operator in by_name.items() if name not in MUTANTBENCH_NAMES]
    return MappingProxyType({operator.name: operator for operator in (*first, *rest)})


OPERATORS: Mapping[str, Operator] = _table()
"""Name -> operator. A mutant that several operators make is named after the first of them."""


def select_operators(names: Collection[str] | None) -> tuple[Operator, ...]:
    """The operators with these names, in the order of the table; all of them for None."""
    if names is None:
        return tuple(OPERATORS.values())
    unknown = sorted(set(names) - OPERATORS.keys())
    if unknown:
        raise EquimutError(
            f"unknown mutation operator {', '.join(unknown)}: "
            f"see `equimut mutate --list`; known are {', '.join(OPERATORS)}"
        )
    if not names:
        raise EquimutError("no mutation operator named: leave the option out to use all of them")
    return tuple(operator for name, operator in OPERATORS.items() if name in names)
