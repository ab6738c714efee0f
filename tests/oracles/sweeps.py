"""Trials of a sweep in this process: for tests in which no worker has to die."""

from concurrent.futures import ThreadPoolExecutor

import pytest


def run_trials_here(patch: pytest.MonkeyPatch) -> None:
    """Sweeps start threads instead of processes that would each import torch."""
    patch.setattr("equimut.sweep.local._pool", lambda jobs, _: ThreadPoolExecutor(jobs))
