"""Encoder and head: the detector, what it needs to judge pairs, and its form on disk."""
