"""`headrace bench trace`: options and help; the work is in measure/trace/run.py."""

import argparse

from headrace.commands.arguments import add_compilers, add_directory, add_how_long, add_output, common_options
from headrace.commands.deliver import deliver

DESCRIPTION = """\
What headrace trace costs the traced program. Loops of I/O statements run with and without it, one after the other,
each in a process of its own. Also measured: the resident memory that it adds, and the time to show a thousand profiles.

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
    add_directory(what)
    how = parser.add_argument_group("how long")
    add_how_long(how, "110", one=("sample", "process"), limit=60.0, seed_of="seed of the order")
    add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(run=run, needs=("headrace.measure.trace.run", "headrace.reporters.trace_overhead_tables"))


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 if something failed, or the run was interrupted."""
    from headrace.measure.runs import BenchOptions
    from headrace.measure.trace import run as trace
    from headrace.reporters.console import console
    from headrace.reporters.progress import Progress
    from headrace.reporters.trace_overhead_tables import print_trace_run

    options = BenchOptions(
        **common_options(arguments, 110.0),
    )
    found = trace.run(options, Progress(arguments.quiet))
    deliver(found, options.json, lambda written: print_trace_run(found, console(), written))
    bad = [row for row in found.rows if row.outcome != "measured"]
    return 1 if bad or not found.complete else 0
