"""A verdict depends neither on what was asked before nor on the runs that spare the solver work."""

from collections.abc import Sequence

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.smt.proving import CHOSEN_STATES, compare

LANGUAGES = ("java", "c", "python")
PROGRAMS = {"java": "java/run_length_encode", "c": "c/sift_down", "python": "python/bank_balance"}


def verdicts(rows: Sequence[VerifiedPair]) -> dict[str, tuple[str, dict[str, str] | None]]:
    found = {}
    for row in rows:
        answer = compare(row.origin, row.mutant, row.language)
        refuted = answer.state if answer.view is not None and not answer.view.tried else None
        found[row.id] = (answer.proof.scope if answer.proof else "", refuted)
    return found


@pytest.mark.with_runs
@pytest.mark.parametrize("language", LANGUAGES)
def test_verdicts_do_not_depend_on_the_order(language: str) -> None:
    """What is kept of an origin gives the mutants that come later what the first one got."""
    rows = [row for row in bundled(language) if row.program == PROGRAMS[language]]
    rows = rows[:: max(1, len(rows) // count(4, 60))]
    first = verdicts(rows)
    assert verdicts(rows[::-1]) == first
    assert any(scope or state for scope, state in first.values())


@pytest.mark.with_runs
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_run_refutes_what_the_solver_proves(language: str) -> None:
    rows = [row for row in bundled(language) if row.label == 1]
    rows = rows[:: max(1, len(rows) // count(4, 500))]
    proved = 0
    for row in rows:
        alone = compare(row.origin, row.mutant, language, without=frozenset({CHOSEN_STATES}))
        if alone.proof is not None:
            proved += 1
            assert compare(row.origin, row.mutant, language).proof is not None, row.id
    assert proved


def test_a_proof_at_the_edge_of_the_budget_is_found_always_or_never() -> None:
    """Asked again and again, with other questions between: the same answer, budget or not."""
    edge = next(row for row in bundled("python") if row.id.endswith("/11c20de5c5cc16f5"))
    others = [row for row in bundled("python") if row.program == "python/bank_balance"][:3]
    answers = set()
    for other in (None, *others):
        if other is not None:
            compare(other.origin, other.mutant, "python")
        answer = compare(edge.origin, edge.mutant, "python")
        answers.add((answer.proof is None, str(answer.state)))
    assert len(answers) == 1
