"""What really decides equivalence: run both and compare, or compare the compiled code."""
