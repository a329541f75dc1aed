"""The bar plots: speed on a log scale, one plot for each operation and condition.

Lengths are per cent of the width, so that text keeps its size on a narrow screen.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from headrace.reporters.html.numbers import interval, number, percent
from headrace.reporters.html.series import (
    OPERATIONS,
    Series,
    all_series,
    ceiling,
    ceilings_of_many,
    conditions_of,
    is_plain,
    row_label,
)
from headrace.results.run import Row, Run

WIDTH = 87.0  # per cent: the rest is for the figure behind the longest bar
LABEL = 40.0  # pixels: two lines of text
MANY = 30  # mechanisms: from here on only the first condition is shown open


@dataclass(frozen=True)
class Scale:
    """A log scale between two round numbers."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """0 at the lower end, 1 at the upper."""
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return min(share, 1.0)

    def position(self, value: float) -> float:
        return round(WIDTH * self.share(value), 2)

    def round_numbers(self, distance: float) -> list[float]:
        """Both ends, and round numbers between them that stay `distance` of the length away from the ends."""
        steps = (1, 2, 5) if self.high / self.low < 100 else (1,)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        inner = [step * 10.0**power for power in powers for step in steps]
        kept = [value for value in inner if distance < self.share(value) < 1 - distance]
        return [self.low, *kept, self.high]

    @property
    def ticks(self) -> list[tuple[float, str]]:
        return [(self.position(value), f"{value:,g}") for value in self.round_numbers(0.1)]


@dataclass(frozen=True)
class Bar:
    """One measured row, or the reason why there is none."""

    series: Series
    y: float
    height: float
    length: float = 0
    low: float = 0
    high: float = 0
    text: str = ""
    title: str = ""
    valid: bool = True
    measured: bool = True

    @property
    def text_inside(self) -> bool:
        return self.length > 60 and len(self.text) > 7


@dataclass(frozen=True)
class BarRow:
    """One mechanism with a bar for each series."""

    name: str
    statement: str
    height: float
    bars: list[Bar]
    summary: str


@dataclass(frozen=True)
class Line:
    """The ceiling of one directory."""

    position: float
    shade: int
    label: str


@dataclass(frozen=True)
class Missing:
    """A mechanism without a figure, and where."""

    name: str
    outcome: str
    message: str
    places: list[str]


@dataclass(frozen=True)
class BarPlot:
    operation: str
    condition: str
    series: list[Series]
    ticks: list[tuple[float, str]]
    lines: list[Line]
    rows: list[BarRow]
    missing: list[Missing]
    many: list[str]
    open: bool


def bar_plots(run: Run) -> list[BarPlot]:
    """Plots of the default settings with one process, write before read."""
    series = all_series(run)
    plots: list[BarPlot] = []
    for operation in OPERATIONS:
        rows = [row for row in run.rows if row.operation == operation and is_plain(row)]
        for index, condition in enumerate(conditions_of(rows)):
            chosen = [row for row in rows if row.condition == condition]
            many = [r for r in ceilings_of_many(run.rows) if (r.operation, r.condition) == (operation, condition)]
            plots.append(_plot(chosen, many, series, opened=index == 0))
    return plots


def _plot(rows: list[Row], many: list[Row], series: list[Series], opened: bool) -> BarPlot:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row_label(row)].append(row)
    ceilings = _ceilings(rows, series)
    scale = _scale(rows, [value for _, value in ceilings])
    used = [s for s in series if any((r.compiler, r.directory) == (s.compiler, s.directory) for r in rows)]
    speed = {name: max(row.median for row in members) for name, members in groups.items()}
    names = sorted(groups, key=lambda name: (-speed[name], name))
    drawn = [name for name in names if speed[name] > 0]
    return BarPlot(
        rows[0].operation,
        rows[0].condition,
        used,
        scale.ticks,
        [
            Line(scale.position(value), s.shade, f"ceiling of {s.directory}: {number(value)} MB/s")
            for s, value in ceilings
        ],
        [_row(name, groups[name], used, scale) for name in drawn],
        missing([row for name in names for row in groups[name] if row.statistics is None]),
        [f"{r.processes} processes in {r.directory}: {number(r.median)} MB/s" for r in many],
        opened or len(groups) < MANY,
    )


def missing(rows: list[Row]) -> list[Missing]:
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in rows:
        many = f", {row.processes} processes" if row.processes > 1 else ""
        groups[row.key, row.outcome, row.message].append(f"{row.compiler} in {row.directory}{many}")
    return [Missing(*key, places) for key, places in groups.items()]


def _ceilings(rows: list[Row], series: list[Series]) -> list[tuple[Series, float]]:
    first = {s.directory: s for s in reversed(series)}
    found: list[tuple[Series, float]] = []
    for directory, s in first.items():
        value = ceiling(row for row in rows if row.directory == directory)
        if value:
            found.append((s, value))
    return sorted(found, key=lambda pair: pair[0].shade)


def _scale(rows: list[Row], ceilings: list[float]) -> Scale:
    known = [row.statistics for row in rows if row.statistics and row.statistics.median > 0]
    low = min([min(s.low, s.median) for s in known if s.low > 0] + ceilings, default=1.0)
    high = max([max(s.high, s.median) for s in known] + ceilings, default=10.0)
    low, high = round_down(low * 0.8), round_up(high)
    return Scale(low, high if high > low else 10 * low)


def round_down(value: float) -> float:
    """To 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return power * max(step for step in (1, 2, 5) if step == 1 or step * power <= value)


def round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return power * min(step for step in (1, 2, 5, 10) if step == 10 or step * power >= value)


def _row(name: str, rows: list[Row], series: list[Series], scale: Scale) -> BarRow:
    height = 15.0 if len(series) == 1 else 12.0 if len(series) < 5 else 10.0
    gap = 10.0
    by_series = {(row.compiler, row.directory): row for row in reversed(rows)}
    present = [(by_series[pair], s) for s in series if (pair := (s.compiler, s.directory)) in by_series]
    total = max(gap + height * len(present), LABEL)
    top = (total - height * len(present)) / 2
    bars = [_bar(row, s, top + i * height, height - 2, scale) for i, (row, s) in enumerate(present)]
    summary = "; ".join(bar.title for bar in bars)
    return BarRow(name, rows[0].statement, total, bars, f"{name}: {summary}")


def _bar(row: Row, series: Series, y: float, height: float, scale: Scale) -> Bar:
    statistics = row.statistics
    if statistics is None or statistics.median <= 0:
        text = f"{row.outcome}: {row.message}" if row.message else row.outcome
        return Bar(series, y, height, text=text, title=f"{series.label}: {text}", valid=False, measured=False)
    verdict = "" if row.verdict in ("valid", None) else f" {row.verdict}"
    if row.outcome != "measured":
        verdict = f" {row.outcome}{verdict}"
    title = (
        f"{series.label}: {number(statistics.median)} MB/s"
        f" ({interval(statistics.low, statistics.high)}, n = {statistics.n}{',' if verdict else ''}{verdict})"
    )
    if row.ceiling_fraction is not None:
        title += f", {percent(row.ceiling_fraction)} of the ceiling"
    return Bar(
        series,
        y,
        height,
        scale.position(statistics.median),
        scale.position(statistics.low),
        scale.position(statistics.high),
        number(statistics.median) + verdict,
        title,
        not verdict,
    )
