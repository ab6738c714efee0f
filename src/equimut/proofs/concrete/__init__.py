"""Lowered functions run on chosen states, to tell two apart before the solver is asked."""
