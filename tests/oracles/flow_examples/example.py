"""What an example of a data-flow graph is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A piece of code and all the edges of its graph, as (variable, the variable it comes from).

    A name that occurs more than once may carry its occurrence: `x`, `x#2` for the second one.
    """

    title: str
    code: str
    edges: frozenset[tuple[str, str]]


def edges(*pairs: str) -> frozenset[tuple[str, str]]:
    """Edges written as "b<-a"; several sources as "b<-a,c"."""
    found = set()
    for pair in pairs:
        target, sources = pair.split("<-")
        found |= {(target.strip(), source.strip()) for source in sources.split(",")}
    return frozenset(found)
