"""Prints the map of the package: every folder and module with the first line of its docstring."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "equimut"


def main() -> None:
    """Folders in alphabetical order, the modules of each below it."""
    for folder in sorted({path.parent for path in PACKAGE.rglob("*.py")}):
        name = folder.relative_to(PACKAGE.parent).as_posix()
        print(f"\n{name}/  {first_line(folder / '__init__.py')}")
        for path in sorted(folder.glob("*.py")):
            if path.name != "__init__.py":
                print(f"  {path.name:<24} {first_line(path)}")


def first_line(path: Path) -> str:
    """What a module says of itself."""
    return (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")[0]


if __name__ == "__main__":
    main()
