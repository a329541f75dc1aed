"""`headrace compare A.json B.json`."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.arguments import file_or_store
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from rich.table import Table

    from headrace.measure.comparison import Comparison, Difference

DESCRIPTION = """\
Compare two results files row by row: B is faster, slower, or headrace cannot tell.

A row is called faster or slower only if the interval of its own change leaves out 1. That interval covers the noise of
the rounds and what the machine may have changed between the runs, and all intervals of a comparison hold together: of
all comparisons of a thing with itself at most 5 % report any difference. With fewer than 3 rounds in a file headrace
cannot tell, nor where a verdict other than 'noisy' doubts a row. More rounds find smaller changes (bench --rounds 9);
two compilers are compared best within one run, whose rounds alternate (bench --fc A --fc B).

Two traces (headrace trace) are compared by source line: what ran more or less often, wrote more or less, took longer.
"""

EPILOG = """\
examples:
  headrace compare before.json after.json
  headrace compare before.headrace-trace after.headrace-trace
"""

TRACE_LINES = 20
SHOWN = 8  # rows of one file alone


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "compare",
        help="compare two results files, or two traces: what is faster, what is slower, what nobody can tell",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("a", type=file_or_store, metavar="A", help="results file of headrace bench, or a trace")
    parser.add_argument("b", type=file_or_store, metavar="B", help="the same, of another run")
    parser.add_argument(
        "--all", action="store_true", help="show also the rows for which headrace cannot tell; every line of traces"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, needs=("headrace.measure.comparison",))


def run(arguments: argparse.Namespace) -> int:
    """Print the differences."""
    from headrace.trace.archive import is_trace

    arguments.a, arguments.b = Path(arguments.a), Path(arguments.b)
    traces = [path for path in (arguments.a, arguments.b) if is_trace(path)]
    if len(traces) == 1:
        other = arguments.b if traces[0] == arguments.a else arguments.a
        raise HeadraceError(
            f"{traces[0]} is a trace of a program, {other} is not",
            "compare two traces (headrace trace), or two results files (headrace bench)",
        )
    return _compare_traces(arguments) if traces else _compare_results(arguments)


def _compare_traces(arguments: argparse.Namespace) -> int:
    from headrace.trace.archive import load
    from headrace.trace.compare import as_json, compare_traces, comparison_table
    from headrace.trace.merge import merge
    from headrace.trace.sources import show_sources
    from headrace.whole_files import write_to_standard_output

    both = []
    for path in (arguments.a, arguments.b):
        recorded = load(path)
        trace = merge(recorded.profiles, recorded.run, recorded.notes)
        show_sources(trace, recorded.sources)
        both.append(trace)
    changes = compare_traces(*both)
    if arguments.json:
        write_to_standard_output((json.dumps(as_json(changes), indent=1) + "\n").encode())
        return 0
    write_to_standard_output(comparison_table(changes, len(changes.lines) if arguments.all else TRACE_LINES).encode())
    return 0


def _compare_results(arguments: argparse.Namespace) -> int:
    from rich.markup import escape

    from headrace.measure.comparable import measured_rows
    from headrace.measure.comparison import compare, settings_that_differ
    from headrace.measure.results_file import load_any
    from headrace.reporters.console import console

    a, b = load_any(arguments.a), load_any(arguments.b)
    notes = settings_that_differ(a, b)
    found = compare(measured_rows(a), measured_rows(b))
    if arguments.json:
        print(json.dumps(asdict(found) | {"notes": notes}, indent=1))
        return 0
    out = console()
    for line in notes:
        out.print(f"note: {escape(line)}")
    for line in found.missing[:SHOWN]:
        out.print(f"note: {escape(line)}")
    if len(found.missing) > SHOWN:
        out.print(f"note: {len(found.missing) - SHOWN} more rows are in one file only (--json names all)")
    first, *rest = conclusions(found)
    out.print(f"[bold]{first}[/bold]")
    for line in rest:
        out.print(line)
    shown = found.rows if arguments.all else [row for row in found.rows if row.judgement != "cannot tell"]
    if shown:
        out.print(_table(shown, arguments.a.name, arguments.b.name))
    return 0


def conclusions(found: "Comparison") -> list[str]:
    """What the comparison says as a whole."""
    faster, slower, unknown = (found.count(word) for word in ("faster", "slower", "cannot tell"))
    lines = [
        f"{len(found.rows)} rows are in both files: B is faster in {faster} and slower in {slower}; for {unknown}"
        " headrace cannot tell."
    ]
    unjudged: dict[str, int] = {}
    for row in found.rows:
        if row.why:
            unjudged[row.why] = unjudged.get(row.why, 0) + 1
    if unjudged:
        reasons = ", ".join(f"{count} with {why}" for why, count in unjudged.items())
        lines.append(f"Not judged: {reasons}.")
    if found.smallest is not None:
        lines.append(
            f"In half of the others only a change beyond a factor of {1 + found.smallest:.2f} would show; more rounds"
            " and a quieter machine show smaller ones."
        )
    if found.shift is not None:
        text = f"All rows together: B/A {found.shift:.2f}"
        if found.reference_shift is not None:
            text += f"; those without Fortran (the ceilings): {found.reference_shift:.2f}"
        if found.by_references:
            lines.append(f"{text}. The ceilings show what the machine did, so most rows have changed by themselves.")
        else:
            lines.append(f"{text}. The machine may have done that, so a row has to differ by more.")
    elif found.smallest is not None:
        lines.append("So few rows do not show what the machine changed between the runs: up to 10 % is put down to it.")
    return lines


def _table(rows: list["Difference"], left: str, right: str) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), width=100)
    table.add_column("mechanism, compiler, directory; MB/s", ratio=1)
    for name in (f"A {left[-12:]}", f"B {right[-12:]}", "B/A", "own change", "B is"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        colour = {"faster": "green", "slower": "red"}.get(row.judgement, "dim")
        interval = row.why if row.low is None or row.high is None else f"{row.low:.2f}..{row.high:.2f}"
        table.add_row(
            escape(row.what),
            f"{row.a:.4g}",
            f"{row.b:.4g}",
            f"{row.ratio:.3f}",
            interval,
            f"[{colour}]{row.judgement}[/{colour}]",
        )
    return table
