"""What evaluating an expression reads and changes: C leaves the order of operands open."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from equimut.languages.c.api import CONTRACTS
from equimut.languages.lowered import Assign, Call, Cell, Expr, Local, Memory, OpaqueExpr, walk


@dataclass
class Footprint:
    """Locals by name, memory, and calls into the unknown."""

    locals: dict[str, Local] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    reads_memory: bool = False
    writes_memory: bool = False

    def clashes(self, other: "Footprint") -> bool:
        """Whether one changes a local that the other uses: undefined in C."""
        return bool(self.written & other.locals.keys() or other.written & self.locals.keys())

    def depends(self, other: "Footprint") -> bool:
        """Whether the order of the two may matter."""
        mine, theirs = self.reads_memory, other.reads_memory
        return (self.writes_memory and theirs) or (other.writes_memory and mine)


def in_some_order(parts: Sequence[Expr]) -> bool:
    """Whether it may matter in which order these are evaluated."""
    prints = [footprint(part) for part in parts]
    acting = [place for place, each in enumerate(prints) if each.written or each.writes_memory]
    return any(
        prints[place].clashes(other) or prints[place].depends(other)
        for place in acting
        for at, other in enumerate(prints)
        if at != place
    )


def footprint(node: Expr) -> Footprint:
    """The footprint of an expression; whatever writes memory counts as reading it."""
    found = Footprint()
    for part in walk(node):
        if isinstance(part, Local):
            found.locals[part.name] = part
        elif isinstance(part, Memory):
            found.reads_memory = True
        elif isinstance(part, Assign):
            if isinstance(part.target, Local):
                found.written.add(part.target.name)
            elif isinstance(part.target, Cell):
                found.written.add(part.target.local.name)
            else:
                found.writes_memory = True
        elif isinstance(part, Call):
            contract = CONTRACTS.get((part.owner, part.name, len(part.arguments)))
            pure = contract is not None and contract.pure
            found.writes_memory |= not pure
            found.reads_memory |= not pure or bool(contract and contract.reads)
        elif isinstance(part, OpaqueExpr):
            found.locals |= {local.name: local for local in (*part.reads, *part.writes)}
            found.written |= {local.name for local in part.writes}
            found.writes_memory |= part.effects
            found.reads_memory = True
    return found
