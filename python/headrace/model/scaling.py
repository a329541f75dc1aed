"""The scaling model: time and bandwidth of a pattern of I/O against the number of MPI ranks and nodes.

    points = [Point(ranks=8, nodes=1, bytes=2**29, pattern="file_per_process", seconds=0.2), ...]
    found = fit(points)  # Fit, or a Refusal with its reason
    answer = found.predict(ranks=64, nodes=4, bytes=2**32)  # Prediction with median, low, high; or a Refusal

`scaling_terms.py` is the formula, `scaling_search.py` the least squares and the profile likelihood, `scaling_fit.py`
the predictions, `scaling_picture.py` draws, `scaling_archer2.py` compares with published figures. What stands here
decides whether the model may extrapolate: it must predict the largest MPI rank counts from the smaller ones.
doc/reference/scaling_model.md has the reasons.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from headrace.errors import HeadraceError
from headrace.model.scaling_fit import COVERAGE, Drift, Fit, Parameter, Prediction, Refusal, fit_points, rival_of
from headrace.model.scaling_terms import PATTERNS, Place, Point, Storage

__all__ = ["PATTERNS", "Fit", "Parameter", "Place", "Point", "Prediction", "Refusal", "Storage", "fit", "fit_all"]

FEWEST = 4  # numbers of MPI ranks


def fit(points: Sequence[Point], storage: Storage | None = None) -> Fit | Refusal:
    """The model of one pattern, or why there is none. Raises HeadraceError when the points are of several patterns.

    A Fit whose check failed answers within the measured range and refuses beyond it.
    """
    patterns = sorted({point.pattern for point in points})
    if len(patterns) > 1:
        raise HeadraceError(
            f"points of several patterns: {', '.join(patterns)}", "fit each pattern by itself (fit_all)"
        )
    counts = sorted({point.ranks for point in points})
    if len(counts) < FEWEST:
        seen = ", ".join(map(str, counts)) or "none"
        return Refusal(
            f"points at {len(counts)} numbers of MPI ranks ({seen}) are too few for a scaling model",
            f"measure at {FEWEST} at least, for example --ranks 1,2,4,8",
        )
    known = storage or Storage()
    whole = fit_points(points, known)
    return replace(whole, drift=_check(whole, counts), rival=rival_of(whole))


def fit_all(points: Sequence[Point], storage: Storage | None = None) -> dict[str, Fit | Refusal]:
    """One model for each pattern among the points."""
    present = {point.pattern for point in points}
    return {name: fit([p for p in points if p.pattern == name], storage) for name in PATTERNS if name in present}


def _check(whole: Fit, counts: list[int]) -> Drift:
    """Predict the largest MPI rank counts from the smaller ones: the last, the last two, ... as long as 4 are kept.

    At least the largest third is held out once. All that is held out must lie in its interval; the intervals hold
    together with 95 %. How far the largest lies beyond the kept ones is how far the model may go.
    """
    most = max(1, len(counts) - FEWEST, len(counts) // 3)
    looks = most * (most + 1) // 2
    rate, reach, refusal = 0.0, 1.0, None
    for last in range(most, 0, -1):
        held = counts[-last:]
        reduced = fit_points([point for point in whole.points if point.ranks < held[0]], whole.storage)
        missed = list[str]()
        for place, runs, logarithm in zip(whole.places, whole.runs, whole.search.times, strict=True):
            if place.ranks < held[0] or reduced._unseen(place) is not None:
                continue  # nothing that was kept could have shown it
            found = reduced.interval(place, runs, 1 - (1 - COVERAGE) / looks)
            seconds = math.exp(float(logarithm))
            error = math.log(seconds / found.seconds)
            if not found.seconds_low <= seconds <= found.seconds_high:
                missed.append(
                    f"{place.ranks} MPI ranks took {seconds:.3g} s, predicted {found.seconds_low:.3g} to"
                    f" {found.seconds_high:.3g} s"
                )
            end = found.seconds_high if error > 0 else found.seconds_low
            expected = math.log(end / found.seconds) / 2  # one standard deviation to that side, about
            beyond = max(reduced._doublings(place), 1.0)
            rate = max(rate, math.sqrt(max(error**2 - expected**2, 0.0)) / beyond)
            reach = max(reach, 2 ** reduced._doublings(place))
        if missed and refusal is None:
            names = ", ".join(map(str, held))
            refusal = Refusal(
                f"the model does not hold here: fitted without {names} MPI ranks it misses them ({'; '.join(missed)})",
                "measure at the size you need",
            )
    names = ", ".join(map(str, counts[-most:]))
    checked = f"checked by predicting {names} MPI ranks from up to {counts[-most - 1]}"
    return Drift(rate, checked, reach, refusal)
