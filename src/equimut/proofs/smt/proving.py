"""From two texts to a proof, through the lowering of their language."""

from collections import OrderedDict
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.lowered import Expr, Field, Function, Home, Unsupported
from equimut.languages.lowered import walk as lowered_parts
from equimut.parsing.tree import SyntaxTree, checked_bytes, parse, walk
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.smt.class_invariants import established
from equimut.proofs.smt.explaining import changed_texts
from equimut.proofs.smt.prover import HANDLERS, Answer, Proof, compare_functions
from equimut.proofs.smt.symbolic.engine import Library
from equimut.records import ProverView

_UNMODELLED = Answer(view=ProverView(answer="not modelled"))


MOST_CLASSES = 16
ALONE = "private fields are set by the code of their class, in one thread at a time"
Promises = tuple[str, tuple[tuple[str, Expr], ...]]
"""The name of a class, and what is true of its objects between calls."""
_KEPT: OrderedDict[tuple[str, bytes, int, Budget], Promises] = OrderedDict()
"""What was established of classes seen lately."""


def prove(
    origin: str,
    mutant: str,
    language: str,
    *,
    file: str | None = None,
    line: int | None = None,
    budget: Budget = DEFAULT,
    without: frozenset[str] = frozenset(),
) -> Proof | None:
    """A proof that two functions behave alike; None says nothing about them."""
    return compare(
        origin, mutant, language, file=file, line=line, budget=budget, without=without
    ).proof


def compare(
    origin: str,
    mutant: str,
    language: str,
    *,
    file: str | None = None,
    line: int | None = None,
    budget: Budget = DEFAULT,
    without: frozenset[str] = frozenset(),
) -> Answer:
    """A proof that two functions behave alike, or a state that may tell them apart.

    Args:
        origin: The function, as it stands in its file.
        mutant: The function after the change.
        language: A name of ours.
        file: The whole file of the origin, which tells of fields, constants and other functions.
        line: Where the origin begins in the file (1-based); needed if its text is there twice.
        budget: How hard the solver tries.
        without: Ingredients to switch off, to see what they give.
    """
    home = None
    if file is not None:
        try:
            home = locate(origin, language, file, line)
        except ParseError:
            home = None  # a file that does not help takes nothing away
    try:
        place = _changed(origin, mutant, language)
        one, other = (_lowered(text, language, home, place) for text in (origin, mutant))
    except (ParseError, Unsupported, RecursionError):
        return _UNMODELLED  # nested too deep is one more thing that is not looked into
    if one is None or other is None or one[1] != other[1]:
        return _UNMODELLED
    functions = [one[0], other[0]]
    if home is not None and "file" not in without:
        owner, promised = _promises(one[0], home, language, budget)
        functions = [replace(each, invariants=promised, owner=owner) for each in functions]
    answer = compare_functions(functions[0], functions[1], _library(language), without, budget)
    if answer.proof is not None and functions[0].invariants:
        answer = _without_need(answer, one[0], other[0], language, without, budget)
    if answer.proof is None:
        return answer
    before, after = changed_texts(origin, mutant, language)
    return Answer(replace(answer.proof, before=before, after=after))


@lru_cache(maxsize=32)
def locate(origin: str, language: str, file: str, line: int | None = None) -> Home:
    """The function in its file; raises ParseError if it is not there, or there more than once."""
    tree = _file(file, language)
    text, types = checked_bytes(origin), tree.language.function_types
    places = [
        start
        for start in _occurrences(tree.source, text)
        if line is None or tree.line(start) == line
    ]
    if len(places) != 1:
        found = "more than once, give its line" if places else "nowhere"
        raise ParseError(f"the text of the origin is in the file {found}")
    inside = (places[0], places[0] + len(text))
    for node in walk(tree.root):
        if node.type in types and inside[0] <= node.start_byte and node.end_byte <= inside[1]:
            return Home(node, tree.source)
    raise ParseError("the origin is no function of the file")


@lru_cache(maxsize=4)
def _file(text: str, language: str) -> SyntaxTree:
    tree = parse(text, language)
    if tree.root.has_error:
        raise ParseError("the file has syntax errors")
    return tree


def _occurrences(source: bytes, text: bytes) -> list[int]:
    found: list[int] = []
    start = source.find(text)
    while start >= 0 and len(found) < 1_000:
        found.append(start)
        start = source.find(text, start + 1)
    return found


@lru_cache(maxsize=64)
def _lowered(
    text: str, language: str, home: Home | None, place: int = 0
) -> tuple[Function, bytes] | None:
    """The function of a text, and what is around it; None where there is nothing to lower."""
    lowering = _lowering(language)
    tree = parse(text, language)
    if lowering is None or tree.root.has_error:
        return None
    found = _functions(tree)
    if place >= len(found):
        return None
    node = found[place]
    around = tree.source[: node.start_byte] + b"\0" + tree.source[node.end_byte :]
    return lowering.lower_text(node, tree.source, home), around


def _promises(function: Function, home: Home, language: str, budget: Budget) -> Promises:
    """What the class around a function keeps true of the fields that the function reads."""
    lowering = _lowering(language)
    if lowering is None or not hasattr(lowering, "lower_class"):
        return "", ()
    place, read = lowering.class_place(home), _fields_of(function)
    if place is None or not read:
        return "", ()
    key = (language, home.source, place, budget)
    if key not in _KEPT:
        code = lowering.lower_class(home)
        facts = () if code is None else established(code, _library(language), HANDLERS, budget)
        _KEPT[key] = "" if code is None else code.name, facts
        if len(_KEPT) > MOST_CLASSES:
            _KEPT.popitem(last=False)
    owner, known = _KEPT[key]
    return owner, tuple(
        (words, fact)
        for words, fact in known
        if any(isinstance(part, Field) and part.name in read for part in lowered_parts(fact))
    )


def _without_need(
    answer: Answer,
    origin: Function,
    mutant: Function,
    language: str,
    without: frozenset[str],
    budget: Budget,
) -> Answer:
    """A proof that rests on what the class keeps true says so; one that does not is shorter."""
    plain = compare_functions(origin, mutant, _library(language), without, budget)
    if plain.proof is not None:
        return plain
    assert answer.proof is not None
    assumed = dict.fromkeys((*answer.proof.assumptions, ALONE))
    return replace(answer, proof=replace(answer.proof, assumptions=tuple(assumed)))


def _fields_of(function: Function) -> set[str]:
    """The fields that a function, or a callee that is looked into, names."""
    bodies = [function.body, *(each.body for each in function.methods.values())]
    return {part.name for body in bodies for part in lowered_parts(body) if isinstance(part, Field)}


def _changed(origin: str, mutant: str, language: str) -> int:
    """Which function of a text is the first that differs in the other."""
    texts = []
    for text in (origin, mutant):
        tree = parse(text, language)
        texts.append([tree.source[n.start_byte : n.end_byte] for n in _functions(tree)])
    pairs = enumerate(zip(*texts, strict=False))
    return next((place for place, (one, other) in pairs if one != other), 0)


def _functions(tree: SyntaxTree) -> list[Node]:
    types = tree.language.function_types
    return [node for node in walk(tree.root) if node.type in types]


@cache
def _lowering(language: str) -> ModuleType | None:
    """The lowering of a language; None where it has none."""
    name = f"equimut.languages.{language}.lowering"
    return import_module(name) if find_spec(name) is not None else None


@cache
def _library(language: str) -> Library:
    api = import_module(f"equimut.languages.{language}.api")
    return Library(api.CONTRACTS, api.SUPERTYPES, getattr(api, "UNDEFINED_IS_OUTSIDE", False))
