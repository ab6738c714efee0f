"""Python's functions, lowered for symbolic execution."""

from equimut.languages.python.lowering.functions import lower_text as lower_text

FUNCTIONS_INSIDE = True
"""A function inside another can be compared by itself: what it captures is like a global."""
