"""From two texts to a proof, through the lowering of their language."""

from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.lowered import Function, Home, Unsupported
from equimut.parsing.tree import SyntaxTree, checked_bytes, parse, walk
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.concrete.refuting import Known, refute
from equimut.proofs.smt.explaining import changed_texts
from equimut.proofs.smt.prover import Answer, Proof, compare_functions
from equimut.proofs.smt.symbolic.engine import Library
from equimut.records import ProverView

_UNMODELLED = Answer(view=ProverView(answer="not modelled"))

CHOSEN_STATES = "chosen states"
"""Switched off like an ingredient: then the solver is asked about mutants that a run refutes."""


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
    if CHOSEN_STATES not in without:
        refuted = refute(one[0], other[0], known_of(language))
        if refuted is not None:
            view = ProverView(
                answer="differs", scope="function", effects=refuted.effects,
                unmodelled=refuted.drawn, through=("call",) if refuted.drawn else (),
            )  # fmt: skip
            return Answer(state=refuted.state.readable(one[0]), view=view)
    answer = compare_functions(one[0], other[0], _library(language), without, budget)
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


def lowered(text: str, language: str) -> Function | None:
    """The first function of a text; raises `Unsupported` for what cannot be lowered."""
    found = _lowered(text, language, None)
    return None if found is None else found[0]


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
    return Library(api.CONTRACTS, api.SUPERTYPES, getattr(api, "UNDEFINED_IS_OUTSIDE", False))


@cache
def known_of(language: str) -> Known:
    """What runs of functions of a language need to know of it."""
    library, name = _library(language), f"equimut.languages.{language}.natives"
    natives = import_module(name).NATIVES if find_spec(name) is not None else {}
    return Known(natives, library.contracts, library.supertypes, library.undefined_is_outside)
