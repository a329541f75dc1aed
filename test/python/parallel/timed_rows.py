"""Rows of `headrace bench parallel` that took as long as a test says."""

from headrace.results.parallel import ParallelRow
from headrace.results.records import Sample


def timed(times: list[float]) -> ParallelRow:
    """A row of MB that took so many seconds in each round."""
    samples = [Sample(round=n, passes=1, total=t, user=t, system=0, peak=0) for n, t in enumerate(times)]
    row = ParallelRow(
        case="c",
        tool="mpi",
        title="t",
        operation="write",
        way="w",
        payload_bytes=10**6,
        values=1,
        samples=samples,
        ranks=2,
        directory=".",
        condition="cached",
        method="m",
        pattern="serial",
        backend="raw",
        extents=(1, 1, 1),
        layout="block",
    )
    row.conclude(0, 0.05)
    return row
