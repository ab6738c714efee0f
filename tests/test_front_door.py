"""`from equimut import ...`: light, complete, typed, and enough for a project of one's own."""

import ast
import inspect
import os
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel

import equimut
from conftest import ROOT
from equimut.scanning.example import example_report

PROJECT = ROOT / "tests" / "example_project"
NAMES = sorted(set(equimut.__all__) - {"__version__"})
WITHOUT_TORCH = (
    "EquimutError", "Judgement", "LabelledPair", "Mutant", "Pair", "Query", "RunConfig", "Snippet",
    "judge_mutants", "mutate", "preset", "prove", "read_report", "scan", "score",
)  # fmt: skip


def test_every_promised_name_is_exported() -> None:
    promised = (
        "Detector Query Judgement Pair Snippet Mutant scan train prove mutate read_report "
        "judge_mutants score preset RunConfig ClusterPurgeLoss ContrastiveLoss TripletLoss "
        "JointLoss EquimutError"
    )
    assert set(promised.split()) <= set(NAMES)
    assert set(NAMES) <= set(dir(equimut))


def test_checkers_see_the_names_that_run() -> None:
    source = ast.parse((ROOT / "src" / "equimut" / "__init__.py").read_text())
    block = next(node for node in source.body if isinstance(node, ast.If))
    seen = {
        (alias.name, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name  # `X as X`: exported, also under --no-implicit-reexport
    }
    assert seen == {(name, equimut._HOME[name]) for name in NAMES}


def test_what_does_not_need_torch_does_not_import_it() -> None:
    code = "import sys, equimut\nassert 'torch' not in sys.modules\n"
    code += "".join(
        f"equimut.{name}\nassert 'torch' not in sys.modules, {name!r}\n" for name in WITHOUT_TORCH
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", NAMES)
def test_no_public_signature_says_any(name: str) -> None:
    assert [place for place, kind in signatures(getattr(equimut, name)) if says_any(kind)] == []


def test_any_would_be_seen() -> None:
    class Loose:
        def method(self, values: list[dict[str, typing.Any]]) -> None: ...
        def bare(self, value) -> None: ...  # type: ignore[no-untyped-def]

    found = [place for place, kind in signatures(Loose) if says_any(kind)]
    assert found == ["method.values", "bare.value"]


def signatures(value: object) -> Iterator[tuple[str, object]]:
    """Every annotation of a function, or of the public methods and fields of a class."""
    if not inspect.isclass(value):
        yield from _of_function("", typing.cast(Callable[..., object], value))
        return
    if issubclass(value, BaseModel):
        yield from ((name, field.annotation) for name, field in value.model_fields.items())
    for name, member in vars(value).items():
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        inner = getattr(member, "__func__", getattr(member, "fget", getattr(member, "func", None)))
        function = inner or member
        if inspect.isfunction(function) and function.__module__ == value.__module__:
            yield from _of_function(f"{name}.", function)


def _of_function(where: str, function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    hints = typing.get_type_hints(function)
    for name in inspect.signature(function).parameters:
        if name != "self" and name != "cls":
            yield where + name, hints.get(name, typing.Any)
    yield f"{where}return", hints.get("return", typing.Any)


def says_any(kind: object) -> bool:
    """Whether a type is `Any`, or has it among its arguments."""
    if isinstance(kind, (list, tuple)):  # of a Callable
        return any(map(says_any, kind))
    if typing.get_origin(kind) is np.ndarray:  # numpy's own word for "of any shape"
        return says_any(typing.get_args(kind)[1:])
    return kind is typing.Any or any(map(says_any, typing.get_args(kind)))


def test_a_project_that_uses_the_public_names_is_typed_strictly(tmp_path: Path) -> None:
    """Wrong uses are found, right ones pass."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import equimut\n"
        "equimut.Detectr\n"
        'equimut.Detector.from_pretrained("equimut").judge("a", "b", 3)\n'
        'word: int = equimut.Detector.from_pretrained("equimut").judge("a", "b", "c").verdict\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(PROJECT), str(wrong)],
        cwd=ROOT,  # its cache then serves `make lint` too, and the other way round
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": "src"},
    )  # fmt: skip
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [error.split(":")[1] for error in errors if "wrong.py" in error] == ["2", "3", "4"]
    assert [error for error in errors if "wrong.py" not in error] == [], done.stdout


def test_a_scan_has_the_defaults_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "equimut.toml").write_text("use-model = false\nmin-precision = 0.9\n")
    seen: list[str] = []
    with equimut.scan(
        str(example_report()), progress=lambda stage, more, total: seen.append(stage)
    ) as result:
        tiers = {verdict.tier for verdict in result.verdicts()}
        assert (result.model, result.min_precision) == ("", 0.9)
    assert "proved" in tiers
    assert "predicted" not in tiers
    assert "reading" in seen
    assert (tmp_path / "cache").is_dir()
    with equimut.scan(example_report(), min_precision=0.8, use_cache=False) as result:
        assert result.min_precision == 0.8
    with pytest.raises(equimut.EquimutError, match="no such report"), equimut.scan("gone.xml"):
        pass
