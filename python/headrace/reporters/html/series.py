"""Which rows belong together in the plots, and the colours they share."""

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.measure.plan import CEILINGS
from headrace.results.conclusions import PART_FAMILY, REFERENCE_FAMILIES
from headrace.results.run import Row, Run

CONDITIONS = ("cached", "synced", "warm", "cold")
OPERATIONS = ("write", "read")
COLOURS = 6
SHADES = 3


@dataclass(frozen=True)
class Series:
    """One compiler in one directory: a colour for the compiler, a shade for the directory."""

    compiler: str
    directory: str
    colour: int
    shade: int

    @property
    def label(self) -> str:
        return " · ".join(part for part in (self.compiler, self.directory) if part)

    @property
    def css(self) -> str:
        return f"c{self.colour} d{self.shade}"


def all_series(run: Run) -> list[Series]:
    """Every pair of compiler and directory that has rows, in the order of the run."""
    rows = run.rows
    compilers = _in_order([c.identifier for c in run.compilers], (row.compiler for row in rows))
    directories = _in_order([d.path for d in run.directories], (row.directory for row in rows))
    present = {(row.compiler, row.directory) for row in rows}
    return [
        Series(compiler, directory, colour % COLOURS + 1, shade % SHADES + 1)
        for colour, compiler in enumerate(compilers)
        for shade, directory in enumerate(directories)
        if (compiler, directory) in present
    ]


def is_parallel(row: Row) -> bool:
    """Several processes, or a part of a file: no bars of their own."""
    return row.processes > 1 or row.family == PART_FAMILY


def reads_a_part(row: Row) -> bool:
    """Rows of the section about readers of one file; plain write(2) by many processes is a ceiling instead."""
    return is_parallel(row) and row.operation == "read" and row.key not in CEILINGS


def is_plain(row: Row) -> bool:
    """A way of doing I/O as it comes: one process, the run time's default settings."""
    return row.knob == "default" and row.family not in REFERENCE_FAMILIES and not is_parallel(row)


def row_label(row: Row) -> str:
    return row.key if row.file_state == "fresh" or row.operation == "read" else f"{row.key}, existing file"


def conditions_of(rows: Iterable[Row]) -> list[str]:
    present = {row.condition for row in rows}
    return [condition for condition in CONDITIONS if condition in present]


def ceiling(rows: Iterable[Row]) -> float | None:
    """MB/s: the fastest plain write(2) or read(2) among `rows`, else what the fractions of the rows say."""
    chosen = list(rows)
    measured = [row.median for row in chosen if row.key in CEILINGS and row.median > 0]
    if measured:
        return max(measured)
    implied = sorted(row.median / row.ceiling_fraction for row in chosen if row.ceiling_fraction and row.median)
    return implied[len(implied) // 2] if implied else None


def ceilings_of_many(rows: Iterable[Row]) -> list[Row]:
    """Plain write(2) and read(2) by several processes together, each with a file of its own."""
    return [row for row in rows if row.processes > 1 and row.key in CEILINGS and row.median > 0]


def _in_order(known: list[str], used: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*known, *used]))
