"""Median, quartiles and the interval of the median, without assuming a distribution."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headrace.later import later
from headrace.results.records import Statistics
from headrace.results.run import Row

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy")

COVERAGE = 0.95


def describe(values: Sequence[float]) -> Statistics:
    """Summarise at least one value.

    The interval of the median comes from order statistics: between the k-th smallest and the k-th largest value lies
    the median with a probability that the binomial distribution gives. Six values are needed for 95 %; with fewer
    the whole range is given together with what it really covers.
    """
    ordered = sorted(values)
    n = len(ordered)
    k = interval_rank(n)
    lower, middle, upper = (float(q) for q in np.quantile(ordered, (0.25, 0.5, 0.75)))
    return Statistics(
        n=n,
        median=middle,
        lower_quartile=lower,
        upper_quartile=upper,
        minimum=ordered[0],
        maximum=ordered[-1],
        low=ordered[k - 1],
        high=ordered[n - k],
        confidence=_coverage(n, k),
    )


def interval_rank(n: int) -> int:
    """The largest k whose interval still covers the median with 95 %; 1 when none does."""
    k = 1
    while 2 * (k + 1) <= n and _coverage(n, k + 1) >= COVERAGE:
        k += 1
    return k


def relative_width(statistics: Statistics) -> float:
    """Width of the interval as a share of the median."""
    return (statistics.high - statistics.low) / statistics.median if statistics.median > 0 else math.inf


def paired_ratio(left: dict[int, float], right: dict[int, float]) -> list[float]:
    """left / right, round by round, for the rounds that both have."""
    return [left[r] / right[r] for r in sorted(left.keys() & right.keys()) if right[r] > 0]


def ratio_of(above: Row, below: Row) -> float:
    """Median of the round-by-round ratios of two rows' bandwidths; of their medians if no round has both."""
    ratios = paired_ratio(above.bandwidths, below.bandwidths)
    if ratios:
        return float(np.median(ratios))
    return above.median / below.median if below.median > 0 else math.nan


def _coverage(n: int, k: int) -> float:
    outside: float = sum(math.comb(n, i) for i in range(k)) / 2**n
    return max(0.0, 1 - 2 * outside)
