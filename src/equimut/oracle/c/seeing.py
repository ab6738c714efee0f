"""What calls of C functions were seen to do, and how two versions differ."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equimut.oracle.verdicts import Behaviour

UNSTATED = "?"
HARD = ("invalid memory access", "arithmetic error", "abort", "assertion failed",
        "null or misaligned pointer", "division by zero or overflow", "stack-overflow",
        "unreachable code reached")  # fmt: skip
"""Crashes that show without a sanitizer, too."""
Key = tuple[str, str]


@dataclass(frozen=True)
class Sight:
    """One call: how it ended, and what was there then."""

    outcome: str
    detail: str = ""
    facets: Mapping[Key, tuple[str, str]] = field(default_factory=dict)
    """(subject, expression) -> (kind, text)."""
    steps: int = 0
    digest: str = ""
    new: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    """What something was compared with for the first time."""
    places: frozenset[int] = frozenset()
    freed: frozenset[int] = frozenset()

    @property
    def fine(self) -> bool:
        """Whether the call is inside the domain of the function."""
        return self.outcome in ("returns", "exits")

    def rows(self, keys: Sequence[Key]) -> list[list[Any]]:
        """Facets in the form that tests are chosen by; what cannot be stated has no value."""
        found = []
        for key in keys:
            kind, text = self.facets[key]
            stated = None if kind == UNSTATED else [kind, text]
            found.append([*key, f"{kind} {text}", stated])
        return found


def read_sights(results: Path) -> tuple[dict[int, Sight], dict[int, str], int]:
    """Input -> what was seen; inputs that the sandbox stopped; how many were as expected."""
    seen: dict[int, Sight] = {}
    stopped: dict[int, str] = {}
    same = 0
    for line in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        word, number, rest = line.split(" ", 2)
        if word == "stop":
            stopped[int(number)] = rest
        elif word == "same":
            same += 1
        elif word in ("seen", "crash"):
            seen[int(number)] = _sight(json.loads(rest))
    return seen, stopped, same


def _sight(line: Mapping[str, Any]) -> Sight:
    facets = {(row[0], row[1]): (row[2], row[3]) for row in line.get("facets", ())}
    for name in ("output", "errors"):
        if name in line:
            facets[name, "{}"] = ("s", line[name])
    return Sight(
        outcome=line["outcome"],
        detail=line["detail"],
        facets=facets,
        steps=line.get("steps", 0),
        digest=line.get("digest", ""),
        new=tuple(line.get("new", ())),
        constants=tuple(line.get("constants", ())),
        places=frozenset(line.get("places", ())),
        freed=frozenset(line.get("freed", ())),
    )


def steady_keys(one: Sight, other: Sight) -> list[Key] | None:
    """What is the same in both runs of one call; None if they end in different ways."""
    if (one.outcome, one.detail) != (other.outcome, other.detail):
        return None
    return [key for key, seen in one.facets.items() if other.facets.get(key) == seen]


def differing(origin: Sight, keys: Sequence[Key], mutant: Sight) -> list[Key] | None:
    """Where a mutant shows something else; None where it shows nothing else."""
    if (origin.outcome, origin.detail) != (mutant.outcome, mutant.detail):
        return []
    return [key for key in keys if mutant.facets.get(key) != origin.facets[key]] or None


def behaviour(seen: Sight, telling: Sequence[Key]) -> Behaviour:
    """What one side does, as far as the other does not."""
    if seen.outcome == "returns":
        shown = [key for key in telling if key in seen.facets] or list(seen.facets)
        return Behaviour(outcome="returns", value="".join(_text(seen, key) for key in shown[:1]))
    if seen.outcome == "exits":
        return Behaviour(outcome="exits", detail=seen.detail)
    if seen.outcome == "endless":
        return Behaviour(outcome="endless")
    return Behaviour(outcome="crashes", detail=seen.detail)


def _text(seen: Sight, key: Key) -> str:
    kind, text = seen.facets[key]
    subject, template = key
    shown = {"0": "NULL", "s": json.dumps(text), "*": "not NULL"}.get(kind, text)
    if subject == "result" and template == "{}":
        return shown
    name = {"result": "it", "output": "printed", "errors": "on standard error"}.get(
        subject, subject
    )
    return f"{template.replace('{}', name)} = {shown}"
