"""Python's functions, lowered for symbolic execution."""

from equimut.languages.python.lowering.functions import lower_text as lower_text
