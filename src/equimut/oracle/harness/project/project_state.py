"""What a call leaves behind in the module's own variables: seen, and taken back."""

import contextlib
import json
from types import FunctionType, ModuleType
from typing import Any

from project_seeing import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    Facet,
    facets_of,
)
from project_values import Encoder  # type: ignore[import-not-found]

CONTAINERS = (list, dict, set)
MOST_ITEMS = 5_000
MOST_SHOWN = 6
MISSING = object()
LONGEST = 200


class ModuleState:
    """The variables of one module as they were before any call."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.known = set(names)
        self.values: dict[str, Any] = {}
        self.copies: dict[str, Any] = {}
        for name, value in names.items():
            if name.startswith("__") or isinstance(value, (ModuleType, FunctionType, type)):
                continue
            self.values[name] = value
            if type(value) in CONTAINERS and len(value) <= MOST_ITEMS:
                self.copies[name] = value.copy()

    def _note(self, name: str, before: Any) -> None:
        """Keep what a variable was after import: other tests may have filled it meanwhile."""
        with contextlib.suppress(Exception):
            recipe = Encoder().encode(before)
            if _short(recipe):
                self.before[name] = recipe

    def take_back(self) -> list[Facet]:
        """What has changed, as facets; afterwards nothing has."""
        found: list[Facet] = []
        self.before: dict[str, Any] = {}
        for name, value in self.values.items():
            now = self.names.get(name, MISSING)
            before = self.copies.get(name, value)
            if now is value and (name not in self.copies or _same(value, before)):
                continue
            if type(value) in CONTAINERS:
                self._note(name, before)
            if now is not MISSING:
                found += _facets(f"global {name}", now, before)
            self.names[name] = value
            if name in self.copies and not _same(value, before):
                _refill(value, before)
        for name in [name for name in self.names if name not in self.known]:
            del self.names[name]
        return found


def _short(recipe: Any) -> bool:
    return len(json.dumps(recipe)) <= LONGEST


def _same(value: Any, before: Any) -> bool:
    try:
        return len(value) == len(before) and bool(value == before)
    except Exception:  # noqa: BLE001  # comparisons of strangers
        return False


def _facets(subject: str, now: Any, before: Any) -> list[Facet]:
    """Only the parts that are not as they were: the rest is the module's business."""
    if type(now) is not type(before) or type(now) not in CONTAINERS or type(now) is set:
        return list(facets_of(subject, now))
    found = list(facets_of(subject, len(now)))
    for facet in found:
        facet[1] = "len({})"
    if type(now) is list:
        keys = [at for at in range(len(now)) if at >= len(before) or now[at] is not before[at]]
    else:
        keys = [key for key in now if type(key) in (str, int) and now[key] is not before.get(key)]
    for key in keys[:MOST_SHOWN]:
        for facet in facets_of(subject, now[key]):
            place = repr(key).replace("{", "\\x7b").replace("}", "\\x7d")
            found.append([subject, facet[1].replace("{}", f"{{}}[{place}]", 1), *facet[2:]])
    return found


def _refill(value: Any, before: Any) -> None:
    value.clear()
    if type(value) is list:
        value.extend(before)
    else:
        value.update(before)
