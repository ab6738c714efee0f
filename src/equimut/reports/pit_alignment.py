"""Mutations of one line, in the order of their indices, against the points of that line."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from equimut.reports.pit_mutation import Wanted
from equimut.reports.pit_points import Point

MAX_CELLS = 400_000
"""Comparisons made for one line; a line with more is not read by people either."""


@dataclass(frozen=True)
class Item:
    """An instruction that the report names: its index and what is done to it, by one or more."""

    index: int
    wanted: tuple[Wanted, ...]

    def at(self, point: Point) -> bool:
        """Whether it may be this point."""
        return all(point.fits(wanted) for wanted in self.wanted)


def align(items: Sequence[Item], points: Sequence[Point]) -> list[list[Point]]:
    """For each item the points it may be, given that both are in the order of the bytecode.

    PIT mutates every place a mutator fits, so first every point that is certain must be used,
    and points that PIT leaves out by default as little as possible. If the report cannot be
    explained like that, only the order counts. Several answers for an item: it is ambiguous.
    """
    possible = [[item.at(point) for point in points] for item in items]
    known = [index for index, row in enumerate(possible) if any(row)]
    found: list[list[Point]] = [[] for _ in items]
    if not known or len(known) * len(points) > MAX_CELLS:
        return [[p for p, fits in zip(points, row, strict=True) if fits] for row in possible]
    rows = [possible[index] for index in known]
    costs = [int(point.filtered) for point in points]
    choice = _matches(rows, costs, _needed(items, points))
    choice = choice or _matches(rows, costs, [False] * len(points))
    if not choice:  # the order does not fit either: each item on its own
        choice = [[at for at, fits in enumerate(row) if fits] for row in rows]
    for index, places in zip(known, choice, strict=True):
        found[index] = [points[place] for place in places]
    return found


def align_all(items: Sequence[Item], points: Sequence[Point]) -> list[list[Point]] | None:
    """As `align`, but only if every item has a place and every certain point its item."""
    if len(items) * len(points) > MAX_CELLS:
        return None
    rows = [[item.at(point) for point in points] for item in items]
    costs = [int(point.filtered) for point in points]
    choice = _matches(rows, costs, _needed(items, points))
    return [[points[place] for place in places] for places in choice] if choice else None


def _needed(items: Sequence[Item], points: Sequence[Point]) -> list[bool]:
    """The points that a report with these mutators would not leave out."""
    subjects = {wanted.subject for item in items for wanted in item.wanted}
    return [
        point.certain and not point.filtered and any(point.subject_to(*s) for s in subjects)
        for point in points
    ]


def _matches(
    rows: list[list[bool]], costs: list[int], needed: list[bool]
) -> list[list[int]] | None:
    """Columns that a row takes in at least one of the cheapest ways to match all rows in order."""
    ahead = _table(rows, costs, needed)
    behind = _table([row[::-1] for row in rows[::-1]], costs[::-1], needed[::-1])
    height, width = len(rows), len(costs)
    best = ahead[height][width]
    if best == inf:
        return None
    return [
        [
            column
            for column in range(width)
            if rows[row][column]
            and ahead[row][column] + costs[column] + behind[height - row - 1][width - column - 1]
            == best
        ]
        for row in range(height)
    ]


def _table(rows: list[list[bool]], costs: list[int], needed: list[bool]) -> list[list[float]]:
    """`table[r][c]`: the least cost of matching the first r rows within the first c columns."""
    table = [[inf] * (len(costs) + 1) for _ in range(len(rows) + 1)]
    table[0][0] = 0
    for row in range(len(rows) + 1):
        for column, cost in enumerate(costs):
            skipped = inf if needed[column] else table[row][column]
            taken = table[row - 1][column] + cost if row and rows[row - 1][column] else inf
            table[row][column + 1] = min(skipped, taken)
    return table
