"""What a library function promises, as data that the prover assumes and a test checks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Contract:
    """The promise of one function.

    Without `pure`, a call is a step into the unknown whose result still keeps `ensures`.
    """

    result: str
    """The type it returns; `=` for the promoted type of its arguments."""
    pure: bool = False
    """Depends on its arguments and receiver only, and changes nothing."""
    total: bool = False
    """Throws for no argument (a null receiver aside)."""
    fails: bool = False
    """May throw whatever it is given: it is code of others."""
    defines: str = ""
    """The result, exactly."""
    throws: str = ""
    """When exactly it throws, or is undefined; empty: never for primitive arguments."""
    ensures: tuple[str, ...] = ()
    """What is true of every result."""
    reads: bool = False
    """Depends on memory too; with `pure` it still changes nothing."""
    fresh: bool = False
    """The result is never null."""
    takes: tuple[str, ...] = ()
    """Types of the arguments for which it holds, where they are known only at run time."""
    changes: bool = False
    """Changes its receiver, and nothing else; `old` is the receiver's length before."""
    keeps: bool = False
    """Without `pure`: changes neither fields nor elements that are there, given plain arguments."""
    fills: bool = False
    """Without `pure`: writes elements of arrays that it is given, of plain ones, and no field."""
    words: str = ""
    """What `ensures` says, in words; made from its notation where empty."""
    assumes: str = ""
    """The contract in words, where a class of the user's might break it."""
