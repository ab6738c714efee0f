"""Judging many rows: from files, with proofs first, shared between machines."""
