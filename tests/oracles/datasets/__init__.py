"""Datasets for tests."""
