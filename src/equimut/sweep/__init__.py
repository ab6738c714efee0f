"""Grids of trainings: one file says which, each trial is one result, nothing is run twice."""
