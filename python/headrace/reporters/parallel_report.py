"""The HTML report of `headrace bench parallel`: one file that needs no network. Next: html/timelines.py."""

from dataclasses import dataclass
from pathlib import Path

from headrace.measure.parallel.hints import what_became
from headrace.measure.parallel.rows import NOTHING_COLLECTED, calls_nothing_collective
from headrace.reporters.console import rounds_said
from headrace.reporters.html import write_page
from headrace.reporters.html.numbers import NONE, interval, number
from headrace.reporters.html.page import render_page
from headrace.reporters.html.tables import Cell, Column, summary_of
from headrace.reporters.html.timelines import timelines
from headrace.reporters.parallel_models import model_pictures
from headrace.reporters.parallel_rows import named
from headrace.reporters.parallel_tables import conclusions
from headrace.results.findings import findings
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import LIMIT_NOISY, Group, ParallelRow, ParallelRun
from headrace.results.records import Statistics
from headrace.results.verdicts import ENOUGH

COLUMNS = [
    Column("method", css="name"),
    Column("operation"),
    Column("speed", "GB/s", True, hint="array bytes / time of the slowest MPI rank: median and its interval"),
    Column("of raw files", "%", True, hint="speed in % of raw:file_per_process in the same rounds"),
    Column("verdict", css="verdict"),
    Column("n", "", True, hint="rounds"),
    Column("last/first", "", True, hint="when the last and the first MPI rank ended"),
    Column("phases", "% of the time", hint="of the MPI rank with the most in each phase"),
    Column("memory", "MB", True, hint="beside the array, the most of one MPI rank"),
    Column(
        "MPI-IO calls", "", hint="collective and independent, all MPI ranks, one transfer; the hints that were used"
    ),
]


@dataclass(frozen=True)
class Table:
    """The rows of a group, folded, and what they say in a line."""

    group: Group
    title: str
    summary: str
    rows: list[tuple[ParallelRow, list[Cell]]]


def write_parallel_report(run: ParallelRun, path: Path) -> None:
    """Write the page, whole or not at all. Raises HeadraceError."""
    groups = [_table(run, group) for group in run.groups]
    text = render_page(
        "parallel.html.j2",
        run=run,
        found=findings(run),
        conclusions=conclusions(run),
        groups=groups,
        row_columns=COLUMNS,
        timelines=timelines(run),
        models=model_pictures(run),
    )
    write_page(text, path)


def _table(run: ParallelRun, group: Group) -> Table:
    rows = _ordered(run.of(group))
    return Table(group, _title(group), summary_of(rows, 1e3, "GB/s"), [(row, _cells(row)) for row in rows])


def _title(group: Group) -> str:
    size = f"{group.payload_bytes / 2**20:,.3g} MiB"
    return f"{mpi_ranks(group.ranks)}, {group.directory}, {' × '.join(map(str, group.extents))} real64, {size}"


def _ordered(rows: list[ParallelRow]) -> list[ParallelRow]:
    return sorted(rows, key=lambda row: (row.operation == "read", -(row.statistics.median if row.statistics else 0)))


def _interval(s: Statistics) -> str:
    return interval(s.low / 1e3, s.high / 1e3) if s.n >= ENOUGH else rounds_said(s.n)


def _cells(row: ParallelRow) -> list[Cell]:
    s = row.statistics
    spread = row.last_done / row.first_done if row.last_done and row.first_done else None
    total = row.last_done or 0.0
    shares = [f"{phase} {100 * seconds / total:.0f}" for phase, seconds in row.phases.items() if seconds > 0 < total]
    counts = row.counts
    calls = ""
    if counts is not None:
        collective = counts.collective_writes + counts.collective_reads
        independent = counts.independent_writes + counts.independent_reads
        calls = f"{collective:,} collective, {independent:,} independent" if collective + independent else "none"
    verdict = row.verdict if row.outcome == "measured" and row.verdict else row.outcome
    message = row.message or (LIMIT_NOISY if row.limit_is_noisy else "")
    memory = row.peak_memory_bytes if row.rank_times else None
    return [
        Cell(named(row), "two groups of MPI ranks as nodes" if row.two_nodes else ""),
        Cell(row.operation, row.condition),
        Cell(NONE) if s is None else Cell(number(s.median / 1e3), _interval(s), s.median),
        Cell(NONE) if row.limit_fraction is None else Cell(number(100 * row.limit_fraction), value=row.limit_fraction),
        Cell("unavailable" if row.outcome == "skipped" else verdict, message),
        Cell(NONE) if s is None else Cell(str(s.n), value=s.n),
        Cell(NONE) if spread is None else Cell(f"{spread:.2f}", value=spread),
        Cell(", ".join(shares)),
        Cell(NONE) if memory is None else Cell(number(memory / 1e6), value=memory),
        Cell(
            calls,
            what_became(row),
            title=NOTHING_COLLECTED
            if calls_nothing_collective(row)
            else f"all in force: {row.hints_in_force}"
            if row.hints_in_force
            else "",
        ),
    ]
