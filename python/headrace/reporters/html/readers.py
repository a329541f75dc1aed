"""Several readers of one file: seconds against the number of readers, for each compiler and directory."""

from collections import defaultdict
from dataclasses import dataclass

from headrace.reporters.html.bars import Missing, Scale, missing, round_down, round_up
from headrace.reporters.html.numbers import number
from headrace.reporters.html.series import COLOURS, reads_a_part
from headrace.reporters.html.tables import seconds, verdict_of
from headrace.results.run import Row, Run

HEIGHT = 220.0
TOP, BOTTOM = 14.0, 40.0
LEFT, RIGHT = 12.0, 96.0


@dataclass(frozen=True)
class Point:
    x: float  # per cent
    y: float  # pixels
    title: str
    valid: bool


@dataclass(frozen=True)
class Method:
    name: str
    statement: str
    colour: int
    points: list[Point]


@dataclass(frozen=True)
class ReaderPlot:
    """Rows of the table: method, statement, then one cell for each number of readers."""

    title: str
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    methods: list[Method]
    counts: list[int]
    table: list[tuple[str, str, list[Row | None]]]
    missing: list[Missing]
    height: float = HEIGHT

    @property
    def drawn(self) -> bool:
        """A single number of readers makes no line: then the table is enough."""
        return any(len(method.points) > 1 for method in self.methods)


def reader_plots(run: Run) -> list[ReaderPlot]:
    groups: dict[tuple[str, str, str, str, str], list[Row]] = defaultdict(list)
    for row in run.rows:
        if reads_a_part(row):
            groups[row.compiler, row.directory, row.operation, row.condition, row.knob].append(row)
    plots: list[ReaderPlot] = []
    for (compiler, directory, _, condition, knob), rows in groups.items():
        title = f"{compiler} · {directory} · {condition}" + ("" if knob == "default" else f" · {knob}")
        plots.append(_plot(title, rows))
    return plots


def _plot(title: str, rows: list[Row]) -> ReaderPlot:
    counts = sorted({row.processes for row in rows})
    names = list(dict.fromkeys(row.key for row in rows))
    cells = {(row.key, row.processes): row for row in rows}
    known = [value for row in rows if (value := seconds(row))]
    low, high = round_down(min(known, default=0.1) * 0.9), round_up(max(known, default=1.0))
    scale = Scale(low, high if high > low else 10 * low)
    across = {n: LEFT + (RIGHT - LEFT) * i / max(len(counts) - 1, 1) for i, n in enumerate(counts)}
    statements = {row.key: row.statement for row in reversed(rows)}
    methods = [
        Method(
            name,
            statements[name],
            index % COLOURS + 1,
            [_point(cells[name, n], across[n], scale) for n in counts if _has(cells.get((name, n)))],
        )
        for index, name in enumerate(names)
    ]
    table = [(name, statements[name], [cells.get((name, n)) for n in counts]) for name in names]
    y_ticks = [(_height(scale, value), text) for value, text in _values(scale)]
    return ReaderPlot(
        title,
        [(across[n], str(n)) for n in counts],
        y_ticks,
        methods,
        counts,
        table,
        missing([row for row in rows if row.statistics is None]),
    )


def _has(row: Row | None) -> bool:
    return row is not None and bool(seconds(row))


def _point(row: Row, x: float, scale: Scale) -> Point:
    value = seconds(row) or 0.0
    text = f"{row.key}, {row.processes} readers: {number(value)} s, {verdict_of(row)}"
    return Point(round(x, 2), _height(scale, value), text, verdict_of(row) == "valid")


def _height(scale: Scale, value: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * scale.share(value), 1)


def _values(scale: Scale) -> list[tuple[float, str]]:
    return [(value, f"{value:,g}") for value in scale.round_numbers(0.14)]
