"""Lists, tuples, strings, dicts and sets: what they hold, and how they change."""

import z3

from equimut.proofs.smt.dynamic.arithmetic import NUMBERS, whole
from equimut.proofs.smt.dynamic.values import (
    PRIMITIVE,
    constant,
    is_,
    tag_of,
    tags_named,
    tags_of,
    text_length,
    wrap,
)
from equimut.proofs.smt.symbolic.engine import HELD, Engine, Gave
from equimut.proofs.smt.symbolic.state import HeapKey, Path
from equimut.proofs.smt.symbolic.terms import (
    TRUE,
    Term,
    apply,
    choose,
    declared,
    ref,
    text_sort,
    value_sort,
)


def _key(engine: Engine, name: str) -> HeapKey:
    sorts = {
        "items": z3.ArraySort(z3.IntSort(), value_sort()), "size": z3.IntSort(),
        "contents": declared("Contents"),
    }  # fmt: skip
    return engine.sorts.key(name, sorts[name])


def read(engine: Engine, path: Path, name: str, owner: Term) -> Term:
    """What the heap holds for an object: `items` and `size` of a list, `contents` of a dict."""
    found = z3.simplify(z3.Select(path.array(_key(engine, name), engine.sorts), owner))
    if name == "size":
        engine.know(path, found >= 0, "a length is never negative")
    return found


def write(engine: Engine, path: Path, name: str, owner: Term, value: Term) -> None:
    """Change what the heap holds for an object."""
    key = _key(engine, name)
    path.heap[key] = z3.Store(path.array(key, engine.sorts), owner, value)


def held_on(path: Path) -> Term:
    """All references that were given so far; a path that has lost count of them proves nothing."""
    if HELD not in path.locals:
        raise Gave("references are not counted here")
    return path.locals[HELD]


def allocate(engine: Engine, path: Path, tag: str) -> Term:
    """A new object, which is none of those that locals hold."""
    held = held_on(path)
    made = apply(f"new {tag}", ref(), [path.world, held])
    path.locals[HELD] = apply("allocated", held.sort(), [held])
    for value in path.locals.values():
        if value.sort() == value_sort() and tag_of(value) == tag:
            engine.know(path, value.arg(0) != made, "a new object is no other object")
    return made


def new_list(engine: Engine, path: Path, size: Term, items: Term | None = None) -> Term:
    """A new list of this length."""
    made = allocate(engine, path, "list")
    if items is None:
        items = apply("new items", z3.ArraySort(z3.IntSort(), value_sort()), [made])
    write(engine, path, "size", made, size)
    write(engine, path, "items", made, items)
    return wrap("list", made)


def display(engine: Engine, path: Path, tag: str, values: list[Term]) -> Term:
    """`[a, b]`, `(a, b)`, `{a, b}`."""
    if tag == "tuple":
        made = apply("tuple", ref(), values) if values else z3.Const("empty tuple", ref())
        return wrap("tuple", made)
    if tag == "list":
        items: Term = z3.K(z3.IntSort(), wrap("integer", z3.IntVal(0)))
        for place, value in enumerate(values):
            items = z3.Store(items, place, value)
        return new_list(engine, path, z3.IntVal(len(values)), items)
    made = allocate(engine, path, tag)
    contents = z3.Const(f"empty {tag}", declared("Contents"))
    if values:
        contents = apply(f"{tag} of", declared("Contents"), values)
    else:
        size = apply(f"count of {tag}", z3.IntSort(), [contents])
        engine.axiom(size == 0, f"an empty {tag} has no elements")
    write(engine, path, "contents", made, contents)
    return wrap(tag, made)


def parts_of(value: Term) -> list[Term] | None:
    """The elements of a tuple that is spelt out."""
    if tag_of(value) != "tuple":
        return None
    inner = value.arg(0)
    if inner.decl().name().startswith("tuple("):
        return list(inner.children())
    return [] if inner.eq(z3.Const("empty tuple", ref())) else None


def length(engine: Engine, path: Path, value: Term) -> Term | None:
    """The number of elements; None for what has none."""
    tag = tag_of(value)
    if tag == "string":
        return text_length(engine, value.arg(0))
    if tag == "list":
        return read(engine, path, "size", value.arg(0))
    if tag == "tuple":
        parts = parts_of(value)
        if parts is not None:
            return z3.IntVal(len(parts))
        size = apply("size of tuple", z3.IntSort(), [value.arg(0)])
        engine.axiom(size >= 0, "a length is never negative")
        return size
    if tag in ("dict", "set"):
        size = apply(
            f"count of {tag}", z3.IntSort(), [read(engine, path, "contents", value.arg(0))]
        )
        engine.axiom(size >= 0, "a length is never negative")
        return size
    return None


def at(engine: Engine, path: Path, value: Term, place: Term) -> Term:
    """The element at a position that exists."""
    tag = tag_of(value)
    if tag == "string":
        text = value.arg(0)
        found = apply("character", text_sort(), [text, place])
        inside = z3.And(place >= 0, place < text_length(engine, text))
        engine.axiom(z3.Implies(inside, text_length(engine, found) == 1), "a character is one")
        return wrap("string", found)
    if tag == "list":
        return z3.simplify(z3.Select(read(engine, path, "items", value.arg(0)), place))
    parts = parts_of(value)
    place = z3.simplify(place)
    if parts and z3.is_int_value(place) and 0 <= place.as_long() < len(parts):
        return parts[place.as_long()]
    return apply("item of tuple", value_sort(), [value.arg(0), place])


def index(engine: Engine, path: Path, values: list[Term], hint: str) -> Term | None:
    """`container[index]`."""
    value, key = values
    tag = tag_of(value)
    if tag in ("list", "string", "tuple") and tag_of(key) in NUMBERS:
        size = length(engine, path, value)
        assert size is not None
        place = position(whole(key), size)
        outside = z3.Or(place < 0, place >= size)
        engine.throw(path, outside, "IndexError", message=f"{tag} index")
        return at(engine, path, value, place)
    if tag == "dict" and tag_of(key) in PRIMITIVE and plain_keys(hint):
        contents = read(engine, path, "contents", value.arg(0))
        engine.throw(path, z3.Not(has(contents, key)), "KeyError", key)
        return apply("value at", value_sort(), [contents, key])
    if tag in ("none", "boolean", "integer", "floating"):
        engine.throw(path, TRUE, "TypeError", message=f"{tag} is not subscriptable")
        return value
    return None


def position(place: Term, size: Term) -> Term:
    """Where an index points: negative ones count from the end."""
    place = z3.simplify(place)
    if z3.is_int_value(place):
        return place if place.as_long() >= 0 else place + size
    return z3.If(place < 0, place + size, place)


def store(engine: Engine, path: Path, values: list[Term], hint: str) -> Term | None:
    """`container[index] = value`."""
    owner, key, value = values  # the value was computed first
    tag = tag_of(owner)
    if tag == "list" and tag_of(key) in NUMBERS:
        size = read(engine, path, "size", owner.arg(0))
        place = position(whole(key), size)
        outside = z3.Or(place < 0, place >= size)
        engine.throw(path, outside, "IndexError", message="list assignment index")
        old = read(engine, path, "items", owner.arg(0))
        hold(engine, path, z3.Select(old, place), value)
        write(engine, path, "items", owner.arg(0), z3.Store(old, place, value))
        return value
    if tag == "dict" and tag_of(key) in PRIMITIVE and plain_keys(hint):
        before = read(engine, path, "contents", owner.arg(0))
        hold(engine, path, apply("value at", value_sort(), [before, key]), value)
        after = apply("with key", before.sort(), [before, key, value])
        engine.axiom(has(after, key), "a key that was set is there")
        engine.axiom(
            apply("value at", value_sort(), [after, key]) == value, "what was set is there"
        )
        write(engine, path, "contents", owner.arg(0), after)
        return value
    return None


def hold(engine: Engine, path: Path, old: Term, new: Term) -> None:
    """A reference is replaced: where an object may lose its last one, that is an event."""
    before, after = (_counted(engine, each) for each in (old, new))
    if old.eq(new) or (is_("unset", before) is TRUE and is_("unset", after) is TRUE):
        return
    held = held_on(path)
    path.locals[HELD] = apply("held", held.sort(), [held, before, after])


def _counted(engine: Engine, value: Term) -> Term:
    """A value as far as its references are counted: numbers and strings have no end that shows."""
    if tags_of(engine, value) <= PRIMITIVE | {"unset"}:
        return constant("unset")
    if z3.is_app_of(value, z3.Z3_OP_ITE):
        condition, then, other = value.children()
        return choose(condition, _counted(engine, then), _counted(engine, other))
    return value


def has(contents: Term, key: Term) -> Term:
    """Whether a dict or set has a key."""
    return apply("has key", z3.BoolSort(), [contents, key])


def plain_keys(hint: str) -> bool:
    """Whether the keys of an annotated dict or set run no code of the user's."""
    inside = hint.partition("[")[2].rstrip("]").split(",")[0]
    return bool(tags_named(inside)) and tags_named(inside) <= PRIMITIVE
