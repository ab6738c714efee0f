"""Values that carry their type with them, as a datatype of the solver."""

import math
from functools import cache

import z3

from equimut.languages.lowered import Type
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    TRUE,
    Term,
    apply,
    choose,
    text_sort,
    value_sort,
)

Tags = frozenset[str]
PRIMITIVE: Tags = frozenset({"none", "boolean", "integer", "floating", "string"})
"""Types whose values have no identity, no code of the user's and no end of life."""
CONTAINERS: Tags = frozenset({"list", "dict", "set", "tuple"})
ALL: Tags = PRIMITIVE | CONTAINERS | {"object"}
_SPELT = {
    "int": ("integer",), "float": ("floating", "integer"), "bool": ("boolean",),
    "str": ("string",), "None": ("none",), "list": ("list",), "dict": ("dict",),
    "set": ("set",), "tuple": ("tuple",),
}  # fmt: skip
"""What an annotation admits; `float` admits integers too."""
_SAID = "values are what their annotations say"


@cache
def _members() -> dict[str, tuple[z3.FuncDeclRef, z3.FuncDeclRef, z3.FuncDeclRef | None]]:
    """Constructor, test and part of each tag."""
    sort, found = value_sort(), {}
    for place in range(sort.num_constructors()):
        maker = sort.constructor(place)
        part = sort.accessor(place, 0) if maker.arity() else None
        found[maker.name()] = (maker, sort.recognizer(place), part)
    return found


def wrap(tag: str, inner: Term) -> Term:
    """The value with this tag and content."""
    return _members()[tag][0](inner)


@cache
def constant(tag: str) -> Term:
    """`none` or `unset`."""
    return _members()[tag][0]()


def integer(value: Term | int) -> Term:
    """A whole number."""
    return wrap("integer", z3.IntVal(value) if isinstance(value, int) else value)


def boolean(value: Term) -> Term:
    """A truth value."""
    return wrap("boolean", value)


@cache
def _tags() -> dict[int, str]:
    """The tag of each constructor, by its id."""
    return {maker.get_id(): tag for tag, (maker, _, _) in _members().items()}


def tag_of(value: Term) -> str | None:
    """The tag of a value that is spelt out."""
    context = value.ctx_ref()
    maker = z3.Z3_get_app_decl(context, value.as_ast())
    return _tags().get(z3.Z3_get_func_decl_id(context, maker))


def is_choice(value: Term) -> bool:
    """Whether a value is one of two, by a condition."""
    context = value.ctx_ref()
    maker = z3.Z3_get_app_decl(context, value.as_ast())
    return bool(z3.Z3_get_decl_kind(context, maker) == z3.Z3_OP_ITE)


def is_(tag: str, value: Term) -> Term:
    """Whether a value has this tag."""
    known = tag_of(value)
    if known is not None:
        return TRUE if known == tag else FALSE
    if is_choice(value):
        condition, then, other = value.children()
        return choose(condition, is_(tag, then), is_(tag, other))
    return _members()[tag][1](value)


def part(tag: str, value: Term) -> Term:
    """The content of a value that has this tag."""
    if tag_of(value) == tag:
        return value.arg(0)
    accessor = _members()[tag][2]
    assert accessor is not None
    return accessor(value)


def tags_of(engine: Engine, value: Term) -> Tags:
    """The tags that a value may have."""
    found: set[str] = set()
    stack, seen = [value], set()
    while stack:
        current = stack.pop()
        if current.get_id() in seen:
            continue
        seen.add(current.get_id())
        tag = tag_of(current)
        if tag is not None:
            found.add(tag)
        elif is_choice(current):
            stack += current.children()[1:]
        else:
            found |= _tags_of_leaf(engine, current)
    return frozenset(found)


def _tags_of_leaf(engine: Engine, value: Term) -> Tags:
    known = engine.kinds.get(value.get_id())
    if known is not None:
        return known[1]
    if not value.num_args() and value.decl().name().endswith(" unset"):
        return ALL | {"unset"}  # a local of which nothing is known, not even that it is set
    return ALL


def narrowed(value: Term, tags: Tags) -> Term:
    """The same value where it is known to have one of these tags."""
    tag = tag_of(value)
    if tag is not None:
        return value
    if is_choice(value):
        condition, then, other = value.children()
        left, right = (tag_of(each) for each in (then, other))
        if left is not None and left not in tags:
            return narrowed(other, tags)
        if right is not None and right not in tags:
            return narrowed(then, tags)
        if len(tags) > 1:
            return choose(condition, narrowed(then, tags), narrowed(other, tags))
    if len(tags) == 1:
        only = next(iter(tags))
        return constant(only) if _members()[only][2] is None else wrap(only, part(only, value))
    return value


def known_as(engine: Engine, value: Term, tags: Tags) -> Term:
    """A value of which the caller knows that it has one of these tags."""
    value = narrowed(value, tags)
    if tag_of(value) is None and not is_choice(value):
        engine.kinds[value.get_id()] = (value, tags_of(engine, value) & tags)
    return value


def tags_named(name: str) -> Tags:
    """The tags that an annotation admits; none for one that is not understood."""
    found: set[str] = set()
    for word in _alternatives(name):
        spelt = _SPELT.get(word.split("[")[0])
        if spelt is None:
            return frozenset()
        found |= set(spelt)
    return frozenset(found)


def _alternatives(name: str) -> list[str]:
    depth, found, start = 0, [], 0
    for place, sign in enumerate(name):
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            found.append(name[start:place])
            start = place + 1
    return [*found, name[start:]]


def annotated(engine: Engine, value: Term, type_: Type, path: Path, *, said: bool = False) -> Term:
    """A value from outside, which is assumed to be what its annotation says.

    `said`: the function itself says so of its parameters.
    """
    tags = tags_named(type_.name)
    found = tags_of(engine, value)
    if found <= tags or not found & tags:  # known already, or known to be something else
        return value
    tests = [is_(tag, value) for tag in sorted(tags)]
    if not said and any(function.entry for function in engine.functions):
        engine.relied.add(_SAID)  # what is known as a type shows in no fact
    engine.know(path, z3.Or(*tests), _SAID, assumed=True)
    return known_as(engine, value, tags)


def text_length(engine: Engine, text: Term) -> Term:
    """The length of a string."""
    size = apply("length of text", z3.IntSort(), [text])
    engine.axiom(size >= 0, "a length is never negative")
    engine.axiom((size == 0) == (text == literal_text(engine, "")), 'only "" has the length 0')
    return size


def rank(engine: Engine, text: Term) -> Term:
    """Where a string stands in the order of strings; a character stands at its code."""
    found = apply("rank of text", z3.RealSort(), [text])
    size = text_length(engine, text)
    code = code_of(engine, text)
    engine.axiom(z3.Implies(size == 1, found == z3.ToReal(code)), "characters are ordered by code")
    return found


def code_of(engine: Engine, text: Term) -> Term:
    """The code of a character."""
    code = apply("code of text", z3.IntSort(), [text])
    engine.axiom(z3.And(code >= 0, code <= 0x10FFFF), "a character's code is 0 to 0x10FFFF")
    return code


def literal_text(engine: Engine, text: str) -> Term:
    """The string with these characters."""
    if text in engine.texts:
        return engine.texts[text]
    made = z3.Const(f"text {text!r}", text_sort())
    size = apply("length of text", z3.IntSort(), [made])
    others = dict(engine.texts)
    engine.texts[text] = made
    engine.axiom(size == len(text), f"{text!r} has {len(text)} characters")
    if len(text) == 1:
        engine.axiom(
            apply("code of text", z3.IntSort(), [made]) == ord(text), f"the code of {text!r}"
        )
    place = apply("rank of text", z3.RealSort(), [made])
    for other, term in others.items():
        before = apply("rank of text", z3.RealSort(), [term])
        engine.axiom(made != term, "different strings are different")
        engine.axiom(before < place if other < text else place < before, "the order of strings")
    return made


def literal(engine: Engine, value: object) -> Term:
    """The value of a literal."""
    if value is None:
        return constant("none")
    if isinstance(value, bool):
        return boolean(z3.BoolVal(value))
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        exact = z3.fpNaN(z3.Float64()) if math.isnan(value) else z3.FPVal(value, z3.Float64())
        if value == 0 and math.copysign(1, value) < 0:
            exact = z3.fpMinusZero(z3.Float64())
        return wrap("floating", exact)
    if isinstance(value, str):
        return wrap("string", literal_text(engine, value))
    return wrap("object", engine.literal(f"{type(value).__name__} {value!r}"))
