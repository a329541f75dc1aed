"""`headrace bench run`: options and help; the work is in measure/run/run.py."""

import argparse

from headrace.commands.arguments import (
    add_compilers,
    add_directory,
    add_how_long,
    add_output,
    common_options,
    names,
    positive,
)
from headrace.commands.deliver import deliver

DESCRIPTION = """\
What headrace run makes faster, and that it makes nothing slower. Loops of I/O statements, compiled by gfortran, run
without and with it, one after the other, each in a process of its own; what they read and wrote is compared. A ratio is
the processor time without, divided by that with it. Also measured: what the start of a program costs more.

Without options: every case, gfortran, in memory, under five minutes.
"""

EPILOG = """\
examples
  headrace bench run
  headrace bench run --only write_es22,write_list --repeat 12
  headrace bench run --json run.json             `ratios` in run.json is for scripts
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "run",
        help="what headrace run makes faster, statement by statement",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what is measured")
    add_compilers(what, "a gfortran, by name or path")
    add_directory(what)
    what.add_argument(
        "--only",
        action="append",
        default=[],
        type=names,
        metavar="CASE",
        help="only this case, see --list; may be repeated, commas are allowed",
    )
    how = parser.add_argument_group("how long")
    add_how_long(how, "280", one=("sample without headrace run", "process"), limit=60.0, seed_of="seed of the order")
    how.add_argument(
        "--repeat", dest="rounds", type=positive, default=argparse.SUPPRESS, metavar="N", help="the same as --rounds"
    )
    show = parser.add_argument_group("what comes out")
    show.add_argument("--list", action="store_true", help="show the cases with their goals, measure nothing")
    add_output(show)
    parser.set_defaults(run=run, needs=("headrace.measure.run.run", "headrace.reporters.taken_over_tables"))


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 if something failed or differed, or the run was interrupted."""
    from headrace.measure.run import run as taken_over
    from headrace.reporters.console import console
    from headrace.reporters.progress import Progress
    from headrace.reporters.taken_over_tables import print_list, print_taken_over_run

    if arguments.list:
        print_list(console())
        return 0
    options = taken_over.Options(
        only=[word for item in arguments.only for word in item.split(",") if word],
        **common_options(arguments, 280.0),
    )
    found = taken_over.run(options, Progress(arguments.quiet))
    deliver(found, options.json, lambda written: print_taken_over_run(found, console(), written))
    bad = [row for row in found.rows if row.outcome != "measured"]
    return 1 if bad or not found.complete else 0
