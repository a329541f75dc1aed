"""The scaling model against ARCHER2's published figures for 2,048 MPI processes, from what the same page states.

Nothing is fitted. The page "I/O performance and tuning" of ARCHER2's documentation states a machine: 12 storage
targets a file system, at most about 1 GB/s for an unstriped file and up to 10 GB/s for one striped over all targets.
The model turns these into bounds, and the published bandwidths are held against them.
doc/reference/scaling_model.md has the result.
"""

from dataclasses import dataclass

import numpy as np

from headrace.model.scaling_fit import WIDEST
from headrace.model.scaling_terms import NAMES, Place, Storage, Vector, bounded_seconds
from headrace.results.conclusions import published_lines

GIB = 2.0**30
TARGETS = 12
UNSTRIPED = 1e9  # B/s, "a maximum of around 1 GB/s for an unstriped file"
STRIPED = 10e9  # B/s, "up to 10 GB/s for a fully striped file (across all 12 OSTs)"
RANKS, NODES, BYTES = 2048, 16, 65536 * 2.0**20
_PATTERNS = {
    "file-per-process": "file_per_process",
    "single shared file, collective writes": "shared_collective",
}


@dataclass(frozen=True)
class PublishedCheck:
    """What the model allows and what was published, GiB/s. `answered` is false if the bounds are too wide."""

    machine: str
    pattern: str
    low: float
    high: float
    published: dict[str, float]  # "maximum", "upper quartile", "median", "lower quartile"

    @property
    def answered(self) -> bool:
        return self.high / self.low <= WIDEST

    @property
    def inside(self) -> dict[str, bool]:
        return {name: self.low <= value <= self.high for name, value in self.published.items()}


def stated_bounds(pattern: str, targets_are_limit: bool = False) -> tuple[float, float]:
    """GiB/s at 2,048 MPI ranks that the stated figures allow.

    One file over all targets: the storage gives between 10 GB/s, as stated, and 12 times an unstriped file. A file for
    each process: 1 GB/s for each, and from the targets at least what one striped file gets from them. The page does not
    say whether 1 GB/s is what a target or what a client can do, so the targets may give more; `targets_are_limit` reads
    it as a target's rate. Nothing is stated about nodes, metadata and latency: they cost nothing here. Collective
    writes need no locks, as the page says.
    """
    shared = pattern.startswith("shared")
    storage = Storage(TARGETS, TARGETS if shared else 1)
    fast, slow = _costs(rank=1 / UNSTRIPED), _costs(rank=1 / UNSTRIPED, target=TARGETS / STRIPED)
    if shared:
        fast, slow = _costs(target=1 / UNSTRIPED), _costs(target=TARGETS / STRIPED)
    elif targets_are_limit:
        fast = _costs(rank=1 / UNSTRIPED, target=1 / UNSTRIPED)
    place = Place(RANKS, NODES, BYTES, pattern)
    shortest, longest = bounded_seconds(place, storage, fast, slow)
    return BYTES / longest / GIB, BYTES / shortest / GIB


def checks() -> list[PublishedCheck]:
    """Both patterns on both file systems."""
    groups: dict[tuple[str, str], dict[str, float]] = {}
    for line in published_lines():
        pattern = _PATTERNS.get(line["mechanism"])
        if line["machine"].startswith("ARCHER2") and line["unit"] == "GiB/s" and pattern:
            name = line["condition"].partition(";")[0].strip().lower()
            groups.setdefault((line["machine"], pattern), {})[name] = float(line["value"])
    return [
        PublishedCheck(machine, pattern, *stated_bounds(pattern), published)
        for (machine, pattern), published in groups.items()
    ]


def _costs(**named: float) -> Vector:
    costs = np.zeros(len(NAMES))
    for name, value in named.items():
        costs[NAMES.index(name)] = value
    return costs
