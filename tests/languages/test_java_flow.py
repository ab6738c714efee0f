"""Java's rules on reachability: our small checker against the examples of the specification."""

import pytest

from equimut.languages.java.flow import is_rejected
from equimut.parsing.tree import parse
from oracles.datasets.java_flow_methods import ACCEPTED, REJECTED


def rejected(method: str) -> bool:
    tree = parse(method, "java")
    return is_rejected(tree.root, tree.source)


@pytest.mark.parametrize("method", ACCEPTED)
def test_a_method_that_compiles_is_accepted(method: str) -> None:
    assert parse(method, "java").errors == ()
    assert not rejected(method)


@pytest.mark.parametrize("method", REJECTED)
def test_a_method_with_unreachable_code_or_no_result_is_rejected(method: str) -> None:
    assert parse(method, "java").errors == ()
    assert rejected(method)
