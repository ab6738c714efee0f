"""Random functions that compile and end, with a real runner for each language."""
