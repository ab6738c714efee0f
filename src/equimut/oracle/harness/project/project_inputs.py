"""Arguments from annotations and defaults; without either, from what turns out to be accepted."""

import collections.abc
import datetime
import decimal
import enum
import fractions
import inspect
import io
import json
import pathlib
import random
import re
import types
import typing
from collections.abc import Callable
from typing import Any

from project_values import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    STOCK,
    Encoder,
    Unfit,
    importable,
)

DEEPEST = 3
Make = Callable[[], Any]
Recipe = Any
Ask = Callable[[dict[str, Any]], dict[str, list[Recipe]]]
"""Types by parameter -> values that somebody else draws for some of them."""
LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.Iterable,
    collections.abc.Collection,
    collections.abc.MutableSequence,
    collections.abc.Iterator,
    collections.abc.Reversible,
)
SETS = {
    set: "set",
    frozenset: "frozenset",
    collections.abc.Set: "set",
    collections.abc.MutableSet: "set",
}
MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


class Slot:
    """One parameter: ways to make a value for it, and how often each was accepted."""

    def __init__(
        self, parameter: inspect.Parameter, ways: dict[str, Make], rng: random.Random
    ) -> None:
        self.parameter = parameter
        self.ways = ways
        self.rng = rng
        self.tried = dict.fromkeys(ways, 0)
        self.taken = dict.fromkeys(ways, 0)
        self.last = ""

    def draw(self) -> Recipe:
        """A value, of a kind that has been accepted before more often than of another."""
        names = list(self.ways)
        weights = [(self.taken[name] + 0.5) / (self.tried[name] + 1) for name in names]
        self.last = self.rng.choices(names, weights)[0]
        return self.ways[self.last]()

    def learn(self, accepted: bool) -> None:
        """Whether the last value was of use."""
        if self.last:
            self.tried[self.last] += 1
            self.taken[self.last] += accepted
            self.last = ""


class Shape:
    """The parameters of one callable."""

    def __init__(self, slots: list[Slot], rng: random.Random) -> None:
        self.slots = slots
        self.rng = rng

    def draw(self) -> dict[str, Any]:
        """Arguments for one call."""
        args: list[Recipe] = []
        named: dict[str, Recipe] = {}
        skipped = False
        for slot in self.slots:
            parameter = slot.parameter
            optional = parameter.default is not inspect.Parameter.empty
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                if not skipped:
                    args += [slot.draw() for _ in range(self.rng.choice((0, 1, 1, 2, 3)))]
            elif optional and self.rng.random() < 0.45:
                skipped = True
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY or (
                skipped and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY
            ):
                named[parameter.name] = slot.draw()
            elif not skipped:
                args.append(slot.draw())
        return {"args": args, "named": named}

    def learn(self, accepted: bool) -> None:
        """Whether the last arguments were of use."""
        for slot in self.slots:
            slot.learn(accepted)


class Inputs:
    """Makes arguments for the functions of one module."""

    def __init__(
        self, pools: dict[str, list[Any]], rng: random.Random, receivers: list[Recipe], ask: Ask
    ) -> None:
        self.pools = pools
        self.rng = rng
        self.ask = ask
        self.receivers: dict[str, list[Recipe]] = {}
        """Recipes of objects that somebody has made, by class."""
        for recipe in receivers:
            if isinstance(recipe, dict) and "new" in recipe:
                self.receivers.setdefault(recipe["new"], []).append(recipe)
        self.shapes: list[Shape] = []

    def shape(self, function: Any, depth: int = 0, owner: Make | None = None) -> Shape:
        """How to call something; Unfit where Python cannot say what it takes.

        `owner` makes the object that a method is called on: another one of its kind may be wanted.
        """
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (ValueError, TypeError) as error:
            raise Unfit("a callable without a signature") from error
        hints = _hints(function)
        if owner is not None:
            parameters = parameters[1:]
        parameters = [p for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD]
        drawn = {} if depth else self.ask(_exact_hints(function, parameters))
        slots = []
        for parameter in parameters:
            hint = hints.get(parameter.name, parameter.annotation)
            ways = self._ways(parameter, hint, depth, drawn.get(parameter.name, []))
            if owner is not None and not {"hint", "drawn"} & set(ways):
                ways["one of its kind"] = owner
            slots.append(Slot(parameter, ways, self.rng))
        made = Shape(slots, self.rng)
        self.shapes.append(made)
        return made

    def learn(self, accepted: bool) -> None:
        """Whether the last call went into the function."""
        for shape in self.shapes:
            shape.learn(accepted)

    def receiver(self, kind: type) -> Make:
        """A maker of objects that a method is called on."""
        drawn = self.ask({"self": kind}).get("self", [])
        if not drawn:
            return self.of_type(kind)
        me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY, annotation=kind)
        slot = Slot(me, self._ways(me, kind, 0, drawn), self.rng)
        self.shapes.append(Shape([slot], self.rng))
        return slot.draw

    def _ways(
        self, parameter: inspect.Parameter, hint: Any, depth: int, drawn: list[Recipe]
    ) -> dict[str, Make]:
        ways: dict[str, Make] = {}
        if drawn:
            ways["drawn"] = lambda: self.rng.choice(drawn)
        default = parameter.default
        if default is not inspect.Parameter.empty and default is not None:
            try:
                recipe = Encoder().encode(default)
                ways["default"] = lambda: recipe
            except Unfit:
                pass
        if hint is not inspect.Parameter.empty and hint is not Any:
            try:
                ways["hint"] = self.of_type(hint, depth)
                return ways
            except Unfit:
                if drawn:
                    return ways
                if depth >= DEEPEST:
                    raise
        if default is not inspect.Parameter.empty and isinstance(default, (bool, int, float, str)):
            ways[type(default).__name__] = self.of_type(type(default), depth)
        return {**self._guesses(), **ways}

    def _guesses(self) -> dict[str, Make]:
        of = self.of_type
        return {
            "str": of(str, 1), "int": of(int, 1), "list of int": of(list[int], 1),
            "list of str": of(list[str], 1), "dict": of(dict[str, int], 1), "float": of(float, 1),
            "bool": of(bool, 1), "none": lambda: None, "bytes": of(bytes, 1),
            "tuple": of(tuple[int, int], 1), "function": of(collections.abc.Callable, 1),
        }  # fmt: skip

    def of_type(self, hint: Any, depth: int = 0) -> Make:
        """A maker of values of a type."""
        rng, pools = self.rng, self.pools
        if hint is None or hint is type(None):
            return lambda: None
        if hint is Any or hint is object:
            return self._any(["str", "int", "float"])
        if isinstance(hint, (str, typing.ForwardRef)):
            raise Unfit("an annotation that does not resolve")
        if isinstance(hint, typing.TypeVar):
            bound = hint.__bound__
            options = hint.__constraints__ or ((bound,) if bound else ())
            return (
                self._one_of([self.of_type(each, depth) for each in options])
                if options
                else self._any(["int", "str"])
            )
        if hasattr(hint, "__supertype__"):
            return self.of_type(hint.__supertype__, depth)
        if hint in (int, float, str, bool):
            pool = pools[hint.__name__]
            return lambda: rng.choice(pool)
        if hint is bytes or hint is bytearray:
            texts = [each for each in pools["str"] if each.isascii()] or [""]
            return lambda: {"bytes": rng.choice(texts)}
        if hint is complex:
            return lambda: {"new": "builtins:complex", "args": [rng.choice(pools["int"]), 1]}
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin is not None:
            return self._generic(hint, origin, inner, depth)
        if hint in LISTS:
            return self._many("list", self._any(["int", "str"]))
        if hint in SETS:
            return self._many(SETS[hint], self._any(["int"]))
        if hint is tuple:
            return self._many("tuple", self._any(["int", "str"]))
        if hint in MAPPINGS:
            return self._mapping(self.of_type(str, 1), self._any(["int", "str"]))
        if hint is collections.abc.Callable or hint is types.FunctionType:
            return lambda: {"stock": rng.choice(list(STOCK))}
        if isinstance(hint, type):
            return self._instance(hint, depth)
        raise Unfit(f"a parameter of type {hint}")

    def _any(self, names: list[str]) -> Make:
        return lambda: self.rng.choice(self.pools[self.rng.choice(names)])

    def _one_of(self, makers: list[Make]) -> Make:
        return lambda: self.rng.choice(makers)()

    def _many(self, kind: str, item: Make) -> Make:
        lengths = (0, 1, 1, 2, 2, 3, 4, 6)
        return lambda: {kind: [item() for _ in range(self.rng.choice(lengths))]}

    def _mapping(self, key: Make, value: Make) -> Make:
        def make() -> Recipe:
            pairs = [[key(), value()] for _ in range(self.rng.choice((0, 1, 2, 3)))]
            return {"dict": list({repr(pair[0]): pair for pair in pairs}.values())}

        return make

    def _generic(self, hint: Any, origin: Any, inner: tuple[Any, ...], depth: int) -> Make:
        if origin is typing.Union or origin is types.UnionType:
            return self._union(inner, depth)
        if origin is typing.Literal:
            members = [Encoder().encode(each) for each in inner]
            return lambda: self.rng.choice(members)
        if origin is typing.Annotated or str(origin) in ("typing.Final", "typing.ClassVar"):
            return self.of_type(inner[0], depth)
        if origin is collections.abc.Callable:
            return lambda: {"stock": self.rng.choice(list(STOCK))}
        if origin is type:
            return self._class(inner[0])
        if origin is tuple and not (len(inner) == 2 and inner[1] is ...):
            parts = [self.of_type(each, depth + 1) for each in inner]
            return lambda: {"tuple": [part() for part in parts]}
        items = [self.of_type(each, depth + 1) for each in inner if each is not ...]
        if origin is tuple:
            return self._many("tuple", items[0])
        if origin in SETS:
            return self._many(SETS[origin], items[0])
        if origin in MAPPINGS and len(items) == 2:
            return self._mapping(*items)
        if origin in LISTS and items:
            return self._many("list", items[0])
        return self.of_type(origin, depth)

    def _union(self, inner: tuple[Any, ...], depth: int) -> Make:
        makers = []
        for each in inner:
            try:
                makers.append(self.of_type(each, depth))
            except Unfit:
                continue
        if not makers:
            raise Unfit("a union of types that cannot be made")
        return self._one_of(makers)

    def _class(self, base: Any) -> Make:
        if not isinstance(base, type):
            raise Unfit("a class that is not named")
        names = [importable(each) for each in (base, *base.__subclasses__())]
        return lambda: {"name": self.rng.choice(names)}

    def _instance(self, kind: type, depth: int) -> Make:
        known = self._of_library(kind)
        if known is not None:
            return known
        if issubclass(kind, enum.Enum):
            members = [{"name": importable(kind, f".{each.name}", each)} for each in kind]
            return lambda: self.rng.choice(members)
        name = importable(kind)
        seen = self.receivers.get(name)
        if seen:
            return lambda: self.rng.choice(seen)
        if inspect.isabstract(kind) or getattr(kind, "_is_protocol", False):
            children = [each for each in kind.__subclasses__() if not inspect.isabstract(each)]
            if not children:
                raise Unfit(f"an abstract class, {kind.__name__}")
            return self._instance(children[0], depth + 1)
        if depth >= DEEPEST:
            raise Unfit("objects within objects")
        shape = self.shape(kind, depth + 1)
        return lambda: {"new": name, **shape.draw(), "then": []}

    def _of_library(self, kind: type) -> Make | None:
        rng, ints, texts = self.rng, self.pools["int"], self.pools["str"]

        def new(name: str, *parts: Make) -> Make:
            return lambda: {"new": name, "args": [part() for part in parts]}

        def number(low: int, high: int) -> Make:
            return lambda: rng.choice((low, high, rng.randint(low, high)))

        date = number(1, 9999), number(1, 12), number(1, 28)
        clock = number(0, 23), number(0, 59), number(0, 59), number(0, 999_999)
        return {
            datetime.date: new("datetime:date", *date),
            datetime.datetime: new("datetime:datetime", *date, *clock),
            datetime.time: new("datetime:time", *clock),
            datetime.timedelta: new(
                "datetime:timedelta", number(-400, 400), number(-90_000, 90_000)
            ),
            datetime.tzinfo: lambda: {"name": "datetime:timezone.utc"},
            decimal.Decimal: new("decimal:Decimal", lambda: str(rng.choice(self.pools["float"]))),
            fractions.Fraction: new("fractions:Fraction", lambda: rng.choice(ints), number(1, 12)),
            pathlib.Path: new("pathlib:Path", lambda: rng.choice(texts) or "a"),
            pathlib.PurePath: new("pathlib:PurePath", lambda: rng.choice(texts) or "a"),
            re.Pattern: new(
                "re:compile", lambda: rng.choice(("a", "[a-z]+", "\\d+", "(a)(b)?", "", "^a$"))
            ),
            io.StringIO: new("io:StringIO", lambda: rng.choice(texts)),
            io.BytesIO: new("io:BytesIO", lambda: {"bytes": "ab"}),
        }.get(kind)


def without_defaults(function: Any, call: dict[str, Any], bound: bool) -> dict[str, Any]:
    """The same call without the arguments that are the defaults anyway, as people write it."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[bound:]
    except (ValueError, TypeError):
        return call
    places = [each for each in parameters if each.kind in PLACES]
    args, named = list(call["args"]), dict(call["named"])
    while args and len(args) <= len(places) and _is_default(places[len(args) - 1], args[-1]):
        args.pop()
    for each in parameters:
        if each.name in named and _is_default(each, named[each.name]):
            del named[each.name]
    return {**call, "args": args, "named": named}


PLACES = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _is_default(parameter: inspect.Parameter, recipe: Recipe) -> bool:
    default = parameter.default
    if default is inspect.Parameter.empty:
        return False
    if isinstance(default, types.FunctionType) and "<" in default.__qualname__:
        return isinstance(recipe, dict) and "stock" in recipe
    try:
        return json.dumps(Encoder().encode(default)) == json.dumps(recipe)
    except Unfit:
        return False


def _exact_hints(function: Any, parameters: list[inspect.Parameter]) -> dict[str, Any]:
    """The types of parameters with what `Annotated` says of them."""
    hints = _hints(function, extras=True)
    return {each.name: hints.get(each.name, each.annotation) for each in parameters}


def _hints(function: Any, extras: bool = False) -> dict[str, Any]:
    target = inspect.getattr_static(function, "__init__") if inspect.isclass(function) else function
    try:
        return typing.get_type_hints(target, include_extras=extras)
    except Exception:  # noqa: BLE001  # names that exist for type checkers only
        return {}
