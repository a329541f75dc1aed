"""Runs of a benchmark whose truth is known: noise, outliers, a machine that changes, rounds that are alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.results.differences import Pair

Vector = NDArray[np.float64]

NOISE = 0.03  # of one round, standard deviation of its logarithm


@dataclass(frozen=True)
class World:
    """How a machine disturbs a run. All are standard deviations of logarithms."""

    tails: float = 0  # degrees of freedom of Student's t; 0: normal
    unlike: float = 0  # by how much the rows' noise differs
    slow_share: float = 0  # samples that something else slowed down, by an exponential of 30 %
    own: float = 0  # of a row from run to run, t with 4 degrees of freedom
    shift: float = 0  # of all rows from run to run, each hit between half and one and a half times as much
    rounds: float = 0  # of all rows from round to round, a random walk
    storage: float = 0  # from run to run, of the third of the rows that wait for storage, the references among them
    rows_more: bool = False  # noisy rows get more rounds, up to three times as many


WORLDS = {
    "lognormal": World(),
    "heavy tails": World(tails=3, own=0.01),
    "rows unlike each other": World(unlike=0.7, own=0.01),
    "single transfers slowed down": World(slow_share=0.05),
    "a machine that drifts": World(shift=0.10, rounds=0.02, own=0.02),
    "storage of another speed": World(storage=0.15, own=0.01),
    "more rounds for noisy rows": World(unlike=0.7, rows_more=True, own=0.01),
    "all at once": World(4, 0.5, 0.02, 0.02, 0.05, 0.01, 0.05, True),
}


def simulate(
    world: World,
    rows: int,
    rounds: int,
    random: np.random.Generator,
    change: Vector | None = None,
    noise: float = NOISE,
) -> list[Pair]:
    """Two runs of `rows` rows; B differs by the logarithm `change` in each, by nothing if there is none."""
    scale = noise * np.exp(world.unlike * random.standard_normal(rows))
    counts = np.full(rows, rounds)
    if world.rows_more:
        counts = np.clip(np.round(rounds * scale / noise), rounds, 3 * rounds).astype(int)
    most = int(counts.max())
    speed = random.normal(5, 2, rows)
    hit = random.uniform(0.5, 1.5, rows)
    reference = np.arange(rows) < max(3, rows // 12)
    storage = reference | (random.random(rows) < 0.3)
    runs = []
    for side in range(2):
        own = world.own * random.standard_t(4, rows)
        machine = hit * world.shift * random.standard_normal() + storage * world.storage * random.standard_normal()
        walk = np.cumsum(world.rounds * random.standard_normal(most))
        if world.tails:
            single = random.standard_t(world.tails, (rows, most)) / np.sqrt(3 if world.tails <= 3 else 2)
        else:
            single = random.standard_normal((rows, most))
        slow = (random.random((rows, most)) < world.slow_share) * random.exponential(0.3, (rows, most))
        logs = (speed + own + machine)[:, None] + hit[:, None] * walk + scale[:, None] * single - slow
        if side and change is not None:
            logs = logs + change[:, None]
        runs.append(np.exp(logs))
    return [Pair(a[:n].tolist(), b[:n].tolist(), bool(r)) for a, b, n, r in zip(*runs, counts, reference, strict=True)]
