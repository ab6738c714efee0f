"""The prover: origin and mutant executed symbolically from the same state, compared by z3."""
