"""Makes arguments of C functions simpler, one step at a time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from equimut.oracle.c.debug_info import CType
from equimut.oracle.c.glue import Glue, Recipe, members_of
from equimut.oracle.c.making import (
    SMALL,
    Named,
    fit_lengths,
    lengths_of,
    size_of,
    value_type,
    zero,
)
from equimut.oracle.inputs.values import in_range


def smaller_rows(glue: Glue, named: Named, row: Sequence[Recipe]) -> Iterator[list[Recipe]]:
    """Rows with one part simpler, the greatest steps first."""
    tied = lengths_of(named)
    exact = {at for at, where in tied.items() if row[where] == size_of(row[at])}
    for place, (_, type_) in enumerate(named):
        for part in _smaller(glue, type_, row[place]):
            new = [*row[:place], part, *row[place + 1 :]]
            if place in tied.values() and any(tied[at] == place for at in exact):
                continue
            fit_lengths(named, new, exact)
            yield new


def _smaller(glue: Glue, type_: CType, recipe: Recipe) -> Iterator[Recipe]:
    if type_.kind == "pointer" and recipe is not None:
        yield None
    match recipe:
        case {"text": text, "room": room}:
            if room:
                yield {"text": text, "room": 0}
            yield from ({"text": each, "room": room} for each in _smaller_texts(text))
        case {"bytes": text}:
            yield from ({"bytes": each} for each in _smaller_texts(text))
        case {"file": text}:
            yield from ({"file": each} for each in _smaller_texts(text))
        case {"array": items}:
            for each in _parts(items):
                yield {"array": each}
            for place, item in enumerate(items):
                for part in _smaller(glue, type_.pointee, item):
                    yield {"array": [*items[:place], part, *items[place + 1 :]]}
        case {"made": name} | {"init": name}:
            yield from _smaller_objects(glue, recipe, name)
        case list() if type_.kind in ("struct", "union"):
            named = [(each.name, each.type) for each in members_of(type_)]
            nothing = zero(type_)
            for place, part in enumerate(recipe):
                if part != nothing[place]:
                    yield [*recipe[:place], nothing[place], *recipe[place + 1 :]]
            yield from smaller_rows(glue, named, recipe)
        case list():
            for place, item in enumerate(recipe):
                for part in _smaller(glue, type_.pointee, item):
                    yield [*recipe[:place], part, *recipe[place + 1 :]]
        case bool():
            if recipe:
                yield False
        case int() | float():
            yield from _smaller_numbers(type_, recipe)


def _smaller_objects(glue: Glue, recipe: Mapping[str, Any], name: str) -> Iterator[Recipe]:
    for place in range(len(recipe["then"])):
        yield {**recipe, "then": [*recipe["then"][:place], *recipe["then"][place + 1 :]]}
    first = 0 if "made" in recipe else 1
    named = glue.functions[glue.numbers[name]].parameters[first:]
    for row in smaller_rows(glue, named, recipe["args"]):
        yield {**recipe, "args": row}
    for place, (title, arguments) in enumerate(recipe["then"]):
        named = glue.functions[glue.numbers[title]].parameters[1:]
        for row in smaller_rows(glue, named, arguments):
            calls = [*recipe["then"][:place], (title, row), *recipe["then"][place + 1 :]]
            yield {**recipe, "then": calls}


def _parts(items: Sequence[Any]) -> Iterator[Any]:
    half = len(items) // 2
    if half:
        yield items[:half]
        yield items[half:]
    for place in range(min(len(items), SMALL)):
        yield [*items[:place], *items[place + 1 :]]


def _smaller_texts(text: str) -> Iterator[str]:
    for part in _parts(text):
        yield "".join(part)
    for place, letter in enumerate(text[:SMALL]):
        if letter not in "a0 ":
            yield f"{text[:place]}{'0' if letter.isdigit() else 'a'}{text[place + 1 :]}"


def _smaller_numbers(type_: CType, number: float) -> Iterator[Recipe]:
    for small in (0, 1, -1, 2, 10):
        close = abs(small) < abs(number) or (abs(small) == abs(number) and small > number)
        if small < 0 and type_.kind != "float" and not type_.signed:
            continue
        if close or number != number:
            yield float(small) if type_.kind == "float" else in_range(value_type(type_), small)
    if type_.kind == "float":
        if number - number == 0 and number != int(number):
            yield float(int(number))
    elif abs(number) > 20:
        yield int(number) // 2
        yield int(number) - 1 if number > 0 else int(number) + 1


def size_of_row(row: Sequence[Recipe]) -> int:
    """How much there is to read in a row."""
    return len(repr(row))
