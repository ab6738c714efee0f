"""What a killable case is."""

Case = tuple[str, str, str]
"""The origin, a piece of it that stands there once, and what the mutant has in its place."""


def mutated(case: Case) -> tuple[str, str]:
    """Origin and mutant of a case."""
    origin, before, after = case
    assert origin.count(before) == 1, f"{before!r} is in one place of {origin!r}"
    return origin, origin.replace(before, after)
