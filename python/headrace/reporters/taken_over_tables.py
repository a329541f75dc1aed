"""Tables of `headrace bench run` for the terminal and for documents: the conclusion first, a line a case."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from headrace.measure.run.start_up import GOAL, MEANING
from headrace.measure.run.ways import CASES, START_UP, Case, both, figure_name
from headrace.reporters.console import number
from headrace.reporters.transfer_tables import met_cell, print_end, print_judgements
from headrace.results.goals import goals_said, judgement
from headrace.results.taken_over import LIBRARY, TakenOverRow, TakenOverRun
from headrace.results.transfers import RatioFound


@dataclass(frozen=True)
class Line:
    """A case of one compiler, without and with the library, and the ratio of the two."""

    case: Case
    without: TakenOverRow
    within: TakenOverRow
    ratio: RatioFound

    @property
    def taken_over(self) -> str:
        """The share of its statements; "-" if the library has counted none."""
        counted = self.within.statements_taken_over + self.within.statements_left
        return f"{100 * self.within.statements_taken_over / counted:.0f} %" if counted else "-"


def lines_of(run: TakenOverRun) -> Iterator[Line]:
    """Everything that was measured."""
    rows = {row.key: row for row in run.rows if row.statistics}
    for compiler in dict.fromkeys(row.tool for row in run.rows if not row.tool.endswith(LIBRARY)):
        for case in CASES:
            without, within = (rows.get(way.key) for way in both(compiler, case))
            ratio = run.intervals.get(figure_name(case.name, compiler))
            if without and within and ratio:
                yield Line(case, without, within, ratio)


def starts_of(run: TakenOverRun) -> dict[str, RatioFound]:
    """What is no ratio: milliseconds of a start."""
    return {name: found for name, found in run.intervals.items() if name.startswith("start_up")}


def conclusion(run: TakenOverRun) -> str:
    """The sentence that a user came for."""
    lines = list(lines_of(run))
    if not lines and not starts_of(run):
        return "nothing was measured"
    parts = []
    if lines:
        most = max(lines, key=lambda line: line.ratio.median)
        least = min(lines, key=lambda line: line.ratio.median)
        parts.append(
            f"With headrace run, {most.case.title} takes {number(most.ratio.median)} times less processor time; "
            f"{least.case.title} gains least ({number(least.ratio.median)} times)"
        )
    return "; ".join([*parts, *filter(None, [goals_said(run.intervals.values())])]) + "."


def print_taken_over_run(run: TakenOverRun, out: Console, written: Iterable[object] = ()) -> None:
    """Everything that a run found, and the files that were written of it."""
    out.print(f"[bold]{escape(conclusion(run))}[/bold]", soft_wrap=False)
    lines = list(lines_of(run))
    several = len(run.compilers) > 1
    for compiler in dict.fromkeys(line.without.title for line in lines):
        heads = f"{'without':>8}{'with':>7}{'times':>7}{'interval':>14}{'goal':>8} {'met':>4}{'taken':>7}"
        title = "ns of processor time, a statement" + f": {compiler}" * several
        out.print(f"\n[bold]{title:<44}{heads}[/bold]")
        for line in lines:
            if line.without.title == compiler:
                _print_line(line, out)
    for name, found in starts_of(run).items():
        ms = f"{number(found.median)} ms ({number(found.low)} to {number(found.high)})"
        out.print(
            f"{name}: {ms}, goal <= {GOAL:g} ms, met {met_cell(found).strip()}: {found.meaning.partition(': ')[2]}"
        )
    print_judgements(run.intervals.values(), out)
    for row in run.rows:
        if row.outcome != "measured" or not row.samples:
            out.print(f"[red]{row.outcome}[/red]: {escape(row.title)}, {row.way}: {escape(row.message)}")
    _print_reasons(lines, out)
    print_end(run, out, written, "interleaved in random order; {place}")


def _print_line(line: Line, out: Console) -> None:
    ratio = line.ratio
    cells = (
        f"{number(line.without.nanoseconds):>8}{number(line.within.nanoseconds):>7}{number(ratio.median):>7}",
        f"{f'{number(ratio.low)}..{number(ratio.high)}' if ratio.n > 1 else '-':>14}",
        f"{f'>= {ratio.goal:g}':>8} {met_cell(ratio)}{line.taken_over:>7}",
    )
    colour = "yellow" if judgement(ratio) in ("missed", "open") else "default"
    text = f"{line.case.title[:43]:<44}{''.join(cells)}"
    out.print(f"[{colour}]{escape(text)}[/{colour}]", no_wrap=True, overflow="ellipsis")


def _print_reasons(lines: Iterable[Line], out: Console) -> None:
    """What the library says of statements that it leaves, each reason with its cases."""
    cases: dict[str, list[str]] = {}
    for line in lines:
        for reason in line.within.why_left:
            cases.setdefault(reason, []).append(line.case.name)
    for reason, found in cases.items():
        out.print(f"[dim]left alone, {escape(reason)}: {', '.join(dict.fromkeys(found))}[/dim]")


def print_list(out: Console) -> None:
    """The cases, and their goals."""
    out.print(f"[bold]{'case':<20}{'statement':<44}{'goal':>8}[/bold]")
    for case in CASES:
        out.print(escape(f"{case.name:<20}{case.title:<44}{f'>= {case.goal:g}':>8}"))
    for name, case_name in START_UP.items():
        out.print(escape(f"{name:<20}{MEANING[case_name].partition(': ')[2]}, <= {GOAL:g} ms"))
