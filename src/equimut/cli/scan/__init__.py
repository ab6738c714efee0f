"""Commands for a mutation report."""
