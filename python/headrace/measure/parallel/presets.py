"""Published parallel measurements that can be repeated: the same sizes and patterns, beside the published figures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from headrace.measure.parallel.protocol import Layout
from headrace.measure.parallel.shapes import Extents
from headrace.results.conclusions import published_lines
from headrace.results.methods import HDF5, LIMIT, NPY, ZARR, mpi_ranks
from headrace.results.parallel import ParallelRow, ParallelRun, Published, PublishedRow, PublishedTable
from headrace.results.statistics import describe

_POP = "POP best practice"
_ARCHER2 = "ARCHER2 I/O performance"
_STATISTICS = {
    "maximum": "maximum",
    "upper quartile": "upper_quartile",
    "median": "median",
    "lower quartile": "lower_quartile",
}


@dataclass(frozen=True)
class Preset:
    """What a preset sets; what the command line says otherwise wins, but for sizes and methods."""

    title: str
    methods: tuple[str, ...]
    layout: Layout
    size: int  # bytes a MPI rank
    local: Extents | None  # of one MPI rank, if its size is not a power of two
    rounds: int
    minimum_seconds: float
    beside: Callable[[ParallelRun], Published]


def pop(run: ParallelRun) -> Published:
    """Milliseconds of writing and reading 100,000 doubles a process."""
    times = _published_times()
    programs = {
        "serial ASCII": ("sequential ASCII file I/O pattern", "fortran:serial_ascii"),
        "MPI-IO, collective": ("MPI I/O collective access", "mpiio:contiguous_collective"),
        "MPI-IO, independent": ("MPI I/O independent access", "mpiio:contiguous_independent"),
        "NetCDF, collective": ("NetCDF collective access", "netcdf4:collective"),
        "NetCDF, independent": ("NetCDF independent access", "netcdf4:independent"),
    }
    here = f"on {_ranks(run)} here"
    rows: list[PublishedRow] = []
    for what, (mechanism, method) in programs.items():
        values = {"published": times[mechanism]} if mechanism in times else {}
        rows.append(PublishedRow(what=what, values=values | _write_and_read(run, method, here)))
    others = (NPY, ZARR, "headrace:netcdf4:shared_collective", "fortran:serial_binary", LIMIT)
    rows += [PublishedRow(what=method, values=_write_and_read(run, method, here)) for method in others]
    return Published(
        title="POP's five programs: write and read back 100,000 doubles a process",
        source="POP best practice: parallel library file I/O",
        differs=[
            "Published: 48 processes on one node of MareNostrum4, GPFS behind one 10 GBit link, the length of the "
            "timelines shown; the ASCII figure is from its text.",
            f"Here: {mpi_ranks(_ranks(run))} on {run.provenance.cores} cores, {_file_system(run)}, medians.",
            "So the orders within each column can be compared, the columns cannot.",
            *_once(run, [*(method for _, method in programs.values()), *others], "no interval"),
        ],
        tables=[PublishedTable(title="write and read", unit="ms", columns=["published", here], rows=rows)],
    )


def archer2(run: ParallelRun) -> Published:
    """GiB/s of writing 32 MiB a process: maximum, quartiles, median."""
    patterns = {
        "file per process": ("file-per-process", (LIMIT, ZARR)),
        "single shared file, collective": (
            "single shared file, collective writes",
            ("mpiio:collective", "hdf5:collective", NPY, HDF5),
        ),
    }
    tables: list[PublishedTable] = []
    for title, (mechanism, methods) in patterns.items():
        rows = [
            PublishedRow(what=f"published, {storage}", values=_published_rates(mechanism, storage))
            for storage in ("NVMe", "HDD")
        ]
        rows += [PublishedRow(what=method, values=_rates(run, method)) for method in methods]
        tables.append(PublishedTable(title=title, unit="GiB/s", columns=list(_STATISTICS), rows=rows))
    return Published(
        title="ARCHER2's table: write 32 MiB a process",
        source="ARCHER2 documentation: I/O performance and tuning (benchio)",
        differs=[
            "Published: 2,048 processes on 16 nodes, Lustre (NVMe and HDD), 64 GiB in all, many days; single shared "
            "file with its recommended stripes and hints.",
            f"Here: {mpi_ranks(_ranks(run))} on {run.provenance.cores} cores, {_file_system(run)}, one run of this "
            "command.",
            "That was a whole machine and this is one node: compare the spread and the order of the patterns, "
            "not the rates.",
            *_once(run, [name for _, names in patterns.values() for name in names], "no quartiles and no interval"),
        ],
        tables=tables,
    )


def _file_system(run: ParallelRun) -> str:
    return run.directories[0].file_system if run.directories else "?"


def _ranks(run: ParallelRun) -> int:
    return max((row.ranks for row in run.rows), default=0)


def _rows(run: ParallelRun, method: str, operation: str) -> Iterable[ParallelRow]:
    """Of the largest number of MPI ranks, first directory and condition."""
    most = _ranks(run)
    return (
        row
        for row in run.rows
        if row.way == method and row.operation == operation and row.ranks == most and row.statistics
    )


def _write_and_read(run: ParallelRun, method: str, column: str) -> dict[str, float]:
    """Milliseconds: the median of the rounds' sums."""
    write, read = (next(iter(_rows(run, method, operation)), None) for operation in ("write", "read"))
    if write is None or read is None:
        return {}
    times, others = write.seconds(), read.seconds()
    sums = [times[number] + others[number] for number in times.keys() & others.keys()]
    return {column: 1e3 * describe(sums).median} if sums else {}


def _rates(run: ParallelRun, method: str) -> dict[str, float]:
    """GiB/s by statistic; of one round the median alone."""
    row = next(iter(_rows(run, method, "write")), None)
    if row is None or row.statistics is None:
        return {}
    known = _STATISTICS if row.statistics.n > 1 else {"median": "median"}
    return {name: getattr(row.statistics, member) * 1e6 / 2**30 for name, member in known.items()}


def _once(run: ParallelRun, methods: Iterable[str], lacking: str) -> list[str]:
    """A sentence about the methods that were measured in one round; none if there are none."""
    found = {method: [row.statistics.n for row in _rows(run, method, "write") if row.statistics] for method in methods}
    rounds = {method: counts[0] for method, counts in found.items() if counts}
    once = [method for method, n in rounds.items() if n == 1]
    if not once:
        return []
    names = "" if len(once) == len(rounds) else f" of {', '.join(once)}"
    return [f"Here: one round{names} (n=1): {lacking}. More --rounds and --time-budget give them."]


def _published_times() -> dict[str, float]:
    """Milliseconds by mechanism."""
    return {
        line["mechanism"]: float(line["value"]) * (1e3 if line["unit"] == "s" else 1)
        for line in published_lines()
        if line["source"].startswith(_POP)
    }


def _published_rates(mechanism: str, storage: str) -> dict[str, float]:
    return {
        line["condition"].partition(";")[0].lower(): float(line["value"])
        for line in published_lines()
        if line["source"].startswith(_ARCHER2)
        and line["mechanism"] == mechanism
        and line["machine"].startswith(f"ARCHER2 {storage}")
    }


PRESETS = {
    "pop": Preset(
        "POP's programs: 100,000 doubles a process",
        (
            "fortran:serial_ascii",
            "mpiio:contiguous_collective",
            "mpiio:contiguous_independent",
            "netcdf4:collective",
            "netcdf4:independent",
            NPY,
            ZARR,
            "headrace:netcdf4:shared_collective",
            "fortran:serial_binary",
        ),
        "slab",
        800_000,
        (100, 100, 10),
        10,
        0.02,
        pop,
    ),
    "archer2": Preset(
        "ARCHER2's table: 32 MiB a process, many runs",
        (LIMIT, ZARR, "mpiio:collective", "hdf5:collective", NPY, HDF5),
        "block",
        32 << 20,
        None,
        20,
        0.0,
        archer2,
    ),
}
