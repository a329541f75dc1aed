"""Intervals of the scaling model under laws that are not its own, and their coverage under its own.

HEADRACE_TEST_LONG=1 simulates 25 sets of measurements of each law instead of one or two.
"""

import math
import os

import numpy as np
import pytest

from headrace.model.scaling import Fit, Prediction, fit
from scaling_laws import FOREIGN, OWN, World

LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
COUNTS = (1, 2, 4, 8, 16, 32, 64)
FACTORS = (2, 4, 8, 16) if LONG else (2, 8)
PROMISED = 0.05
NOISE = 0.03


def answers(world: World, seeds: int) -> dict[int, list[bool | None]]:
    """By the factor beyond the largest measured number of MPI ranks: whether a new run lay inside; None: refused."""
    found: dict[int, list[bool | None]] = {factor: [] for factor in FACTORS}
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        model = fit(world.points(COUNTS, NOISE, random))
        for factor, outcomes in found.items():
            place = world.place(factor * COUNTS[-1])
            new = world.run(place.ranks, NOISE, random)
            answer = model.predict(place.ranks, place.nodes, place.bytes) if isinstance(model, Fit) else model
            inside = None
            if isinstance(answer, Prediction):
                inside = answer.seconds_low <= new <= answer.seconds_high
            outcomes.append(inside)
    return found


def tally(worlds: dict[str, World], seeds: int) -> dict[int, list[bool | None]]:
    sums: dict[int, list[bool | None]] = {factor: [] for factor in FACTORS}
    for name, world in worlds.items():
        for factor, outcomes in answers(world, seeds).items():
            print(
                f"{name}, {factor} times: {outcomes.count(True)} inside, {outcomes.count(False)} outside,"
                f" {outcomes.count(None)} refused"
            )
            sums[factor] += outcomes
    return sums


def allowed(answers: int) -> float:
    """Answers outside of their interval; of a few, two standard deviations more than promised."""
    return PROMISED * answers + (0 if LONG else 2 * math.sqrt(PROMISED * (1 - PROMISED) * answers))


@pytest.mark.timeout(7200)
def test_under_another_law_an_answer_holds_or_is_refused() -> None:
    """Of what is answered, 95 % lie inside; beyond 8 times, further than the check went, nothing is answered."""
    found = tally(FOREIGN, 25 if LONG else 1)
    given = [inside for outcomes in found.values() for inside in outcomes if inside is not None]
    assert len(given) >= 8 * (25 if LONG else 1), "refusing everything is no answer"
    assert given.count(False) <= allowed(len(given))
    if LONG:
        assert found[16].count(None) == len(found[16])


@pytest.mark.timeout(7200)
def test_under_its_own_law_it_answers_to_eight_times_and_holds() -> None:
    """Three in four are answered, and 95 % of those lie inside. Many nodes from few were refused before, and are."""
    found = tally({name: world for name, world in OWN.items() if not world.per_node}, 25 if LONG else 2)
    given = [inside for outcomes in found.values() for inside in outcomes if inside is not None]
    assert given.count(False) <= allowed(len(given))
    assert found[8].count(None) <= len(found[8]) / 4
    assert found[2].count(None) <= len(found[2]) / 10


def test_a_second_node_that_no_point_shows_is_refused() -> None:
    """A cliff at the boundary of the node cannot be seen from inside of it."""
    world = FOREIGN["cliff at the node boundary"]
    model = fit(world.points((1, 2, 4, 8, 16), NOISE, np.random.default_rng(0)))
    place = world.place(32)
    assert place.nodes == 2 and isinstance(model, Fit)
    answer = model.predict(place.ranks, place.nodes, place.bytes)
    assert not isinstance(answer, Prediction)
    assert "all points are on one node" in str(answer)
