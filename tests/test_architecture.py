"""ARCHITECTURE.md is true: it names every folder in order, and the layers hold."""

import ast
import re
from pathlib import Path

import pytest

from conftest import ROOT

PACKAGE = ROOT / "src" / "equimut"
MAP = (ROOT / "ARCHITECTURE.md").read_text()
LAYER_LINE = re.compile(r"^(\d+)\. `(\w+)`", re.M)
MOST_FILES = 16

LAYER = {room: int(number) for number, room in LAYER_LINE.findall(MAP)}
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


def test_every_folder_is_on_the_map_and_nothing_else() -> None:
    rooms = {room_of(module) for module in MODULES} - {"__init__", "__main__", "losses"}
    assert set(LAYER) == rooms
    assert sorted(LAYER.values()) == list(range(1, len(rooms) + 1))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_in_one_line_what_it_is(module: str) -> None:
    """`make map` prints these lines."""
    said = ast.get_docstring(ast.parse((PACKAGE / module).read_text()))
    assert said
    first = said.split("\n\n")[0]
    assert "\n" not in first
    assert first.endswith(".")


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("*.py")}))
def test_a_folder_fits_on_a_screen(folder: Path) -> None:
    assert len(list(folder.glob("*.py"))) <= MOST_FILES


def test_no_folder_is_named_like_a_module_next_to_it() -> None:
    folders = {path for path in PACKAGE.rglob("*") if path.is_dir()}
    assert not [path for path in folders if path.with_suffix(".py").exists()]


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_layers(module: str) -> None:
    assert offences(module, (PACKAGE / module).read_text()) == []


def test_an_import_against_the_layers_is_seen() -> None:
    assert offences("losses/x.py", "from equimut.records import Pair") == ["records"]
    assert offences("records.py", "def f():\n    import equimut.cli.main") == ["cli"]
    assert offences("cli/x.py", "from equimut.losses import JointLoss") == []
