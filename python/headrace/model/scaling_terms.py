"""The formula of the scaling model: seconds of one transfer by many MPI ranks. Next: scaling_search.py fits it.

    seconds = latency + operation * operations + transfer
    transfer = (rank part ^ q + node part ^ q + storage part ^ q) ^ (1 / q)

The parts are what the MPI ranks, the nodes and the storage would need if each were alone the bottleneck. q, the
sharpness, says how they overlap: with 1 one waits for the other, with 8 only the slowest counts.
doc/reference/scaling_model.md derives it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError

Vector = NDArray[np.float64]

PATTERNS = ("serial", "file_per_process", "file_per_node", "shared_independent", "shared_collective")

# Each coefficient is a cost; what is shown for it is a rate if the third field says so.
TERMS: dict[str, tuple[str, str, bool]] = {
    "latency": ("fixed latency", "s", False),
    "operation": ("metadata rate", "operations/s", True),
    "rank": ("rate of one MPI rank", "B/s", True),
    "node": ("limit of one node", "B/s", True),
    "target": ("limit of one storage target", "B/s", True),
    "lock": ("lock contention", "s/B for each further writer", False),
    "rival": ("contention of all with all", "s for each pair of MPI ranks", False),
}
RIVAL = "rival"  # in no formula but that of the rival, see scaling_fit.py
NAMES = tuple(TERMS)
SHARPNESS = (1.0, 8.0)


@dataclass(frozen=True)
class Storage:
    """What is known of the storage, not fitted: its targets, and over how many of them one file is striped."""

    targets: int = 1
    stripes: int = 1

    def __post_init__(self) -> None:
        if self.targets < 1 or self.stripes < 1:
            raise HeadraceError(
                f"storage of {self.targets} targets and {self.stripes} stripes: both must be at least 1"
            )

    def used(self, files: float) -> float:
        """Targets that `files` files keep busy."""
        return min(float(self.targets), files * min(self.stripes, self.targets))


@dataclass(frozen=True)
class Place:
    """Where the model is asked: `bytes` of the whole array, moved by `ranks` MPI ranks on `nodes` nodes."""

    ranks: int
    nodes: int
    bytes: float
    pattern: str
    writers: int | None = None  # MPI ranks that write the shared file; None: all, or one a node when collective

    def __post_init__(self) -> None:
        if self.pattern not in PATTERNS:
            raise HeadraceError(f'pattern "{self.pattern}" is not known', f"choose one of {', '.join(PATTERNS)}")
        if not 1 <= self.nodes <= self.ranks:
            raise HeadraceError(f"{self.ranks} MPI ranks on {self.nodes} nodes: expected 1 <= nodes <= MPI ranks")
        if not (math.isfinite(self.bytes) and self.bytes > 0):
            raise HeadraceError(f"{self.bytes} bytes at {self.ranks} MPI ranks: expected a positive number")
        if self.writers is not None and not 1 <= self.writers <= self.ranks:
            raise HeadraceError(f"{self.writers} writers among {self.ranks} MPI ranks: expected 1 to {self.ranks}")

    @property
    def writing(self) -> int:
        """MPI ranks or nodes that may contend for one file."""
        if not self.pattern.startswith("shared"):
            return 1
        return self.writers or (self.nodes if self.pattern == "shared_collective" else self.ranks)

    @property
    def files(self) -> int:
        return {"file_per_process": self.ranks, "file_per_node": self.nodes}.get(self.pattern, 1)

    def basis(self, storage: Storage) -> Vector:
        """The factor of each coefficient, in the order of NAMES."""
        senders = 1 if self.pattern == "serial" else self.ranks
        nodes = 1 if self.pattern == "serial" else self.nodes
        operations = self.files if self.pattern == "file_per_node" else self.ranks
        return np.array(
            [
                1.0,
                operations,
                self.bytes / senders,
                self.bytes / nodes,
                self.bytes / storage.used(self.files),
                self.bytes * (self.writing - 1),
                0.0,
            ]
        )


@dataclass(frozen=True)
class Point(Place):
    """One measured transfer: a place and the seconds from open to close, of the slowest MPI rank."""

    seconds: float = math.nan

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise HeadraceError(f"{self.seconds} seconds at {self.ranks} MPI ranks: expected a positive number")


def log_seconds(theta: Vector, bases: Vector) -> tuple[Vector, Vector]:
    """ln(seconds) at each row of `bases`, and its derivatives by theta.

    theta: logarithms of the coefficients in the order of NAMES, then of the sharpness; -inf leaves a term out. With
    several rows of theta there is one more dimension in front.
    """
    costs = np.exp(theta[..., None, :-1]) * bases
    sharpness = np.exp(theta[..., None, -1])
    storage = costs[..., 4] + costs[..., 5]
    parts = (costs[..., 2], costs[..., 3], storage)  # numpy is slow along an axis of three
    largest = np.maximum(np.maximum(*parts[:2]), storage)
    scaled = [(part / largest) ** sharpness for part in parts]
    total = scaled[0] + scaled[1] + scaled[2]
    transfer = largest * total ** (1 / sharpness)
    weights = [one / total for one in scaled]
    by_weight = [weight * np.log(np.maximum(part, 1e-300)) for weight, part in zip(weights, parts, strict=True)]
    of_storage = transfer * weights[2] / np.maximum(storage, 1e-300)
    seconds = costs[..., 0] + costs[..., 1] + costs[..., 6] + transfer
    gradient = np.empty((*seconds.shape, len(NAMES) + 1))
    gradient[..., 0] = costs[..., 0]
    gradient[..., 1] = costs[..., 1]
    gradient[..., 2] = transfer * weights[0]
    gradient[..., 3] = transfer * weights[1]
    gradient[..., 4] = of_storage * costs[..., 4]
    gradient[..., 5] = of_storage * costs[..., 5]
    gradient[..., 6] = costs[..., 6]
    gradient[..., 7] = transfer * (by_weight[0] + by_weight[1] + by_weight[2] - np.log(transfer))
    gradient /= seconds[..., None]
    return np.log(seconds), gradient


def bases_of(places: Sequence[Place], storage: Storage) -> Vector:
    return np.array([place.basis(storage) for place in places])


def bounded_seconds(place: Place, storage: Storage, fast: Vector, slow: Vector) -> tuple[float, float]:
    """The shortest and the longest time when each coefficient lies between two values; 0 means that it costs nothing.

    The sharpness is unknown too: the shortest time has parts that overlap, the longest parts that wait for each other.
    """
    basis = place.basis(storage)[None, :]
    with np.errstate(divide="ignore"):
        ends = [
            np.append(np.log(costs), math.log(sharpness))
            for costs, sharpness in zip((fast, slow), SHARPNESS[::-1], strict=True)
        ]
    shortest, longest = (float(np.exp(log_seconds(theta, basis)[0][0])) for theta in ends)
    return shortest, longest
