"""Runs functions of a project where they stand; what is here imports nothing of ours."""
