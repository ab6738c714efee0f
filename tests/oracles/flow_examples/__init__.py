"""Pieces of code with all the edges of their data-flow graph, per language."""

from importlib import import_module

from equimut.languages import LANGUAGES
from oracles.flow_examples.example import Example

FLOW_EXAMPLES: dict[str, tuple[Example, ...]] = {
    language: import_module(f"oracles.flow_examples.{language}").EXAMPLES for language in LANGUAGES
}
