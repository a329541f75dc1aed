"""The options of `headrace bench parallel`, and what they are made into."""

import argparse
from pathlib import Path

from headrace.commands.arguments import directory, file, names, positive, results_file, seconds, seed, size
from headrace.errors import HeadraceError
from headrace.measure.parallel.methods import PATTERNS, Choice, check_choice
from headrace.nearest import did_you_mean

BACKENDS = ("raw", "fortran", "mpiio", "hdf5", "netcdf4", "pnetcdf", "adios2", "zarr", "npy", "statements")
PRESETS = ("archer2", "pop")  # of measure/parallel/presets.py, which takes a second to load
# Options that a job script hands on; it sets the others itself.
_HANDED_ON = (
    *("mpi", "worker", "scaling", "layout", "size", "pattern", "backend", "collective", "method", "all", "hints"),
    *("vary", "preset", "ior", "benchio", "quick", "rounds", "min_time", "time_budget", "limit", "seed"),
)


def add_start(start: "argparse._ArgumentGroup") -> None:
    """How MPI ranks are started."""
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
        type=file,
        metavar="PROGRAM",
        help="headrace-parallel-worker (default: on the PATH, else beside the command headrace or in the installation "
        "that HEADRACE_LIBRARY is of, else below build/ of the checkout: of the same MPI, optimised, no older than the "
        "sources; else built into the cache)",
    )


def add_what(what: "argparse._ArgumentGroup") -> None:
    """Arrays, methods, directories, peers."""
    what.add_argument(
        "--scaling",
        choices=["weak", "strong"],
        help="--size is that of each MPI rank (weak), or of the whole array (strong, the default)",
    )
    what.add_argument(
        "--layout",
        choices=["slab", "pencil", "block", "fast"],
        help="split the last axis, the last two, all three (default), or the first: short pieces in a shared file",
    )
    what.add_argument(
        "--size",
        type=size,
        metavar="BYTES",
        help="bytes of each MPI rank; with strong scaling on the largest number of MPI ranks "
        "(default: 64MiB; --quick: 2MiB)",
    )
    what.add_argument(
        "--pattern", action="append", default=[], type=names, metavar="NAME", help=f"only {', '.join(PATTERNS)}"
    )
    what.add_argument(
        "--backend", action="append", default=[], type=names, metavar="NAME", help=f"only {', '.join(BACKENDS)}"
    )
    what.add_argument("--collective", choices=["both", "collective", "independent"], help="calls for shared files")
    what.add_argument(
        "--method",
        action="append",
        default=[],
        type=names,
        metavar="NAME",
        help="only this method, see --list; may be repeated",
    )
    what.add_argument("--all", action="store_true", help="every method that the worker has")
    what.add_argument("--dir", action="append", default=[], type=directory, metavar="DIR", help="may be repeated")
    what.add_argument(
        "--hints",
        default="",
        metavar="A=B,C=D",
        help="for MPI-IO and headrace's shared files, or a profile; names of hints are case-sensitive",
    )
    what.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=A,B",
        help="a hint (case-sensitive) with several values, or env:VARIABLE=A,B; may be repeated",
    )
    what.add_argument(
        "--condition",
        action="append",
        default=[],
        choices=["cached", "synced", "warm", "cold"],
        help="may be repeated (default: cached and warm)",
    )
    what.add_argument("--preset", choices=PRESETS, help="a published measurement, beside its figures")
    what.add_argument("--ior", type=file, metavar="PROGRAM", help="also measure IOR (POSIX and MPIIO)")
    what.add_argument("--benchio", type=file, metavar="PROGRAM", help="also measure benchio")
    what.add_argument("--quick", action="store_true", help="small arrays and few rounds: a first look, noisy")


def add_how_long(how: "argparse._ArgumentGroup") -> None:
    """Rounds and times."""
    how.add_argument("--rounds", type=positive, metavar="N", help="at least N rounds (default: 6)")
    how.add_argument("--min-time", type=seconds, metavar="S", help="shortest transfer (default: 0.05; --quick: 0.01)")
    how.add_argument(
        "--time-budget",
        type=seconds,
        metavar="S",
        help="no new transfer after so many seconds; one round always runs (default: 300; --quick: 30). The last line "
        "of the output says how many rounds a row got: twice the time buys about twice as many, 30 at most",
    )
    how.add_argument(
        "--limit", type=seconds, default=120.0, metavar="S", help="longest time for one transfer (default: 120)"
    )
    how.add_argument("--seed", type=seed, default=1, help="seed of the data and of the order (default: 1)")


def add_output(show: "argparse._ArgumentGroup") -> None:
    """Files, lists and jobs."""
    show.add_argument("--list", action="store_true", help="show methods and ratios with their goals, measure nothing")
    show.add_argument(
        "--json", type=results_file, metavar="FILE", help="results file (default: none; - prints it instead of tables)"
    )
    show.add_argument("--report", type=file, metavar="FILE", help="HTML report with timelines (default: none)")
    show.add_argument("--trace", type=file, metavar="FILE", help="Chrome or Perfetto trace: a track for each MPI rank")
    show.add_argument(
        "--job",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the job: account, partition, time, per_node, profile=archer2 ...; may be repeated",
    )
    show.add_argument(
        "--job-dir",
        type=directory,
        default=Path(),
        metavar="DIR",
        help="where the job is written; made if it does not exist (default: here)",
    )
    show.add_argument("--force", action="store_true", help="replace a job's files that have other contents")
    show.add_argument(
        "--write-job",
        choices=["slurm", "pbs"],
        help="write a job script and a ReFrame test that run the same, measure nothing",
    )
    show.add_argument("-q", "--quiet", action="store_true", help="no progress")


def choice_of(arguments: argparse.Namespace) -> Choice:
    """Which methods. Raises HeadraceError for names that there are not."""
    if arguments.preset:
        for option in ("size", "pattern", "backend", "collective", "method", "all"):
            if getattr(arguments, option):
                raise HeadraceError(f"--preset {arguments.preset} sets --{option} itself", f"leave out --{option}")
        from headrace.measure.parallel.presets import PRESETS

        return Choice(methods=PRESETS[arguments.preset].methods)
    if arguments.method:
        for option in ("pattern", "backend", "collective", "all"):
            if getattr(arguments, option):
                raise HeadraceError(
                    f"--{option} chooses among methods, and --method names them", f"leave out --{option}"
                )
    patterns, backends = _words(arguments.pattern), _words(arguments.backend)
    for option, words, known in (("--pattern", patterns, PATTERNS), ("--backend", backends, BACKENDS)):
        unknown = [word for word in words if word not in known]
        if unknown:
            raise HeadraceError(
                f"{option} {unknown[0]}: not known",
                did_you_mean(unknown[0], known, f"known: {', '.join(known)}"),
            )
    return Choice(patterns, backends, arguments.collective or "", _words(arguments.method), arguments.all)


def check_job(arguments: argparse.Namespace) -> None:
    """Raises HeadraceError for names that a job would refuse, hours after it was submitted."""
    from headrace.measure.parallel.ways import varied_and_checked

    check_choice(choice_of(arguments))
    varied_and_checked(arguments.hints, arguments.vary)


def handed_on(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[str, ...]:
    """The words of the options that differ from their defaults, for a command that measures the same elsewhere."""
    words: list[str] = []
    for name in _HANDED_ON:
        value, option = getattr(arguments, name), f"--{name.replace('_', '-')}"
        if value == parser.get_default(name):
            continue
        if value is True:
            words.append(option)
        else:
            for item in value if isinstance(value, list) else [value]:
                words += [option, str(item.absolute() if isinstance(item, Path) else item)]
    return tuple(words)


def _words(items: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for item in items for word in item.split(",") if word))


def rank_counts(text: str) -> list[int]:
    """Numbers of MPI ranks with commas between them, each once, the smallest first."""
    try:
        values = sorted({int(word) for word in text.split(",")})
    except ValueError:
        values = [0]
    if values[0] < 1 or values[-1] > 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers of MPI ranks; write for example 2,4,8")
    return values
