"""The interval of the median."""

import numpy as np
import pytest

from headrace.results.statistics import describe, interval_rank, paired_ratio, ratio_of, relative_width
from test_comparison import row_with


@pytest.mark.parametrize(("n", "rank"), [(1, 1), (5, 1), (6, 1), (8, 1), (9, 2), (12, 3), (20, 6)])
def test_ranks_are_those_of_the_published_tables(n: int, rank: int) -> None:
    # Conover, Practical Nonparametric Statistics, table of the binomial: intervals of at least 95 %
    assert interval_rank(n) == rank


def test_few_values_give_their_range_and_say_what_it_covers() -> None:
    s = describe([3.0, 1.0, 2.0])
    assert (s.low, s.median, s.high, s.n) == (1.0, 2.0, 3.0, 3)
    assert s.confidence == pytest.approx(0.75)


def test_the_interval_covers_the_median_as_often_as_it_says() -> None:
    generator = np.random.default_rng(7)
    covered = 0
    for _ in range(2000):
        s = describe(list(generator.exponential(size=11)))
        covered += s.low <= np.log(2) <= s.high
    assert covered / 2000 > 0.94


def test_ratios_are_taken_round_by_round() -> None:
    assert paired_ratio({0: 2.0, 1: 6.0, 3: 9.0}, {0: 1.0, 1: 2.0, 2: 5.0}) == [2.0, 3.0]


def test_width_is_relative_to_the_median() -> None:
    assert relative_width(describe([90.0, 100.0, 110.0])) == pytest.approx(0.2)


def test_a_ratio_of_rows_pairs_their_rounds() -> None:
    """Both rows drift by a factor of ten from round to round; their ratio does not."""
    slow, fast = row_with([1.0, 10.0, 100.0]), row_with([2.0, 20.0, 200.0, 5.0])
    assert ratio_of(fast, slow) == pytest.approx(2.0)
    slow.bandwidths = {}
    assert ratio_of(fast, slow) == pytest.approx(12.5 / 10.0)
