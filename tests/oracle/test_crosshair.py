"""CrossHair as a second source of inputs: what it proposes is run before it is believed."""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from equimut.oracle.project import FileAnswer, FileMutant, ProjectSettings
from equimut.oracle.python import project
from equimut.oracle.python.project import judge_file
from equimut.oracle.verdicts import OracleSettings

VAULT = """def opens(text: str) -> bool:
    return len(text) == 5 and text[0] == "x" and text[1:3] == "qz" and text[3:] == "jw"


def door(number, text: str) -> bool:
    return number > 3 and text == "qzjxw"
"""
CHANGE = ('"jw"', '"jv"')
OTHER_PYTHON = os.environ.get("EQUIMUT_CROSSHAIR_PYTHON", "")
"""An interpreter that has CrossHair, where the one that runs the tests has not."""


def judged(folder: Path, python: Path | None, *changes: tuple[str, str]) -> FileAnswer:
    (folder / "vault.py").write_text(VAULT)
    first, second = (f"def {part}" for part in VAULT.split("def ")[1:])
    mutants = []
    for before, after in changes:
        at = VAULT.index(before)
        function = first if at < len(first) else second
        mutants.append(
            FileMutant(start=at, end=at + len(before), replacement=after, function=function)
        )
    settings = OracleSettings(inputs=150)
    return judge_file(
        ProjectSettings(root=folder, python=python), folder / "vault.py", VAULT, mutants, settings
    )


def test_crosshair_finds_what_nobody_guesses(tmp_path: Path) -> None:
    if not OTHER_PYTHON and importlib.util.find_spec("crosshair") is None:
        pytest.skip(
            "CrossHair is not installed: pip install 'equimut[crosshair]', "
            "or name an interpreter with EQUIMUT_CROSSHAIR_PYTHON"
        )
    answer = judged(tmp_path, Path(OTHER_PYTHON or sys.executable), CHANGE, ("> 3", "> 4"))
    found, unknown = answer.verdicts
    assert found.witness is not None
    assert found.witness.call == 'opens("xqzjw")'
    assert [test.kills for test in answer.tests] == [(0,)]
    assert unknown.tier != "killed"  # CrossHair is not asked about parameters without a type


def propose(monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
    def told(*_: Any) -> dict[int, list[Any]]:
        return {0: [{"args": [text], "named": {}} for text in texts]}

    monkeypatch.setattr(project, "telling_calls", told)


def test_a_proposal_that_does_not_hold_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(monkeypatch, "xqzjj")
    answer = judged(tmp_path, None, CHANGE)
    assert answer.verdicts[0].tier != "killed"
    assert not answer.tests


def test_a_proposal_that_holds_becomes_a_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(monkeypatch, "xqzjw", "nothing")
    answer = judged(tmp_path, None, CHANGE, ('"qz"', '"zq"'))
    assert answer.verdicts[0].tier == "killed"
    assert [test.kills for test in answer.tests if 0 in test.kills] == [(0,)]
    assert 'assert opens("xqzjw") is True' in answer.tests[0].text
