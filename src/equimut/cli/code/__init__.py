"""Commands to inspect code."""
