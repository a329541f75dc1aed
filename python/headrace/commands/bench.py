"""`headrace bench`: options and help; the work is in measure/benchmark.py."""

import argparse
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands import bench_binary, bench_parallel, bench_run, bench_text, bench_trace
from headrace.commands.arguments import (
    add_compilers,
    directory,
    file,
    names,
    positive,
    results_file,
    seconds,
    seed,
    size,
)
from headrace.commands.deliver import deliver

if TYPE_CHECKING:
    from headrace.measure.benchmark import Options

DESCRIPTION = """\
Time every way in which a Fortran program reads and writes arrays, with your compiler, in your directory,
beside the ceiling of the machine and the figures that others have published.

Without options: about 30 mechanisms, every compiler found, the current directory, under five minutes.
"""

EPILOG = """\
conditions
  cached   a write returns when the page cache has the data        warm  a read of what was just written
  synced   a write returns when the device has the data (fsync)    cold  a read after the pages were evicted

verdicts
  valid          the interval of the median is no wider than 10 %
  noisy          it is wider, or there were fewer than the 6 rounds that an interval needs
  too-short      the transfer lasted less than --min-time
  cache-suspect  faster than write(2) or read(2) was under the same condition
  unknown        a cold read whose pages were still in the page cache
  unverified     the contents could not be compared

examples
  headrace bench --fc gfortran --fc flang-new-19 --dir /dev/shm --dir /scratch/me
  headrace bench --select unformatted --select stream:whole --condition synced --condition cold
  headrace bench --select write --size 64MiB --rounds 7 --json run.json
  headrace bench --all                        everything, at least 1 s a transfer
  headrace bench --check                      does the compiler's own I/O lose or garble data?
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "bench",
        help="time every way a Fortran program does I/O, here",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_what(parser.add_argument_group("what is measured"))
    _add_how_long(parser.add_argument_group("how long"))
    _add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(
        run=run, needs=("headrace.measure.benchmark", "headrace.reporters.html", "headrace.reporters.terminal")
    )
    own = parser.add_subparsers(title="benchmarks of their own", metavar="text, binary, parallel, trace, run")
    bench_text.add_parser(own)
    bench_binary.add_parser(own)
    bench_parallel.add_parser(own)
    bench_trace.add_parser(own)
    bench_run.add_parser(own)


def _add_what(what: "argparse._ArgumentGroup") -> None:
    add_compilers(what, "by name or path, also mpifort")
    what.add_argument(
        "--dir",
        action="append",
        default=[],
        type=directory,
        metavar="DIR",
        help="directory to write in; may be repeated (default: the current one)",
    )
    what.add_argument(
        "--select",
        action="append",
        default=[],
        type=names,
        metavar="NAME",
        help="family, family:mechanism, 'read' or 'write'; may be repeated, commas are allowed",
    )
    what.add_argument(
        "--condition",
        action="append",
        default=[],
        choices=["cached", "synced", "warm", "cold"],
        help="may be repeated (default: cached and warm)",
    )
    what.add_argument(
        "--size",
        type=size,
        metavar="BYTES",
        help="payload of every transfer, for example 64MiB (default: as large as --min-time needs)",
    )
    what.add_argument(
        "--readers",
        type=counts,
        metavar="K,K",
        help="processes that read parts of one file (default: 1,4; with --all 1,2,4,8; published figures: 256)",
    )
    what.add_argument(
        "--all",
        action="store_true",
        help="every mechanism and knob, at least 1 s a transfer; takes an hour or more",
    )
    what.add_argument("--check", action="store_true", help="check the correctness of the compilers' I/O, time nothing")


def _add_how_long(how: "argparse._ArgumentGroup") -> None:
    how.add_argument(
        "--rounds",
        type=positive,
        default=6,
        metavar="N",
        help="at least N rounds, more if an interval is wide (default: 6)",
    )
    how.add_argument("--min-time", type=seconds, metavar="S", help="shortest transfer (default: 0.2; with --all 1)")
    how.add_argument(
        "--time-budget",
        type=seconds,
        metavar="S",
        help="seconds for everything, compiling and the cost model too; what does not fit is left out and named "
        "(default: 285; with --all 7200)",
    )
    how.add_argument(
        "--limit",
        type=seconds,
        metavar="S",
        help="longest time for one process (default: 30; with --all 600)",
    )
    how.add_argument("--seed", type=seed, default=1, help="seed of the data and of the order (default: 1)")


def _add_output(show: "argparse._ArgumentGroup") -> None:
    show.add_argument("--list", action="store_true", help="show all mechanisms with their statements, measure nothing")
    show.add_argument(
        "--json", type=results_file, metavar="FILE", help="results file (default: headrace-DATE.json; - prints it)"
    )
    show.add_argument(
        "--report",
        type=file,
        default=Path("headrace-report.html"),
        metavar="FILE",
        help="HTML report (default: headrace-report.html)",
    )
    show.add_argument("--no-report", action="store_true", help="write no HTML report")
    show.add_argument("--no-model", action="store_true", help="fit no cost model")
    show.add_argument("--brief", action="store_true", help="tables without the source of each statement")
    show.add_argument(
        "--expand", action="store_true", help="a line for each of several rows that are equal, instead of one for all"
    )
    show.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """List, check or measure."""
    arguments.select = [word for item in arguments.select for word in item.split(",") if word]
    if arguments.list:
        _list()
        return 0
    from headrace.measure import benchmark
    from headrace.measure.scratch import unused_name
    from headrace.reporters.console import console
    from headrace.reporters.html import write_report
    from headrace.reporters.progress import Progress
    from headrace.reporters.terminal import print_run

    results_file = _results_file(arguments.json)
    report = None if arguments.no_report or results_file is None else arguments.report
    found = benchmark.run(_options(arguments, results_file, report), Progress(arguments.quiet))
    if results_file is not None and arguments.json is None:  # two runs may begin in one second
        results_file = unused_name(results_file.parent, results_file.stem, results_file.suffix)
    json = "-" if results_file is None else str(results_file)

    def show(written: list[object]) -> None:
        print_run(found, console(), not arguments.brief, arguments.expand)
        names = ", ".join(map(str, written))
        console().print(f"took {found.elapsed_seconds:.0f} s; wrote {names}")

    deliver(found, json, show, (report, lambda path: write_report([found], path, [Path(json).name])))
    bad_rows = [row for row in found.rows if row.outcome in ("wrong", "failed")]
    bad_checks = [check for check in found.checks if check.answer == "wrong"]
    return 1 if bad_rows or bad_checks or not found.complete else 0


def _results_file(json: str | None) -> Path | None:
    """Where the results go; None for standard output."""
    if json == "-":
        return None
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    return Path(json or f"headrace-{stamp}.json")


def _options(arguments: argparse.Namespace, results_file: Path | None, report: Path | None) -> "Options":
    from headrace.measure.benchmark import Options

    everything = arguments.all
    return Options(
        compilers=arguments.fc,
        flags=arguments.flags,
        directories=list(dict.fromkeys(arguments.dir)) or [Path.cwd()],
        select=arguments.select,
        conditions=arguments.condition,
        size_bytes=arguments.size,
        readers=arguments.readers or ([1, 2, 4, 8] if everything else [1, 4]),
        everything=everything,
        check=arguments.check,
        rounds=arguments.rounds,
        minimum_seconds=arguments.min_time if arguments.min_time is not None else (1.0 if everything else 0.2),
        time_budget=arguments.time_budget or (7200.0 if everything else 285.0),
        limit=arguments.limit or (600.0 if everything else 30.0),
        seed=arguments.seed,
        json=results_file,
        report=report,
        model=not arguments.no_model,
    )


def _list() -> None:
    from rich.markup import escape

    from headrace.measure import benchmark, knobs
    from headrace.measure.catalogue import SHAPES, all_mechanisms
    from headrace.measure.plan import DEFAULT_MECHANISMS, DEFAULT_PART
    from headrace.reporters.console import console

    out = console()
    family = ""
    for mechanism in all_mechanisms():
        if mechanism.family != family:
            family = mechanism.family
            out.print(f"[bold]{family}[/bold]")
        star = "*" if mechanism.key in DEFAULT_MECHANISMS + DEFAULT_PART else " "
        out.print(f" {star}{mechanism.key}  [dim]{SHAPES[mechanism.shape]}[/dim]")
        out.print(f"     [dim]write: {escape(mechanism.write_statement)}[/dim]", soft_wrap=True)
        out.print(f"     [dim]read:  {escape(mechanism.read_statement)}[/dim]", soft_wrap=True)
    out.print("\n* part of the default benchmark\n\n[bold]run-time knobs[/bold]")
    for vendor, settings in knobs.KNOBS.items():
        for knob in settings:
            what = " ".join([*(f"{k}={v}" for k, v in knob.environment.items()), *knob.flags])
            note = "" if knob.tested else "  (from documentation, untested)"
            out.print(f"  {vendor}: {knob.name}: {what}{note}", soft_wrap=True)
    out.print("\n[bold]checks[/bold] (headrace bench --check)")
    for name, question in benchmark.check_names():
        out.print(f"  {name}: {escape(question)}", soft_wrap=True)


def counts(text: str) -> list[int]:
    """Positive whole numbers separated by commas."""
    try:
        values = [int(word) for word in text.split(",")]
    except ValueError:
        values = [0]
    if min(values) < 1 or max(values) > 4096:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers from 1 to 4096; write for example 1,2,4")
    return values
