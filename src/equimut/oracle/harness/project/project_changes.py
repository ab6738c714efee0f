"""Calls made from other calls: varied at random, or made smaller."""

import random
from collections.abc import Iterator
from typing import Any

from project_values import STOCK  # type: ignore[import-not-found]  # its neighbour

Call = dict[str, Any]
SEQUENCES = ("list", "tuple", "set", "frozenset")


def vary(call: Call, rng: random.Random, pool: list[Any]) -> Call:
    """The same call with one to three parts of it changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        call = _one_change(call, rng, pool)
    return call


def _one_change(call: Call, rng: random.Random, pool: list[Any]) -> Call:
    spots = list(_spots(call))
    if not spots:
        return call
    path, part = rng.choice(spots)
    changed: Call = _put(call, path, _changed(part, rng, pool))
    return changed


def _spots(call: Call) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every recipe in a call, with the way to it."""
    if isinstance(call.get("self"), dict) and "name" not in call["self"]:
        yield from _inner(("self",), call["self"], own=False)
    for place, part in enumerate(call["args"]):
        yield from _inner(("args", place), part)
    for name, part in call["named"].items():
        yield from _inner(("named", name), part)


def _inner(
    path: tuple[Any, ...], recipe: Any, own: bool = True
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if own:
        yield path, recipe
    if not isinstance(recipe, dict):
        return
    for kind in SEQUENCES:
        for place, part in enumerate(recipe.get(kind, ())):
            yield from _inner((*path, kind, place), part)
    for place, (_, part) in enumerate(recipe.get("dict", ())):
        yield from _inner((*path, "dict", place, 1), part)
    for place, part in enumerate(recipe.get("args", ())):
        yield from _inner((*path, "args", place), part)
    for name, part in recipe.get("named", {}).items():
        yield from _inner((*path, "named", name), part)
    for place, (_, args, _) in enumerate(recipe.get("then", ())):
        for at, part in enumerate(args):
            yield from _inner((*path, "then", place, 1, at), part)


def _put(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of the tree with another value at the end of the path."""
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = _put(tree[path[0]], path[1:], value)
    return copy


def _changed(part: Any, rng: random.Random, pool: list[Any]) -> Any:
    if rng.random() < 0.12 and pool:
        alike = [each for each in pool if type(each) is type(part)]
        return rng.choice(alike or pool)
    if isinstance(part, bool):
        return not part
    if isinstance(part, int):
        return rng.choice(
            (part + 1, part - 1, -part, 0, 1, 2 * part, part + rng.randint(-20, 20), 10 * part)
        )
    if isinstance(part, float):
        return rng.choice(
            (part + 1, part - 1, -part, 0.0, part / 2, part + 0.5, float(round(part)))
        )
    if isinstance(part, str):
        return changed_text(part, rng, [each for each in pool if isinstance(each, str)])
    if not isinstance(part, dict):
        return rng.choice(pool) if pool else 0
    if "bytes" in part:
        return {"bytes": "".join(c for c in changed_text(part["bytes"], rng, []) if ord(c) < 256)}
    for kind in (*SEQUENCES, "dict"):
        if kind in part:
            return {**part, kind: _changed_items(part[kind], rng, pool, pairs=kind == "dict")}
    if "stock" in part:
        return {"stock": rng.choice(list(STOCK))}
    if part.get("then"):
        steps = list(part["then"])
        steps.pop(rng.randrange(len(steps)))
        return {**part, "then": steps}
    return part


def changed_text(text: str, rng: random.Random, words: list[str]) -> str:
    """A text with a letter more, less or other, a part twice, in another case."""
    at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    letters = "".join(words[:40]) + text + "aZ0 9-_.é"
    letter = rng.choice(letters)
    word = rng.choice(words) if words else letter
    ways = (
        text[:at] + letter + text[at:],
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at + 1 :],
        text[:at] + word + text[at:],
        text[:at] + "\n" + text[at:],
        text[:at] + text[to:],
        text[at:to],
        text + text,
        text[::-1],
        text.swapcase(),
        text.upper(),
        text.lower(),
        text.strip(),
        f" {text}",
        f"{text} ",
        f"-{text}",
        "",
    )
    return rng.choice(ways)


def _changed_items(items: list[Any], rng: random.Random, pool: list[Any], pairs: bool) -> list[Any]:
    items = list(items)
    if not items:
        value = rng.choice(pool) if pool else 0
        return [["a", value]] if pairs else [value]
    at = rng.randrange(len(items))
    choice = rng.randrange(5)
    if choice == 0:
        items.pop(at)
    elif choice == 1 and not pairs:
        items.insert(at, items[rng.randrange(len(items))])
    elif choice == 2:
        items.reverse()
    elif choice == 3:
        items = items[:at]
    elif pairs:
        items[at] = [items[at][0], items[rng.randrange(len(items))][1]]
    else:
        items = [*items, *items]
    return items


def smaller(call: Call) -> Iterator[Call]:
    """Calls that are simpler than this one, the boldest steps first."""
    for name in call["named"]:
        yield {**call, "named": {key: part for key, part in call["named"].items() if key != name}}
    if call["args"]:
        yield {**call, "args": call["args"][:-1]}
    for path, part in list(_spots(call)):
        for simple in _simpler(part):
            yield _put(call, path, simple)
    receiver = call.get("self")
    if isinstance(receiver, dict):
        for simple in _simpler(receiver):
            if isinstance(simple, dict):
                yield {**call, "self": simple}


def _simpler(part: Any) -> Iterator[Any]:
    if isinstance(part, bool) or part is None:
        if part is True:
            yield False
        return
    if isinstance(part, int):
        for value in (0, 1, part // 10, part // 2, part - 1 if part > 0 else part + 1, abs(part)):
            if (abs(value), value < 0) < (abs(part), part < 0):
                yield value
    elif isinstance(part, float):
        for number in (0.0, 1.0, float(round(part)), round(part, 1), abs(part)):
            if len(repr(number)) < len(repr(part)):
                yield number
    elif isinstance(part, str):
        yield from _shorter_texts(part)
    elif isinstance(part, dict):
        yield from _simpler_object(part)


def _shorter_texts(text: str) -> Iterator[str]:
    if not text:
        return
    yield ""
    half = len(text) // 2
    if half:
        yield text[:half]
        yield text[half:]
    for at in range(min(len(text), 24)):
        yield text[:at] + text[at + 1 :]
    plain = "".join(c if c.isascii() and c.isprintable() else "a" for c in text)
    if plain != text:
        yield plain
    for at, character in enumerate(text[:24]):
        simple = "a" if character.isalpha() else "0" if character.isdigit() else character
        if simple < character or (character.isalpha() and character != "a"):
            yield text[:at] + simple + text[at + 1 :]


def _simpler_object(part: dict[str, Any]) -> Iterator[Any]:
    for kind in (*SEQUENCES, "dict", "then", "args"):
        items = part.get(kind)
        if not items:
            continue
        if kind != "args":
            yield {**part, kind: []}
            if len(items) > 2:
                yield {**part, kind: items[: len(items) // 2]}
            for at in range(min(len(items), 12)):
                yield {**part, kind: [*items[:at], *items[at + 1 :]]}
        else:
            yield {**part, kind: items[:-1]}
    for name in part.get("named", {}):
        yield {**part, "named": {key: value for key, value in part["named"].items() if key != name}}
    if part.get("bytes"):
        for text in _shorter_texts(part["bytes"]):
            yield {"bytes": text}
