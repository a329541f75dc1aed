"""Which rows of two runs differ, with false alarms controlled over all rows of the comparison. Next: comparison.py.

Everything is in logarithms of speeds. A row's difference between the runs is

    change of the row + what the machine changed for all rows + what it changed for this row + noise of its rounds

- noise of the rounds: variances of single rows, from a handful of rounds, are drawn towards what the rows have in
  common by empirical Bayes (Smyth 2004, as in limma), as far as the rows are alike;
- what the machine changed for all rows: the median over the rows. How much of it reached one row is unknown, so a row
  must differ from 1, from the median and from the median of the rows that use no Fortran (the ceilings);
- what it changed for one row, as memory and files lie elsewhere in each run: one variance for all rows, so large that
  the middle half of the rows lies where Student's t distribution has it.

The intervals hold all rows together with 95 % (Bonferroni). test_differences.py simulates all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.model.solvers import digamma, student_quantiles, trigamma

Vector = NDArray[np.float64]

FAMILY_ERROR = 0.05  # of all comparisons of a thing with itself, how many may report any difference
FEWEST_ROUNDS = 3  # on each side: with two, one slow transfer decides
FEWEST_ROWS = 5  # from which the machine's change can be told from that of a row
UNKNOWN_SHIFT = 0.10  # what the machine may have changed where the rows are too few to say
FEWEST_REFERENCES = 3
OWN_LEAST = 0.007  # standard deviation between two runs that no row is expected to go below
SMALLEST_NOISE = 1e-4  # resolution of a time
MOST_PRIOR = 8.0  # rounds' worth that the common variance counts at most,
OWN_FREEDOM = 5.0  # what a run does to one row has long tails
MOST_FREEDOM = 12.0  # and how far the tails of the noise may be called normal


@dataclass(frozen=True)
class Pair:
    """The speeds of one row in both runs. A reference is a row that no Fortran run time takes part in."""

    a: Sequence[float]
    b: Sequence[float]
    reference: bool = False


@dataclass(frozen=True)
class Change:
    """ln(B / A) of one row, and the interval of it that holds all rows of the comparison together with 95 %.

    The interval covers what the machine may have changed as well, so one that leaves out 0 is a change of the row.
    """

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Found:
    """`changes` in the order of the pairs, None where the rounds are too few. Logarithms."""

    changes: list[Change | None]
    shift: float | None  # median of all rows; None where there are too few
    reference_shift: float | None  # median of the references
    own: float  # standard deviation of what changed for each row by itself
    noise: float  # of one round


def differences(pairs: Sequence[Pair]) -> Found:
    """What changed from A to B in each row."""
    enough = [k for k, pair in enumerate(pairs) if min(len(pair.a), len(pair.b)) >= FEWEST_ROUNDS]
    changes: list[Change | None] = [None] * len(pairs)
    if not enough:
        return Found(changes, None, None, 0.0, 0.0)
    chosen = [pairs[k] for k in enough]
    sides = [(np.log(np.asarray(pair.a)), np.log(np.asarray(pair.b))) for pair in chosen]
    ratios = np.array([b.mean() - a.mean() for a, b in sides])
    freedom = np.array([len(a) + len(b) - 2.0 for a, b in sides])
    weights = np.array([1 / len(a) + 1 / len(b) for a, b in sides])
    squares = np.array([((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum() for a, b in sides])
    variances, freedom = squeezed(np.maximum(squares / freedom, SMALLEST_NOISE**2), freedom)
    noise = variances * weights

    count = len(chosen)
    shift = float(np.median(ratios)) if count >= FEWEST_ROWS else None
    own = own_variance(ratios - shift, noise, freedom) if shift is not None else OWN_LEAST**2
    probability = 1 - FAMILY_ERROR / 2 / count
    of_own = min(0.4 * (count - 1), OWN_FREEDOM)  # the median square of so many rows knows as much as 0.4 of them
    of_noise = student_quantiles(probability, np.minimum(freedom, MOST_FREEDOM))
    for_own = float(student_quantiles(probability, np.array(max(of_own, 1.0))))
    reach = (of_noise * noise + for_own * own) / np.sqrt(noise + own)  # Cochran's approximation
    if shift is not None:
        reach = np.hypot(reach, float(np.median(reach)) * 1.25 / np.sqrt(count))  # the median is not exact either

    marked = np.array([pair.reference for pair in chosen])
    reference_shift = float(np.median(ratios[marked])) if marked.sum() >= FEWEST_REFERENCES else None
    known = [0.0, shift] if shift is not None else [-UNKNOWN_SHIFT, UNKNOWN_SHIFT]
    if shift is not None and reference_shift is not None:
        error = 1.25 * np.sqrt(np.median((noise + own)[marked]) / marked.sum())
        if abs(reference_shift - shift) > 2 * error:  # else it is the same shift, known less well
            known.append(reference_shift)
    least, most = ratios - max(known) - reach, ratios - min(known) + reach
    for k, ratio, low, high in zip(enough, ratios, least, most, strict=True):
        changes[k] = Change(float(ratio), float(low), float(high))
    return Found(changes, shift, reference_shift, float(np.sqrt(own)), float(np.sqrt(np.median(variances))))


def squeezed(variances: Vector, freedom: Vector) -> tuple[Vector, Vector]:
    """Variances drawn towards the common one, and their degrees of freedom (Smyth 2004, section 6.2)."""
    if len(variances) < 2:
        return variances, freedom
    logs = np.log(variances) - digamma(freedom / 2) + np.log(freedom / 2)
    spread = float(np.var(logs, ddof=1)) - float(np.mean(trigamma(freedom / 2)))
    prior = min(2 * trigamma_inverse(spread), MOST_PRIOR) if spread > 0 else MOST_PRIOR
    half = np.array(prior / 2)
    common = np.exp(np.mean(logs) + digamma(half) - np.log(half))
    return (prior * common + freedom * variances) / (prior + freedom), freedom + prior


def trigamma_inverse(value: float) -> float:
    """By Newton's method, which converges from this start (Smyth 2004, appendix)."""
    found = 0.5 + 1 / value
    for _ in range(50):
        here = float(trigamma(np.array(found)))
        step = here * (1 - here / value) / float(trigamma(np.array(found), 1))
        found += step
        if abs(step) < 1e-9 * found:
            break
    return found


def own_variance(relative: Vector, noise: Vector, freedom: Vector) -> float:
    """What each row changes by itself: the variance beside `noise` with which half of the rows lie inside of theirs."""
    middle = student_quantiles(0.75, np.minimum(freedom, MOST_FREEDOM)) ** 2
    high = float(np.max(relative**2) + OWN_LEAST**2)
    low = OWN_LEAST**2

    def excess(own: float) -> float:
        return float(np.median(relative**2 / (middle * (noise + own)))) - 1

    if excess(low) <= 0:
        return low
    for _ in range(30):
        middle_own = (low * high) ** 0.5
        low, high = (middle_own, high) if excess(middle_own) > 0 else (low, middle_own)
    return high
