"""Places where PIT may mutate the bytecode of a method, tied to the syntax tree."""

import re
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from equimut.reports.pit.mutation import Wanted

PointKind = Literal["jump", "math", "increment", "negation", "call", "new", "return"]
Site = tuple[str, int, int, bool]


@dataclass(frozen=True, eq=False)
class Point:
    """One instruction that PIT could mutate, in the order javac emits them."""

    kind: PointKind
    node: Node
    """The condition, the operation, the call, or what returns a value."""
    line: int
    """The line that javac's table gives the instruction."""
    certain: bool = True
    """Whether the compiler is known to emit it: types and constants of other files are not."""
    filtered: bool = False
    """PIT leaves it out by default, or the text has no such thing (`written`)."""
    written: bool = True
    """False for code that the compiler adds: there is nothing in the text to change."""
    family: str = ""
    """A jump's kind of check: `comparison`, `equality`, or empty if that is not known."""
    jumps_if: bool = False
    """The value of the condition on which the jump is taken."""
    operator: str = ""
    number: str = ""
    amount: int | None = None
    name: str = ""
    """What is called or created; what is returned, if it is short."""

    @property
    def site(self) -> Site:
        """What two copies of the same code (in `finally`, in constructors) have in common."""
        return self.kind, self.node.start_byte, self.node.end_byte, self.written

    def subject_to(self, kind: str, detail: str) -> bool:
        """Whether a mutator of that kind (see `Wanted.subject`) would mutate this place."""
        match kind:
            case "negate":
                return self.kind == "jump"
            case "boundary":
                return self.kind == "jump" and self.family in ("comparison", "")
            case "remove":
                return self.kind == "jump" and self.family in (detail, "")
            case "increment" | "remove_increment":
                return self.kind == "increment"
            case "call":
                return self.kind == "call" and self.name == detail
            case "naked_receiver":
                return self.kind == "call"
            case "construct":
                return self.kind == "new"
        return self.kind == kind  # math, negation, return

    def left_out(self, wanted: Wanted) -> bool:
        """Whether PIT leaves the mutation out because that is what is returned anyway."""
        if self.kind != "return" or wanted.kind != "return" or wanted.value == "old":
            return False
        value = wanted.value.lower()
        if value[:1] == "0":
            return re.fullmatch(r"0+(\.0*)?[lfd]?", self.name.lower()) is not None
        return self.name.lower().removesuffix("()").rpartition("java.util.")[2] == value

    def fits(self, wanted: Wanted) -> bool:
        """Whether this is a place for that mutation."""
        if not self.subject_to(*wanted.subject):
            return False
        match wanted.kind:
            case "math":
                same = self.operator == wanted.operator
                known = self.number and wanted.number
                return same and (not known or self.number == wanted.number)
            case "increment" | "remove_increment":
                return self.amount is None or self.amount == wanted.amount
            case "naked_receiver":
                return self.name == wanted.name
            case "construct":
                return self.name == wanted.owner.replace("$", "/").rpartition("/")[2]
        return True
