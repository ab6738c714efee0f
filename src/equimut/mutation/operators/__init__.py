"""The mutation operators, family by family."""
