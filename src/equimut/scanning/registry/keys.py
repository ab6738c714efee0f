"""The keys of the mutants of a report."""

from equimut.mutation.identity import ChangeDescription, MutantKey, describe
from equimut.reports.reported import ReportedMutant


def key_of(
    mutant: ReportedMutant, description: ChangeDescription | None = None
) -> MutantKey | None:
    """The key of a located mutant (whose change may have been described already).

    None where the report does not say what changes.
    """
    change = mutant.change
    if change is None:
        return None
    texts = change.origin_function, change.mutant_function
    known = description or describe(*texts, mutant.language)
    return MutantKey(file=mutant.file, function=change.function, **known.model_dump())
