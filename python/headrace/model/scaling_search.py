"""Least squares in log space, and how far a value may move before the points contradict it (profile likelihood)."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from headrace.model.scaling_terms import SHARPNESS, Vector, log_seconds

NOTHING = 1e-6  # a coefficient at its lower bound takes at most this share of 3 times any measured time
LARGEST = 3.0  # a part may exceed a measured time by this factor at most: sharing hides some of it
UNLIMITED = 60.0  # a factor of e^60: the points say nothing
NEAR = 5e-3  # ends of intervals are found to half a per cent
STEPS = 15

Value = Callable[[Vector], tuple[float, Vector]]  # a figure as a function of theta, with its gradient


@dataclass(frozen=True)
class Search:
    """The measured times (mean logarithms) with the bounds of every coefficient.

    `free` marks the coefficients that some point depends on, and the sharpness; the others stay left out.
    """

    bases: Vector
    times: Vector
    lower: Vector
    upper: Vector
    free: Vector

    @staticmethod
    def of(bases: Vector, times: Vector) -> "Search":
        seconds = np.exp(times)
        upper = np.full(bases.shape[1] + 1, -math.inf)
        for k in range(bases.shape[1]):
            used = bases[:, k] > 0
            if used.any():
                upper[k] = math.log(LARGEST * float(np.min(seconds[used] / bases[used, k])))
        lower = upper + math.log(NOTHING)
        lower[-1], upper[-1] = math.log(SHARPNESS[0]), math.log(SHARPNESS[1])
        return Search(bases, times, lower, upper, np.isfinite(upper))

    def best(self) -> tuple[Vector, float]:
        """The coefficients with the least sum of squares, and that sum."""
        return min((self._polish(start) for start in self._starts()), key=lambda found: found[1])

    def ends(self, value: Value, theta: Vector, least: float, allowed: float, weight: float) -> tuple[float, float]:
        """The range of `value` whose extra sum of squares stays within `allowed`.

        `value` counts as one more observation with the weight `weight`: that of a point for what another measurement
        may give, a large one for the coefficient itself.
        """
        centre, _ = value(theta)
        return (
            self._end(value, theta, least, allowed, weight, centre, -1.0),
            self._end(value, theta, least, allowed, weight, centre, 1.0),
        )

    def _end(
        self, value: Value, theta: Vector, least: float, allowed: float, weight: float, centre: float, sign: float
    ) -> float:
        followed = theta

        def excess(distance: float) -> float:
            """Square root of the extra sum of squares, less the allowed one: nearly linear in the distance."""
            nonlocal followed
            wanted = centre + sign * distance
            candidates = sorted(
                [followed, *self._pushed(theta, wanted)],
                key=lambda start: self._cost(start, value, wanted, weight),
            )[:2]
            found = min(
                (self._polish(start, value, wanted, weight) for start in [theta, *candidates]),
                key=lambda pair: pair[1],
            )
            followed = found[0]
            return math.sqrt(max(found[1] - least, 0.0)) - math.sqrt(allowed)

        inner, below = 0.0, -math.sqrt(allowed)
        outer = max(1.5 * math.sqrt(allowed) / max(weight, 1.0), 0.02)
        while (above := excess(outer)) < 0:
            inner, below, outer = outer, above, 2 * outer
            if outer > UNLIMITED:
                return centre + sign * outer
        for _ in range(STEPS):
            if outer - inner < NEAR:
                break
            middle = inner + (outer - inner) * min(max(below / (below - above), 0.1), 0.9)
            if (found := excess(middle)) < 0:
                inner, below = middle, found
            else:
                outer, above = middle, found
        return centre + sign * outer

    def _polish(
        self, start: Vector, value: Value | None = None, wanted: float = 0.0, weight: float = 0.0
    ) -> tuple[Vector, float]:
        free = self.free

        def full(part: Vector) -> Vector:
            theta = np.full(len(free), -math.inf)
            theta[free] = part
            return theta

        def residuals(part: Vector) -> Vector:
            found, _ = log_seconds(full(part), self.bases)
            short = found - self.times
            return short if value is None else np.append(short, weight * (value(full(part))[0] - wanted))

        def jacobian(part: Vector) -> Vector:
            _, gradient = log_seconds(full(part), self.bases)
            rows = gradient if value is None else np.vstack([gradient, weight * value(full(part))[1]])
            return rows[:, free]

        inside = np.clip(start[free], self.lower[free] + 1e-9, self.upper[free] - 1e-9)
        found = least_squares(
            residuals, inside, jacobian, bounds=(self.lower[free], self.upper[free]), max_nfev=60, xtol=1e-6, ftol=1e-7
        )
        return full(found.x), float(2 * found.cost)

    def _cost(self, theta: Vector, value: Value, wanted: float, weight: float) -> float:
        found, _ = log_seconds(theta, self.bases)
        return float(np.sum((found - self.times) ** 2)) + (weight * (value(theta)[0] - wanted)) ** 2

    def _starts(self) -> list[Vector]:
        """One start for each term that may dominate, and one where all count alike; two sharpnesses each."""
        small = np.where(self.free, self.upper - math.log(LARGEST * 50), -math.inf)
        starts: list[Vector] = []
        for k in [*np.flatnonzero(self.free[:-1]), None]:
            start = small.copy()
            if k is None:
                start = np.where(self.free, self.upper - math.log(LARGEST * 4), -math.inf)
            else:
                start[k] = self.upper[k] - math.log(LARGEST * 1.2)
            for sharpness in (1.5, 4.0):
                starts.append(np.append(start[:-1], math.log(sharpness)))
        return starts

    def _pushed(self, theta: Vector, wanted: float) -> list[Vector]:
        """Starts that raise or remove one term each: what could explain a slower or a faster value."""
        starts: list[Vector] = []
        for k in np.flatnonzero(self.free[:-1]):
            for level in (self.lower[k], self.upper[k] - math.log(LARGEST), 0.5 * (theta[k] + self.upper[k])):
                start = theta.copy()
                start[k] = level
                starts.append(start)
        return starts
