"""The tables of all rows of a run, a family each, with the text and the sort value of each cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from headrace.reporters.html.numbers import NONE, interval, number, percent, size
from headrace.reporters.html.series import CONDITIONS, OPERATIONS
from headrace.results.records import MeasuredRow
from headrace.results.run import Row, Run


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
    code: str = ""


COLUMNS = [
    Column("way", css="name"),
    Column("operation"),
    Column("useful", "MB/s", True, hint="payload bytes / time: median and its confidence interval"),
    Column("of ceiling", "%", True, hint="fraction of the ceiling measured in the same run"),
    Column("verdict", css="verdict"),
    Column("compiler", css="short"),
    Column("directory", css="path"),
    Column("on disk", "B/value", True, hint="bytes of the file for each value"),
    Column("calls", "", True, hint="system calls that read or wrote, for each transfer"),
    Column("memory", "MB", True, hint="memory that the transfer added at its peak"),
    Column("n", "", True, hint="samples, and the coverage of the interval"),
]


@dataclass(frozen=True)
class TableRow:
    row: Row
    cells: list[Cell]
    doubtful: bool


@dataclass(frozen=True)
class Family:
    """Rows that are folded together, and what they say in a line."""

    name: str
    summary: str
    rows: list[TableRow]


def families(run: Run) -> list[Family]:
    """Every row, by family; within one write before read, then by condition, the fastest first."""
    order = sorted(run.rows, key=lambda r: (OPERATIONS.index(r.operation), CONDITIONS.index(r.condition), -r.median))
    names = dict.fromkeys(row.family for row in run.rows)
    return [_family(name, [row for row in order if row.family == name]) for name in names]


def _family(name: str, rows: list[Row]) -> Family:
    return Family(name, summary_of(rows, 1.0, "MB/s"), [TableRow(r, _cells(r), verdict_of(r) != "valid") for r in rows])


def summary_of(rows: Sequence[MeasuredRow], size: float, unit: str) -> str:
    """How many rows, how many of them valid, and between which speeds these lie; `size` of the unit in MB/s."""
    valid = [row for row in rows if row.outcome == "measured" and row.verdict == "valid"]
    parts = [f"{len(rows)} row{'s' * (len(rows) != 1)}, {len(valid) or 'none'} valid"]
    for operation, verb in (("write", "writes"), ("read", "reads")):
        speeds = sorted(row.median / size for row in valid if row.operation == operation)
        if speeds:
            apart = number(speeds[0]) != number(speeds[-1])
            parts.append(f"{verb} {interval(speeds[0], speeds[-1]) if apart else number(speeds[0])} {unit}")
    return "; ".join(parts)


def verdict_of(row: MeasuredRow) -> str:
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
        Cell(row.operation, row.condition),
        _speed(row),
        _number(row.ceiling_fraction, percent(row.ceiling_fraction).removesuffix(" %")),
        Cell(verdict_of(row), "; ".join(filter(None, [row.message, _residency(row)]))),
        Cell(row.compiler, row.knob),
        Cell(row.directory),
        _number(bytes_per_value(row), number(bytes_per_value(row))),
        _number(system_calls(row), number(system_calls(row))),
        _memory(row),
        _samples(row),
    ]


def _name(row: Row) -> Cell:
    notes = [row.shape]
    if row.processes > 1:
        notes.append(f"{row.processes} processes")
    if row.operation == "write" and row.file_state == "existing":
        notes.append("existing file")
    title = f"{row.count:,} values, {size(row.payload_bytes)}" if row.count else ""
    return Cell(row.key, ", ".join(notes), title=title, code=row.statement)


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
