"""`--preset bench`: `headrace bench parallel` as the command that is tried; what counts is what it measured."""

import contextlib
import sys
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.results.files import load_any
from headrace.results.parallel import ParallelRun
from headrace.settings.job import Job

RESULTS = "headrace-advise-bench.json"
_BY_PATTERN = {
    "serial": "fortran:serial_binary",
    "file_per_process": "fortran:stream",
    "file_per_node": "headrace:zarr:file_per_node",
    "shared_collective": "mpiio:collective",
    "shared_independent": "mpiio:independent",
}
_LIBRARIES = ("hdf5", "netcdf4", "pnetcdf")
_SIZE = 8 << 20  # bytes of each MPI rank, if the job does not say
_LARGEST = 64 << 20


def command(job: Job, wrapper: str | None) -> list[str]:
    """The words to start it with. Raises HeadraceError if the job does not say enough."""
    if job.pattern is None or job.ranks < 2:
        raise HeadraceError(
            "--preset bench needs --ranks and --pattern", "for example --ranks 8 --pattern shared --preset bench"
        )
    method = _BY_PATTERN[job.pattern]
    if job.is_shared and job.format in _LIBRARIES:
        method = f"{job.format}:{job.pattern.removeprefix('shared_')}"
    size = min(job.bytes_a_rank or _SIZE, _LARGEST)
    words = [sys.executable, "-m", "headrace", "bench", "parallel", "--method", method, "--ranks", str(job.ranks)]
    words += ["--size", str(size), "--rounds", "1", "--time-budget", "1", "--dir", ".", "--json", RESULTS, "-q"]
    return [*words, *(["--mpi", wrapper] if wrapper else [])]


def seconds_in(folder: Path, job: Job) -> float | None:
    """Of the slowest MPI rank, writing and reading as the job does; None if nothing was measured."""
    with contextlib.suppress(HeadraceError):
        run = load_any(folder / RESULTS)
        if isinstance(run, ParallelRun):
            rows = [row for row in run.rows if row.samples and not row.is_reference and row.operation in job.operations]
            times = [min(sample.total for sample in row.samples) for row in rows]
            return sum(times) if times else None
    return None
