"""Mutations of one line, in the order of their indices, against the points of that line."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from equimut.reports.pit.mutation import Wanted
from equimut.reports.pit.points import Point

MAX_CELLS = 400_000
"""Comparisons made for one line; a line with more is not read by people either."""


@dataclass(frozen=True)
class Item:
    """An instruction that the report names: its index and what is done to it, by one or more."""

    index: int
    wanted: tuple[Wanted, ...]

    def cost(self, point: Point) -> float:
        """What it costs to take it for this point: infinite if it cannot be."""
        if not all(point.fits(wanted) for wanted in self.wanted):
            return inf
        return int(point.filtered) + any(point.left_out(wanted) for wanted in self.wanted)


def align(items: Sequence[Item], points: Sequence[Point]) -> list[list[Point]]:
    """For each item the points it may be, given that both are in the order of the bytecode.

    PIT mutates every place a mutator fits, so first every point that is certain must be used,
    and points that PIT leaves out by default as little as possible. If the report cannot be
    explained like that, only the order counts. Several answers for an item: it is ambiguous.
    """
    costs = [[item.cost(point) for point in points] for item in items]
    known = [index for index, row in enumerate(costs) if min(row, default=inf) < inf]
    found: list[list[Point]] = [[] for _ in items]
    rows = [costs[index] for index in known]
    choice = None
    if len(rows) * len(points) <= MAX_CELLS:
        choice = _matches(rows, _needed(items, points))
        choice = choice or _matches(rows, [False] * len(points))
    if not choice:  # the order does not fit either: each item on its own
        choice = [[at for at, cost in enumerate(row) if cost < inf] for row in rows]
    for index, places in zip(known, choice, strict=True):
        found[index] = [points[place] for place in places]
    return found


def align_all(items: Sequence[Item], points: Sequence[Point]) -> list[list[Point]] | None:
    """As `align`, but only if every item has a place and every certain point its item."""
    if len(items) * len(points) > MAX_CELLS:
        return None
    costs = [[item.cost(point) for point in points] for item in items]
    choice = _matches(costs, _needed(items, points))
    return [[points[place] for place in places] for places in choice] if choice else None


def _needed(items: Sequence[Item], points: Sequence[Point]) -> list[bool]:
    """The points that a report with these mutators would not leave out."""
    asked = {wanted.subject: wanted for item in items for wanted in item.wanted}.values()
    return [
        point.certain
        and not point.filtered
        and any(point.subject_to(*one.subject) and not point.left_out(one) for one in asked)
        for point in points
    ]


def _matches(rows: list[list[float]], needed: list[bool]) -> list[list[int]] | None:
    """Columns that a row takes in at least one of the cheapest ways to match all rows in order."""
    ahead = _table(rows, needed)
    behind = _table([row[::-1] for row in rows[::-1]], needed[::-1])
    height, width = len(rows), len(needed)
    best = ahead[height][width]
    if best == inf:
        return None
    return [
        [
            column
            for column, cost in enumerate(rows[row])
            if ahead[row][column] + cost + behind[height - row - 1][width - column - 1] == best
        ]
        for row in range(height)
    ]


def _table(rows: list[list[float]], needed: list[bool]) -> list[list[float]]:
    """`table[r][c]`: the least cost of matching the first r rows within the first c columns."""
    table = [[inf] * (len(needed) + 1) for _ in range(len(rows) + 1)]
    table[0][0] = 0
    for row in range(len(rows) + 1):
        for column, need in enumerate(needed):
            skipped = inf if need else table[row][column]
            taken = table[row - 1][column] + rows[row - 1][column] if row else inf
            table[row][column + 1] = min(skipped, taken)
    return table
