"""Encoders for tests."""
