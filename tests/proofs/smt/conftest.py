"""What these tests say of the solver, it says by itself: no run refutes a mutant before it."""

import pytest

from equimut.proofs.smt import proving


@pytest.fixture(autouse=True)
def no_chosen_states(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that refutes a mutant would hide a wrong proof; `with_runs` asks as users do."""
    if request.node.get_closest_marker("with_runs") is None:
        monkeypatch.setattr(proving, "refute", lambda *arguments: None)
