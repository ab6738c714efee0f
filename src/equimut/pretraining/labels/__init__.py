"""Labelled mutants of code in the wild."""
