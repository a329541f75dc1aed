"""The options of `headrace advise`, and the job that they describe. First: advise.py."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.arguments import (
    directory,
    file,
    file_or_store,
    names,
    positive,
    results_file,
    seconds,
    seed,
    size,
)

if TYPE_CHECKING:
    from headrace.settings.job import Job
    from headrace.sites.schema import Operation

# Of settings/job.py, which takes a second to load.
PATTERNS = ("shared", "serial", "file_per_process", "file_per_node", "shared_independent", "shared_collective")
FORMATS = ("text", "unformatted", "stream", "direct", "npy", "zarr", "hdf5", "netcdf4", "pnetcdf", "adios2")


def add_place(group: "argparse._ArgumentGroup") -> None:
    """Where the job runs."""
    group.add_argument("--dir", type=directory, metavar="DIR", help="where the job writes (default: here)")
    group.add_argument(
        "--site",
        metavar="NAME|FILE",
        help="the profile of a site, or a TOML file; without --dir nothing here is looked at: the job runs elsewhere",
    )
    group.add_argument("--mpi", metavar="WRAPPER", help="compiler wrapper of the MPI to use (default: mpicxx)")
    group.add_argument(
        "--mpi-io",
        choices=["ompio", "romio", "cray"],
        help="whose hints MPI-IO heeds (default: what is seen, or the site's)",
    )
    group.add_argument(
        "--fc",
        action="append",
        default=[],
        metavar="COMPILER",
        help="of the program: a name on the PATH, or gnu, llvm, intel, cray, nvidia or nag; may be repeated "
        "(default: all found)",
    )
    group.add_argument(
        "--no-probe",
        action="store_true",
        help="do not measure what calls cost in --dir (a second, some files of its own); advice from a trace needs it",
    )
    group.add_argument(
        "--tool-limit",
        type=seconds,
        default=10.0,
        metavar="S",
        help="how long lfs, mmlsattr and mpirun may take to answer (default: 10)",
    )


def add_job(group: "argparse._ArgumentGroup") -> None:
    """What the job does."""
    group.add_argument(
        "--from",
        dest="source",
        type=file_or_store,
        metavar="FILE",
        help="a trace, or results of headrace bench or bench parallel",
    )
    group.add_argument("--ranks", type=positive, default=1, metavar="N", help="MPI ranks (default: 1)")
    group.add_argument("--nodes", type=positive, default=1, metavar="N", help="nodes (default: 1)")
    group.add_argument("--size", type=size, default=0, metavar="BYTES", help="of each MPI rank, for example 32MiB")
    group.add_argument("--pattern", choices=PATTERNS, help="who writes which file; shared: by collective calls")
    group.add_argument("--format", choices=FORMATS, default="", help="of the file")
    group.add_argument("--operation", choices=["write", "read", "both"], default="both", help="(default: both)")
    group.add_argument(
        "--statements", choices=["element", "array"], default="", help="what one READ or WRITE transfers"
    )
    group.add_argument(
        "--skip",
        choices=["scalar", "array"],
        default="",
        help="how a reader passes over values of a record that it does not need",
    )
    group.add_argument("--flush", action="store_true", help="the program flushes after each record")
    group.add_argument("--reopen", action="store_true", help="the program opens and closes the file for each record")
    group.add_argument("--files", type=positive, default=0, metavar="N", help="small files that are moved")
    group.add_argument(
        "--transfer", choices=["pack", "unpack", "copy"], default="", help="what is done with those files"
    )
    group.add_argument(
        "--forbid",
        action="append",
        default=[],
        type=names,
        metavar="NAME",
        help="what must not be advised: the name in brackets behind an item, or buffered_io; may be repeated",
    )


def add_trial(group: "argparse._ArgumentGroup") -> None:
    """Does it help here?"""
    group.add_argument(
        "--try",
        dest="trial",
        metavar="COMMAND",
        help="run it with each setting, in fresh copies of --dir, and say what was gained; the first run is traced, "
        "and says what is not said about the job",
    )
    group.add_argument(
        "--changed",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="what no setting can do: the advice of this name is made in COMMAND, a changed program in --dir, which is "
        "tried beside --try; may be repeated",
    )
    group.add_argument("--preset", choices=["bench"], help="try headrace bench parallel in place of a program")
    group.add_argument(
        "--time-budget", type=seconds, default=300.0, metavar="S", help="for all runs of --try together (default: 300)"
    )
    group.add_argument("--seed", type=seed, default=1, help="of the order of the runs (default: 1)")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress")


def add_output(group: "argparse._ArgumentGroup") -> None:
    """The text, and the same for programs and browsers."""
    group.add_argument("--verbose", action="store_true", help="also everything that was seen, and how")
    group.add_argument("--json", type=results_file, metavar="FILE", help="also as JSON, - for standard output")
    group.add_argument("--html", type=results_file, metavar="FILE", help="also as a page")


def add_files(group: "argparse._ArgumentGroup") -> None:
    """What a job uses."""
    group.add_argument("--env", type=file, metavar="FILE", help="write the variables as a file to source")
    group.add_argument("--romio-hints", type=file, metavar="FILE", help="write the hints as a file for ROMIO_HINTS")
    group.add_argument("--write-job", choices=["slurm", "pbs"], help="write a whole job script")
    group.add_argument("--program", metavar="COMMAND", help='what the job runs, for example "./model input.nml"')
    group.add_argument(
        "--job",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the job: account, partition, time, module, env:NAME ...; may be repeated",
    )
    group.add_argument(
        "--job-file", type=file, default=Path("headrace-job.sh"), metavar="FILE", help="(default: headrace-job.sh)"
    )
    group.add_argument("--force", action="store_true", help="replace files of these options that have other contents")
    group.add_argument(
        "--job-script",
        type=file,
        metavar="FILE",
        help="say what is wrong for I/O in a job script, a file of hints or the output of env, and do nothing else",
    )
    group.add_argument(
        "--check-site", type=file, metavar="FILE", help="check a site profile, say what is in it, and do nothing else"
    )


def job_of(arguments: argparse.Namespace) -> "Job":
    """The job that the options describe. Raises HeadraceError if they contradict each other."""
    from headrace.settings.job import Job, pattern_of

    operations: tuple[Operation, ...] = ("write", "read")
    if arguments.operation != "both":
        operations = (arguments.operation,)
    return Job(
        ranks=arguments.ranks,
        nodes=arguments.nodes,
        bytes_a_rank=arguments.size,
        pattern=pattern_of(arguments.pattern or ""),
        format=arguments.format,
        operations=operations,
        statements=arguments.statements,
        skip=arguments.skip,
        flush=arguments.flush,
        reopen=arguments.reopen,
        files=arguments.files,
        transfer=arguments.transfer,
        forbidden=frozenset(word.strip() for words in arguments.forbid for word in words.split(",")),
    )
