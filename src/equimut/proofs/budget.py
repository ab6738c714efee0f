"""How hard the solver tries: in its own steps, so that a verdict does not depend on the machine."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True)
class Budget:
    """Limits of the work on one mutant."""

    query: int = 1_500_000
    """Steps of the solver for one comparison of origin and mutant."""
    invariant: int = 300_000
    """Steps of the solver for one set of candidates for loop invariants."""
    invariants: int = 4_000_000
    """Steps for all sets of candidates of one execution: then no more are looked for."""
    execution: int = 6_000
    """Nodes executed symbolically for one scope."""
    seconds: int = 60
    """Of processor time, after which a worker is ended: a last resort, for faults of the solver."""

    def aside(self) -> "Budget":
        """For what is looked into on the way, once for all mutants of a function."""
        return replace(self, invariant=self.invariant // 2, invariants=self.invariants // 8)


DEFAULT = Budget()
BudgetName = Literal["none", "small", "default", "large"]
BUDGETS: Mapping[BudgetName, Budget | None] = MappingProxyType(
    {
        "none": None,
        "small": Budget(150_000, 30_000, 400_000, execution=1_500, seconds=30),
        "default": DEFAULT,
        "large": Budget(15_000_000, 3_000_000, 40_000_000, execution=24_000, seconds=600),
    }
)
"""By the names people give; `none`: the solver is not asked."""
