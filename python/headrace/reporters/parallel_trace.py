"""A trace file for Perfetto or chrome://tracing: a track for each MPI rank, one transfer after another."""

from pathlib import Path
from typing import Any

from headrace.reporters.perfetto import Event, complete, document, named, write_document
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import ParallelRow, ParallelRun

GAP = 5_000.0  # microseconds between transfers


def write_trace(run: ParallelRun, path: Path) -> None:
    """Write the file, whole or not at all. Raises HeadraceError."""
    write_document(trace(run), path, "--trace")


def trace(run: ParallelRun) -> dict[str, Any]:
    """One process a number of MPI ranks and directory, one thread a MPI rank; times in microseconds.

    Each row gives the transfer nearest its median; they stand one behind the other, not as they were measured.
    """
    events: list[Event] = []
    for number, group in enumerate(run.groups, 1):
        rows = [row for row in run.of(group) if row.rank_times]
        if not rows:
            continue
        events.append(named("process_name", number, 0, f"{mpi_ranks(group.ranks)}, {group.directory}"))
        for rank in range(group.ranks):
            events.append(named("thread_name", number, rank, f"MPI rank {rank}"))
        begin = 0.0
        for row in sorted(rows, key=lambda row: (row.way, row.operation == "read")):
            events += _transfer(row, number, begin)
            begin += 1e6 * max(rank.end for rank in row.rank_times) + GAP
    return document(events, "headrace bench parallel", run.provenance.headrace_version)


def _transfer(row: ParallelRow, process: int, start: float) -> list[Event]:
    """The whole transfer of each MPI rank, and its phases within."""
    events: list[Event] = []
    for rank, times in enumerate(row.rank_times):
        whole = {"way": row.way, "operation": row.operation, "condition": row.condition}
        name = f"{row.way}, {row.operation}"
        begins, lasts = start + 1e6 * times.begin, 1e6 * (times.end - times.begin)
        events.append(complete(name, "transfer of an array", process, rank, begins, lasts, whole))
        for phase, begin, end in sorted(times.events, key=lambda event: (event[1], -event[2])):
            # Clocks of MPI ranks differ by less than a phase takes: none may leave its transfer.
            inside = (max(begin, times.begin), min(end, times.end))
            if inside[1] >= inside[0]:
                begins, lasts = start + 1e6 * inside[0], 1e6 * (inside[1] - inside[0])
                events.append(complete(phase, "phase", process, rank, begins, lasts, {"method": row.method}))
    return events
