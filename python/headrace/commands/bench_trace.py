"""`headrace bench trace`: options and help; the work is in measure/trace/run.py."""

import argparse

from headrace.commands.arguments import add_compilers, directory, positive, results_file, seconds, seed
from headrace.commands.deliver import deliver

DESCRIPTION = """\
What headrace trace costs the program that is traced: loops of I/O statements with and without it, one after the other,
in processes of their own; the resident memory that it adds; and how long a thousand profiles take to be shown.

Without options: eight loops, every compiler found, under two minutes.
"""

EPILOG = """\
examples
  headrace bench trace
  headrace bench trace --fc gfortran --rounds 12 --json trace.json
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "trace",
        help="what headrace trace costs the traced program",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what is measured")
    add_compilers(what, "by name or path")
    what.add_argument(
        "--dir",
        type=directory,
        metavar="DIR",
        help="directory to write in (default: /dev/shm if there is one, else the current one)",
    )
    how = parser.add_argument_group("how long")
    how.add_argument("--rounds", type=positive, default=6, metavar="N", help="at least N rounds (default: 6)")
    how.add_argument("--min-time", type=seconds, default=0.2, metavar="S", help="shortest sample (default: 0.2)")
    how.add_argument(
        "--time-budget",
        type=seconds,
        default=110.0,
        metavar="S",
        help="no new sample after so many seconds; one round always runs (default: 110)",
    )
    how.add_argument(
        "--limit", type=seconds, default=60.0, metavar="S", help="longest time for one process (default: 60)"
    )
    how.add_argument("--seed", type=seed, default=1, help="of the order (default: 1)")
    show = parser.add_argument_group("what comes out")
    show.add_argument(
        "--json", type=results_file, metavar="FILE", help="results file (default: none; - prints it instead of tables)"
    )
    show.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run, needs=("headrace.measure.trace.run", "headrace.reporters.trace_overhead_tables"))


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 if something failed, or the run was interrupted."""
    from headrace.measure.trace import run as trace
    from headrace.reporters.console import console
    from headrace.reporters.progress import Progress
    from headrace.reporters.trace_overhead_tables import print_trace_run

    options = trace.Options(
        compilers=arguments.fc,
        flags=arguments.flags,
        directory=arguments.dir,
        rounds=arguments.rounds,
        minimum_seconds=arguments.min_time,
        time_budget=arguments.time_budget,
        limit=arguments.limit,
        seed=arguments.seed,
        json=arguments.json,
    )
    found = trace.run(options, Progress(arguments.quiet))
    deliver(found, options.json, lambda written: print_trace_run(found, console(), written))
    bad = [row for row in found.rows if row.outcome != "measured"]
    return 1 if bad or not found.complete else 0
