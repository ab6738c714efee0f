"""The audit of published labels."""
