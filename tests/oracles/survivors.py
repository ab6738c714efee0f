"""A report of mutants that all survived, as the tools with mutation-testing elements write it."""

from collections.abc import Sequence


def report_of_survivors(
    file: str, language: str, source: str, changes: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """Each change replaces the first place where its first text stands."""
    mutants = []
    for number, (before, after) in enumerate(changes):
        at = source.index(before)
        line = source.count("\n", 0, at) + 1
        column = at - source.rfind("\n", 0, at)
        mutants.append(
            {
                "id": str(number),
                "mutatorName": "made for the test",
                "replacement": after,
                "location": {
                    "start": {"line": line, "column": column},
                    "end": {"line": line, "column": column + len(before)},
                },
                "status": "Survived",
            }
        )
    known = {"language": language, "source": source, "mutants": mutants}
    return {
        "schemaVersion": "1",
        "thresholds": {"high": 80, "low": 60},
        "files": {file: known},
    }
