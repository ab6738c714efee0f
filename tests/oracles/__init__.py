"""Slow, obvious second implementations that the tests compare with."""
