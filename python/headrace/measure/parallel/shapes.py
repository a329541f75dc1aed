"""The extents of the array for a number of MPI ranks."""

import math
from collections.abc import Sequence
from typing import Literal

Scaling = Literal["weak", "strong"]
Extents = tuple[int, int, int]


def extents(bytes_a_rank: int, ranks: int, most_ranks: int, scaling: Scaling) -> Extents:
    """Of real64 elements in Fortran's order.

    Weak: `bytes_a_rank` for each of `ranks`. Strong: for every number of MPI ranks what the largest has. The first two
    extents are a power of two, so that equal blocks come out of most numbers of MPI ranks.
    """
    one = max(1, bytes_a_rank // 8)
    side = 2 ** max(0, round(math.log2(8 * one) / 3))
    count = ranks if scaling == "weak" else most_ranks
    planes = max(count, ranks, round(one * count / side**2))
    return side, side, planes


def payload(shape: Extents) -> int:
    """Bytes."""
    return 8 * math.prod(shape)


def size_for(least: int, ranks: Sequence[int], scaling: Scaling) -> int:
    """MiB of each MPI rank (--size) that give the array at least so many bytes on every one of `ranks`."""
    count = min(ranks) if scaling == "weak" else max(ranks)
    size = math.ceil(least / count / 2**20)
    while payload(extents(size << 20, count, count, scaling)) < least:  # whole planes are rounded
        size += 1
    return size
