"""Whether a candidate was faster: an exact interval of the median ratio, for all candidates of a trial together.

Runs are interleaved: every round has each candidate once, in random order, so that drift of the machine favours nobody,
and a ratio is taken within a round. Without a difference a ratio lies above 1 as often as below it, whatever the
noise: order statistics then give an interval without further assumptions. With m candidates each interval has the
confidence 1 - 0.05/m, so that all hold together with 95 %: a trial of things that are the same finds a difference in at
most one of twenty. test_advise_trials.py simulates it with known truth.
"""

import math
from collections.abc import Sequence

import numpy as np

from headrace.results.advised import Tried

ERROR = 0.05  # of a whole trial
LEAST = 1.02  # a smaller gain is not worth a line in a job script
NARROW = 1.10  # an interval that ends below promises nothing worth having


def rounds_needed(candidates: int) -> int:
    """Below so many rounds no interval has the confidence: 6 for one candidate, 9 for eight."""
    return math.ceil(math.log2(2 * candidates / ERROR))


def judge(before: Sequence[float], after: Sequence[float], candidates: int) -> Tried:
    """Seconds of the same rounds, without and with a candidate; `candidates` are all of the trial."""
    ratios = sorted(one / other for one, other in zip(before, after, strict=True))
    count = len(ratios)
    place = _interval_place(count, ERROR / candidates)
    factor = float(np.median(ratios)) if ratios else None
    if place == 0 or factor is None:
        return Tried(
            outcome="cannot tell",
            factor=factor,
            low=ratios[0] if ratios else None,
            high=ratios[-1] if ratios else None,
            rounds=count,
            confidence=max(0.0, 1 - candidates * 2 * 0.5**count) if count else 0.0,
            said=f"{rounds_needed(candidates)} rounds are needed: give it a longer --time-budget",
        )
    low, high = ratios[place - 1], ratios[count - place]
    found = Tried(outcome="cannot tell", factor=factor, low=low, high=high, rounds=count, confidence=1 - ERROR)
    if low > 1 and factor >= LEAST:
        found.outcome = "gains"
    elif high < 1:
        found.outcome = "slower"
    elif high < NARROW or low > 1:
        found.outcome = "gains nothing"
    else:
        found.said = "the runs differ too much from each other: give it a longer --time-budget"
    return found


def _interval_place(count: int, error: float) -> int:
    """The largest k: from the k-th smallest to the k-th largest ratio misses the median with at most `error`; or 0."""
    place = 0
    while 2 * (place + 1) <= count and 2 * sum(math.comb(count, i) for i in range(place + 1)) / 2**count <= error:
        place += 1
    return place
