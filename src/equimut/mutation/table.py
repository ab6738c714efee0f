"""The table of operators: MutantBench's first, then those of the other tools."""

from collections import ChainMap
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from equimut.errors import EquimutError
from equimut.mutation.operator import Example, Operator
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
from equimut.storage.files import read_toml

_FAMILIES = (
    arithmetic, bits, conditions, comparisons, deletions, assignments, statements, literals, values,
)  # fmt: skip


def _table() -> Mapping[str, Operator]:
    functions = ChainMap(*(dict(family.OPERATORS) for family in _FAMILIES))
    operators = {}
    for name, row in read_toml(Path(__file__).with_name("operator_table.toml")).items():
        whole = row.pop("function", {})
        summary, tools = row.pop("summary"), tuple(row.pop("tools"))
        examples = (
            Example(language, before, after, whole=pairs is whole.get(language))
            for by_language in (row, whole)
            for language, pairs in by_language.items()
            for before, after in pairs
        )
        roles, function = functions[name]
        operators[name] = Operator(name, summary, tools, roles, function, tuple(examples))
    return MappingProxyType(operators)


OPERATORS: Mapping[str, Operator] = _table()
"""Name -> operator. A mutant that several operators make is named after the first of them."""

_FAMILY_OF = {
    name: each.__name__.rpartition(".")[2] for each in _FAMILIES for name in each.OPERATORS
}

MUTANTBENCH_NAMES = tuple(name for name, op in OPERATORS.items() if "MutantBench" in op.tools)
"""The operators of MutantBench, most frequent in its data first."""


def family(operator: str) -> str:
    """The family of an operator by name, such as `comparisons`; `other` for one of another tool."""
    return _FAMILY_OF.get(operator, "other")


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
