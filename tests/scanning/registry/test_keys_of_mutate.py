"""A mutant made by `equimut mutate` has the key that `equimut scan` shows for it."""

import difflib
import json
from pathlib import Path

import pytest

import equimut
from oracles.command import call_equimut

SOURCES = {
    "src/shop/Till.java": (
        "class Till {\n"
        "    int total(int[] prices) {\n"
        "        int sum = 0;\n"
        "        for (int i = 0; i < prices.length; i++) {\n"
        "            sum += prices[i];\n"
        "        }\n"
        "        return sum;\n"
        "    }\n"
        "    class Old {\n"
        "        int half(int a) { return a / 2; }\n"
        "    }\n"
        "}\n"
    ),
    "src/till.py": "def total(prices):\n    found = 0\n    for price in prices:\n"
    "        found = found + price\n    return found\n",
    "src/till.c": "int half(int a) {\n    return a / 2;\n}\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_mutate_and_scan_call_a_mutant_by_the_same_key(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, file = SOURCES[name], tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text(source)
    done = call_equimut("mutate", name, "--jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()][:12]
    assert len(rows) >= 5
    diffs = []
    for row in rows:
        text = source.encode()
        made = text[: row["start_byte"]] + row["replacement"].encode() + text[row["end_byte"] :]
        lines = difflib.unified_diff(
            source.splitlines(keepends=True),
            made.decode().splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
        diffs.append("".join(lines))
    (tmp_path / "mutants.diff").write_text("".join(diffs))
    with equimut.scan("mutants.diff", source=tmp_path, use_model=False, use_cache=False) as result:
        keys = [verdict.key.text for verdict in result.verdicts() if verdict.key is not None]
    assert keys == [row["id"] for row in rows]
