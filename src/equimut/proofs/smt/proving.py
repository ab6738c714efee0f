"""From two texts to a proof, through the lowering of their language."""

from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages.lowered import Function, Unsupported
from equimut.parsing.tree import SyntaxTree, parse, walk
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.smt.engine import Library
from equimut.proofs.smt.prover import Proof, prove_functions


def prove(origin: str, mutant: str, language: str, budget: Budget = DEFAULT) -> Proof | None:
    """A proof that two functions behave alike; None says nothing about them."""
    try:
        one, other = _lowered(origin, language), _lowered(mutant, language)
    except (ParseError, Unsupported, RecursionError):
        return None  # nested too deep is one more thing that is not looked into
    if one is None or other is None:
        return None
    return prove_functions(one, other, _library(language), budget)


@lru_cache(maxsize=64)
def _lowered(text: str, language: str) -> Function | None:
    """The function of a text; None where the language cannot be lowered or nothing is there."""
    lowering = _lowering(language)
    tree = parse(text, language)
    if lowering is None or tree.root.has_error:
        return None
    node = _function(tree)
    found: Function | None = lowering.lower_text(node, tree.source) if node is not None else None
    return found


def _function(tree: SyntaxTree) -> Node | None:
    types = tree.language.function_types
    return next((node for node in walk(tree.root) if node.type in types), None)


@cache
def _lowering(language: str) -> ModuleType | None:
    """The lowering of a language; None where it has none."""
    name = f"equimut.languages.{language}.lowering"
    return import_module(name) if find_spec(name) is not None else None


@cache
def _library(language: str) -> Library:
    api = import_module(f"equimut.languages.{language}.api")
    return Library(api.CONTRACTS, api.SUPERTYPES)
