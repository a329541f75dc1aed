"""scipy's solvers. Loading them takes several times as long as all else of a command: only what fits a model does."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from headrace.later import later

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import optimize, special
else:
    optimize, special = later("scipy.optimize"), later("scipy.special")

Vector: TypeAlias = "NDArray[np.float64]"


def non_negative(matrix: Vector, right: Vector) -> Vector:
    """The coefficients, none below 0, with the least sum of squares."""
    with undisturbed():
        nnls = optimize.nnls
    solution: Vector = nnls(matrix, right)[0]
    return solution


def within_bounds(
    rows: Callable[[Vector], Vector],
    start: Vector,
    slopes: Callable[[Vector], Vector],
    bounds: tuple[Vector, Vector],
) -> tuple[Vector, float]:
    """The coefficients within `bounds` with the least sum of squares of `rows`, and that sum."""
    with undisturbed():
        least_squares = optimize.least_squares
    found: Any = least_squares(rows, start, slopes, bounds=bounds)
    return found.x, float(2 * found.cost)


def student_quantile(probability: float, freedom: float) -> float:
    """Of Student's t distribution; its degrees of freedom need not be whole."""
    with undisturbed():
        stdtrit = special.stdtrit
    return float(stdtrit(freedom, probability))


def student_quantiles(probability: float, freedom: Vector) -> Vector:
    """The same for each of several degrees of freedom."""
    with undisturbed():
        stdtrit = special.stdtrit
    found: Vector = stdtrit(freedom, probability)
    return found


def digamma(value: Vector) -> Vector:
    """The derivative of the logarithm of the gamma function."""
    with undisturbed():
        psi = special.psi
    found: Vector = psi(value)
    return found


def trigamma(value: Vector, derivative: int = 0) -> Vector:
    """The second derivative of the logarithm of the gamma function, or a derivative of that."""
    with undisturbed():
        polygamma = special.polygamma
    found: Vector = polygamma(1 + derivative, value)
    return found


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits for the end of the block: a compiled module that is being loaded may swallow an exception."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
