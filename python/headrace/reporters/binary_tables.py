"""Tables of `headrace bench binary` for the terminal: at most 100 columns, the conclusion first."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.markup import escape

from headrace.measure.binary.ratios import CASE_PAIRS, CASE_RATES, RATES
from headrace.reporters.console import number
from headrace.reporters.transfer_tables import (
    met_cell,
    print_end,
    print_judgements,
    print_ratios,
    print_remarks,
    print_rows,
)
from headrace.results.binary import BinaryRun, FigureFound
from headrace.results.goals import goals_said, judgement


def print_binary_run(run: BinaryRun, out: Console, written: Iterable[object] = ()) -> None:
    """Everything that a run found, and the files that were written of it."""
    out.print(f"[bold]{escape(conclusion(run))}[/bold]", soft_wrap=False)
    print_ratios(run.intervals, run.also, out, legend=False)
    _print_figures(run.figures, out)
    print_judgements((*run.intervals.values(), *run.figures.values()), out)
    for case in run.cases:
        print_rows(f"{case.name}: {case.title}", [row for row in run.rows if row.case == case.name], out)
    print_remarks(run.rows, out)
    print_end(run, out, written, "{place}, cached writes, warm reads; every byte verified")


def conclusion(run: BinaryRun) -> str:
    """The sentence that a user came for."""
    parts = []
    for operation in ("write", "read"):
        ratio = run.intervals.get(f"{operation}_vs_raw")
        if ratio is not None:
            parts.append(f"{operation}s whole arrays at {number(ratio.median)} of {operation}(2)")
    goals = goals_said((*run.intervals.values(), *run.figures.values()))
    if not goals:
        return "nothing of headrace's was measured"
    return f"headrace {' and '.join(parts)}; {goals}." if parts else f"Binary files: {goals}."


def print_list(out: Console) -> None:
    """What `--only` takes: each ratio and figure with its goal."""
    for case, (main, also) in CASE_PAIRS.items():
        out.print(f"[bold]{case}[/bold]")
        goals = {pair.name: pair.goal for pair in (*main, *also)}
        for name, goal in goals.items():
            meanings = dict.fromkeys(pair.meaning for pair in (*main, *also) if pair.name == name)
            shown = "-" if goal is None else f">= {goal:g}"
            out.print(
                f"  {name:<26}{shown:>8}   time of {escape('; '.join(meanings))}", no_wrap=True, overflow="ellipsis"
            )
        for rate in CASE_RATES.get(case, ()):
            goal_text = f"{'>=' if rate.at_least else '<='} {rate.goal:g}"
            out.print(f"  {rate.name:<26}{goal_text:>8}   {rate.unit}: {escape(rate.meaning)}", no_wrap=True)


def _print_figures(figures: Mapping[str, FigureFound], out: Console) -> None:
    for rate in RATES:
        found = figures.get(rate.name)
        if found is None:
            continue
        interval = f"{number(found.low)}..{number(found.high)}" if found.n > 1 else "-"
        goal = f"{'>=' if found.at_least else '<='} {found.goal:g}"
        colour = "yellow" if judgement(found) in ("missed", "open") else "default"
        meaning = f"{found.unit}, {found.meaning}"
        line = f"{rate.name:<28}{number(found.median):>8}{interval:>15}{goal:>8} {met_cell(found)}  {meaning}"
        out.print(f"[{colour}]{escape(line)}[/{colour}]", no_wrap=True, overflow="ignore")
