"""Runs Python functions."""
