"""Points of the scaling model, made from known coefficients."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from headrace.model.scaling import Fit, Parameter, Place, Point, Prediction, Refusal, Storage
from headrace.model.scaling_terms import NAMES, bases_of, log_seconds

GIB = 2.0**30
MIB = 2.0**20
MACHINE = {"latency": 1e-3, "operation": 2e-5, "rank": 1 / (1.5 * GIB), "node": 1 / (8 * GIB), "target": 1 / (40 * GIB)}
ONE_NODE = {"latency": 1e-3, "operation": 1e-5, "rank": 1 / (1.5 * GIB), "target": 1 / (5 * GIB)}

Sizes = Sequence[tuple[int, int, float]]
True_ = Callable[[int, int, float], float]


def weak(nodes: Sequence[int], per_node: Sequence[int], mib: float = 64) -> Sizes:
    return [(r * n, n, r * n * mib * MIB) for n in nodes for r in per_node]


def strong(ranks: Sequence[int], mib: float = 512) -> Sizes:
    return [(r, 1, mib * MIB) for r in ranks]


def truth(machine: dict[str, float], pattern: str, sharpness: float = 3, storage: Storage | None = None) -> True_:
    costs = np.log(np.maximum([machine.get(name, 0.0) for name in NAMES], 1e-300))
    theta = np.append(costs, math.log(sharpness))

    def seconds(ranks: int, nodes: int, bytes_: float) -> float:
        basis = bases_of([Place(ranks, nodes, bytes_, pattern)], storage or Storage())
        return float(np.exp(log_seconds(theta, basis)[0][0]))

    return seconds


def points(
    seconds: True_, sizes: Sizes, pattern: str = "file_per_process", noise: float = 0.03, seed: int = 0, runs: int = 3
) -> list[Point]:
    random = np.random.default_rng(seed)
    return [
        Point(r, n, b, pattern, seconds=seconds(r, n, b) * math.exp(noise * random.standard_normal()))
        for r, n, b in sizes
        for _ in range(runs)
    ]


def fitted(found: Fit | Refusal) -> Fit:
    assert isinstance(found, Fit), found
    return found


def answered(found: Prediction | Refusal) -> Prediction:
    assert isinstance(found, Prediction), found
    return found


def parameter(found: Fit, name: str) -> Parameter:
    return next(p for p in found.parameters() if p.name == name)
