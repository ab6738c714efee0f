"""The small installation: scans, judges, proves, runs the oracle and keeps the registry."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FULL, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXTRA = ("torch", "transformers", "accelerate", "scipy", "sklearn", "matplotlib", "rdflib")
MOST_MEGABYTES = 300
"""Of a new environment with pip; z3 and numpy are two thirds of it."""
BLOCK = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRA!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""
ORIGIN = """def top(values: list[int]) -> int:
    best = 0
    for v in values:
        if v > best:
            best = v
    return best
"""


def run(equimut: list[str], folder: Path, *arguments: str, code: int = 0) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [*equimut, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def walk(equimut: list[str], folder: Path) -> None:
    """What a user of the small installation does."""
    (folder / "top.py").write_text(ORIGIN)
    (folder / "mutant.py").write_text(ORIGIN.replace("v > best", "v >= best"))
    (folder / "other.py").write_text(ORIGIN.replace("v > best", "v < best"))
    run(equimut, folder, "scan", "--example", "--format", "json", "--out", "scan.json")
    verdicts = json.loads((folder / "scan.json").read_text())["mutants"]
    assert {"proved", "predicted"} <= {verdict["tier"] for verdict in verdicts}
    key = next(verdict["key"] for verdict in verdicts if verdict["tier"] == "predicted")
    run(equimut, folder, "accept", key, "--reason", "no test can see it", "--author", "me")
    assert key in (folder / "equivalents.toml").read_text()
    rows = [
        {"origin": ORIGIN, "mutant": (folder / name).read_text(), "language": "python"}
        for name in ("mutant.py", "other.py")
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(equimut, folder, "judge", "rows.jsonl", "--out", "said.jsonl")
    said = [json.loads(line) for line in (folder / "said.jsonl").read_text().splitlines()]
    assert said[1]["probability"] < 0.5
    run(equimut, folder, "prove", "top.py", "mutant.py")
    assert "killed" in run(equimut, folder, "oracle", "top.py", "other.py")
    assert "54 mutants" in run(equimut, folder, "mutate", "top.py", "--jsonl")
    error = run(equimut, folder, "train", "rows.jsonl", "--out", "run", code=2)
    assert "pip install 'equimut[train]'" in error
    assert len(error.strip().splitlines()) == 1


def test_every_command_of_the_small_installation_does_without_the_large_one(
    tmp_path: Path,
) -> None:
    """The same commands, with what is not installed there made impossible to import."""
    code = BLOCK + "from equimut.cli.main import main\nmain()"
    walk([sys.executable, "-c", code], tmp_path)


def test_what_is_installed_and_what_is_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base = {requirement.split(">")[0] for requirement in project["dependencies"]}
    train = {requirement.split(">")[0] for requirement in project["optional-dependencies"]["train"]}
    assert {"torch", "transformers", "scikit-learn", "scipy", "matplotlib", "rdflib"} <= train
    assert not base & train
    locked = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if "==" in line
    }
    assert base | train <= locked | {"tomli"}


def test_losses_need_torch_only() -> None:
    others = tuple(name for name in EXTRA if name != "torch")
    code = BLOCK.replace(repr(EXTRA), repr((*others, "tree_sitter", "z3")))
    code += "from equimut.losses import ClusterPurgeLoss, JointLoss\nClusterPurgeLoss(2)\n"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(
    not FULL, reason="EQUIMUT_FULL=1 installs the small size into a new environment"
)
def test_the_small_size_installs_alone_is_small_and_works(tmp_path: Path) -> None:
    place = tmp_path / "small"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--quiet", "--constraint", str(ROOT / "requirements.lock"), str(ROOT)],
        check=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    for name in EXTRA:
        code = (
            f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is not None)"
        )
        subprocess.run([str(place / "bin" / "python"), "-I", "-c", code], check=True)
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    assert size < MOST_MEGABYTES * 1e6, f"{size / 1e6:.0f} MB"
    folder = tmp_path / "work"
    folder.mkdir()
    walk([str(place / "bin" / "python"), "-I", "-m", "equimut"], folder)
