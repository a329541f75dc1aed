"""A trace for Perfetto: every traced process, with a track for each source line and a curve of its bytes a second."""

from pathlib import Path, PurePath
from typing import Any

from headrace.reporters.perfetto import Event, complete, counter, document, named, write_document
from headrace.trace.results import Process, TimeLine, Trace
from headrace.trace.table import statement_words


def write_perfetto(trace: Trace, path: Path) -> None:
    """Write the file, whole or not at all. Raises HeadraceError."""
    write_document(perfetto(trace), path, "--perfetto")


def perfetto(trace: Trace) -> dict[str, Any]:
    """Times from the first event of all processes on.

    The time line knows how long a line was at work within a bin, not when exactly: an event begins with its bin.
    """
    events: list[Event] = []
    for number, process in enumerate(trace.processes):
        lines = [line for line in trace.time_lines if line.process == number]
        if lines:
            events.append(named("process_name", number + 1, 0, _name(process)))
        for line in lines:
            events += _events(line, trace, number + 1)
    return document(events, "headrace trace", trace.tool_version)


def _name(process: Process) -> str:
    rank = f"MPI rank {process.mpi_rank}, " if process.mpi_rank is not None else ""
    return f"{rank}{PurePath(process.program).name} (process {process.process} on {process.host})"


def _events(line: TimeLine, trace: Trace, process: int) -> list[Event]:
    what = trace.lines[line.line]
    name = f"{what.place}, {statement_words(what)}"
    events = [named("thread_name", process, line.line + 1, name)]
    before = -2
    for number, seconds, payload in zip(line.bins, line.seconds, line.payload_bytes, strict=True):
        begin = 1e6 * (line.begins + number * line.width)
        if number != before + 1 and before >= 0:
            events.append(
                counter(f"MB/s of {name}", process, begin - 1e6 * (number - before - 1) * line.width, {"MB/s": 0.0})
            )
        lasts = 1e6 * min(seconds, line.width)
        events.append(complete(name, what.statement, process, line.line + 1, begin, lasts, {"payload_bytes": payload}))
        events.append(counter(f"MB/s of {name}", process, begin, {"MB/s": payload / line.width / 1e6}))
        before = number
    if before >= 0:
        end = 1e6 * (line.begins + (before + 1) * line.width)
        events.append(counter(f"MB/s of {name}", process, end, {"MB/s": 0.0}))
    return events
