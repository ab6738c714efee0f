"""Grids of trainings: one file lists them, each trial is one result, nothing is run twice."""
