"""A fitted scaling model: what it predicts with which interval, and which coefficients the points determine."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from headrace.model.scaling_search import Coefficient, Search, SecondsAt
from headrace.model.scaling_terms import NAMES, RIVAL, TERMS, Place, Point, Storage, Vector
from headrace.results.solvers import student_quantile

COVERAGE = 0.95
RIVAL_COVERAGE = 0.8  # the rival is a second opinion: its coefficients are not stretched as far
WIDEST = 10.0  # an interval over a larger factor is no prediction
MODEL_ERROR = 0.05  # what the model is expected to miss a time by, before any point is seen,
MODEL_ERROR_WEIGHT = 5.0  # and how many points that expectation is worth
FIXED = 100.0  # the weight of an observation that holds a value in place


@dataclass(frozen=True)
class Refusal:
    """There is no answer, and why."""

    reason: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.hint}" if self.hint else self.reason


@dataclass(frozen=True)
class Prediction:
    """Seconds of one more run, open to close: the best fit, and where the run lies with 95 % (COVERAGE)."""

    place: Place
    seconds: float
    seconds_low: float
    seconds_high: float
    extrapolated: bool
    notes: tuple[str, ...] = ()

    @property
    def median(self) -> float:
        """Bytes of the array per second."""
        return self.place.bytes / self.seconds

    @property
    def low(self) -> float:
        return self.place.bytes / self.seconds_high

    @property
    def high(self) -> float:
        return self.place.bytes / self.seconds_low


@dataclass(frozen=True)
class Parameter:
    """A coefficient as users know it (a rate or a time), with the range that the points allow; None: no limit seen."""

    name: str
    title: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    verdict: str  # "measured", "not reached", "unidentified", "not in these points"
    reason: str = ""


@dataclass(frozen=True)
class Drift:
    """What the check found beyond the points it was fitted on.

    An error of a factor e^rate for each doubling; and up to how many times the largest kept number of MPI ranks (or
    of nodes) it predicted what was held out, which is as far as the model answers.
    """

    rate: float = 0.0
    checked: str = ""
    reach: float = 1.0
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Fit:
    """The scaling model of one pattern. `predict` answers; `parameters` says what the points determine."""

    points: tuple[Point, ...]
    storage: Storage
    places: tuple[Place, ...]  # one for each configuration of the points
    runs: tuple[int, ...]  # points of each configuration
    search: Search
    theta: Vector
    least: float
    scatter: float  # standard deviation of ln(seconds) between runs of one configuration
    drift: Drift = field(default_factory=Drift)
    contended: bool = False  # this is the rival, with contention that grows with the square of the MPI ranks
    rival: "Fit | None" = None

    @property
    def pattern(self) -> str:
        return self.places[0].pattern

    @property
    def error(self) -> float:
        """Standard deviation of the model's error in ln(seconds): what the points show, and what was expected."""
        expected = MODEL_ERROR**2 + self.scatter**2 / max(float(np.median(self.runs)), 1.0)
        total = MODEL_ERROR_WEIGHT * expected + self.least
        return math.sqrt(total / self.freedom)

    @property
    def freedom(self) -> float:
        """Degrees of freedom: coefficients that rest on their bound take none."""
        free = self.search.free
        inside = (self.theta[free] > self.search.lower[free] + 0.05) & (self.theta[free] < self.search.upper[free])
        return MODEL_ERROR_WEIGHT + max(len(self.places) - int(inside.sum()), 0)

    def predict(
        self, ranks: int, nodes: int, bytes: float, writers: int | None = None, runs: int = 1
    ) -> Prediction | Refusal:
        """The time of a transfer of `bytes` by `ranks` MPI ranks on `nodes` nodes (the mean of `runs` runs)."""
        place = Place(ranks, nodes, bytes, self.pattern, writers or self.writers_at(ranks, nodes))
        extrapolated = self._outside(place)
        if extrapolated and self.drift.refusal is not None:
            return self.drift.refusal
        missing = self._unseen(place) or self._unchecked(place)
        if missing is not None:
            return missing
        found = self.interval(place, runs)
        notes = self._notes(place) if extrapolated else ()
        if found.seconds_high / found.seconds_low > WIDEST:
            return Refusal(
                f"at {_where(place)} the time may lie anywhere between {found.seconds_low:.3g} and"
                f" {found.seconds_high:.3g} s, which says nothing",
                "; ".join(notes) or "measure more points, or points nearer to that size",
            )
        return replace(found, extrapolated=extrapolated, notes=notes)

    def interval(self, place: Place, runs: int = 1, coverage: float = COVERAGE) -> Prediction:
        """The prediction at a place, however wide; beyond the points with room for what the rival says."""
        value = SecondsAt(_basis(place, self.storage, self.contended))
        error = self.error
        noise = error**2 + self.scatter**2 / runs + (self.drift.rate * self._doublings(place)) ** 2
        reach = student_quantile((1 + coverage) / 2, self.freedom) * error
        low, high = self.search.ends(value, self.theta, self.least, reach**2, error / math.sqrt(noise))
        middle = float(value(self.theta)[0])
        found = Prediction(place, math.exp(middle), math.exp(low), math.exp(high), self._outside(place))
        if self.rival is None or not found.extrapolated:
            return found
        other = self.rival.interval(place, runs, RIVAL_COVERAGE)
        return replace(
            found,
            seconds_low=min(found.seconds_low, other.seconds_low),
            seconds_high=max(found.seconds_high, other.seconds_high),
        )

    def parameters(self) -> tuple[Parameter, ...]:
        """Every coefficient of the pattern, with its range: what is not shared has no contention."""
        return self._parameters

    @cached_property
    def _parameters(self) -> tuple[Parameter, ...]:
        shared = self.pattern.startswith("shared")
        left_out = (RIVAL,) if shared else (RIVAL, "lock")
        return tuple(self._parameter(k) for k in range(len(NAMES)) if NAMES[k] not in left_out)

    @cached_property
    def confounded(self) -> tuple[tuple[str, ...], ...]:
        """Terms that move together over all points, so that no fit can tell them apart."""
        bases = self.search.bases
        groups: dict[tuple[float, ...], list[str]] = defaultdict(list)
        for k, name in enumerate(NAMES):
            if self.search.free[k]:
                groups[tuple(np.round(bases[:, k] / bases[0, k], 6)) if bases[0, k] > 0 else (float(-k),)].append(name)
        return tuple(tuple(names) for names in groups.values() if len(names) > 1)

    def _parameter(self, k: int) -> Parameter:
        title, unit, is_rate = TERMS[NAMES[k]]
        if not self.search.free[k]:
            reason = "no point has more than one writer of a file" if NAMES[k] == "lock" else "no point depends on it"
            return Parameter(NAMES[k], title, unit, None, None, None, "not in these points", reason)

        reach = student_quantile((1 + COVERAGE) / 2, self.freedom) * self.error
        limits = (float(self.search.lower[k]), float(self.search.upper[k]))
        low, high = self.search.ends(Coefficient(k), self.theta, self.least, reach**2, FIXED, limits)
        at_least, at_most = math.isfinite(low), math.isfinite(high)  # without the term, or with more of it: excluded
        verdict = "measured" if at_least and at_most else "not reached" if at_most else "unidentified"
        partners = [name for group in self.confounded if NAMES[k] in group for name in group if name != NAMES[k]]
        reason = ""
        if partners and verdict != "measured":
            verdict = "unidentified"
            reason = "in these points it cannot be told from " + ", ".join(TERMS[name][0] for name in partners)
        ends = (math.exp(low) if at_least else None, math.exp(high) if at_most else None)
        seen = math.exp(self.theta[k]) if self.theta[k] > limits[0] + 0.1 else None
        if not is_rate:
            return Parameter(NAMES[k], title, unit, seen or 0.0, ends[0] or 0.0, ends[1], verdict, reason)
        turned = [None if end is None else 1 / end for end in (seen, ends[1], ends[0])]
        return Parameter(NAMES[k], title, unit, turned[0], turned[1], turned[2], verdict, reason)

    def writers_at(self, ranks: int, nodes: int) -> int | None:
        """Writers of a shared file at another size, by the rule that the points follow."""
        given = [place for place in self.places if place.writers is not None]
        if not given or not self.pattern.startswith("shared"):
            return None
        if all(place.writers == place.ranks for place in given):
            return ranks
        per_node = {place.writing / place.nodes for place in given}
        last = max(given, key=lambda place: place.ranks)
        return min(ranks, round(per_node.pop() * nodes) if len(per_node) == 1 else last.writing)

    def _outside(self, place: Place) -> bool:
        """Beyond what was measured, by more than rounding."""
        known = np.array([_axes(p) for p in self.places])
        asked = np.array(_axes(place))
        return bool(np.any((asked < 0.99 * known.min(axis=0)) | (asked > 1.01 * known.max(axis=0))))

    def _doublings(self, place: Place) -> float:
        ranks = max(p.ranks for p in self.places)
        nodes = max(p.nodes for p in self.places)
        return max(math.log2(place.ranks / ranks), math.log2(place.nodes / nodes), 0.0)

    def _unseen(self, place: Place) -> Refusal | None:
        missing = [NAMES[k] for k in np.flatnonzero(place.basis(self.storage) > 0) if not self.search.free[k]]
        if not missing:
            return None
        titles = ", ".join(TERMS[name][0] for name in missing)
        return Refusal(
            f"at {_where(place)} {titles} counts, which no point shows",
            "measure on more nodes, so that several write one file",
        )

    def _unchecked(self, place: Place) -> Refusal | None:
        """Further out than the check went: no law can be told from the points there."""
        ranks, nodes = max(p.ranks for p in self.places), max(p.nodes for p in self.places)
        notes = "; ".join(self._notes(place))
        if nodes < place.nodes and min(p.nodes for p in self.places) == nodes:
            on = "one node" if nodes == 1 else f"{nodes} nodes"
            return Refusal(
                f"at {_where(place)} more nodes count than any check has seen, for all points are on {on} ({notes})",
                "measure on two numbers of nodes at least",
            )
        if self._doublings(place) <= math.log2(self.drift.reach) + 0.02:
            return None
        most = f"{int(ranks * self.drift.reach)} MPI ranks"
        if nodes > 1:
            most += f" on {int(nodes * self.drift.reach)} nodes"
        return Refusal(
            f"{_where(place)} are beyond {most}, up to which the model was checked ({self.drift.checked}, so"
            f" {self.drift.reach:.3g} times beyond the points it had)",
            f"measure at {math.ceil(place.ranks / self.drift.reach)} MPI ranks or more, or at the size you need",
        )

    def _notes(self, place: Place) -> tuple[str, ...]:
        """What the interval has to allow for beyond the points."""
        notes: list[str] = []
        basis = place.basis(self.storage)
        for group in self.confounded:
            members = [NAMES.index(name) for name in group]
            factors = basis[members] / self.search.bases[0, members]
            if factors.max() > 1.05 * factors.min():
                titles = [TERMS[name][0] for name in group]
                notes.append(f"the points cannot tell {', '.join(titles[:-1])} from {titles[-1]}")
        if max(p.nodes for p in self.places) == 1 < place.nodes:
            notes.append("all points are on one node: limits between nodes have not been seen")
        if self._doublings(place) > 0:
            times = 2 ** self._doublings(place)
            notes.append(f"{times:.3g} times beyond the largest measured size; {self.drift.checked}")
        return tuple(notes)


def fit_points(points: Sequence[Point], storage: Storage) -> Fit:
    """The best fit of the formula, without any check and without a rival."""
    return _fitted(points, storage, False)


def rival_of(fit: Fit) -> Fit:
    """The law that also fits, and says the worst of more MPI ranks: each hinders each other one."""
    return _fitted(fit.points, fit.storage, True)


def _fitted(points: Sequence[Point], storage: Storage, contended: bool) -> Fit:
    groups: dict[Place, list[float]] = defaultdict(list)
    for point in points:
        place = Place(point.ranks, point.nodes, point.bytes, point.pattern, point.writers)
        groups[place].append(math.log(point.seconds))
    places = sorted(groups, key=lambda place: (place.ranks, place.nodes, place.bytes))
    times = np.array([float(np.median(groups[place])) for place in places])
    spare = sum(len(group) - 1 for group in groups.values())
    squares = sum(float(np.var(group)) * len(group) for group in groups.values())
    search = Search.of(np.array([_basis(place, storage, contended) for place in places]), times)
    theta, least = search.best()
    return Fit(
        tuple(points),
        storage,
        tuple(places),
        tuple(len(groups[place]) for place in places),
        search,
        theta,
        least,
        math.sqrt(squares / spare) if spare else 0.0,
        contended=contended,
    )


def _basis(place: Place, storage: Storage, contended: bool) -> Vector:
    """The factors of the coefficients; the rival has one term more."""
    basis = place.basis(storage)
    if contended:
        basis[NAMES.index(RIVAL)] = place.ranks * (place.ranks - 1)
    return basis


def _axes(place: Place) -> tuple[float, ...]:
    """What a size is made of: outside the measured range of any of these a prediction is an extrapolation."""
    return place.ranks, place.nodes, place.bytes, place.bytes / place.ranks, place.ranks / place.nodes


def _where(place: Place) -> str:
    nodes = "1 node" if place.nodes == 1 else f"{place.nodes} nodes"
    return f"{place.ranks} MPI ranks on {nodes}"
