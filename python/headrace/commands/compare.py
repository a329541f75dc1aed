"""`headrace compare A B`: two results files of a benchmark, or two traces."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.arguments import file
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from rich.table import Table

    from headrace.results.comparison import Comparison, Difference
    from headrace.trace.results import Trace

DESCRIPTION = """\
Compare two results files row by row: B is faster, slower, or headrace cannot tell.

A row is called faster or slower only if the interval of its change does not contain 1. The interval covers the noise of
the rounds and what the machine may have changed between the runs. All intervals of a comparison hold together: if
nothing has changed, at most 5 % of all comparisons report any difference. headrace cannot tell if a file has fewer than
3 rounds, or if a row has a verdict other than 'valid' and 'noisy'. More rounds find smaller changes (bench --rounds 9).
Two compilers are best compared within one run, whose rounds alternate (bench --fc A --fc B).

Or compare two traces of headrace trace: for each source line what changed in counts, bytes and seconds. Lines are
matched by their text, statement and procedure, so that a line may move in its file. Counts and bytes are exact; the
seconds are those of one run each, and headrace does not say that one is faster.
"""

EPILOG = """\
examples:
  headrace compare before.json after.json
  headrace compare before.headrace-trace after.headrace-trace
"""
TRACE_STARTS = (b"PK", b"hrtrace")  # an archive of headrace trace, or one profile
TRACE_SCHEMA = b'"headrace-trace/1"'

SHOWN = 8  # rows of one file alone


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "compare",
        help="compare two results files: what is faster, slower or unclear; or two traces",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("a", type=file, metavar="A", help="results of headrace bench, or a trace")
    parser.add_argument("b", type=file, metavar="B", help="another of the same kind")
    parser.add_argument(
        "--all",
        action="store_true",
        help="show also the rows for which headrace cannot tell, and the lines of traces that did not change",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, needs=("headrace.results.comparison",))


def run(arguments: argparse.Namespace) -> int:
    """Print the differences."""
    traces = [_is_trace(path) for path in (arguments.a, arguments.b)]
    if all(traces):
        return _compare_traces(arguments)
    if any(traces):
        trace, other = (arguments.a, arguments.b) if traces[0] else (arguments.b, arguments.a)
        if not other.exists():
            raise HeadraceError(f"{other}: no such file", "name another trace, a file NAME.headrace-trace")
        raise HeadraceError(
            f"{trace} is a trace, {other} is not: they have nothing in common",
            "compare two traces of headrace trace, or two results files of headrace bench",
        )
    from rich.markup import escape

    from headrace.reporters.console import console
    from headrace.results.comparable import measured_rows
    from headrace.results.comparison import compare, settings_that_differ
    from headrace.results.files import load_any

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


def _is_trace(path: Path) -> bool:
    """By its first bytes: what cannot be read is none."""
    if path.is_dir():
        return any(path.glob("*.profile"))
    try:
        with path.open("rb") as opened:
            start = opened.read(200)
    except OSError:
        return False
    return start.startswith(TRACE_STARTS) or TRACE_SCHEMA in start


def _compare_traces(arguments: argparse.Namespace) -> int:
    from headrace.trace.comparison import compare_traces
    from headrace.trace.comparison_table import comparison_table

    found = compare_traces(_trace(arguments.a), _trace(arguments.b))
    if arguments.json:
        print(json.dumps(asdict(found), indent=1))
    else:
        print(comparison_table(found, (arguments.a.name, arguments.b.name), arguments.all), end="")
    return 0


def _trace(path: Path) -> "Trace":
    """What headrace trace left, or wrote as JSON."""
    from pydantic import ValidationError

    from headrace.commands.trace import merged
    from headrace.trace.archive import load
    from headrace.trace.results import Trace

    if path.is_dir() or path.read_bytes()[:7].startswith(TRACE_STARTS):
        return merged(load(path), "")
    try:
        return Trace.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise HeadraceError(
            f"{path}: at {place}: {first['msg']} ({error.error_count()} differences from the schema)",
            "'headrace schema --trace' prints what is expected",
        ) from error


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
