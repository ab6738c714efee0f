"""ARCHITECTURE.md is true: it names every module, nothing that is gone, and the layers hold."""

import ast
import re
from pathlib import Path

import pytest

from conftest import ROOT

PACKAGE = ROOT / "src" / "equimut"
MAP = (ROOT / "ARCHITECTURE.md").read_text()
LAYER_ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.M)
MODULE_LINE = re.compile(r"^- `([\w/]+\.py)`: \S", re.M)

LAYER = {
    room: int(number) for number, rooms in LAYER_ROW.findall(MAP) for room in rooms.split("` `")
}
LAYER = {room.strip("`"): number for room, number in LAYER.items()}
MODULES = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    return Path(module).parts[0].removesuffix(".py")


def imported_rooms(source: str) -> set[str]:
    """Rooms of equimut that a source file imports, wherever in the file the import stands."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    parts = (name.split(".") for name in names)
    rooms = {part[1] for part in parts if part[0] == "equimut" and len(part) > 1}
    return {
        room for room in rooms if (PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").exists()
    }


def offences(module: str, source: str) -> list[str]:
    """The imports of a module that go against the layers."""
    room = room_of(module)
    if room in ("__init__", "__main__"):  # the front door may open every room
        return []
    others = imported_rooms(source) - {room}
    if room == "losses":
        return sorted(others - {"errors"})
    allowed_losses = {"losses"} if LAYER[room] >= LAYER["models"] else set()
    return sorted(
        other
        for other in others - allowed_losses
        if other == "losses" or LAYER[other] >= LAYER[room]
    )


def test_every_module_is_on_the_map_and_nothing_else() -> None:
    assert sorted(MODULE_LINE.findall(MAP)) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_layers(module: str) -> None:
    assert offences(module, (PACKAGE / module).read_text()) == []


def test_an_import_against_the_layers_is_seen() -> None:
    assert offences("losses/x.py", "from equimut.records import Pair") == ["records"]
    assert offences("records.py", "def f():\n    import equimut.cli.main") == ["cli"]
    assert offences("cli/x.py", "from equimut.losses import JointLoss") == []
