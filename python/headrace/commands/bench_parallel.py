"""`headrace bench parallel`: options and help; the work is in measure/parallel/run.py."""

import argparse
from pathlib import Path

from headrace.commands.arguments import positive, seconds, size
from headrace.errors import HeadraceError
from headrace.measure.parallel import run as parallel
from headrace.measure.parallel.methods import PATTERNS, Choice
from headrace.measure.parallel.presets import PRESETS
from headrace.reporters.console import console
from headrace.reporters.parallel_report import write_parallel_report
from headrace.reporters.parallel_tables import print_list, print_parallel_run
from headrace.reporters.parallel_trace import write_trace

BACKENDS = ("raw", "fortran", "mpiio", "hdf5", "netcdf4", "pnetcdf", "adios2", "zarr", "npy", "statements")
DESCRIPTION = """\
Write and read one array that is spread over MPI ranks: headrace beside raw file per process, MPI-IO, HDF5,
NetCDF-4, PnetCDF and ADIOS2, each alone and through headrace. The clock runs from a common start to the end of
the slowest MPI rank; every value that is read is compared. Ratios are taken pair by pair within rounds.

Without options: one array of 512 MiB on 2, 4 and 8 MPI ranks (with MPICH at most twice the cores), in /dev/shm
where there is one node; some minutes on two cores, 3 GB of memory with the file.
"""

EPILOG = """\
examples
  headrace bench parallel --json run.json                 `ratios` in run.json is for scripts
  headrace bench parallel --quick                         small arrays, a first look
  headrace bench parallel --launcher "srun -n {ranks}" --ranks 128,256 --dir /scratch/me --condition synced
  headrace bench parallel --backend mpiio --vary cb_nodes=1,2,4 --vary env:OMPI_MCA_io=ompio,romio321
  headrace bench parallel --preset pop                    POP's five programs beside the published times
  headrace bench parallel --write-job slurm --ranks 128   a job script and a ReFrame test of the same
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "parallel",
        help="arrays on many MPI ranks: headrace, MPI-IO, HDF5, NetCDF, PnetCDF, ADIOS2 and the raw limit",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_start(parser.add_argument_group("how it is started"))
    _add_what(parser.add_argument_group("what is measured"))
    _add_how_long(parser.add_argument_group("how long"))
    _add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(run=run)


def _add_start(start: "argparse._ArgumentGroup") -> None:
    start.add_argument("--ranks", type=rank_counts, metavar="K,K", help="numbers of MPI ranks (default: 2,4,8)")
    start.add_argument(
        "--launcher",
        metavar="COMMAND",
        help='with {ranks} in it, for example "mpirun -n {ranks}" (default: srun in a Slurm job, else mpirun)',
    )
    start.add_argument(
        "--mpi", default="mpicxx", metavar="WRAPPER", help="compiler wrapper of the MPI to use (default: mpicxx)"
    )
    start.add_argument(
        "--worker",
        type=Path,
        metavar="PROGRAM",
        help="headrace-parallel-worker (default: on the PATH, else built from the checkout)",
    )


def _add_what(what: "argparse._ArgumentGroup") -> None:
    what.add_argument(
        "--scaling", choices=["weak", "strong"], help="array a MPI rank, or array in all (default: strong)"
    )
    what.add_argument("--layout", choices=["slab", "pencil", "block"], help="which axes are split (default: block)")
    what.add_argument(
        "--size",
        type=size,
        metavar="BYTES",
        help="of each MPI rank; with strong scaling of each of the largest number (default: 64MiB; --quick: 2MiB)",
    )
    what.add_argument("--pattern", action="append", default=[], metavar="NAME", help=f"only {', '.join(PATTERNS)}")
    what.add_argument("--backend", action="append", default=[], metavar="NAME", help=f"only {', '.join(BACKENDS)}")
    what.add_argument("--collective", choices=["both", "collective", "independent"], help="calls for shared files")
    what.add_argument("--method", action="append", default=[], metavar="NAME", help="only this, see --list; repeatable")
    what.add_argument("--all", action="store_true", help="every method that the worker has")
    what.add_argument("--dir", action="append", default=[], type=Path, metavar="DIR", help="may be repeated")
    what.add_argument("--hints", default="", metavar="A=B,C=D", help="for MPI-IO and headrace's shared files")
    what.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=A,B",
        help="a hint with several values, or env:VARIABLE=A,B; may be repeated",
    )
    what.add_argument(
        "--condition",
        action="append",
        default=[],
        choices=["cached", "synced", "warm", "cold"],
        help="may be repeated (default: cached and warm)",
    )
    what.add_argument("--preset", choices=sorted(PRESETS), help="a published measurement, beside its figures")
    what.add_argument("--ior", type=Path, metavar="PROGRAM", help="measure IOR beside (POSIX and MPIIO)")
    what.add_argument("--benchio", type=Path, metavar="PROGRAM", help="measure benchio beside")
    what.add_argument("--quick", action="store_true", help="small arrays and few rounds: a first look, noisy")


def _add_how_long(how: "argparse._ArgumentGroup") -> None:
    how.add_argument("--rounds", type=positive, metavar="N", help="at least N rounds (default: 3)")
    how.add_argument("--min-time", type=seconds, metavar="S", help="shortest transfer (default: 0.2; --quick: 0.01)")
    how.add_argument(
        "--time-budget",
        type=seconds,
        metavar="S",
        help="no new transfer after so many seconds; one round always runs (default: 300; --quick: 30)",
    )
    how.add_argument(
        "--limit", type=seconds, default=120.0, metavar="S", help="longest time for one transfer (default: 120)"
    )
    how.add_argument("--seed", type=int, default=1, help="of the data and of the order (default: 1)")


def _add_output(show: "argparse._ArgumentGroup") -> None:
    show.add_argument("--list", action="store_true", help="show methods and ratios with their goals, measure nothing")
    show.add_argument("--json", metavar="FILE", help="results file (default: none; - prints it instead of tables)")
    show.add_argument("--report", type=Path, metavar="FILE", help="HTML report with timelines (default: none)")
    show.add_argument("--trace", type=Path, metavar="FILE", help="Chrome or Perfetto trace: a track each MPI rank")
    show.add_argument(
        "--write-job",
        choices=["slurm"],
        help="write a job script and a ReFrame test that run the same, measure nothing",
    )
    show.add_argument("--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 when headrace was wrong or failed, or the run was interrupted."""
    if arguments.list:
        print_list(console())
        return 0
    options = _options(arguments)
    found = parallel.run(options)
    try:
        parallel.deliver(found, options)
        if options.report is not None:
            write_parallel_report(found, options.report)
        if options.trace is not None:
            write_trace(found, options.trace)
    finally:
        if options.json != "-":
            print_parallel_run(found, console())
    bad = [
        row
        for row in found.rows
        if row.outcome == "wrong" or (row.outcome in ("failed", "timed-out") and row.method.startswith("headrace:"))
    ]
    return 1 if bad or not found.complete else 0


def _options(arguments: argparse.Namespace) -> parallel.Options:
    quick, preset = arguments.quick, PRESETS.get(arguments.preset or "")
    size_default = 2 << 20 if quick else 64 << 20
    time_default = 0.01 if quick else 0.2
    return parallel.Options(
        ranks=arguments.ranks,
        launcher=arguments.launcher,
        wrapper=arguments.mpi,
        worker=arguments.worker,
        scaling=arguments.scaling or ("weak" if preset else "strong"),
        layout=arguments.layout or (preset.layout if preset else "block"),
        choice=_choice(arguments),
        size=preset.size if preset else arguments.size or size_default,
        directories=arguments.dir,
        hints=arguments.hints,
        vary=arguments.vary,
        conditions=arguments.condition,
        ior=arguments.ior,
        benchio=arguments.benchio,
        preset=arguments.preset or "",
        rounds=arguments.rounds or (preset.rounds if preset else 3),
        minimum_seconds=arguments.min_time or (preset.minimum_seconds if preset else time_default),
        time_budget=arguments.time_budget or (30.0 if quick else 300.0),
        limit=arguments.limit,
        seed=arguments.seed,
        json=arguments.json,
        report=arguments.report,
        trace=arguments.trace,
        quiet=arguments.quiet,
    )


def _choice(arguments: argparse.Namespace) -> Choice:
    preset = PRESETS.get(arguments.preset or "")
    if preset is not None:
        return Choice(methods=preset.methods)
    patterns, backends = _words(arguments.pattern), _words(arguments.backend)
    for option, words, known in (("--pattern", patterns, PATTERNS), ("--backend", backends, BACKENDS)):
        unknown = [word for word in words if word not in known]
        if unknown:
            raise HeadraceError(f"{option} {unknown[0]}: there is no such one", f"known: {', '.join(known)}")
    return Choice(patterns, backends, arguments.collective or "", _words(arguments.method), arguments.all)


def _words(items: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for item in items for word in item.split(",") if word))


def rank_counts(text: str) -> list[int]:
    """Numbers of MPI ranks with commas between them, each once, the smallest first."""
    try:
        values = sorted({int(word) for word in text.split(",")})
    except ValueError:
        values = [0]
    if values[0] < 1 or values[-1] > 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers of MPI ranks; write for example 2,4,8")
    return values
