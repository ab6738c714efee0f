"""What a test could see of a value: facets, each with an expression and what it gives.

A facet is [subject, template, text, recipe]: `["result", "{}.name", '"x"', "x"]` says that the
attribute `name` of the result is "x". The recipe is None where a test cannot write the value.
"""

import contextlib
import itertools
import json
import re
import types
from collections.abc import Iterator
from typing import Any

from project_values import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    Encoder,
)

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
MOST_ITEMS = 20
MOST_LISTED = 200
NOTHING = {"name": "builtins:None"}
"""The recipe of None in a facet, where none means that a test cannot write the value."""
MOST_FACETS = 60
DEEPEST = 4
Facet = list[Any]
LAZY = (
    types.GeneratorType,
    map,
    filter,
    zip,
    enumerate,
    reversed,
    itertools.chain,
    itertools.islice,
)


def facets_of(subject: str, value: Any) -> list[Facet]:
    """All facets of a value, the plainest first."""
    found: list[Facet] = []
    with contextlib.suppress(Exception):  # an object that cannot even be looked at
        found.extend(itertools.islice(_facets(subject, "{}", value, 0, ()), MOST_FACETS))
    return found


def _facets(
    subject: str, template: str, value: Any, depth: int, above: tuple[int, ...]
) -> Iterator[Facet]:
    try:
        recipe = Encoder().encode(value)
    except Exception:  # noqa: BLE001  # Unfit, or whatever an attribute raises
        if depth < DEEPEST and id(value) not in above:
            yield from _parts(subject, template, value, depth, (*above, id(value)))
        return
    shown = NOTHING if recipe is None else recipe
    yield [subject, template, json.dumps(_sorted(recipe)), shown if _has_equality(value) else None]


def _has_equality(value: Any) -> bool:
    """Whether another value from the same recipe equals this one."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_has_equality, value))
    if isinstance(value, dict):
        return all(map(_has_equality, value.values()))
    if isinstance(value, float):
        return value == value
    if value is None:
        return True
    return isinstance(value, type) or callable(value) or _overrides(value, "__eq__")


def _overrides(value: Any, method: str) -> bool:
    return getattr(type(value), method) is not getattr(object, method)


def _sorted(recipe: Any) -> Any:
    """A dict equals another one whatever the order of its keys."""
    if isinstance(recipe, dict):
        return {
            key: sorted(map(_sorted, part), key=repr) if key == "dict" else _sorted(part)
            for key, part in recipe.items()
        }
    return [_sorted(part) for part in recipe] if isinstance(recipe, list) else recipe


def _parts(
    subject: str, template: str, value: Any, depth: int, above: tuple[int, ...]
) -> Iterator[Facet]:
    """The facets of a value that has no recipe as a whole."""

    def inner(form: str, part: Any) -> Iterator[Facet]:
        return _facets(subject, form.replace("{}", template, 1), part, depth + 1, above)

    if isinstance(value, LAZY):
        items = list(itertools.islice(value, MOST_LISTED + 1))
        if len(items) <= MOST_LISTED:
            yield from inner("list({})", items)
        return
    if isinstance(value, (list, tuple)):
        yield from inner("len({})", len(value))
        for place, item in enumerate(value[:MOST_ITEMS]):
            yield from inner(f"{{}}[{place}]", item)
        return
    if isinstance(value, dict):
        keys = [key for key in value if type(key) in (str, int)]
        yield from inner("len({})", len(value))
        for key in keys[:MOST_ITEMS]:
            yield from inner(f"{{}}[{_braced(repr(key))}]", value[key])
        return
    kind = type(value)
    if isinstance(value, (types.FunctionType, types.MethodType, types.ModuleType)):
        return
    yield from inner("type({}).__name__", kind.__name__)
    attributes = _attributes(value)
    for name in sorted(attributes, key=lambda name: (name.startswith("_"), name)):
        if not name.startswith("_"):
            yield from inner(f"{{}}.{name}", attributes[name])
    if _overrides(value, "__str__") or _overrides(value, "__repr__"):
        text = str(value)
        if not ADDRESS.search(text):
            yield from inner("str({})", text)
    for name in sorted(attributes):
        if name.startswith("_") and not name.startswith("__"):
            yield from inner(f"{{}}.{name}", attributes[name])


def _attributes(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                found[name] = getattr(value, name)
    found.update(getattr(value, "__dict__", {}))
    return {
        name: part for name, part in found.items() if isinstance(name, str) and name.isidentifier()
    }


def _braced(text: str) -> str:
    """Braces of a key are no place for what stands around it."""
    return text.replace("{", "\\x7b").replace("}", "\\x7d")


def stated(origin: list[Facet], mutant: list[Facet]) -> list[Facet]:
    """The differences that `==` in a test sees: 1, 1.0 and True are the same to it."""
    other = {(subject, template): text for subject, template, text, _ in mutant}
    return [
        facet
        for facet in differences(origin, mutant)
        if facet[3] is not None
        and (
            (text := other.get((facet[0], facet[1]))) is None
            or json.loads(text) != json.loads(facet[2])
        )
    ]


def differences(origin: list[Facet], mutant: list[Facet]) -> list[Facet]:
    """The facets of the origin that the mutant lacks or has otherwise."""
    other = {(subject, template): text for subject, template, text, _ in mutant}
    return [facet for facet in origin if other.get((facet[0], facet[1])) != facet[2]]
