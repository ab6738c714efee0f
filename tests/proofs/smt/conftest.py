"""What these tests say of the solver, it says by itself: no run refutes a mutant before it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from equimut.proofs.smt import proving
from oracles.java_projects import Written, write_project


@pytest.fixture(autouse=True)
def no_chosen_states(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that refutes a mutant would hide a wrong proof; `with_runs` asks as users do."""
    if request.node.get_closest_marker("with_runs") is None:
        monkeypatch.setattr(proving, "refute", lambda *arguments: None)


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Written]:
    """Writes a Java project: the text of its main class, and other files by name."""
    return partial(write_project, tmp_path)
