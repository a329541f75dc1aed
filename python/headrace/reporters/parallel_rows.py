"""The rows of one group in the tables of `headrace bench parallel`: at least two blanks between columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from headrace.reporters.console import compact, number
from headrace.results.parallel import PHASES, ParallelRow
from headrace.results.verdicts import ENOUGH

WIDTH = 100
_NAME = 35  # columns, if the others leave them
_PHASES = 16
_UNITS = (("GB/s", 1e3), ("MB/s", 1.0), ("kB/s", 1e-3))  # each in MB/s
_SHORT = {"exchange": "exch", "transfer": "trans"}


@dataclass(frozen=True)
class Rows:
    """What the table of a group looks like: one unit for all of its rates, columns as wide as what is in them."""

    unit: str
    size: float  # of the unit, in MB/s
    name: int
    widths: tuple[int, ...]  # of rate, interval, raw %, late and mem
    phases: int

    def head(self, title: str) -> str:
        """The heads of the columns."""
        figures = _right(_heads(self.unit), self.widths)
        return f"{title:<{self.name}}{figures}  {'phases %':<{self.phases}}  verdict"

    def line(self, row: ParallelRow) -> str:
        """A row; a name that is too long has a line of its own."""
        verdict = row.verdict if row.outcome == "measured" and row.verdict else row.outcome
        shown = "cache?" if verdict == "cache-suspect" else "raw noisy" if row.limit_is_noisy else verdict
        name = named(row)
        name = f"{name}\n{'':<{self.name}}" if len(name) > self.name else f"{name:<{self.name}}"
        figures = _right(_figures(row, self.size), self.widths)
        colour = "default" if verdict == "valid" else "yellow"
        return f"[{colour}]{escape(name)}{figures}  {_phases(row):<{self.phases}}  {shown}[/{colour}]"


def rows_of(rows: Sequence[ParallelRow]) -> Rows:
    """For all rows of a group that have figures."""
    least = min((row.statistics.median for row in rows if row.statistics), default=1e3)
    unit, size = next(((unit, size) for unit, size in _UNITS if least >= 0.1 * size), _UNITS[-1])
    figures = [_heads(unit), *(_figures(row, size) for row in rows)]
    widths = tuple(2 + max(map(len, column)) for column in zip(*figures, strict=True))
    phases = max([len("phases %"), *(len(_phases(row)) for row in rows)])
    left = WIDTH - sum(widths) - 2 - phases - 2 - len("too-short")
    return Rows(unit, size, max(min(left, _NAME), 20), widths, phases)


def print_rows(look: Rows, title: str, rows: Sequence[ParallelRow], out: Console) -> None:
    """The slowest first."""
    out.print(f"[bold]{escape(look.head(title))}[/bold]", no_wrap=True, overflow="ignore")
    for row in sorted(rows, key=lambda row: row.statistics.median if row.statistics else 0):
        out.print(look.line(row), no_wrap=True, overflow="ignore")


def named(row: ParallelRow) -> str:
    """The way, with the tool if it is not one of the worker's."""
    return f"{row.title}: {row.way}" if row.tool in ("ior", "benchio") else row.way


def rate(value: float) -> str:
    """Three digits, and no more than three behind the point."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 1 else f"{value:.3f}"


def _heads(unit: str) -> tuple[str, ...]:
    return (unit, "interval", "raw %", "late", "mem")


def _figures(row: ParallelRow, size: float) -> tuple[str, ...]:
    assert row.statistics is not None
    s = row.statistics
    late = row.last_done / row.first_done if row.first_done and row.last_done else None
    return (
        rate(s.median / size),
        f"{rate(s.low / size)}..{rate(s.high / size)}" if s.n >= ENOUGH else "-",
        "-" if row.limit_fraction is None else f"{100 * row.limit_fraction:.0f}",
        "-" if late is None else number(late),
        compact(row.peak_memory_bytes or 0) if row.rank_times else "-",
    )


def _right(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _phases(row: ParallelRow) -> str:
    total = row.last_done or 0.0
    if total <= 0:
        return "-"
    shares = sorted(((row.phases.get(phase, 0.0) / total, phase) for phase in PHASES), reverse=True)
    longest = [f"{_SHORT.get(phase, phase)} {100 * share:.0f}" for share, phase in shares[:2] if share >= 0.005]
    text = " ".join(longest) or "-"
    return text if len(text) <= _PHASES else longest[0]  # the verdict stands behind
