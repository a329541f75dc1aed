"""Least squares in log space, and how far a value may move before the points contradict it (profile likelihood)."""

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from headrace.model.scaling_terms import SHARPNESS, Vector, log_seconds
from headrace.results.solvers import within_bounds

NOTHING = 1e-6  # a coefficient at its lower bound takes at most this share of any measured time,
LARGEST = 3.0  # and one at its upper bound at least so many times any of them
# Where ends of intervals are looked for, in units of the distance that one independent observation would have.
DISTANCES = np.array([0.5, 0.9, 1.3, 1.9, 2.8, 4.0, 6.0, 10.0, 20.0, 50.0, 150.0])
BETWEEN = np.array([0.2, 0.4, 0.6, 0.8])
PASSES = 25

STARTS = 5  # of those that are tried for each figure


class Value(Protocol):
    """A figure as a function of theta."""

    def __call__(self, thetas: Vector) -> tuple[Vector, Vector]:
        """The figure for each row of theta, and its gradient."""

    def aim(self, pool: Vector, wanted: Vector) -> Vector:
        """Coefficients that may give each wanted figure, made of those in `pool`, whose first row fits best.

        Three dimensions: wanted figures, starts for each, coefficients.
        """


@dataclass(frozen=True)
class SecondsAt:
    """ln(seconds) at one place."""

    basis: Vector

    def __call__(self, thetas: Vector) -> tuple[Vector, Vector]:
        logs, gradient = log_seconds(thetas, self.basis[None, :])
        return logs[..., 0], gradient[..., 0, :]

    def aim(self, pool: Vector, wanted: Vector) -> Vector:
        """Each term alone takes that time; parts overlap as they do, or hardly."""
        starts: list[Vector] = []
        for k in np.flatnonzero((self.basis > 0) & np.isfinite(pool[0, :-1])):
            for sharpness in (float(pool[0, -1]), math.log(SHARPNESS[1])):
                start = np.tile(pool[0], (len(wanted), 1))
                start[:, k], start[:, -1] = wanted - math.log(self.basis[k]), sharpness
                starts.append(start)
        return np.stack(starts, axis=1)


@dataclass(frozen=True)
class Coefficient:
    """The logarithm of one coefficient."""

    index: int

    def __call__(self, thetas: Vector) -> tuple[Vector, Vector]:
        return thetas[..., self.index], np.broadcast_to(np.eye(thetas.shape[-1])[self.index], thetas.shape)

    def aim(self, pool: Vector, wanted: Vector) -> Vector:
        """Everything in the pool with this one coefficient."""
        starts = np.tile(pool, (len(wanted), 1, 1))
        starts[:, :, self.index] = wanted[:, None]
        return starts


@dataclass(frozen=True)
class Profile:
    """One more observation that is moved about: the value, the wanted figure for each row of theta, the weight."""

    value: Value
    wanted: Vector
    weight: float


@dataclass(frozen=True)
class Search:
    """The measured times (logarithms) with the bounds of every coefficient.

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
        lower = upper.copy()
        for k in range(bases.shape[1]):
            used = bases[:, k] > 0
            if used.any():
                alone = seconds[used] / bases[used, k]
                lower[k], upper[k] = math.log(NOTHING * alone.min()), math.log(LARGEST * alone.max())
        lower[-1], upper[-1] = math.log(SHARPNESS[0]), math.log(SHARPNESS[1])
        return Search(bases, times, lower, upper, np.isfinite(upper))

    def best(self) -> tuple[Vector, float]:
        """The coefficients with the least sum of squares, and that sum."""
        starts, costs = self._relax(self._starts())
        free = self.free

        def full(part: Vector) -> Vector:
            theta = np.full(len(free), -math.inf)
            theta[free] = part
            return theta

        found, least = within_bounds(
            lambda part: log_seconds(full(part), self.bases)[0] - self.times,
            np.clip(starts[costs.argmin()][free], self.lower[free] + 1e-9, self.upper[free] - 1e-9),
            lambda part: log_seconds(full(part), self.bases)[1][:, free],
            (self.lower[free], self.upper[free]),
        )
        return full(found), least

    def ends(
        self,
        value: Value,
        theta: Vector,
        least: float,
        allowed: float,
        weight: float,
        limits: tuple[float, float] = (-math.inf, math.inf),
    ) -> tuple[float, float]:
        """The range of `value` whose extra sum of squares stays within `allowed`; infinite if nothing limits it.

        `value` counts as one more observation with the weight `weight`: that of a point for what another measurement
        may give, a large one for a coefficient itself, which stays between `limits`.
        """
        centre = float(value(theta[None, :])[0][0])
        unit = math.sqrt(allowed) / min(weight, 1.0)
        sides = [_Side(sign, abs(limit - centre)) for sign, limit in zip((-1.0, 1.0), limits, strict=True)]
        for side in sides:
            side.distances = np.unique(np.minimum(unit * DISTANCES, side.limit))
        known = theta[None, :]
        for _ in range(2):  # roughly, then between the two that enclose the end
            wanted = np.concatenate([centre + side.sign * side.distances for side in sides])
            excess, known = self._excess(Profile(value, wanted, weight), np.vstack([theta[None, :], known]), least)
            first = len(sides[0].distances)
            sides[0].enclose(excess[:first], allowed)
            sides[1].enclose(excess[first:], allowed)
        low, high = (centre + side.sign * side.end(allowed) for side in sides)
        return low, high

    def _excess(self, profile: Profile, known: Vector, least: float) -> tuple[Vector, Vector]:
        """The least extra sum of squares for each wanted figure, from several starts, and the coefficients there."""
        wanted = profile.wanted
        if not len(wanted):
            return np.zeros(0), known
        pool = np.vstack([known, self._pushed(known[0])])
        common = np.tile(pool, (len(wanted), 1, 1))
        tried = np.clip(np.concatenate([common, profile.value.aim(pool, wanted)], axis=1), self.lower, self.upper)
        costs = self._costs(tried) + (profile.weight * (profile.value(tried)[0] - wanted[:, None])) ** 2
        order = np.argsort(costs, axis=1, kind="stable")[:, :STARTS]
        starts = np.concatenate([tried[:, :1], np.take_along_axis(tried, order[:, :, None], axis=1)], axis=1)
        thetas, sums = self._relax(starts.reshape(-1, starts.shape[2]), profile, np.repeat(wanted, starts.shape[1]))
        thetas, sums = _lowest(thetas, sums, len(wanted))
        # Each figure also starts from where its neighbours ended.
        near = np.stack([np.roll(thetas, 1, axis=0), thetas, np.roll(thetas, -1, axis=0)], axis=1)
        thetas, sums = self._relax(near.reshape(-1, near.shape[-1]), profile, np.repeat(wanted, 3))
        thetas, sums = _lowest(thetas, sums, len(wanted))
        return sums - least, thetas

    def _relax(
        self, starts: Vector, profile: Profile | None = None, wanted: Vector | None = None
    ) -> tuple[Vector, Vector]:
        """Levenberg-Marquardt from all starts at once, steps cut at the bounds."""
        free = self.free
        thetas = np.where(free, np.clip(starts, self.lower, self.upper), -math.inf)
        damping = np.full(len(thetas), 1e-2)
        rows, slopes = self._rows(thetas, profile, wanted)
        costs = (rows**2).sum(axis=1)
        lower, upper = self.lower[free], self.upper[free]
        for _ in range(PASSES):
            jacobian = slopes[:, :, free]
            downhill = np.einsum("snk,sn->sk", jacobian, rows)
            square = np.einsum("snk,snl->skl", jacobian, jacobian)
            held = ((thetas[:, free] <= lower) & (downhill > 0)) | ((thetas[:, free] >= upper) & (downhill < 0))
            square = np.where(held[:, :, None] | held[:, None, :], 0.0, square)
            diagonal = np.einsum("skk->sk", square)
            damped = damping[:, None] * (diagonal + 1e-6) + 1e-10 + held
            square = square + np.eye(int(np.count_nonzero(free))) * damped[:, None, :]
            step = np.linalg.solve(square, np.where(held, 0.0, downhill)[:, :, None])[:, :, 0]
            tried = thetas.copy()
            tried[:, free] = np.clip(thetas[:, free] - np.clip(step, -3.0, 3.0), lower, upper)
            new_rows, new_slopes = self._rows(tried, profile, wanted)
            new_costs = (new_rows**2).sum(axis=1)
            better = new_costs < costs
            gain = np.where(better, costs - new_costs, 0.0)
            thetas[better], rows[better], slopes[better] = tried[better], new_rows[better], new_slopes[better]
            costs = np.where(better, new_costs, costs)
            damping = np.clip(np.where(better, damping / 5, damping * 6), 1e-9, 1e9)
            if not np.any((gain > 1e-6 * costs + 1e-10) | (~better & (damping < 1e3))):
                break
        return thetas, costs

    def _rows(self, thetas: Vector, profile: Profile | None, wanted: Vector | None) -> tuple[Vector, Vector]:
        logs, slopes = log_seconds(thetas, self.bases)
        rows = logs - self.times
        if profile is None or wanted is None:
            return rows, slopes
        value, slope = profile.value(thetas)
        rows = np.concatenate([rows, (profile.weight * (value - wanted))[:, None]], axis=1)
        return rows, np.concatenate([slopes, profile.weight * slope[:, None, :]], axis=1)

    def _costs(self, thetas: Vector) -> Vector:
        costs: Vector = ((log_seconds(thetas, self.bases)[0] - self.times) ** 2).sum(axis=-1)
        return costs

    def _starts(self) -> Vector:
        """One start for each term that may dominate, and one in which all count alike; two sharpnesses each."""
        small = np.where(self.free, self.upper - math.log(LARGEST * 50), -math.inf)
        starts = [np.where(self.free, self.upper - math.log(LARGEST * 4), -math.inf)]
        for k in np.flatnonzero(self.free[:-1]):
            start = small.copy()
            start[k] = self.upper[k] - math.log(LARGEST * 1.2)
            starts.append(start)
        doubled = np.repeat(np.array(starts), 2, axis=0)
        doubled[:, -1] = np.tile(np.log([1.5, 4.0]), len(starts))
        return doubled

    def _pushed(self, theta: Vector) -> Vector:
        """What could explain another value: one term more, one less, or one in the place of another."""
        terms = np.flatnonzero(self.free[:-1])
        starts: list[Vector] = []
        for k in terms:
            for level in (self.lower[k], self.upper[k] - math.log(LARGEST), 0.5 * (theta[k] + self.upper[k])):
                start = theta.copy()
                start[k] = level
                starts.append(start)
            for other in terms[terms != k]:
                both = (self.bases[:, k] > 0) & (self.bases[:, other] > 0)
                if both.any():
                    start = theta.copy()
                    start[other] = theta[k] + float(np.median(np.log(self.bases[both, k] / self.bases[both, other])))
                    start[k] = self.lower[k]
                    starts.append(start)
        return np.clip(np.array(starts), self.lower, self.upper)


@dataclass
class _Side:
    """One end of an interval: where it was looked for, and what encloses it (distance, extra sum of squares)."""

    sign: float
    limit: float
    distances: Vector = field(default_factory=lambda: np.zeros(0))
    inner: tuple[float, float] = (0.0, 0.0)
    outer: tuple[float, float] | None = None

    def enclose(self, excess: Vector, allowed: float) -> None:
        for distance, height in zip(self.distances, excess, strict=True):
            if height >= allowed:
                self.outer = (float(distance), float(height))
                break
            self.inner = (float(distance), max(float(height), 0.0))
        if self.outer is not None:
            self.distances = self.inner[0] + BETWEEN * (self.outer[0] - self.inner[0])
        else:
            self.distances = np.zeros(0)

    def end(self, allowed: float) -> float:
        """By interpolation: the square root of the extra sum of squares is nearly linear."""
        if self.outer is None:
            return math.inf
        low, middle, high = (math.sqrt(height) for height in (self.inner[1], allowed, self.outer[1]))
        return self.inner[0] + (middle - low) / max(high - low, 1e-12) * (self.outer[0] - self.inner[0])


def _lowest(thetas: Vector, sums: Vector, count: int) -> tuple[Vector, Vector]:
    """Of the starts of each wanted figure the one that went lowest."""
    by_figure = sums.reshape(count, -1)
    chosen = by_figure.argmin(axis=1)
    picked: Vector = thetas.reshape(count, by_figure.shape[1], -1)[np.arange(count), chosen]
    return picked, by_figure.min(axis=1)
