"""How often a comparison of a thing with itself reports a difference, and how often a true one is found: by simulation.

HEADRACE_TEST_LONG=1 simulates 2,000 comparisons of each size and world instead of a few dozen.
"""

import math
import os
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from headrace.results.differences import Change, Pair, differences, squeezed, trigamma_inverse
from headrace.results.solvers import trigamma
from simulated_runs import WORLDS, World, simulate

LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
SIZES = list(product((27, 83, 147), (3, 6, 9))) if LONG else [(27, 3), (83, 6), (147, 3)]
COMPARISONS = 2000 if LONG else 60
PROMISED = 0.05
# The seeds are fixed, so these are no tests that fail now and then: what a change of the code may move it by, 3 sigma.
ALLOWANCE = 3 * math.sqrt(PROMISED * (1 - PROMISED) / COMPARISONS)
DEFAULT_ROUNDS = 3


def differs(change: Change | None) -> bool:
    return change is not None and (change.low > 0 or change.high < 0)


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", WORLDS)
def test_a_thing_compared_with_itself_rarely_differs(name: str) -> None:
    """In each size within the promise but for chance, and over all sizes within it."""
    shares = []
    for rows, rounds in SIZES:
        random = np.random.default_rng(100 * rows + rounds)
        alarms = 0
        for _ in range(COMPARISONS):
            alarms += any(map(differs, differences(simulate(WORLDS[name], rows, rounds, random)).changes))
        shares.append(alarms / COMPARISONS)
        print(f"{name}: {rows} rows, {rounds} rounds: {100 * shares[-1]:.2f} % of comparisons report a difference")
        assert shares[-1] <= PROMISED + ALLOWANCE
    assert float(np.mean(shares)) <= PROMISED


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("rows", [27, 83, 147])
def test_a_change_of_a_fifth_is_found(rows: int) -> None:
    """One row 20 % faster or slower, 3 % noise, as many rounds as bench does by default."""
    random = np.random.default_rng(rows)
    hits, comparisons = 0, 2000 if LONG else 200
    for _ in range(comparisons):
        change, row, sign = np.zeros(rows), random.integers(rows // 3, rows), random.choice([-1, 1])
        change[row] = sign * math.log(1.2)
        found = differences(simulate(World(), rows, DEFAULT_ROUNDS, random, change)).changes[row]
        assert found is not None
        hits += found.low > 0 if sign > 0 else found.high < 0
    print(f"{rows} rows: {100 * hits / comparisons:.1f} % of changes of 20 % found at {DEFAULT_ROUNDS} rounds")
    assert hits / comparisons >= 0.9


def test_more_rounds_find_smaller_changes() -> None:
    random = np.random.default_rng(1)
    widths = []
    for rounds in (3, 6, 12):
        changes = differences(simulate(World(), 83, rounds, random)).changes
        widths.append(np.median([change.high - change.low for change in changes if change is not None]))
    assert widths[0] > 1.3 * widths[1] > 1.3 * widths[2] * 1.1


def test_changes_of_a_third_of_the_rows_are_found() -> None:
    """The middle half of the rows must not take what a third of them changed for what the machine did."""
    random = np.random.default_rng(2)
    change = np.where(np.arange(90) >= 60, math.log(1.5), 0.0)
    found = differences(simulate(World(), 90, 6, random, change)).changes
    assert [differs(each) for each in found] == [False] * 60 + [True] * 30


MANY_ROWS, MANY_REFERENCES, MANY_ROUNDS = 46, 6, 5
# Of the rows other than references, the factor, and the share of the changed rows that must be found.
MANY = [(0.3, 0.8, 0.9), (0.6, 0.8, 0.6), (1.0, 0.8, 0.9), (0.3, 0.5, 0.97), (0.6, 0.5, 0.97), (1.0, 0.5, 0.97)]


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(("share", "factor", "least"), MANY)
def test_changes_of_many_rows_are_found(share: float, factor: float, least: float) -> None:
    """A compiler that halves everything has changed everything, for the references have stayed as they were."""
    found, alarms = changes_of_many(share, np.full(MANY_ROWS, factor), 1.0)
    print(f"{100 * share:.0f} % of the rows times {factor}: {100 * found:.1f} % found, {100 * alarms:.1f} % false")
    assert found >= least
    assert alarms <= PROMISED


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("share", "machine", "least"),
    [(0.3, 1.0, 0.9), (0.6, 1.0, 0.9), (1.0, 1.0, 0.8), (0.3, 1.15, 0.8), (0.6, 1.15, 0.25), (1.0, 1.15, 0.5)],
)
def test_changes_of_many_rows_by_unlike_factors_are_found(share: float, machine: float, least: float) -> None:
    """Between 0.4 and 0.8. Fewer on a machine that became faster: it may have reached other rows more or less."""
    factors = np.exp(np.random.default_rng(5).uniform(math.log(0.4), math.log(0.8), MANY_ROWS))
    found, alarms = changes_of_many(share, factors, machine)
    print(f"{100 * share:.0f} % of the rows, machine {machine}: {100 * found:.1f} % found, {100 * alarms:.1f} % false")
    assert found >= least
    assert alarms <= PROMISED


def changes_of_many(share: float, factors: NDArray[np.float64], machine: float) -> tuple[float, float]:
    """Of the changed rows, the share that is found; of the comparisons, the share that reports any other row."""
    random = np.random.default_rng(11)
    changed = np.arange(MANY_ROWS) >= MANY_REFERENCES
    changed &= np.arange(MANY_ROWS) < MANY_REFERENCES + round(share * (MANY_ROWS - MANY_REFERENCES))
    hits, alarms, comparisons = 0.0, 0, 1000 if LONG else 40
    for _ in range(comparisons):
        change = np.where(changed, np.log(factors), 0.0) + math.log(machine)
        pairs = simulate(World(), MANY_ROWS, MANY_ROUNDS, random, change)
        pairs = [Pair(pair.a, pair.b, k < MANY_REFERENCES) for k, pair in enumerate(pairs)]
        found = differences(pairs).changes
        hits += float(np.mean([each is not None and each.high < 0 for each in np.array(found)[changed]]))
        alarms += any(differs(each) for each in np.array(found)[~changed])
    return hits / comparisons, alarms / comparisons


def test_times_without_any_noise_give_no_division_by_zero() -> None:
    found = differences([Pair((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))] * 9)
    assert not any(map(differs, found.changes))


def test_two_rounds_are_too_few() -> None:
    found = differences([Pair((1.0, 1.0), (9.0, 9.0, 9.0))] * 9)
    assert found.changes == [None] * 9 and found.shift is None


def test_variances_are_drawn_together_as_far_as_the_rows_are_alike() -> None:
    random = np.random.default_rng(3)
    freedom = np.full(200, 4.0)
    chi = random.chisquare(4, 200) / 4
    alike, known = squeezed(chi * 0.03**2, freedom)
    assert np.std(np.log(alike)) < 0.4 * np.std(np.log(chi)) and known[0] == 12
    spread = np.exp(2 * random.standard_normal(200))
    unlike, known = squeezed(chi * spread, freedom)
    assert np.std(np.log(unlike)) > 0.7 * np.std(np.log(chi * spread)) and known[0] < 5.5


@pytest.mark.parametrize("value", [1e-3, 0.1, 1.0, 50.0, 1e4])
def test_trigamma_inverse(value: float) -> None:
    assert float(trigamma(np.array(trigamma_inverse(value)))) == pytest.approx(value, rel=1e-6)
