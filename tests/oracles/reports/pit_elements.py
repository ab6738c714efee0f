"""Small PIT reports, element by element."""

from pathlib import Path
from xml.sax.saxutils import escape

from oracles.reports.pit_bytecode import MUTATORS

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def mutation(line: object, description: str, index: object = 5, **fields: str) -> str:
    """One element of a report on class `p.A`; a field set to None is left out."""
    values = {
        "sourceFile": "A.java",
        "mutatedClass": "p.A",
        "mutatedMethod": "f",
        "methodDescription": "(III)I",
        "lineNumber": str(line),
        "mutator": MUTATORS + "MathMutator",
        "index": str(index),
        "killingTest": "",
        "description": description,
        **fields,
    }
    status = values.pop("status", "SURVIVED")
    inner = "".join(f"<{key}>{escape(value)}</{key}>" for key, value in values.items())
    return f"<mutation detected='false' status='{status}' numberOfTestsRun='2'>{inner}</mutation>"


def write(folder: Path, *parts: str) -> Path:
    path = folder / "mutations.xml"
    path.write_text(HEAD + "<mutations>" + "\n".join(parts) + "</mutations>", encoding="utf-8")
    return path
