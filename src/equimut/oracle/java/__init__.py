"""Runs Java methods."""
