"""`headrace bench parallel`: options and help; the work is in measure/parallel/run.py."""

import argparse
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.deliver import deliver
from headrace.commands.parallel_arguments import (
    add_how_long,
    add_output,
    add_start,
    add_what,
    check_job,
    choice_of,
    handed_on,
)
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.measure.parallel.run import Options

DESCRIPTION = """\
Write and read one array that is spread over MPI ranks: headrace beside raw file per process, MPI-IO, HDF5,
NetCDF-4, PnetCDF and ADIOS2, each alone and through headrace. The clock runs from a common start to the end of
the slowest MPI rank; every value that is read is compared. Ratios are taken pair by pair within rounds.

Without options: one array of 512 MiB on 2, 4 and 8 MPI ranks (with MPICH at most twice the cores), in /dev/shm
if there is one node; some minutes on two cores, 4 GB of memory with the file.
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


NEEDS = (
    "headrace.measure.parallel.run",
    "headrace.reporters.parallel_report",
    "headrace.reporters.parallel_tables",
    "headrace.reporters.parallel_trace",
)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "parallel",
        help="arrays on many MPI ranks: headrace, MPI-IO, HDF5, NetCDF, PnetCDF, ADIOS2 and the raw limit",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_start(parser.add_argument_group("how it is started"))
    add_what(parser.add_argument_group("what is measured"))
    add_how_long(parser.add_argument_group("how long"))
    add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(run=run, parser=parser, needs=NEEDS)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 when headrace was wrong or failed, nothing could be measured, or Ctrl-C."""
    from headrace.measure.parallel import run as parallel
    from headrace.reporters.console import console
    from headrace.reporters.parallel_report import write_parallel_report
    from headrace.reporters.parallel_tables import print_list, print_parallel_run
    from headrace.reporters.parallel_trace import write_trace
    from headrace.reporters.progress import Progress

    if arguments.list:
        print_list(console())
        return 0
    if arguments.write_job:
        return _write_job(arguments)
    for option, given in (
        ("--job", arguments.job),
        ("--job-dir", arguments.job_dir != Path()),
        ("--force", arguments.force),
    ):
        if given:
            raise HeadraceError(f"{option} is for job scripts: it needs --write-job", "for example --write-job slurm")
    options = _options(arguments)
    found = parallel.run(options, Progress(arguments.quiet))
    deliver(
        found,
        options.json,
        lambda written: print_parallel_run(found, console(), written),
        (options.report, partial(write_parallel_report, found)),
        (options.trace, partial(write_trace, found)),
    )
    bad = [
        row
        for row in found.rows
        if row.outcome == "wrong" or (row.outcome in ("failed", "timed-out") and row.method.startswith("headrace:"))
    ]
    nothing = not any(row.samples for row in found.rows)
    return 1 if bad or nothing or not found.complete else 0


def _write_job(arguments: argparse.Namespace) -> int:
    """A job script and a ReFrame test of the same measurement."""
    from headrace.measure.parallel import jobs
    from headrace.measure.parallel.job_texts import SUBMIT

    if not arguments.ranks:
        raise HeadraceError("--write-job needs --ranks", "for example --ranks 128,256 with --job per_node=128")
    if len(arguments.dir) > 1:
        raise HeadraceError("a job measures in one directory", "give --dir once, or --job stripe=N several times")
    for option in ("launcher", "json", "report", "trace"):
        if getattr(arguments, option):
            raise HeadraceError(
                f"--{option} is not for job scripts: the script sets it itself", f"leave out --{option}"
            )
    check_job(arguments)
    given: dict[str, object] = {
        "ranks": tuple(arguments.ranks),
        "arguments": handed_on(arguments, arguments.parser),
        "conditions": tuple(arguments.condition) or ("cached",),
    }
    if arguments.dir:
        given["directory"] = str(arguments.dir[0].absolute())
    jobs.check_scheduler(arguments.job, arguments.write_job)
    job = jobs.read_job(arguments.job, **given)
    script, _ = jobs.write_job(job, arguments.job_dir, arguments.force, print, arguments.write_job)
    warning = jobs.warning_of(job)
    if warning:
        print(f"headrace: warning: {warning}", file=sys.stderr)
    print(f"submit it with: {SUBMIT[arguments.write_job]} {shlex.quote(str(script))}")
    return 0


def _options(arguments: argparse.Namespace) -> "Options":
    from headrace.measure.parallel.presets import PRESETS
    from headrace.measure.parallel.run import Options

    quick, preset = arguments.quick, PRESETS.get(arguments.preset or "")
    size_default = 2 << 20 if quick else 64 << 20
    time_default = 0.01 if quick else 0.05
    return Options(
        ranks=arguments.ranks,
        launcher=arguments.launcher,
        wrapper=arguments.mpi,
        worker=arguments.worker,
        scaling=arguments.scaling or ("weak" if preset else "strong"),
        layout=arguments.layout or (preset.layout if preset else "block"),
        choice=choice_of(arguments),
        size=preset.size if preset else arguments.size or size_default,
        directories=arguments.dir,
        hints=arguments.hints,
        vary=arguments.vary,
        conditions=arguments.condition,
        ior=arguments.ior,
        benchio=arguments.benchio,
        preset=arguments.preset or "",
        quick=quick,
        rounds=arguments.rounds or (preset.rounds if preset else 6),
        minimum_seconds=arguments.min_time or (preset.minimum_seconds if preset else time_default),
        time_budget=arguments.time_budget or (30.0 if quick else 300.0),
        limit=arguments.limit,
        seed=arguments.seed,
        json=arguments.json,
        report=arguments.report,
        trace=arguments.trace,
    )
