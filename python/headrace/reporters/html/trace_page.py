"""The page of a trace: what the template draws. Lengths are per cent of the width, so that text keeps its size."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from headrace.reporters.html.numbers import number, size
from headrace.reporters.html.page import render_page
from headrace.reporters.html.trace_lanes import colours_of, lanes
from headrace.trace.file_groups import FileGroup, grouped
from headrace.trace.printed import between
from headrace.trace.results import Advice, Line, Trace, is_fortran
from headrace.trace.table import compact, conclusion, endings, files_of, short_seconds, statement_words, system_calls

BARS = 30  # of lines; the table has all
WIDTH = 76.0  # per cent: the rest is for the figure behind the longest bar


@dataclass(frozen=True)
class Bar:
    """One source line."""

    line: Line
    words: str
    counts: str
    width: float
    in_system: float
    colour: str
    value: str
    title: str


@dataclass(frozen=True)
class Cell:
    """Of a table; `value` is what it is sorted by, None for text."""

    text: str
    value: float | None = None


@dataclass(frozen=True)
class Table:
    """Columns with whether they hold numbers, and rows."""

    columns: list[tuple[str, bool]]
    rows: list[list[Cell]]


def render_trace(trace: Trace) -> str:
    """The whole page. It needs no network."""
    colours = colours_of(trace)
    return render_page(
        "trace.html.j2",
        trace=trace,
        title=_title(trace),
        said=conclusion(trace),
        ended=endings(trace),
        bars=_bars(trace, colours),
        more=max(0, len(trace.lines) - BARS),
        lanes=lanes(trace, colours) if trace.time_lines else None,
        lines=_line_table(trace),
        files=_file_table(trace),
        procedures=_procedure_table(trace),
        advice=[(advice, *_outcome(advice)) for advice in trace.advice],
        facts_of_run=_facts(trace),
        processes=_process_table(trace),
    )


def _title(trace: Trace) -> str:
    costliest = max(trace.processes, key=lambda process: process.io_seconds, default=None)
    return PurePath(costliest.program).name if costliest and costliest.program else " ".join(trace.command)


def _bars(trace: Trace, colours: dict[int, str]) -> list[Bar]:
    shown = [line for line in trace.lines if line.seconds_exclusive > 0][:BARS]
    longest = max((line.seconds_exclusive for line in shown), default=0.0)
    return [_bar(line, trace, colours, longest) for line in shown]


def _bar(line: Line, trace: Trace, colours: dict[int, str], longest: float) -> Bar:
    of_all = trace.totals.io_seconds
    share = f", {100 * line.seconds_exclusive / of_all:.0f} %" if is_fortran(line) and of_all > 0 else ""
    in_system = min(line.seconds_in_system, line.seconds_exclusive)
    value = short_seconds(line.seconds_exclusive) + share
    plural = "s" * (line.statements != 1)
    what = "calls" if not is_fortran(line) else f"statement{plural}"
    counts = f"{compact(line.statements)} {what}"
    if line.payload_bytes:
        counts += f" of {size(line.payload_bytes / max(1, line.statements))}"
    return Bar(
        line,
        statement_words(line),
        counts,
        round(WIDTH * line.seconds_exclusive / longest, 2),
        round(WIDTH * in_system / longest, 2),
        colours.get(line.id, "c6"),
        value,
        f"{line.place}, {statement_words(line)}: {value}; {short_seconds(in_system)} of that in the system",
    )


def _line_table(trace: Trace) -> Table:
    files = {file.id: file for file in trace.files}
    total = trace.totals.io_seconds
    columns: list[tuple[str, bool, Callable[[Line], Cell]]] = [
        ("line", False, lambda line: Cell(line.place)),
        ("statement", False, lambda line: Cell(statement_words(line))),
        ("count", True, lambda line: _count(line.statements)),
        ("items", True, lambda line: _count(line.items)),
        ("payload", True, lambda line: _bytes(line.payload_bytes)),
        ("to and from the file", True, lambda line: _bytes(line.bytes_written + line.bytes_read)),
        ("system calls", True, lambda line: _count(system_calls(line))),
        ("seconds", True, lambda line: _number(line.seconds_exclusive)),
        ("% of I/O", True, lambda line: _number(_share(line, total))),
    ]
    if trace.mpi_ranks > 1:
        columns += [
            ("most of one MPI rank", True, lambda line: _number(line.largest_of_a_rank)),
            ("which", True, lambda line: _count(line.largest_rank)),
            ("most / mean", True, lambda line: _number(line.imbalance)),
        ]
    columns += [
        ("ns a statement", True, lambda line: _number(1e9 * line.seconds_exclusive / max(1, line.statements))),
        ("file", False, lambda line: Cell(files_of(line, files))),
    ]
    return Table(
        [(name, numeric) for name, numeric, _ in columns],
        [[cell(line) for _, _, cell in columns] for line in trace.lines],
    )


def _procedure_table(trace: Trace) -> Table:
    columns = ["procedure", "source file", "lines", "statements", "payload", "written", "read", "seconds"]
    if any(procedure.library_calls for procedure in trace.procedures):
        columns += ["library calls", "seconds in them"]
    rows = [
        [
            Cell(procedure.name or "(not known)"),
            Cell(PurePath(procedure.file).name),
            _count(len(procedure.lines)),
            _count(procedure.statements),
            _bytes(procedure.payload_bytes),
            _bytes(procedure.bytes_written),
            _bytes(procedure.bytes_read),
            _number(procedure.seconds),
            _count(procedure.library_calls),
            _number(procedure.library_seconds),
        ][: len(columns)]
        for procedure in trace.procedures
    ]
    return Table([(name, place > 1) for place, name in enumerate(columns)], rows)


def _file_table(trace: Trace) -> Table:
    columns = ["file", "opened at", "form", "opens", "written", "read", "writes", "reads", "seconds", "processes"]
    return Table(
        [(name, place > 2) for place, name in enumerate(columns)],
        [_file(group) for group in grouped(trace.files)],
    )


def _file(group: FileGroup) -> list[Cell]:
    file = group.sums
    places = ", ".join(f"{PurePath(place.file).name}:{place.line}" for place in file.opened_at[:3])
    words = " ".join(word for word in (file.access, file.form, file.convert) if word)
    return [
        Cell(f"{group.name} ({group.count} files)" if group.count > 1 else file.path),
        Cell(places),
        Cell(words),
        _count(file.opens),
        _bytes(file.bytes_written),
        _bytes(file.bytes_read),
        _count(file.write_calls),
        _count(file.read_calls),
        _number(file.seconds),
        _count(file.processes),
    ]


def _process_table(trace: Trace) -> Table:
    columns = [
        "process",
        "program",
        "host",
        "MPI rank",
        "threads",
        "run times",
        "seconds",
        "in Fortran I/O",
        "ended by",
    ]
    return Table(
        [(name, name in ("process", "MPI rank", "threads", "seconds", "in Fortran I/O")) for name in columns],
        [
            [
                Cell(str(process.process), process.process),
                Cell(PurePath(process.program).name),
                Cell(process.host),
                _count(process.mpi_rank),
                _count(process.threads),
                Cell(" ".join(process.families)),
                _number(process.seconds),
                _number(process.io_seconds),
                Cell("a signal, or it still ran" if process.ending == "none" else process.ending),
            ]
            for process in trace.processes
        ],
    )


def _facts(trace: Trace) -> list[tuple[str, str]]:
    families = sorted({family for process in trace.processes for family in process.families})
    facts = [
        ("command", " ".join(trace.command)),
        ("date", trace.date),
        ("host", trace.host),
        ("wall time", f"{number(trace.wall)} s"),
        ("processes", str(len(trace.processes))),
        ("MPI ranks", str(trace.mpi_ranks) if trace.mpi_ranks else ""),
        ("run times", ", ".join(families)),
        ("exit code", str(trace.exit_code) if trace.exit_code is not None else trace.signal),
        ("predictions from", trace.predicted_from),
        ("headrace", trace.tool_version),
    ]
    return [(name, text) for name, text in facts if text]


def _outcome(advice: Advice) -> tuple[str, str]:
    """The seconds after the change in large letters, and what belongs under them."""
    before = short_seconds(advice.before)
    if advice.after is None:
        return before, f"now; no estimate: {advice.why_no_estimate}"
    return short_seconds(advice.after.seconds), f"instead of {before}; expected {between(advice.after)}"


def _share(line: Line, total: float) -> float | None:
    return 100 * line.seconds_exclusive / total if is_fortran(line) and total > 0 else None


def _count(value: int | None) -> Cell:
    return Cell("") if value is None else Cell(f"{value:,}", value)


def _bytes(value: int) -> Cell:
    return Cell(size(value), value)


def _number(value: float | None) -> Cell:
    return Cell("") if value is None else Cell(number(value), value)
