"""Rules of several MPI ranks: HR503, HR504, HR506, HR507."""

from collections.abc import Iterator

from headrace.advice.facts import Facts, Found, times
from headrace.results.records import of_bytes
from headrace.trace.results import Line
from headrace.trace.table import seconds

FEWEST_RANKS = 4  # for files: below, nobody is burdened
ALONE = 0.95  # of what one MPI rank can be above the mean
UNEVEN = 1.5  # times the mean
MUCH = 1_000_000  # bytes: a namelist or a log is no bulk
SHARE = 0.02  # of the wall time


def parallel(line: Line, facts: Facts) -> Iterator[Found]:
    """What the MPI ranks of a run do to each other."""
    ranks = facts.trace.mpi_ranks
    if ranks < 2 or line.statement in ("run time", "not Fortran"):
        return
    imbalance = line.imbalance if (line.largest_of_a_rank or 0.0) >= SHARE * facts.trace.wall else None
    if imbalance is not None and imbalance >= ALONE * ranks:
        yield from _serial(line, facts, ranks)
    elif imbalance is not None and imbalance >= UNEVEN:
        yield _uneven(line, ranks)
    if line.statement == "open" and ranks >= FEWEST_RANKS:
        yield from _file_each(line, facts, ranks)
    if line.statement == "read" and not line.internal:
        yield from _read_by_all(line, facts, ranks)


def _serial(line: Line, facts: Facts, ranks: int) -> Iterator[Found]:
    alone = [
        other
        for other in facts.trace.lines
        if other.largest_rank == line.largest_rank
        and other.imbalance is not None
        and other.imbalance >= ALONE * ranks
        and other.statement in ("write", "read", "library call")
        and not other.internal
    ]
    payload = sum(other.payload_bytes for other in alone)
    if not alone or alone[0].id != line.id or payload < MUCH:
        return  # said once, for the costliest of these lines
    took = sum(other.seconds_exclusive for other in alone)
    yield Found(
        "HR503",
        line,
        f"MPI rank {line.largest_rank} alone transfers {of_bytes(payload)}, {seconds(took)} s in which the other "
        f"{ranks - 1} can only wait",
        "MPI_File_write_at_all, parallel HDF5 or NetCDF, or headrace's parallel arrays: every MPI rank its part",
        None,
        others=alone[1:],
        why_no_estimate=f"at best {took / ranks:.3g} s, a share for each of {ranks} MPI ranks; the file system decides",
        at_stake=took,
        evidence={"mpi_rank": line.largest_rank or 0, "mpi_ranks": ranks, "payload_bytes": payload},
    )


def _uneven(line: Line, ranks: int) -> Found:
    largest = line.largest_of_a_rank or 0.0
    mean = line.seconds_exclusive / ranks
    return Found(
        "HR507",
        line,
        f"MPI rank {line.largest_rank} takes {seconds(largest)} s, the mean of {ranks} is {seconds(mean)} s",
        f"look at what MPI rank {line.largest_rank} transfers, and share it",
        None,
        why_no_estimate=f"even shares would take {seconds(mean)} s on every MPI rank, if the work can be shared",
        at_stake=largest - mean,
        evidence={"largest_seconds": largest, "mean_seconds": mean, "mpi_rank": line.largest_rank or 0},
    )


def _file_each(line: Line, facts: Facts, ranks: int) -> Iterator[Found]:
    own = [facts.files[number] for number in line.files if number in facts.files]
    own = [file for file in own if file.processes == 1 and file.kind in ("regular", "unknown")]
    moved = sum(file.bytes_written + file.bytes_read for file in own)
    if line.processes < 0.9 * ranks or len(own) < 0.9 * ranks or moved < MUCH:
        return
    yield Found(
        "HR504",
        line,
        f"{times(len(own), 'file')} of {ranks} MPI ranks, {of_bytes(moved)} together",
        "one shared file: MPI-IO, parallel HDF5 or NetCDF, or headrace's parallel arrays",
        None,
        why_no_estimate="harmless on local disks; a burden for parallel file systems from a few hundred files on",
        evidence={"files": len(own), "mpi_ranks": ranks, "bytes": moved},
    )


def _read_by_all(line: Line, facts: Facts, ranks: int) -> Iterator[Found]:
    file = facts.file(line)
    size = facts.costs.inputs.file_sizes.get(file.path, 0) if file else 0
    if file is None or size < MUCH or line.processes < 0.9 * ranks or file.processes < 0.9 * ranks:
        return
    if file.bytes_read < 0.9 * size * file.processes:
        return
    yield Found(
        "HR506",
        line,
        f"each of {file.processes} MPI ranks reads all {of_bytes(size)} of the file",
        "IF (rank == 0) READ ..., then CALL MPI_Bcast (array, ...)",
        None,
        why_no_estimate=f"the READ then takes {line.seconds_exclusive / line.processes:.3g} s, on one MPI rank; what "
        "the broadcast takes depends on the network",
        evidence={"mpi_ranks": ranks, "file_bytes": size, "bytes_read": file.bytes_read},
    )
