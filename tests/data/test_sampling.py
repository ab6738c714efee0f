"""A sample of pairs: the same origins, the same shares, the same rows for the same seed."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.data.splitting.sampling import sample_pairs
from equimut.data.store import read_pairs, write_pairs
from equimut.errors import DataError
from oracles.command import call_equimut
from oracles.datasets.small_data import small_pairs

PAIRS = small_pairs()
GROUPS = Counter((pair.class_id, pair.label) for pair in PAIRS)


@given(st.integers(1, 2 * len(PAIRS)), st.integers(0, 5))
def test_every_origin_and_label_keeps_its_share(rows: int, seed: int) -> None:
    chosen = sample_pairs(PAIRS, rows, seed)
    places = [PAIRS.index(pair) for pair in chosen]
    assert places == sorted(set(places))
    kept = Counter((pair.class_id, pair.label) for pair in chosen)
    for group, number in GROUPS.items():
        assert abs(kept[group] - number * min(1, rows / len(PAIRS))) <= 1
        assert kept[group] >= 1


def test_a_smaller_sample_is_a_part_of_a_larger_and_another_seed_draws_others() -> None:
    few, many = (sample_pairs(PAIRS, rows, 3) for rows in (len(PAIRS) // 3, len(PAIRS) // 2))
    assert {pair.id for pair in few} < {pair.id for pair in many}
    assert sample_pairs(PAIRS, len(PAIRS) // 3, 4) != few
    with pytest.raises(DataError, match="at least 1"):
        sample_pairs(PAIRS, 0)


def test_the_command_writes_what_the_function_draws(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", PAIRS)
    out = tmp_path / "few.jsonl"
    done = call_equimut("data", "sample", tmp_path / "pairs.jsonl", "--rows", "20", "--out", out)
    assert done.returncode == 0, done.stderr
    assert read_pairs(out) == sample_pairs(PAIRS, 20)
    assert f"{len(read_pairs(out))} of {len(PAIRS)} pairs" in done.stdout
