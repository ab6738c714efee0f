"""C's functions, lowered for symbolic execution."""

from equimut.languages.c.lowering.functions import lower_function, lower_text
from equimut.languages.c.lowering.neighbours import neighbours

__all__ = ["lower_function", "lower_text", "neighbours"]
