"""Symbolic execution of lowered functions: states, terms, and what each node does to them."""
