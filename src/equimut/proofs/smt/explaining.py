"""A proof in one sentence that a developer can check."""

from equimut.errors import ParseError
from equimut.proofs.rules.change import find_change
from equimut.proofs.smt.prover import Proof

_MOST_CHARACTERS = 80
_SCOPES = {
    "expression": "changes no value that is used",
    "iteration": "changes nothing in any iteration of the loop",
    "last iteration": "is at most one iteration more or less, which changes nothing",
    "function": "changes nothing that the function returns, writes or throws",
}
_NAMES = ("name", "field", "attribute", "function", "operator")
"""Parts of a node that say little without the rest of it."""


def sentence(proof: Proof) -> str:
    """Why the change makes no difference; the assumptions are told apart."""
    before, after = (f"`{text}`" if text else "nothing" for text in (proof.before, proof.after))
    if not proof.before and not proof.after:
        claim = "the two do the same"
    elif proof.scope == "expression" and proof.smallest and proof.before and proof.after:
        claim = f"{before} and {after} agree"
    else:
        what = _SCOPES.get(proof.scope, "changes nothing that is seen later")
        claim = f"{after} in place of {before} {what}"
    reasons = [*proof.facts, *proof.assumptions]
    return f"{claim}: {'; '.join(reasons)}" if reasons else claim


def changed_texts(origin: str, mutant: str, language: str) -> tuple[str, str]:
    """The smallest piece of code that differs, in the origin and in the mutant."""
    try:
        change = find_change(origin, mutant, language)
    except ParseError:
        return "", ""
    if change is None:
        return "", ""
    before, after = change.before, change.after
    while (
        before.parent is not None
        and after.parent is not None
        and any(before.parent.child_by_field_name(name) == before for name in _NAMES)
    ):
        before, after = before.parent, after.parent
    return _short(change.origin.tree.text(before)), _short(change.mutant_tree.text(after))


def _short(text: str) -> str:
    """In one line; what is long ends in dots."""
    line = " ".join(text.split()).strip().rstrip(";").replace("`", "'")
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 4] + " ..."
