"""Finished scans made by hand: a small Java project of ours, and any list of verdicts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

from equimut.records import Tier, VerdictWord
from equimut.reports.locating import locate
from equimut.reports.reported import Report, ReportedMutant, Status
from equimut.reports.sources import SourceFile, language_name
from equimut.scanning.records import (
    DETECTED,
    UNDETECTED,
    KilledCheck,
    MutationScores,
    NearestExample,
    ScanResult,
    ScanVerdict,
)
from equimut.scanning.registry.registry import key_of

RANGES = "src/main/java/org/example/Ranges.java"
CART = "src/main/java/org/example/Cart.java"
SOURCES = {
    RANGES: """\
package org.example;

/** Half-open ranges of whole numbers. */
public final class Ranges {
    /** Position of a key in a sorted array, or -1. */
    public static int find(int[] sorted, int key) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < key) {
                low = middle + 1;
            } else if (sorted[middle] > key) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    /** The larger one. */
    public static int max(int first, int second) {
        if (first > second) {
            return first;
        }
        return second;
    }

    public static int overlap(int from, int to, int start, int end) {
        int left = from > start ? from : start;
        int right = Math.min(to, end);
        if (right <= left) {
            return 0;
        }
        return right - left;
    }
}
""",
    CART: """\
package org.example;

import java.util.List;

public final class Cart {
    private final List<Item> items;
    private int discount;

    public long total() {
        long sum = 0;
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            sum += item.price() * item.count();
        }
        if (discount > 0) {
            sum -= sum * discount / 100;
        }
        audit(sum);
        return sum;
    }

    public boolean free(int members, boolean holiday) {
        return members >= 4 && holiday || items.isEmpty();
    }
}
""",
}


def reported(
    index: int,
    file: str,
    old: str,
    new: str,
    *,
    text: str | None = None,
    operator: str = "ConditionalsBoundaryMutator",
    status: Status = "survived",
    times: int = 0,
    **fields: Any,
) -> ReportedMutant:
    """The mutant that replaces one place of a file, found in it as a report's would be."""
    source = SourceFile(file, SOURCES[file] if text is None else text, language_name(file))
    start = -1
    for _ in range(times + 1):
        start = source.data.index(old.encode(), start + 1)
    located = locate(source, start, start + len(old.encode()), new)
    values: dict[str, Any] = {
        "index": index, "id": str(index), "tool": "PIT", "file": file,
        "language": source.language, "status": status, "tool_status": status.upper(),
        "operator": operator, "line": source.line(start), "change": located.change,
        "problem": located.problem,
    }  # fmt: skip
    return ReportedMutant(**{**values, **fields})


def verdict(
    mutant: ReportedMutant,
    word: VerdictWord,
    tier: Tier = "predicted",
    probability: float | None = None,
    **fields: Any,
) -> ScanVerdict:
    """A verdict on it; what is proved, accepted or surely predicted counts."""
    values: dict[str, Any] = {
        "counts": word == "equivalent" and (tier != "predicted" or (probability or 0) >= 0.9),
        **fields,
    }
    return ScanVerdict(
        mutant=mutant, key=key_of(mutant), word=word, tier=tier, probability=probability, **values
    )


@dataclass(frozen=True)
class LocatedPart:
    """Mutants that were located before."""

    mutants: tuple[ReportedMutant, ...]

    @property
    def statuses(self) -> tuple[Status, ...]:
        """What became of each of them."""
        return tuple(mutant.status for mutant in self.mutants)

    def located(self, wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
        """Those of them that are wanted."""
        return compress(self.mutants, wanted)


def scan_result(
    verdicts: Sequence[ScanVerdict],
    others: Sequence[ReportedMutant] = (),
    *,
    killed: KilledCheck | None = None,
    **fields: Any,
) -> ScanResult:
    """What a scan with these verdicts adds up to; `others` are in the report, but not judged."""
    mutants = sorted([*(v.mutant for v in verdicts), *others], key=lambda mutant: mutant.index)
    report = Report.counted(
        fields.pop("format", "pit"),
        fields.pop("path", Path("target/pit-reports/mutations.xml")),
        [(mutant.status, mutant.tool_status) for mutant in mutants],
        lambda _: iter([LocatedPart(tuple(mutants))]),
        tool="PIT",
        version="1.17.0",
    )
    unknown = Counter(v.reason for v in verdicts if v.tier == "unknown")
    values: dict[str, Any] = {
        "model": "shipped", "min_precision": 0.95, "counting_from": 0.9, "worth_a_test_to": 0.2,
        "basis": "precision of at least 0.95 on 500 held-out rows",
        "tiers": dict(Counter((v.tier, v.word) for v in verdicts)),
        "unknown_reasons": dict(unknown.most_common()),
        "scores": mutation_scores(verdicts, Counter(report.counts)),
        "killed": killed or KilledCheck(), "analysed": sum(v.tier != "unknown" for v in verdicts),
        "read": lambda: iter(sorted(verdicts, key=lambda each: each.mutant.index)),
    }  # fmt: skip
    return ScanResult(report=report, **{**values, **fields})


def example_verdicts() -> list[ScanVerdict]:
    """One verdict of every kind on the project above."""
    boundary = NearestExample(
        change="i < n -> i <= n", label=0, source="verified benchmark, count", similarity=0.94
    )
    larger = NearestExample(
        change="a > b -> a >= b", label=1, source="verified benchmark, max", similarity=0.97
    )
    math, negate = "MathMutator", "NegateConditionalsMutator"
    calls, returns = "VoidMethodCallMutator", "PrimitiveReturnsMutator"
    return [
        verdict(reported(0, RANGES, "low <= high", "low < high"), "not-equivalent",
                probability=0.04, nearest=boundary),
        verdict(reported(1, RANGES, ">>> 1", "<< 1", operator=math), "not-equivalent", "killed",
                reason="find(new int[]{3}, 3): 0 as it was, does not end in the mutant"),
        verdict(reported(2, RANGES, "sorted[middle] < key", "sorted[middle] <= key"),
                "not-equivalent", probability=0.09, nearest=boundary),
        verdict(reported(3, RANGES, "first > second", "first >= second"), "equivalent", "proved",
                reason="the whole input domain was tried: 65,536 inputs"),
        verdict(reported(4, RANGES, "from > start", "from >= start"), "equivalent",
                probability=0.97, nearest=larger),
        verdict(reported(5, RANGES, "right <= left", "right < left"), "unknown",
                probability=0.71, nearest=larger, details="the model sees 45 of 66 sub-tokens",
                reason="for equivalence: `<=` becomes `<`; against equivalence: it is in no loop"),
        verdict(reported(6, RANGES, "return 0;", "return 1;", operator=returns,
                         status="no_coverage"), "not-equivalent", probability=0.004),
        verdict(reported(7, CART, "i < items.size()", "i != items.size()",
                         operator="RemoveConditionalMutator"), "equivalent", "accepted",
                reason="i only ever grows by one (Ada, 2026-03-01)"),
        verdict(reported(8, CART, "discount > 0", "discount >= 0"), "equivalent", "unrefuted",
                reason="2,000 inputs tried, none tells the two apart", counts=False),
        verdict(reported(9, CART, "sum * discount / 100", "sum / discount / 100", operator=math),
                "not-equivalent", probability=0.02, nearest=boundary),
        verdict(reported(10, CART, "        audit(sum);\n", "", operator=calls), "unknown",
                "unknown", reason="too long: the function has more tokens than the model reads"),
        verdict(reported(11, CART, "members >= 4", "members > 4"), "not-equivalent",
                probability=0.13, nearest=boundary),
        verdict(reported(12, CART, "&& holiday", "|| holiday", operator=negate), "not-equivalent",
                probability=0.01),
        verdict(reported(13, CART, "&& holiday", "== holiday", operator=negate, change=None,
                         problem="ambiguous: 2 sites fit"), "unknown", "unknown",
                reason="ambiguous: 2 sites fit"),
    ]  # fmt: skip


def example_result(**fields: Any) -> ScanResult:
    """The project above: 14 survivors judged, 30 mutants killed."""
    killed = [
        reported(
            20 + number, CART, "sum += ", "sum -= ", operator="MathMutator", status=DETECTED[0]
        )
        for number in range(30)
    ]
    check = KilledCheck(judged=30, called_equivalent=1)
    return scan_result(example_verdicts(), killed, killed=check, **fields)


def mutation_scores(verdicts: Iterable[ScanVerdict], counts: Counter[Status]) -> MutationScores:
    """Scores of a report with these statuses, given the verdicts on its undetected mutants."""
    equivalent = sum(v.counts for v in verdicts if v.mutant.status in UNDETECTED)
    return MutationScores(
        detected=sum(counts[status] for status in DETECTED),
        undetected=sum(counts[status] for status in UNDETECTED),
        equivalent=equivalent,
    )
