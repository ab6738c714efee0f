"""A stack behind a detector: plain numbers that say what scikit-learn's models say."""

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from equimut.inputs.edit_features.reach import MARGIN, dense_features, view_features
from equimut.models.settings import DetectorSettings, read_settings
from equimut.models.stacking import Stack, Tree, stacked
from equimut.records import ProverView, Query

STUMP = Tree(
    feature=(1, -1, -1), threshold=(0.5, 0, 0), left=(1, 0, 0), right=(2, 0, 0), value=(0, -1, 2)
)
STACK = Stack(names=(MARGIN, "in a result"), constant=0.25, weights=(2.0, 0.0), trees=(STUMP,))


def query(origin: str, old: str, new: str, language: str = "java") -> Query:
    mutant = origin.replace(old, new)
    assert mutant != origin
    return Query(origin=origin, mutant=mutant, language=language)


def test_a_stack_is_a_sum_of_weights_and_trees() -> None:
    rows = [{MARGIN: 3.0, "in a result": 1.0}, {MARGIN: -1.0, "unheard of": 9.0}]
    assert STACK.margins(rows).tolist() == [0.25 + 6 + 2, 0.25 - 2 - 1]


def test_trees_say_what_scikit_learn_says() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    from equimut.pretraining.stacking.fitting import _tree

    chance = np.random.default_rng(0)
    rows = chance.normal(size=(400, 3))
    rows[:, 1] = rows[:, 1] > 0
    labels = (rows[:, 0] * rows[:, 1] + rows[:, 2] > 0.3).astype(int)
    model = HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=6).fit(rows, labels)
    made = Stack(
        names=("a", "b", "c"),
        constant=float(np.ravel(model._baseline_prediction)[0]),
        weights=(0.0, 0.0, 0.0),
        trees=tuple(_tree(each.nodes) for (each,) in model._predictors),
    )
    new = chance.normal(size=(200, 3))
    ours = made.margins([dict(zip("abc", row, strict=True)) for row in new])
    assert np.allclose(ours, model.decision_function(new), atol=1e-4)


@pytest.mark.parametrize(
    "broken",
    [
        {"left": (0, 0, 0)},
        {"right": (9, 0, 0)},
        {"value": (0, 1)},
        {"feature": ()},
    ],
)
def test_a_tree_that_leads_nowhere_is_refused(broken: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValidationError):
        Tree(**(STUMP.model_dump() | broken))


def test_a_tree_asks_for_named_features_only() -> None:
    with pytest.raises(ValidationError, match="without a name"):
        Stack(names=("a",), constant=0, weights=(0.0,), trees=(STUMP,))


def test_a_stack_sees_what_the_prover_saw() -> None:
    closed = ProverView(answer="differs", scope="function", effects=("return",))
    pair = query("int f(int a) { return a; }", "return a", "return -a")
    names = (MARGIN, "view: closed")
    stack = Stack(names=names, constant=0.0, weights=(1.0, -5.0))
    seen = pair.model_copy(update={"view": closed})
    assert stacked(stack, [pair, seen], np.array([3.0, 3.0])).tolist() == [3.0, -2.0]


def test_the_stack_of_a_directory_is_read_with_its_settings(tmp_path: Path) -> None:
    settings = DetectorSettings(encoder="tiny", stack=STACK)
    (tmp_path / "detector.json").write_text(settings.model_dump_json())
    assert "stack" not in json.loads((tmp_path / "detector.json").read_text())
    assert read_settings(tmp_path).stack is None
    (tmp_path / "stack.json").write_text(STACK.model_dump_json())
    assert read_settings(tmp_path).stack == STACK


def test_names_of_views_begin_alike() -> None:
    view = ProverView(answer="unknown", scope="iteration", through=("call",), unmodelled=2)
    for found in (view_features(view), view_features(None)):
        assert all(name.startswith("view: ") for name in found)
    assert view_features(view)["view: unmodelled"] == 2


FIELD = "int f() { return this.x; }"
LOCAL = "int f(int n) { int k = n; return k; }"
SET = "def f(n):\n    k = n\n    return k\n"


@pytest.mark.parametrize(
    ("pair", "owner"),
    [
        (query(FIELD, "this.x", "this.x++"), "field"),
        (query("int f() { return len; }", "len", "len--"), "field"),
        (query(LOCAL, "return k", "return k++"), "local"),
        (query(LOCAL, "k = n", "k = n++"), "parameter"),
        (query(SET, "return k", "return (k := k + 1)", "python"), "local"),
        (query("int f(void) { return total; }", "total", "total++", "c"), "field"),
    ],
)
def test_a_name_that_is_updated_is_a_local_or_not(pair: Query, owner: str) -> None:
    updates = [name for name in dense_features(pair, 0.0, None) if name.startswith("updates")]
    assert updates == [f"updates a {owner}"]
    assert ("names from outside" in dense_features(pair, 0.0, None)) == (owner == "field")


@pytest.mark.parametrize(
    ("origin", "old", "new", "place"),
    [
        ("void f(int n) { LOG.debug(n + 1); }", "n + 1", "n - 1", "in a message"),
        ("void f(int n) { put(n + 1); }", "n + 1", "n - 1", "in an argument"),
        ("int f(int n) { return n + 1; }", "n + 1", "n - 1", "in a result"),
        ("int f(int n) { if (n > 1) return 1; return 2; }", ">", ">=", "in the condition of a if"),
        ("void f(int n) { throw new E(n + 1); }", "n + 1", "n - 1", "inside an exception"),
        ("int f(int[] a, int n) { return a[n + 1]; }", "n + 1", "n - 1", "in an index"),
    ],
)
def test_where_an_effect_may_be_seen(origin: str, old: str, new: str, place: str) -> None:
    assert place in dense_features(query(origin, old, new), 0.0, None)


def test_a_boundary_is_told_from_other_comparisons() -> None:
    origin = "int f(int n) { if (n > 1) return 1; return 2; }"
    assert "edit of a boundary" in dense_features(query(origin, ">", ">="), 0.0, None)
    assert "edit of a boundary" not in dense_features(query(origin, ">", "=="), 0.0, None)
