"""How hard the solver tries: in its own steps, so that a verdict does not depend on the machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True)
class Budget:
    """Limits of the work on one mutant."""

    query: int = 1_500_000
    """Steps of the solver for one comparison of origin and mutant."""
    invariant: int = 300_000
    """Steps of the solver for one set of candidates for loop invariants."""
    execution: int = 6_000
    """Nodes executed symbolically for one scope."""
    seconds: int = 60
    """Of processor time, after which a worker is ended: a last resort, for faults of the solver."""


DEFAULT = Budget()
BudgetName = Literal["none", "small", "default", "large"]
BUDGETS: Mapping[BudgetName, Budget | None] = MappingProxyType(
    {
        "none": None,
        "small": Budget(query=150_000, invariant=30_000, execution=1_500, seconds=30),
        "default": DEFAULT,
        "large": Budget(query=15_000_000, invariant=3_000_000, execution=24_000, seconds=600),
    }
)
"""By the names people give; `none`: the solver is not asked."""
