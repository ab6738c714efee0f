"""The claims of the paper at the paper's length, after a correction for their number."""

from collections.abc import Mapping, Sequence

from equimut.evaluation.significance import Significance, p_text
from equimut.study import claims as checks
from equimut.study.claims import LEVEL, OPEN, Claim
from equimut.study.differences import Contrast
from equimut.study.full_length.tables import FAMILY, LengthTable
from equimut.study.matrix import Matrix
from equimut.study.published import LANGUAGES, MAIN_DATA

RANKING = ("average_precision",)


def verdicts(
    data: str,
    tables: Sequence[LengthTable],
    grids: Mapping[str, Matrix | None],
    apart: Significance | None,
) -> tuple[Claim, ...]:
    """A verdict per claim; one that is not run yet is inconclusive and says so."""
    found: list[Claim] = []
    language = LANGUAGES[data]
    for table in tables:
        contrasts = {(each.first, each.second): each for each in table.contrasts}
        against_base = contrasts.get(("cpl", "base"))
        purge = f"{language}, {table.protocol}, {table.pooling} pooling: cluster purge"
        if (table.protocol, table.pooling) == ("paper", "cls"):
            published = checks.ranking(data, contrasts)
            pairs = (("cpl", "base"), None, ("cpl", "contrastive"), ("contrastive", "base"))
            for claim, pair in zip(published, pairs, strict=True):
                its = None if pair is None else contrasts.get(pair)
                found.append(_after_correction(claim, its, FAMILY[:1]))
        else:
            statement = f"{purge} beats cross-entropy alone"
            claim = checks.ahead(statement, "not compared", against_base)
            found.append(_after_correction(claim, against_base, FAMILY[:1]))
        statement = f"{purge} ranks better than cross-entropy alone (average precision)"
        claim = checks.ahead(statement, "not published", against_base, RANKING)
        found.append(_after_correction(claim, against_base, RANKING))
    found.append(checks.grids(data, grids.get("cpl"), grids.get("contrastive"), apart))
    if data == MAIN_DATA:
        found.append(checks.margins(grids.get("cpl")))
    return tuple(
        each.model_copy(update={"ours": "not run yet"}) if each.ours == checks.UNKNOWN else each
        for each in found
    )


def _after_correction(claim: Claim, found: Contrast | None, metrics: Sequence[str]) -> Claim:
    """Inconclusive where the p-value, corrected over the whole family, is not below the level."""
    if found is None or claim.verdict == OPEN:
        return claim
    p_values = [found.gains[name].corrected_resampled_p for name in metrics if name in found.gains]
    known = [each for each in p_values if each is not None]
    if not known:
        return claim
    because = f"{claim.because}; corrected over all comparisons (Holm) {p_text(max(known))}"
    verdict = claim.verdict if max(known) < LEVEL else OPEN
    return claim.model_copy(update={"verdict": verdict, "because": because})
