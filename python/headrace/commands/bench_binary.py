"""`headrace bench binary`: options and help; the work is in measure/binary/run.py."""

import argparse
from typing import TYPE_CHECKING

from headrace.commands.arguments import (
    add_compilers,
    add_directory,
    add_how_long,
    add_output,
    common_options,
    count,
    names,
    size,
)
from headrace.commands.deliver import deliver

if TYPE_CHECKING:
    from headrace.measure.binary.run import Options

DESCRIPTION = """\
Write and read binary files of arrays: headrace beside write(2) and read(2), the unformatted statements of
Fortran, numpy, scipy, and cp. Ratios are taken pair by pair within rounds; every byte is verified.

Without options: 32 million real64, 100 million records of 8 bytes, conversions of 1 GiB; under about three
minutes on two cores, 8 GB of memory with the files in /dev/shm.
"""

EPILOG = """\
examples
  headrace bench binary --json run.json           `ratios` in run.json is for scripts
  headrace bench binary --quick                   small files, under half a minute
  headrace bench binary --only write_vs_raw --only read_vs_raw --dir /scratch/me
  headrace bench binary --large                   also `headrace inspect` of a file of 4 GiB
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command below `bench`."""
    parser = commands.add_parser(
        "binary",
        help="binary files of arrays: headrace, Fortran's statements, numpy, scipy, cp and the ceiling",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_what(parser.add_argument_group("what is measured"))
    add_how_long(parser.add_argument_group("how long"), "150; with --quick 15", "0.2; with --quick 0.02")
    show = parser.add_argument_group("what comes out")
    show.add_argument("--list", action="store_true", help="show the ratios with their goals, measure nothing")
    add_output(show)
    parser.set_defaults(run=run, needs=("headrace.measure.binary.run", "headrace.reporters.binary_tables"))


def _add_what(what: "argparse._ArgumentGroup") -> None:
    add_compilers(what, "by name or path")
    add_directory(what)
    what.add_argument(
        "--only",
        action="append",
        default=[],
        type=names,
        metavar="KEY",
        help="only this ratio or figure, see --list; may be repeated, commas are allowed",
    )
    what.add_argument(
        "--values", type=count, metavar="N", help="values of the whole array (default: 3.2e7; --quick: 1e6)"
    )
    what.add_argument("--records", type=count, metavar="N", help="short records (default: 1e8; --quick: 2e6)")
    what.add_argument(
        "--convert-size", type=size, metavar="BYTES", help="size of the file to convert (default: 1GiB; --quick: 64MiB)"
    )
    what.add_argument("--large", action="store_true", help="also inspect a file of 4 GiB")
    what.add_argument("--quick", action="store_true", help="small files and few rounds: a first look, noisy")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save. Exit code 1 when headrace was wrong or failed, or the run was interrupted."""
    from headrace.measure.binary import run as binary
    from headrace.reporters.binary_tables import print_binary_run, print_list
    from headrace.reporters.console import console
    from headrace.reporters.progress import Progress

    if arguments.list:
        print_list(console())
        return 0
    options = _options(arguments)
    found = binary.run(options, Progress(arguments.quiet))
    deliver(found, options.json, lambda written: print_binary_run(found, console(), written))
    ours = ("headrace", "convert", "library", "inspect")
    bad = [row for row in found.rows if row.tool in ours and row.outcome != "measured"]
    return 1 if bad or not found.complete else 0


def _options(arguments: argparse.Namespace) -> "Options":
    from headrace.measure.binary.run import Options

    quick = arguments.quick
    values, records = arguments.values, arguments.records
    return Options(
        values=values if values is not None else (10**6 if quick else 32 * 10**6),
        records=records if records is not None else (2 * 10**6 if quick else 10**8),
        convert_bytes=arguments.convert_size or (64 << 20 if quick else 1 << 30),
        large=arguments.large,
        only=[word for item in arguments.only for word in item.split(",") if word],
        **common_options(arguments, 15.0 if quick else 150.0, 0.02 if quick else 0.2),
    )
