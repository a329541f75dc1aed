"""Whether a figure can be believed: the one judge of all benchmarks, and the one meaning of enough. Next: run.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from headrace.results.records import Statistics, Verdict
from headrace.results.statistics import describe, interval_rank, relative_width

ENOUGH = 6  # samples without which there is no 95 % interval
NOISY = 0.10  # width of the interval as a share of the median
EVICTED = 0.01  # share of pages that may have stayed in the page cache of a cold read
LASTED = 0.9  # of the shortest time that was asked for: clocks and passes are whole numbers


@dataclass(frozen=True)
class Evidence:
    """What is known about a row. `of_ceiling`: shares of the ceiling in the same rounds; beyond `margin` is doubt."""

    statistics: Statistics
    lasted: float  # seconds of all passes of a sample
    least: float  # seconds that were asked for
    of_ceiling: Sequence[float] = ()
    margin: float = 1.10
    cached_share: float | None = None  # of a cold read: pages that were still in the page cache
    verified: bool = True


def steadiness(statistics: Statistics) -> Verdict:
    """'noisy' with fewer samples than a 95 % interval needs, or an interval wider than 10 % of the median."""
    few = statistics.n < ENOUGH
    return "noisy" if few or relative_width(statistics) > NOISY else "valid"


def settled(values: Sequence[float], least: int = ENOUGH) -> bool:
    """Whether no further sample is needed: the same rule that makes a row valid."""
    n = len(values)
    if n < max(least, ENOUGH):
        return False
    ordered, k = sorted(values), _rank(n)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    return ordered[n - k] - ordered[k - 1] <= NOISY * middle


@cache
def _rank(n: int) -> int:
    return interval_rank(n)


def judge(evidence: Evidence) -> tuple[Verdict, str]:
    """The verdict, and why if it is not to be seen in the row. The gravest doubt wins."""
    if not evidence.verified:
        return "unverified", "nobody has compared the contents"
    share = evidence.cached_share
    if share is not None and share > EVICTED:
        return "unknown", f"{share:.0%} of the pages stayed in the page cache: not a cold read"
    above = doubt(evidence.of_ceiling, evidence.margin)
    if above == "cache-suspect":
        return above, ""
    if evidence.lasted < LASTED * evidence.least:
        return "too-short", ""
    if evidence.statistics.n < ENOUGH:
        return "noisy", f"{evidence.statistics.n} of the {ENOUGH} samples that an interval needs"
    return ("noisy", "") if above else (steadiness(evidence.statistics), "")


def doubt(of_ceiling: Sequence[float], margin: float) -> Verdict | None:
    """Faster than the ceiling: 'cache-suspect' if the interval says so, 'noisy' if only the median does."""
    if not of_ceiling:
        return None
    found = describe(of_ceiling)
    if found.median <= margin:
        return None
    return "cache-suspect" if found.n >= ENOUGH and found.low > margin else "noisy"
