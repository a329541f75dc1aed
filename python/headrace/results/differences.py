"""Which rows of two runs differ, with false alarms controlled over all rows of the comparison. Next: comparison.py.

Everything is in logarithms of speeds. A row's difference between the runs is

    change of the row + what the machine changed for all rows + what it changed for this row + noise of its rounds

- noise of the rounds: variances of single rows, from a handful of rounds, are drawn towards what the rows have in
  common by empirical Bayes (Smyth 2004, as in limma), as far as the rows are alike;
- what the machine changed for all rows: the median over the rows. How much of it reached one row is unknown, so a row
  must differ from 1, from the median and from the median of the rows that use no Fortran (the ceilings). If the median
  over all rows is further away than the ceilings allow, most rows have changed: then the ceilings say what the machine
  did, and half as much again is allowed for;
- what it changed for one row, as memory and files lie elsewhere in each run: one variance for all rows, so large that
  the middle half of the rows lies where Student's t distribution has it. Rows far outside, if they are many, have
  changed and are ignored.

The intervals hold all rows together with 95 % (Bonferroni). test_differences.py simulates all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.results.solvers import digamma, student_quantiles, trigamma

Vector = NDArray[np.float64]

FAMILY_ERROR = 0.05  # of all comparisons of a thing with itself, how many may report any difference
FEWEST_ROUNDS = 3  # on each side: with two, one slow transfer decides
FEWEST_ROWS = 5  # from which the machine's change can be told from that of a row
UNKNOWN_SHIFT = 0.10  # what the machine may have changed if the rows are too few to say
FEWEST_REFERENCES = 3
OWN_LEAST = 0.007  # standard deviation between two runs that no row is expected to go below
SMALLEST_NOISE = 1e-4  # resolution of a time
MOST_PRIOR = 8.0  # rounds' worth that the common variance counts at most,
OWN_FREEDOM = 5.0  # what a run does to one row has long tails
CERTAIN = 2.5  # standard errors
UNLIKE = 0.5  # of what the machine did to the references, by how much more it may have reached other rows
TRIMMED = 0.99  # a row beyond this quantile does not tell what happens to unchanged ones
MOST_STEPS = 20
LEAST_KEPT = 1 / 3  # of the rows
MOST_KEPT = 0.9  # so few that lie far outside may be the tails, and change little
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
    """`changes` in the order of the pairs, None if the rounds are too few. Logarithms."""

    changes: list[Change | None]
    shift: float | None  # median of all rows; None if there are too few
    reference_shift: float | None  # median of the references
    by_references: bool  # they say what the machine did, for all rows together have changed by more
    own: float  # standard deviation of what changed for each row by itself
    noise: float  # of one round


def differences(pairs: Sequence[Pair]) -> Found:
    """What changed from A to B in each row."""
    enough = [k for k, pair in enumerate(pairs) if min(len(pair.a), len(pair.b)) >= FEWEST_ROUNDS]
    changes: list[Change | None] = [None] * len(pairs)
    if not enough:
        return Found(changes, None, None, False, 0.0, 0.0)
    chosen = [pairs[k] for k in enough]
    sides = [(np.log(np.asarray(pair.a)), np.log(np.asarray(pair.b))) for pair in chosen]
    ratios = np.array([b.mean() - a.mean() for a, b in sides])
    freedom = np.array([len(a) + len(b) - 2.0 for a, b in sides])
    weights = np.array([1 / len(a) + 1 / len(b) for a, b in sides])
    squares = np.array([((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum() for a, b in sides])
    variances, freedom = squeezed(np.maximum(squares / freedom, SMALLEST_NOISE**2), freedom)
    noise = variances * weights

    count = len(chosen)
    marked = np.array([pair.reference for pair in chosen])
    shift = float(np.median(ratios)) if count >= FEWEST_ROWS else None
    reference_shift = float(np.median(ratios[marked])) if marked.sum() >= FEWEST_REFERENCES else None
    machine = _machine(ratios, noise, freedom, marked, shift, reference_shift)
    tails = np.minimum(freedom, MOST_FREEDOM)
    of_noise = student_quantiles(1 - FAMILY_ERROR / 2 / count, tails)
    reach = np.full(count, np.inf)
    for own, rows in machine.own:
        # the median square of so many rows knows as much as 0.4 of them
        of_own = max(min(0.4 * (rows - 1), OWN_FREEDOM), 1.0)
        for_own = float(student_quantiles(1 - FAMILY_ERROR / 2 / count, np.array(of_own)))
        reach = np.minimum(reach, (of_noise * noise + for_own * own) / np.sqrt(noise + own))  # Cochran's approximation
    if shift is not None:  # a median is not exact either
        reach = np.hypot(reach, float(np.median(reach)) * 1.25 / np.sqrt(machine.basis))
    least, most = ratios - max(machine.known) - reach, ratios - min(machine.known) + reach
    for k, ratio, low, high in zip(enough, ratios, least, most, strict=True):
        changes[k] = Change(float(ratio), float(low), float(high))
    own, round_noise = (float(np.sqrt(each)) for each in (machine.own[0][0], np.median(variances)))
    return Found(changes, shift, reference_shift, machine.by_references, own, round_noise)


@dataclass(frozen=True)
class _Machine:
    """What the machine may have done: to all rows any of `known`, which `basis` rows tell; to each row by itself `own`.

    `own` are variances that each hold, and the number of rows that tell them.
    """

    known: list[float]
    basis: int
    own: list[tuple[float, int]]
    by_references: bool = False


def _machine(
    ratios: Vector,
    noise: Vector,
    freedom: Vector,
    marked: NDArray[np.bool_],
    shift: float | None,
    reference_shift: float | None,
) -> _Machine:
    """If the references and all rows together differ, the references say what the machine did: they use no Fortran."""
    count = len(ratios)
    if shift is None:
        return _Machine([-UNKNOWN_SHIFT, UNKNOWN_SHIFT], count, [(OWN_LEAST**2, count)])
    own = own_variance(ratios - shift, noise, freedom)
    if reference_shift is None:
        return _Machine([0.0, shift], count, [(own, count)])
    of_references = own_variance(ratios[marked] - reference_shift, noise[marked], freedom[marked])
    most, least = (
        1.25 * float(np.sqrt(np.median(noise[marked] + each) / marked.sum())) for each in (own, min(own, of_references))
    )
    margin = UNLIKE * abs(reference_shift) + CERTAIN * least
    low, high = min(0.0, reference_shift) - margin, max(0.0, reference_shift) + margin
    if low <= shift <= high:  # closer than that it is the same shift, known less well by the references
        also = [reference_shift] if abs(reference_shift - shift) > 2 * most else []
        return _Machine([0.0, shift, *also], count, [(own, count)])
    nearest = np.where(abs(ratios - shift) < abs(ratios - reference_shift), ratios - shift, ratios - reference_shift)
    own = own_variance(nearest, noise, freedom)
    known = [0.0, reference_shift, min(max(shift, low), high)]
    return _Machine(known, int(marked.sum()), [(own, count), (of_references, int(marked.sum()))], True)


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
    """What each row changes by itself.

    If many rows lie far outside of what the others show, they have changed: then the others alone tell. Those are found
    from the inside, as a few rows that lie close together, joined by what lies close to them.
    """
    whole = _middle_variance(relative, noise, freedom)
    far = student_quantiles(TRIMMED, np.minimum(freedom, OWN_FREEDOM))
    own, kept = OWN_LEAST**2, np.full(len(relative), False)
    for _ in range(MOST_STEPS):
        inside = abs(relative) <= far * np.sqrt(noise + own)
        if (inside == kept).all():
            break
        if inside.mean() < LEAST_KEPT:
            return whole
        kept = inside
        own = _middle_variance(relative[kept], noise[kept], freedom[kept])
    return own if kept.mean() < MOST_KEPT else whole


def _middle_variance(relative: Vector, noise: Vector, freedom: Vector) -> float:
    """The variance beside `noise` with which half of the rows lie inside of their middle half."""
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
