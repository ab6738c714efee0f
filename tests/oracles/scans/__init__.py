"""Scans for tests."""
