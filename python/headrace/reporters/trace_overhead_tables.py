"""Tables of `headrace bench trace` for the terminal: at most 100 columns, the conclusion first."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape

from headrace.measure.trace.ways import GOALS, LOOPS
from headrace.reporters.console import number
from headrace.reporters.transfer_tables import print_end, print_ratios
from headrace.results.goals import goals_said
from headrace.results.trace import TraceRow, TraceRun


def print_trace_run(run: TraceRun, out: Console, written: Iterable[object] = ()) -> None:
    """Everything that a run found, and the files that were written of it."""
    out.print(f"[bold]{escape(conclusion(run))}[/bold]", soft_wrap=False)
    print_ratios(run.intervals, run.also, out)
    _print_loops(run, out)
    for row in run.rows:
        if row.outcome != "measured" or not row.samples:
            out.print(f"[red]{row.outcome}[/red]: {escape(row.title)}, {row.way}: {escape(row.message)}")
    print_end(run, out, written, "{place}")


def conclusion(run: TraceRun) -> str:
    """The sentence that a user came for."""
    parts = []
    for case, words in (("stencil", "a program that computes and writes"), ("element", "a loop of WRITE of one value")):
        found = [ratio for name, ratio in run.intervals.items() if name.startswith(f"{case}_")]
        if found:
            worst = max(found, key=lambda ratio: ratio.median)
            parts.append(f"{words} takes {number(worst.median)} times as long")
    if not parts:
        return "nothing was measured"
    return "; ".join(["Traced, " + " and ".join(parts), *filter(None, [goals_said(run.intervals.values())])]) + "."


def _print_loops(run: TraceRun, out: Console) -> None:
    """Nanoseconds of a statement or item, with and without."""
    rows = {row.key: row for row in run.rows if row.statistics}
    out.print(f"\n[bold]{'ns a statement, item or step':<50}{'not traced':>12}{'traced':>12}{'more':>10}[/bold]")
    titles = dict.fromkeys((row.tool, row.title) for row in run.rows if not row.tool.endswith("-traced"))
    for loop in LOOPS:
        for tool, title in titles:
            both = [rows.get(f"{key}:{loop.case}:{loop.operation}") for key in (tool, f"{tool}-traced")]
            if both[0] is None or both[1] is None:
                continue
            plain, traced = (_nanoseconds(row) for row in both if row)
            name = f"{title}: {loop.title if loop.case not in GOALS or loop.case == 'element' else loop.case}"
            out.print(f"{escape(name[:49]):<50}{number(plain):>12}{number(traced):>12}{number(traced - plain):>10}")


def _nanoseconds(row: TraceRow) -> float:
    """The median of its rounds."""
    seconds = sorted(row.seconds().values())
    n = len(seconds)
    return 1e9 * (seconds[(n - 1) // 2] + seconds[n // 2]) / 2 / row.values
