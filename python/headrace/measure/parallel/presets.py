"""Published parallel measurements that can be repeated: the same sizes and patterns, beside the published figures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from headrace.measure.conclusions import published_lines
from headrace.measure.parallel.methods import HDF5, LIMIT, NPY, ZARR
from headrace.measure.parallel.protocol import Layout
from headrace.measure.parallel.results import Beside, ParallelRow, ParallelRun, Published
from headrace.measure.parallel.shapes import Extents
from headrace.measure.statistics import describe

_POP = "POP best practice"
_ARCHER2 = "ARCHER2 I/O performance"
_PATTERN = "file-per-process", "single shared file, collective writes"


@dataclass(frozen=True)
class Preset:
    """What a preset sets; what the command line says otherwise wins, but for sizes and methods."""

    title: str
    methods: tuple[str, ...]
    layout: Layout
    size: int  # bytes a MPI rank
    local: Extents | None  # of one MPI rank, where its size is no power of two
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
    lines: list[Beside] = []
    for what, (mechanism, method) in programs.items():
        published = {"48 processes": times[mechanism]} if mechanism in times else {}
        lines.append(Beside(what=what, unit="ms", published=published, measured=_write_and_read(run, (method,))))
    others = (NPY, ZARR, "headrace:netcdf4:shared_collective", "fortran:serial_binary", LIMIT)
    for method in others:
        lines.append(Beside(what=method, unit="ms", measured=_write_and_read(run, (method,))))
    machine = run.directories[0].file_system if run.directories else "?"
    return Published(
        title="POP's five programs: write and read back 100,000 doubles a process, milliseconds",
        source="POP best practice: parallel library file I/O",
        differs=[
            "Published: 48 processes on one node of MareNostrum4, GPFS behind one 10 GBit link, the length of the "
            "timelines shown; the ASCII figure is from its text.",
            f"Here: {_ranks(run)} MPI ranks on {run.provenance.cores} cores, {machine}, medians from open to close.",
            "So the orders within each column can be compared, the columns cannot.",
        ],
        lines=lines,
    )


def archer2(run: ParallelRun) -> Published:
    """GiB/s of writing 32 MiB a process: maximum, quartiles, median."""
    lines: list[Beside] = []
    mine = {
        "file per process": (_PATTERN[0], (LIMIT, ZARR)),
        "single shared file, collective": (_PATTERN[1], ("mpiio:collective", "hdf5:collective", NPY, HDF5)),
    }
    for what, (mechanism, methods) in mine.items():
        for statistic in ("Maximum", "Upper quartile", "Median", "Lower quartile"):
            lines.append(
                Beside(
                    what=f"{what}: {statistic.lower()}",
                    unit="GiB/s",
                    published=_published_rates(mechanism, statistic),
                    measured=_rates(run, methods, statistic),
                )
            )
    machine = run.directories[0].file_system if run.directories else "?"
    return Published(
        title="ARCHER2's table: write 32 MiB a process, GiB/s",
        source="ARCHER2 documentation: I/O performance and tuning (benchio)",
        differs=[
            "Published: 2,048 processes on 16 nodes, Lustre (NVMe and HDD), 64 GiB in all, many days; single shared "
            "file with its recommended stripes and hints.",
            f"Here: {_ranks(run)} MPI ranks on {run.provenance.cores} cores, {machine}, one run of this command.",
            "That was a machine, this is a node: compare the spread and the order of the patterns, not the rates.",
        ],
        lines=lines,
    )


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


def _write_and_read(run: ParallelRun, methods: Iterable[str]) -> dict[str, float]:
    """Milliseconds: the median of the rounds' sums."""
    found: dict[str, float] = {}
    for method in methods:
        write, read = (next(iter(_rows(run, method, operation)), None) for operation in ("write", "read"))
        if write is None or read is None:
            continue
        times, others = write.seconds(), read.seconds()
        sums = [times[number] + others[number] for number in times.keys() & others.keys()]
        if sums:
            found[method] = 1e3 * describe(sums).median
    return found


def _rates(run: ParallelRun, methods: Iterable[str], statistic: str) -> dict[str, float]:
    """GiB/s."""
    names = {
        "Maximum": "maximum",
        "Upper quartile": "upper_quartile",
        "Median": "median",
        "Lower quartile": "lower_quartile",
    }
    found: dict[str, float] = {}
    for method in methods:
        row = next(iter(_rows(run, method, "write")), None)
        if row is not None and row.statistics is not None:
            found[method] = getattr(row.statistics, names[statistic]) * 1e6 / 2**30
    return found


def _published_times() -> dict[str, float]:
    """Milliseconds by mechanism."""
    return {
        line["mechanism"]: float(line["value"]) * (1e3 if line["unit"] == "s" else 1)
        for line in published_lines()
        if line["source"].startswith(_POP)
    }


def _published_rates(mechanism: str, statistic: str) -> dict[str, float]:
    return {
        line["machine"].removeprefix("ARCHER2 ").partition("-")[0]: float(line["value"])
        for line in published_lines()
        if line["source"].startswith(_ARCHER2)
        and line["mechanism"] == mechanism
        and line["condition"].startswith(f"{statistic};")
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
