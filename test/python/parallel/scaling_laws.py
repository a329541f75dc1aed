"""Laws of scaling that are not the model's own, and machines that follow its own: seconds against MPI ranks."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headrace.model.scaling import Place, Point
from headrace.model.scaling_terms import NAMES, Storage, bases_of, log_seconds

MIB = 2.0**20
GIB = 2.0**30
Law = Callable[[int, int], float]  # MPI ranks, nodes


@dataclass(frozen=True)
class World:
    """A law with the way it is measured."""

    law: Law
    pattern: str = "file_per_process"
    per_node: int = 0  # MPI ranks on a node; 0: all on one
    strong: bool = False

    def place(self, ranks: int) -> Place:
        nodes = max(1, math.ceil(ranks / self.per_node)) if self.per_node else 1
        bytes_ = 1024 * MIB if self.strong else 64 * MIB * ranks
        return Place(ranks, nodes, bytes_, self.pattern)

    def seconds(self, ranks: int) -> float:
        return self.law(ranks, self.place(ranks).nodes)

    def points(self, counts: tuple[int, ...], noise: float, random: np.random.Generator, runs: int = 3) -> list[Point]:
        places = [self.place(n) for n in counts]
        return [
            Point(p.ranks, p.nodes, p.bytes, p.pattern, seconds=self.run(p.ranks, noise, random))
            for p in places
            for _ in range(runs)
        ]

    def run(self, ranks: int, noise: float, random: np.random.Generator) -> float:
        return self.seconds(ranks) * math.exp(noise * random.standard_normal())


def own(pattern: str, sharpness: float = 3, per_node: int = 0, strong: bool = False, **costs: float) -> World:
    """A machine that follows the model's own formula."""
    theta = np.append(np.log(np.maximum([costs.get(name, 0.0) for name in NAMES], 1e-300)), math.log(sharpness))

    def law(ranks: int, nodes: int) -> float:
        basis = bases_of([world.place(ranks)], Storage())
        return float(np.exp(log_seconds(theta, basis)[0][0]))

    world = World(law, pattern, per_node, strong)
    return world


def usl(ranks: int, nodes: int) -> float:
    """Gunther's universal scalability law: contention and coherency."""
    return 0.05 * (1 + 0.03 * (ranks - 1) + 0.0008 * ranks * (ranks - 1))


def late_usl(ranks: int, nodes: int) -> float:
    """The same with a coherency that the small counts hardly show."""
    return 0.05 * (1 + 0.05 * (ranks - 1) + 5e-5 * ranks * (ranks - 1))


def cliff(ranks: int, nodes: int) -> float:
    """A node saturates; from the second node on everything takes three times as long."""
    return 0.05 * max(1.0, min(ranks, 16) / 6) * (3 if nodes > 1 else 1)


FOREIGN = {
    "USL": World(usl, "shared_independent"),
    "USL, file per process": World(usl),
    "USL, late": World(late_usl),
    "n^1.3": World(lambda n, _: 0.02 * n**1.3),
    "n^1.3 after a fixed time": World(lambda n, _: 0.2 + 0.004 * n**1.3, "shared_independent"),
    "Amdahl plus log": World(lambda n, _: 0.4 * (0.1 + 0.9 / n) + 0.02 * math.log2(n), strong=True),
    "square root": World(lambda n, _: 0.05 * (1 + 0.5 * math.sqrt(n))),
    "logarithm": World(lambda n, _: 0.05 * (1 + 0.5 * math.log(n))),
    "cliff at the node boundary": World(cliff, per_node=16),
    "quadratic lock contention": World(lambda n, _: 0.1 + 2e-5 * n**2, "shared_independent"),
    "knee beyond the points": World(lambda n, _: 0.05 * math.sqrt(1 + (n / 100) ** 2)),
    "n^-0.7, strong": World(lambda n, _: 0.4 * n**-0.7, strong=True),
}
OWN = {
    "file per process": own(
        "file_per_process", latency=1e-3, operation=2e-5, rank=1 / (1.5 * GIB), target=1 / (40 * GIB)
    ),
    "file per process, several nodes": own(
        "file_per_process",
        per_node=16,
        latency=1e-3,
        operation=2e-5,
        rank=1 / (1.5 * GIB),
        node=1 / (8 * GIB),
        target=1 / (40 * GIB),
    ),
    "file per process, strong": own(
        "file_per_process", strong=True, latency=1e-3, operation=1e-5, rank=1 / (1.5 * GIB), target=1 / (5 * GIB)
    ),
    "serial": own("serial", latency=2e-3, operation=1e-4, rank=1 / GIB),
    "shared": own("shared_independent", latency=2e-3, rank=1 / GIB, target=1 / (6 * GIB), lock=1 / (600 * GIB)),
    "hard limits": own("file_per_process", sharpness=8, latency=1e-3, rank=1 / (1.5 * GIB), target=1 / (12 * GIB)),
    "parts that wait for each other": own(
        "file_per_process", sharpness=1.2, latency=1e-3, rank=1 / (1.5 * GIB), target=1 / (12 * GIB)
    ),
}
