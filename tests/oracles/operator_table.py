"""The table of `docs/operators.md`; paste what it prints there when operators change."""

from equimut.mutation import OPERATORS
from equimut.mutation.operator import Operator


def markdown_table() -> str:
    """The table of `docs/operators.md`: what each operator does, with an example per language."""
    lines = [
        "| operator | what it does | Java | C | Python | made by |",
        "|---|---|---|---|---|---|",
    ]
    for operator in OPERATORS.values():
        shown = (_example(operator, language) for language in ("java", "c", "python"))
        tools = ", ".join(operator.tools) or "equimut"
        cells = (f"`{operator.name}`", operator.summary, *shown, tools)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _example(operator: Operator, language: str) -> str:
    """The first example in a language, on one line."""
    for example in operator.examples:
        if example.language == language:
            before, after = (" ".join(t.split()) for t in (example.before, example.after))
            return f"`{before}` → `{after}`"
    return "–"


if __name__ == "__main__":
    print(markdown_table())
