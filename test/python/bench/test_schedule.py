"""The rule of enough samples, simulated with known truth; how a short time is spent."""

import random
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

from headrace.measure.engine.campaign import Campaign
from headrace.measure.engine.schedule import MOST_ROUNDS
from headrace.measure.engine.state import State, Unit
from headrace.results.records import Operation, Sample
from headrace.results.statistics import describe
from headrace.results.verdicts import ENOUGH, Evidence, doubt, judge, settled, steadiness

Shape = Literal["normal", "skewed", "outliers"]


@dataclass(frozen=True)
class Way:
    """What a simulated row does: seconds of a transfer, and its noise."""

    name: str
    seconds: float
    noise: float = 0.0
    shape: Shape = "normal"
    operation: Operation = "write"

    @property
    def key(self) -> str:
        return self.name


def drawn(way: Way, generator: np.random.Generator) -> float:
    """Seconds whose median is `way.seconds`."""
    if way.shape == "normal":
        return way.seconds * max(0.05, 1 + way.noise * generator.standard_normal())
    if way.shape == "skewed":
        return way.seconds * float(np.exp(way.noise * generator.standard_normal()))
    slow = generator.random() < 0.1
    return way.seconds * (1 + way.noise * generator.standard_normal() / 2 + slow * generator.random() * 5 * way.noise)


class Clock:
    """Time that passes as transfers say."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Simulated(Campaign[Way]):
    """Draws its times; a round costs what it draws and half a second."""

    def __init__(self, ways: list[Way], clock: Clock, seed: int, first: tuple[str, ...] = ()) -> None:
        units = [Unit([State(way, payload_bytes=10**6)], rank=int(way.name not in first)) for way in ways]
        for unit in units:
            unit.cost = unit.states[0].way.seconds
        super().__init__(units, 6, 0.0, seed, once=False)
        self.clock, self.generator = clock, np.random.default_rng(seed)
        self.order_of: list[str] = []

    def measure_once(self, unit: Unit[Way], number: int) -> None:
        (state,) = unit.states
        total = drawn(state.way, self.generator)
        self.clock.now += state.way.seconds
        self.order_of.append(state.way.key)
        state.samples.append(Sample(round=number, passes=1, total=total, user=0, system=0))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("headrace.measure.engine.campaign.time.monotonic", made)
    return made


@pytest.mark.parametrize("shape", ["normal", "skewed", "outliers"])
@pytest.mark.parametrize("noise", [0.01, 0.03, 0.05, 0.08])
def test_stopping_at_a_narrow_interval_biases_nothing(clock: Clock, shape: Shape, noise: float) -> None:
    """1,000 rows whose truth is known: the intervals hold it, and the medians scatter around it."""
    campaign = Simulated([Way(f"{i}", 1.0, noise, shape) for i in range(1000)], clock, seed=4)
    campaign.measure(1e18, lambda text: None)
    reference = Way("truth", 1.0, noise, shape)
    generator = np.random.default_rng(9)
    truth = float(np.median([1 / drawn(reference, generator) for _ in range(20_000)]))
    found = [describe(list(state.speeds().values())) for state in campaign.states.values()]
    covered = np.mean([s.low <= truth <= s.high for s in found])
    assert covered >= 0.92, covered
    assert abs(float(np.median([s.median for s in found])) / truth - 1) < 0.005
    valid = [s for s in found if steadiness(s) == "valid"]
    assert len(valid) >= 0.8 * len(found)
    assert np.mean([s.low <= truth <= s.high for s in valid]) >= 0.91


def test_a_very_noisy_machine_gives_no_verdict_by_chance(clock: Clock) -> None:
    campaign = Simulated([Way(f"{i}", 1.0, 0.20, "skewed") for i in range(500)], clock, seed=4)
    campaign.measure(1e18, lambda text: None)
    found = [describe(list(state.speeds().values())) for state in campaign.states.values()]
    assert np.mean([steadiness(s) == "valid" for s in found]) < 0.1
    assert max(s.n for s in found) == MOST_ROUNDS


def test_a_quiet_machine_gives_four_of_five_rows_a_verdict_in_the_time(clock: Clock) -> None:
    """As many rows as the default run has, at 3 % noise, with a third more time than ENOUGH rounds take."""
    ways = [Way(f"{i}", 0.25 + 0.01 * (i % 40), 0.03, "skewed") for i in range(150)]
    campaign = Simulated(ways, clock, seed=2)
    budget = 1.33 * ENOUGH * sum(way.seconds for way in ways)
    campaign.measure(budget, lambda text: None)
    verdicts = [steadiness(describe(list(s.speeds().values()))) for s in campaign.states.values() if s.samples]
    assert len(verdicts) == len(ways) and verdicts.count("valid") >= 0.8 * len(ways)
    assert clock.now <= budget + max(way.seconds for way in ways)


def test_a_short_time_gives_few_rows_that_are_valid_and_those_that_are_needed(clock: Clock) -> None:
    ways = [Way(f"{i}", 1.0, 0.01) for i in range(40)]
    campaign = Simulated(ways, clock, seed=3, first=("7", "31"))
    campaign.measure(30.0, lambda text: None)
    counts = {state.way.key: len(state.samples) for state in campaign.states.values()}
    assert counts["7"] >= ENOUGH and counts["31"] >= ENOUGH
    assert 4 <= sum(count >= ENOUGH for count in counts.values()) <= 5  # 30 s for 6 samples of a second
    assert clock.now <= 31


def test_what_is_sure_is_not_measured_again(clock: Clock) -> None:
    campaign = Simulated([Way("calm", 1.0, 0.001), Way("wild", 1.0, 0.3, "skewed")], clock, seed=3)
    campaign.measure(1e18, lambda text: None)
    assert len(campaign.states["calm"].samples) == ENOUGH
    assert len(campaign.states["wild"].samples) > ENOUGH


def test_what_never_gives_a_sample_comes_to_an_end(clock: Clock) -> None:
    campaign = Simulated([Way("mute", 1.0, 0.001), Way("calm", 1.0, 0.001)], clock, seed=3)
    campaign.states["mute"].payload_bytes = 0
    measure = campaign.measure_once

    def without_samples(unit: Unit[Way], number: int) -> None:
        measure(unit, number)
        campaign.states["mute"].samples.clear()

    campaign.measure_once = without_samples  # type: ignore[method-assign]
    campaign.measure(1e18, lambda text: None)
    assert campaign.order_of.count("mute") == MOST_ROUNDS and campaign.order_of.count("calm") == ENOUGH


def test_what_waits_for_others_still_gets_its_rounds(clock: Clock) -> None:
    """More waves of six than one row may have rounds."""
    campaign = Simulated([Way(f"{i}", 1.0, 0.001) for i in range(60)], clock, seed=3)
    for place, unit in enumerate(campaign.units):
        unit.rank = place
        unit.cost = 50.0  # as a first guess: ten at a time fit
    campaign.measure(500.0, lambda text: None)
    assert all(len(state.samples) >= ENOUGH for state in campaign.states.values())


def test_ways_are_interleaved_in_random_order(clock: Clock) -> None:
    campaign = Simulated([Way(name, 1.0, 0.001) for name in "abcdef"], clock, seed=3)
    campaign.measure(1e18, lambda text: None)
    rounds = ["".join(campaign.order_of[i : i + 6]) for i in range(0, 36, 6)]
    assert all(sorted(one) == list("abcdef") for one in rounds) and len(set(rounds)) > 3


def test_one_rule_for_enough_and_for_valid() -> None:
    generator = random.Random(1)
    for _ in range(2000):
        values = [
            generator.lognormvariate(0, generator.choice((0.01, 0.05, 0.2))) for _ in range(generator.randrange(1, 20))
        ]
        assert settled(values) == (steadiness(describe(values)) == "valid")


def test_the_gravest_doubt_is_the_verdict() -> None:
    calm = describe([100.0] * 6)
    assert judge(Evidence(calm, 1.0, 0.2)) == ("valid", "")
    assert judge(Evidence(calm, 0.1, 0.2))[0] == "too-short"
    assert judge(Evidence(calm, 1.0, 0.2, of_ceiling=[1.5] * 6))[0] == "cache-suspect"
    assert judge(Evidence(calm, 1.0, 0.2, of_ceiling=[1.5, 1.5, 1.5, 1.5, 1.5, 1.0]))[0] == "noisy"
    assert judge(Evidence(calm, 1.0, 0.2, cached_share=0.5)) == (
        "unknown",
        "50% of the pages stayed in the page cache: not a cold read",
    )
    assert judge(Evidence(calm, 1.0, 0.2, cached_share=0.5, verified=False))[0] == "unverified"
    assert judge(Evidence(describe([100.0] * 3), 1.0, 0.2)) == ("noisy", "3 of the 6 samples that an interval needs")
    assert doubt([1.0] * 6, 1.1) is None


def test_the_number_of_passes_is_fixed_before_the_first_sample() -> None:
    state = State(Way("w", 1.0))
    state.plan_passes(0.01, 0.2)
    assert state.passes == 23
    assert state.replanned(0.1, 0.2) and state.passes == 53  # it lasted half as long as it should: no sample
    assert not state.replanned(0.2, 0.2)
    state.samples.append(Sample(round=0, passes=53, total=0.004, user=0, system=0))
    assert not state.replanned(0.01, 0.2) and state.passes == 53, "later ones change nothing, however short"


def test_companions_take_a_third_of_the_time_at_most(clock: Clock) -> None:
    """Ceilings run in the rounds of what is compared with them, but never instead of it."""
    campaign = Simulated([Way(f"ceiling {i}", 1.0) for i in range(5)] + [Way(f"{i}", 1.0) for i in range(20)], clock, 3)
    for unit in campaign.units[:5]:
        unit.companion = True
    campaign.measure(40.0, lambda text: None)
    counts = {state.way.key: len(state.samples) for state in campaign.states.values()}
    assert sum(counts[f"{i}"] >= ENOUGH for i in range(20)) >= 4
    assert 1 <= sum(counts[f"ceiling {i}"] >= ENOUGH for i in range(5)) <= 3
    assert clock.now <= 41
