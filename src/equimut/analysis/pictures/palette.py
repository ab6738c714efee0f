"""Colours and marks that also work without seeing red and green, and in grey."""

EQUIVALENT, NON_EQUIVALENT = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito."""
INK, FAINT = "#222222", "#8a8a8a"
COLOURS = {1: EQUIVALENT, 0: NON_EQUIVALENT}
MARKERS = {1: "o", 0: "x"}
NAMES = {1: "equivalent", 0: "non-equivalent"}
