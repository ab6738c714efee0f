"""Java's functions, lowered for symbolic execution."""

from equimut.languages.java.lowering.callers import lower_callers
from equimut.languages.java.lowering.classes import class_place, lower_class
from equimut.languages.java.lowering.files.methods import files_of
from equimut.languages.java.lowering.files.neighbours import neighbours
from equimut.languages.java.lowering.functions import (
    lower_callees,
    lower_function,
    lower_text,
)

__all__ = [
    "class_place",
    "files_of",
    "lower_callees",
    "lower_callers",
    "lower_class",
    "lower_function",
    "lower_text",
    "neighbours",
]

FIRST_ITERATIONS = True
"""A first iteration may be written out before its loop: a counter dies with the block it is in."""
