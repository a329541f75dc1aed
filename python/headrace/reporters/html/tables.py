"""The big table: every row of a run with the text and the sort value of each cell."""

from dataclasses import dataclass
from statistics import median

from headrace.measure.results import Row, Run
from headrace.reporters.html.numbers import NONE, interval, number, percent, size
from headrace.reporters.html.series import CONDITIONS, OPERATIONS


@dataclass(frozen=True)
class Column:
    title: str
    unit: str = ""
    numeric: bool = False
    css: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Cell:
    text: str
    note: str = ""
    value: float | None = None
    title: str = ""


COLUMNS = [
    Column("mechanism", css="name"),
    Column("statement", css="code"),
    Column("operation"),
    Column("condition"),
    Column("compiler", css="short"),
    Column("directory", css="path"),
    Column("knob", css="short"),
    Column("useful", "MB/s", True, hint="payload bytes / time: median and its confidence interval"),
    Column("n", "", True, hint="samples, and the coverage of the interval"),
    Column("of ceiling", "%", True, hint="fraction of the ceiling measured in the same run"),
    Column("on disk", "B/value", True, hint="bytes of the file for each value"),
    Column("calls", "per transfer", True, hint="system calls that read or wrote"),
    Column("peak memory", "MB", True, hint="memory that the transfer added at its peak"),
    Column("verdict", css="verdict"),
    Column("message", css="message"),
]


@dataclass(frozen=True)
class TableRow:
    row: Row
    cells: list[Cell]
    doubtful: bool


def result_table(run: Run) -> list[TableRow]:
    """Every row: write before read, then by condition, the fastest first."""
    order = sorted(run.rows, key=lambda r: (OPERATIONS.index(r.operation), CONDITIONS.index(r.condition), -r.median))
    return [TableRow(row, _cells(row), verdict_of(row) != "valid") for row in order]


def verdict_of(row: Row) -> str:
    if row.outcome != "measured":
        return row.outcome
    return row.verdict or "measured"


def system_calls(row: Row) -> float | None:
    known = [sample.system_calls for sample in row.samples if sample.system_calls >= 0]
    return median(known) if known else None


def bytes_per_value(row: Row) -> float | None:
    return row.file_bytes / row.count if row.count and row.file_bytes else None


def seconds(row: Row) -> float | None:
    """Of one transfer; with several processes until the last one has ended."""
    return row.payload_bytes / row.median / 1e6 if row.median and row.payload_bytes else None


def _cells(row: Row) -> list[Cell]:
    return [
        _name(row),
        Cell(row.statement),
        Cell(row.operation),
        Cell(row.condition),
        Cell(row.compiler),
        Cell(row.directory),
        Cell(row.knob),
        _speed(row),
        _samples(row),
        _number(row.ceiling_fraction, percent(row.ceiling_fraction).removesuffix(" %")),
        _number(bytes_per_value(row), number(bytes_per_value(row))),
        _number(system_calls(row), number(system_calls(row))),
        _memory(row),
        Cell(verdict_of(row)),
        Cell(row.message, _residency(row)),
    ]


def _name(row: Row) -> Cell:
    notes = [row.shape]
    if row.processes > 1:
        notes.append(f"{row.processes} processes")
    if row.operation == "write" and row.file_state == "existing":
        notes.append("existing file")
    title = f"{row.count:,} values, {size(row.payload_bytes)}" if row.count else ""
    return Cell(row.key, ", ".join(notes), title=title)


def _speed(row: Row) -> Cell:
    s = row.statistics
    if s is None:
        return Cell(NONE)
    title = f"quartiles {interval(s.lower_quartile, s.upper_quartile)}, all {interval(s.minimum, s.maximum)} MB/s"
    return Cell(number(s.median), interval(s.low, s.high) if s.n > 1 else "one sample", s.median, title)


def _samples(row: Row) -> Cell:
    s = row.statistics
    return Cell(str(s.n), percent(s.confidence) if s.n > 1 else "", s.n) if s else Cell(NONE)


def _number(value: float | None, text: str) -> Cell:
    return Cell(text, value=value)


def _memory(row: Row) -> Cell:
    if row.peak_memory_bytes is None:
        return Cell(NONE)
    return _number(row.peak_memory_bytes, number(row.peak_memory_bytes / 1e6))


def _residency(row: Row) -> str:
    if row.resident_share is None:
        return ""
    return f"{percent(row.resident_share)} of the pages were in memory before the read"
