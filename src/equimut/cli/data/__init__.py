"""Commands for datasets."""
