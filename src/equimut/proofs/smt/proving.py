"""From two texts to a proof, through the lowering of their language."""

from collections import OrderedDict
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType

from tree_sitter import Node
from z3 import Z3Exception

from equimut.errors import ParseError
from equimut.languages.lowered import (
    Block,
    Expr,
    Field,
    Function,
    Home,
    Leave,
    Promise,
    Unsupported,
)
from equimut.languages.lowered import walk as lowered_parts
from equimut.parsing.tree import SyntaxTree, checked_bytes, parse, walk
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.concrete.refuting import Known, refute
from equimut.proofs.smt.call_sites import given_by_all
from equimut.proofs.smt.callee_results import promised_results
from equimut.proofs.smt.class_invariants import established
from equimut.proofs.smt.explaining import changed_texts
from equimut.proofs.smt.peeling import peeled
from equimut.proofs.smt.prover import HANDLERS, Answer, Proof, compare_functions
from equimut.proofs.smt.symbolic.engine import Gave, Library
from equimut.records import ProverView

_UNMODELLED = Answer(view=ProverView(answer="not modelled"))

CHOSEN_STATES = "chosen states"
"""Switched off like an ingredient: then the solver is asked about mutants that a run refutes."""


MOST_CLASSES = 16
ALONE = "private fields are set by the code of their class, in one thread at a time"
CALLED = "a private method is called by the code of its class only"
_TOLD: OrderedDict[int, tuple[Function, Function]] = OrderedDict()
"""Functions seen lately, each with what the file tells of the states that it is called in."""
OtherFile = tuple[str, Node, bytes]
"""How another file is named, and what it is."""
Promises = tuple[str, tuple[tuple[str, Expr], ...]]
"""The name of a class, and what is true of its objects between calls."""
_KEPT: OrderedDict[tuple[str, bytes, bytes, int, Budget], Promises] = OrderedDict()
"""What was established of classes seen lately."""

MOST_RESULTS = 64
_RESULTS: OrderedDict[tuple[str, bytes, bytes, int, Budget], tuple[Promise, ...]] = OrderedDict()
"""What was found of results of functions seen lately."""


def prove(
    origin: str,
    mutant: str,
    language: str,
    *,
    file: str | None = None,
    line: int | None = None,
    others: str | None = None,
    budget: Budget = DEFAULT,
    without: frozenset[str] = frozenset(),
) -> Proof | None:
    """A proof that two functions behave alike; None says nothing about them."""
    return compare(
        origin, mutant, language,
        file=file, line=line, others=others, budget=budget, without=without,
    ).proof  # fmt: skip


def compare(
    origin: str,
    mutant: str,
    language: str,
    *,
    file: str | None = None,
    line: int | None = None,
    others: str | None = None,
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
        others: What `constants_of_others` found for that file.
        budget: How hard the solver tries.
        without: Ingredients to switch off, to see what they give.
    """
    home = None
    if file is not None:
        try:
            home = locate(origin, language, file, line, others or "")
        except ParseError:
            home = None  # a file that does not help takes nothing away
    try:
        place = _changed(origin, mutant, language)
        one, other = (_lowered(text, language, home, place) for text in (origin, mutant))
    except (ParseError, Unsupported, RecursionError):
        return _UNMODELLED  # nested too deep is one more thing that is not looked into
    if one is None or other is None or one[1] != other[1]:
        return _UNMODELLED
    functions = one[0], other[0]
    if home is not None and "file" not in without:
        told = _told(one[0], home, language, budget)
        functions = told, replace(
            other[0], invariants=told.invariants, given=told.given, owner=told.owner,
            results=told.results,
        )  # fmt: skip
    if CHOSEN_STATES not in without:
        refuted = refute(*functions, known_of(language))
        if refuted is not None:
            view = ProverView(
                answer="differs", scope="function", effects=refuted.effects,
                unmodelled=refuted.drawn, through=("call",) if refuted.drawn else (),
            )  # fmt: skip
            return Answer(state=refuted.state.readable(one[0]), view=view)
    answer = compare_functions(*functions, _library(language), without, budget)
    peels = getattr(_lowering(language), "FIRST_ITERATIONS", False)
    if answer.proof is None and peels and "first iterations" not in without:
        written = peeled(*functions)
        if written is not None:
            again = compare_functions(*written, _library(language), without, budget)
            answer = answer if again.proof is None else again
    if answer.proof is not None and (functions[0].invariants or functions[0].given):
        answer = _without_need(answer, (functions[0], one[0], other[0]), language, without, budget)
    if answer.proof is None:
        return answer
    if home is not None and home.others is not None and one[0].assumptions:
        plain = compare(
            origin, mutant, language, file=file, line=line, budget=budget,
            without=without | {CHOSEN_STATES},
        )  # fmt: skip
        if plain.proof is not None:  # no constant of another file was needed
            return plain
    before, after = changed_texts(origin, mutant, language)
    return Answer(replace(answer.proof, before=before, after=after))


@lru_cache(maxsize=32)
def locate(
    origin: str, language: str, file: str, line: int | None = None, others: str = ""
) -> Home:
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
            around, files = _others(others, language)
            if around is None:
                return Home(node, tree.source)
            return Home(node, tree.source, around.root, around.source, files)
    raise ParseError("the origin is no function of the file")


@lru_cache(maxsize=4)
def _others(text: str, language: str) -> tuple[SyntaxTree | None, tuple[OtherFile, ...]]:
    """What is told of other files, parsed: declarations, and files as they are."""
    if not text:
        return None, ()
    apart = getattr(_lowering(language), "files_of", None)
    told, parts = apart(text) if apart is not None else (text, [])
    files = [(name, parse(part, language)) for name, part in parts]
    found = [(name, each.root, each.source) for name, each in files if not each.root.has_error]
    return _file(told, language), tuple(found)


@lru_cache(maxsize=8)
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
    function = lowering.lower_text(node, tree.source, home)
    if function.result.name == "void":  # its end is a return like others
        function = replace(function, body=Block((function.body, Leave("return"))))
    return function, around


def lowered(text: str, language: str) -> Function | None:
    """The first function of a text; raises `Unsupported` for what cannot be lowered."""
    found = _lowered(text, language, None)
    return None if found is None else found[0]


def _promises(home: Home, language: str, budget: Budget) -> Promises:
    """What the class around a function keeps true of its fields."""
    lowering = _lowering(language)
    if lowering is None or not hasattr(lowering, "lower_class"):
        return "", ()
    place = lowering.class_place(home)
    if place is None:
        return "", ()
    key = (language, home.source, home.others_source, place, budget)
    if key not in _KEPT:
        try:
            code = lowering.lower_class(home)
            facts = () if code is None else established(code, _library(language), HANDLERS, budget)
        except (Gave, RecursionError, Z3Exception):  # a class that is too much promises nothing
            code, facts = None, ()
        _KEPT[key] = "" if code is None else code.name, facts
        if len(_KEPT) > MOST_CLASSES:
            _KEPT.popitem(last=False)
    return _KEPT[key]


def _told(function: Function, home: Home, language: str, budget: Budget) -> Function:
    """A function with what its class keeps true, and what all its callers do."""
    kept = _TOLD.get(id(function))
    if kept is not None and kept[0] is function:
        return kept[1]
    lowering, callers = _lowering(language), None
    if lowering is not None and hasattr(lowering, "lower_callers"):
        callers = lowering.lower_callers(home, function)
    found, read = function, _fields_of(function)
    if read or callers is not None:
        owner, promised = _promises(home, language, budget)
        mine = [
            (words, fact)
            for words, fact in promised
            if any(isinstance(part, Field) and part.name in read for part in lowered_parts(fact))
        ]
        found = replace(function, invariants=tuple(mine), owner=owner)
        if callers is not None:
            means = (_library(language), HANDLERS, budget)
            try:
                given = given_by_all(function, callers, promised, owner, means)
            except (Gave, RecursionError, Z3Exception):
                given = ()
            found = replace(found, given=given)
    found = replace(found, results=_results(function, home, language, budget))
    _TOLD[id(function)] = function, found  # a function that lives keeps its id
    if len(_TOLD) > MOST_CLASSES:
        _TOLD.popitem(last=False)
    return found


def _results(
    function: Function, home: Home, language: str, budget: Budget
) -> dict[str, tuple[Promise, ...]]:
    """What the longer functions that a function calls keep true of their results."""
    lowering = _lowering(language)
    found: dict[str, tuple[Promise, ...]] = {}
    if lowering is None or not hasattr(lowering, "lower_callees"):
        return found
    for name, place, callee in lowering.lower_callees(home, function):
        key = (language, home.others_source, *place, budget)
        if key not in _RESULTS:
            _RESULTS[key] = promised_results(callee, _library(language), HANDLERS, budget)
            if len(_RESULTS) > MOST_RESULTS:
                _RESULTS.popitem(last=False)
        if _RESULTS[key]:
            found[name] = _RESULTS[key]
    return found


def _without_need(
    answer: Answer,
    functions: tuple[Function, Function, Function],
    language: str,
    without: frozenset[str],
    budget: Budget,
) -> Answer:
    """A proof that rests on the class or the callers says so; one that does not is shorter."""
    told = functions[0]
    origin, mutant = (replace(each, results=told.results) for each in functions[1:])
    plain = compare_functions(origin, mutant, _library(language), without, budget)
    if plain.proof is not None:
        return plain
    assert answer.proof is not None
    relied = [ALONE] if told.invariants else []
    relied += [CALLED] if told.given else []
    assumed = dict.fromkeys((*answer.proof.assumptions, *relied))
    return replace(answer, proof=replace(answer.proof, assumptions=tuple(assumed)))


def _fields_of(function: Function) -> set[str]:
    """The fields that a function, or a callee that is looked into, names."""
    bodies = [function.body, *(each.body for each in function.methods.values())]
    return {part.name for body in bodies for part in lowered_parts(body) if isinstance(part, Field)}


def _changed(origin: str, mutant: str, language: str) -> int:
    """Which function of a text differs in the other: the outermost, or the one that is enough."""
    texts = []
    for text in (origin, mutant):
        tree = parse(text, language)
        texts.append([tree.source[n.start_byte : n.end_byte] for n in _functions(tree)])
    differing = [
        place for place, (one, other) in enumerate(zip(*texts, strict=False)) if one != other
    ]
    if not differing:
        return 0
    inner = getattr(_lowering(language), "FUNCTIONS_INSIDE", False)
    if not inner or len(texts[0]) != len(texts[1]) or not _nested(texts[0], differing):
        return differing[0]
    return differing[-1]


def _nested(texts: list[bytes], places: list[int]) -> bool:
    """Whether each of these functions lies in the one before."""
    return all(texts[inner] in texts[outer] for outer, inner in pairwise(places))


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
    return Library(
        {**api.CONTRACTS, **getattr(api, "LITERALS", {})}, api.SUPERTYPES,
        getattr(api, "UNDEFINED_IS_OUTSIDE", False),
        getattr(api, "RESULTS", {}), getattr(api, "LEAST", {}),
    )  # fmt: skip


@cache
def known_of(language: str) -> Known:
    """What runs of functions of a language need to know of it."""
    library, name = _library(language), f"equimut.languages.{language}.natives"
    natives = import_module(name).NATIVES if find_spec(name) is not None else {}
    return Known(natives, library.contracts, library.supertypes, library.undefined_is_outside)
