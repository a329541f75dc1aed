"""`headrace bench text`: options and help; the work is in measure/text/run.py."""

import argparse
import os

from headrace.commands.arguments import (
    add_compilers,
    add_directory,
    add_how_long,
    add_output,
    common_options,
    count,
    directory,
    names,
    positive,
)
from headrace.commands.deliver import deliver

DESCRIPTION = """\
Write and read an array as text: headrace beside what a Fortran program does without a library, other
libraries, the tables of Python, and the ceiling (the same bytes without any conversion).

Without options: ten million real64 in ten columns, normally distributed, and a table of hexadecimal cells;
under about five minutes on two cores. Every file is verified.
"""

EPILOG = """\
peers
  numpy, pandas, polars, pyarrow   if this Python has them; --peers installs them in an environment of its own
  io_fortran_lib, stdlib,          --peer-source DIR: the trees DIR/io_fortran_lib, DIR/stdlib, DIR/csv-fortran,
  csv-fortran                      built there with gfortran as their own READMEs say; headrace brings none of them

examples
  headrace bench text --json run.json             what is installed here; `ratios` in run.json is for scripts
  headrace bench text --peers --peer-source ~/src --fc gfortran
  headrace bench text --all --time-budget 7200    every type, shape and distribution
  headrace bench text --hex-table 15000           the size of the published figures: 16 GB of memory for the peer
  headrace bench text --without pandas,numpy      sooner: the slowest peers are left out
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "text",
        help="text files of arrays: headrace, Fortran's statements, other libraries and the ceiling",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_what(parser.add_argument_group("what is measured"))
    add_how_long(parser.add_argument_group("how long"), "240; with --all 3600")
    add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(run=run, needs=("headrace.measure.text.run", "headrace.reporters.text_tables"))


def _add_what(what: "argparse._ArgumentGroup") -> None:
    add_compilers(what, "by name or path")
    add_directory(what)
    what.add_argument(
        "--size", type=count, default=10**7, metavar="N", help="values of the array, for example 1e6 (default: 1e7)"
    )
    what.add_argument(
        "--hex-table",
        type=count,
        default=5000,
        metavar="N",
        help="N x N real32 as hexadecimal cells and back, 0 for none (default: 5000; published figures: 15000)",
    )
    what.add_argument(
        "--threads",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="threads of every tool that has any (default: all cores)",
    )
    what.add_argument("--peers", action="store_true", help="install the Python peers, into the cache of headrace")
    what.add_argument("--peer-source", type=directory, metavar="DIR", help="where the Fortran peers' built trees are")
    what.add_argument(
        "--without",
        action="append",
        default=[],
        type=names,
        metavar="PEER",
        help="leave out this peer, see below; may be repeated, commas are allowed",
    )
    what.add_argument("--all", action="store_true", help="every type, shape and distribution; half an hour or more")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 when a way was wrong or failed, or the run was interrupted."""
    from headrace.measure.text import run as text
    from headrace.reporters.console import console
    from headrace.reporters.progress import Progress
    from headrace.reporters.text_tables import print_text_run

    options = text.Options(
        values=arguments.size,
        hex_table=arguments.hex_table,
        threads=arguments.threads,
        install_peers=arguments.peers,
        peer_source=arguments.peer_source,
        without=[word.strip() for item in arguments.without for word in item.split(",")],
        everything=arguments.all,
        **common_options(arguments, 3600.0 if arguments.all else 240.0),
    )
    found = text.run(options, Progress(arguments.quiet))
    deliver(found, options.json, lambda written: print_text_run(found, console(), written))
    bad = [row for row in found.rows if row.tool in ("headrace", "portable") and row.outcome != "measured"]
    return 1 if bad or not found.complete else 0
