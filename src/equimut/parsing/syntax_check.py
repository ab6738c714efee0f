"""Whether two texts are code: the syntax errors of an origin, and those that its mutant adds."""

from equimut.parsing.lexical import blanked, lexical_functions
from equimut.parsing.tree import SyntaxIssue, SyntaxTree, parse


def added_error(origin: SyntaxTree, mutant: SyntaxTree) -> SyntaxIssue | None:
    """The first syntax error of the mutant, if it has more of them than the origin."""
    errors = mutant.errors
    return errors[0] if len(errors) > len(origin.errors) else None


def syntax_problem(origin: str, mutant: str, language: str) -> str:
    """Which of the two is no code, and why; empty where both are.

    Macros and old headers are errors to a grammar and none to a compiler: where there is a
    preprocessor, an origin that has the shape of a function will do.
    """
    before, after = parse(origin, language), parse(mutant, language)
    for name, tree in (("origin", before), ("mutant", after)):
        if not tree.source.strip():
            return f"the {name} is empty"
    if before.errors and not _has_shape(before):
        return f"the origin has a syntax error: {_told(before.errors[0])}"
    added = added_error(before, after)
    return "" if added is None else f"the mutant has a syntax error: {_told(added)}"


def _has_shape(tree: SyntaxTree) -> bool:
    lexicon = tree.language.lexicon
    if not lexicon.preprocessor or not lexical_functions(tree.source, lexicon):
        return False
    code = blanked(tree.source, lexicon)
    return code.count(b"{") == code.count(b"}")


def _told(issue: SyntaxIssue) -> str:
    return f"line {issue.line}, column {issue.column}: {issue.message}"
