"""Runs C functions."""
