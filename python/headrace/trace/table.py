"""A trace as text of at most 100 columns: the conclusion, what ended badly, the lines, the advice, the files."""

import textwrap
from collections.abc import Callable, Sequence
from pathlib import PurePath

from headrace.trace.file_groups import grouped
from headrace.trace.notes import of_processes
from headrace.trace.printed import for_conclusion, printed
from headrace.trace.procedures import tell_more
from headrace.trace.results import File, Line, Procedure, Process, Trace, is_fortran

WIDTH = 100
LINES = 20
_SOURCES = 5
_FILES = 10
_PROCEDURES = 8
_ENDED = 5
_WORTH_SAYING = 0.01  # share of the I/O seconds
_UNEVEN = 1.5  # times the mean
_FORMS = {"": "", "formatted": "fmt", "list-directed": "list", "namelist": "nml", "unformatted": "unf"}
_LEGEND = "k = 1000, M = 10^6; payload and file bytes in bytes; calls = system calls; seconds without statements inside"

Row = list[str]


def table(trace: Trace, most_lines: int = LINES) -> str:
    """Everything that is printed of a trace."""
    files = {file.id: file for file in trace.files}
    parts = [
        _head(trace),
        *wrapped(conclusion(trace)),
        *("\n  ".join(wrapped(said, WIDTH - 2)) for said in endings(trace)),
        "",
    ]
    if trace.lines:
        parts += [*_line_table(trace, files, most_lines), "", *_source_lines(trace), *printed(trace)]
    if tell_more(trace.procedures, trace.lines):
        parts += _procedure_table(trace)
    if any(file.seconds > 0 for file in trace.files):
        parts += _file_table(trace)
    parts += ["\n  ".join(wrapped(f"note: {note}", WIDTH - 2)) for note in trace.notes]
    return "\n".join(part.rstrip() for part in parts).rstrip() + "\n"


def compact(value: float) -> str:
    """A count in at most five characters."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            scaled = value / size
            return f"{scaled:.{2 if scaled < 9.995 else 1 if scaled < 99.95 else 0}f}{unit}"
    return f"{value:.0f}"


def seconds(value: float) -> str:
    """Seconds for a column."""
    return f"{value:.4f}" if value < 100 else f"{value:.2f}" if value < 1e4 else f"{value:.0f}"


def statement_words(line: Line) -> str:
    """For example "write unf"."""
    if line.statement == "library call":
        return line.name or "library call"
    verb = {"run time": "at exit", "not Fortran": "calls"}.get(line.statement, line.statement)
    form = "direct" if "direct" in line.traits else _FORMS[line.form]
    return f"{verb} {form}".strip()


def _head(trace: Trace) -> str:
    what = " ".join(trace.command) or ", ".join(dict.fromkeys(PurePath(p.program).name for p in trace.processes))
    ranks = f", {trace.mpi_ranks} MPI ranks" if trace.mpi_ranks else ""
    threads = sum(process.threads for process in trace.processes)
    said = (
        f": {of_processes(len(trace.processes))}{ranks}, {threads} thread{'s' * (threads != 1)} with I/O, "
        f"wall {seconds(trace.wall)} s"
    )
    return "headrace trace: " + cut(what, WIDTH - len("headrace trace: ") - len(said)) + said


def conclusion(trace: Trace) -> str:
    """What the trace says, in a few sentences."""
    totals = trace.totals
    fortran = [line for line in trace.lines if is_fortran(line)]
    libraries = sum(line.seconds_exclusive for line in trace.lines if line.statement == "library call")
    beside = f" Calls of I/O libraries take {short_seconds(libraries)}." if libraries > 0 else ""
    if not fortran:
        return "No Fortran I/O statement ran in it." + beside
    if not any(line.statements for line in fortran):
        return "No Fortran I/O statement was completed in it." + beside
    share = f" = {totals.share:.0%} of the run" if totals.share is not None else ""
    of = f" (the sum of {totals.at_once} processes or threads at once)" if totals.at_once > 1 else ""
    worst = fortran[0]
    said = f"Fortran I/O takes {short_seconds(totals.io_seconds)}{of}{share}"
    if totals.io_seconds > 0:
        each = worst.payload_bytes / worst.statements if worst.statements else 0
        detail = f", {short_seconds(worst.seconds_exclusive / worst.statements)} each" if worst.statements else ""
        payload = f" of {compact(each)} bytes" if worst.payload_bytes else ""
        said += (
            f"; {worst.seconds_exclusive / totals.io_seconds:.0%} of that is {worst.place}, {statement_words(worst)}: "
            f"{compact(worst.statements)} statement{'s' * (worst.statements != 1)}{payload}{detail}"
        )
        if trace.mpi_ranks > 1 and worst.imbalance and worst.imbalance >= _UNEVEN:
            alone = worst.imbalance > 0.99 * trace.mpi_ranks
            times = "alone does that" if alone else f"takes {worst.imbalance:.1f} times the mean of all ranks for it"
            said += f". MPI rank {worst.largest_rank} {times}"
        if totals.io_seconds_internal >= 0.5 * totals.io_seconds:
            said += (
                f". Internal I/O (to and from character variables, no file) is "
                f"{totals.io_seconds_internal / totals.io_seconds:.0%} of the I/O seconds"
            )
    return said + "." + for_conclusion(trace, worst.id) + beside


def short_seconds(value: float) -> str:
    """For example 12.3 ms."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def endings(trace: Trace) -> list[str]:
    """How the program ended, if not well, and the statement that was executing."""
    said = []
    if trace.signal:
        said.append(f"The program was killed by {trace.signal}; what it did until then is below.")
    elif trace.exit_code:
        said.append(f"The program ended with exit code {trace.exit_code}.")
    stopped = [process for process in trace.processes if _is_inside(process)]
    for process in stopped[:_ENDED]:
        for number in process.in_progress:
            line = trace.lines[number] if number < len(trace.lines) else None
            if line is not None:
                text = f": {line.source}" if line.source else ""
                said.append(f"{_name(process)} ended inside of {line.place} ({statement_words(line)}){text}")
    if len(stopped) > _ENDED:
        said.append(f"and {len(stopped) - _ENDED} more processes ended inside of a statement")
    killed = [process for process in trace.processes if process.ending == "none" and not process.in_progress]
    for process in killed[:_ENDED]:
        last = f"; the last one was {trace.lines[process.last_line].place}" if process.last_line is not None else ""
        said.append(f"{_name(process)} ended outside of I/O statements, without an orderly exit{last}")
    if len(killed) > _ENDED:
        said.append(f"and {len(killed) - _ENDED} more processes ended so")
    return said


def _is_inside(process: Process) -> bool:
    return bool(process.in_progress) and process.ending != "exec"


def _name(process: Process) -> str:
    rank = f", MPI rank {process.mpi_rank}" if process.mpi_rank is not None else ""
    return f"process {process.process} ({PurePath(process.program).name}{rank})"


def _line_table(trace: Trace, files: dict[int, File], most_lines: int) -> list[str]:
    with_ranks = trace.mpi_ranks > 1
    total = trace.totals.io_seconds
    columns: list[tuple[str, Callable[[Line], str]]] = [
        ("line", lambda line: line.place),
        ("statement", statement_words),
        ("count", lambda line: compact(line.statements)),
        ("payload", lambda line: compact(line.payload_bytes)),
        ("file bytes", lambda line: compact(line.bytes_written + line.bytes_read)),
        ("calls", lambda line: compact(system_calls(line))),
        ("seconds", lambda line: seconds(line.seconds_exclusive)),
        ("%", lambda line: f"{100 * line.seconds_exclusive / total:.0f}" if is_fortran(line) and total > 0 else "-"),
    ]
    if not with_ranks:
        columns.insert(3, ("items", lambda line: compact(line.items)))
    if with_ranks:
        columns += [
            ("max", lambda line: seconds(line.largest_of_a_rank) if line.largest_of_a_rank is not None else "-"),
            ("rank", lambda line: str(line.largest_rank) if line.largest_rank is not None else "-"),
            ("max/mean", lambda line: f"{line.imbalance:.1f}" if line.imbalance is not None else "-"),
        ]
    else:
        columns.append(("ns/stmt", lambda line: _each(line)))
    columns.append(("file", lambda line: files_of(line, files)))
    ordered = [line for line in trace.lines if is_fortran(line)] + [
        line for line in trace.lines if not is_fortran(line)
    ]
    shown, rest = ordered[:most_lines], ordered[most_lines:]
    lines = grid([name for name, _ in columns], [[cell(line) for _, cell in columns] for line in shown])
    if rest:
        lines.append(
            f"and {len(rest)} more line{'s' * (len(rest) > 1)} with "
            f"{seconds(sum(line.seconds_exclusive for line in rest))} s (--lines shows more)"
        )
    used = [f"{short} = {word}" for word, short in _FORMS.items() if word and any(x.form == word for x in shown)]
    legend = "; ".join([_LEGEND, ", ".join(used)] if used else [_LEGEND])
    return [*lines, *wrapped(legend)]


def system_calls(line: Line) -> int:
    """All that were made for a line."""
    return line.calls.write + line.calls.read + line.calls.seek + line.calls.other


def _each(line: Line) -> str:
    each = 1e9 * line.seconds_exclusive / line.statements if line.statements else 0
    return f"{each:.0f}" if each < 99_999 else compact(each)


def files_of(line: Line, files: dict[int, File]) -> str:
    """The file that a line went to, and how many more."""
    if line.internal:
        return "(internal)"
    names = [PurePath(files[number].path).name for number in line.files if number in files]
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{names[0]}{more}" if names else ""


def _source_lines(trace: Trace) -> list[str]:
    """The texts of the costliest lines, each with the OPEN of its file."""
    worth = [line for line in trace.lines if line.source and is_fortran(line)][:_SOURCES]
    said: list[str] = []
    for line in worth:
        if line.seconds_exclusive < _WORTH_SAYING * trace.totals.io_seconds:
            continue
        said.append(cut(f"{line.place}  {line.source}", WIDTH))
        for place in line.opened_at[:1]:
            if (place.file, place.line) != (line.file, line.line):
                name = f"{PurePath(place.file).name}:{place.line}"
                said.append(cut(f"    opened at {name}  {place.source}", WIDTH))
    return [*said, ""] if said else []


def _procedure_table(trace: Trace) -> list[str]:
    total = trace.totals.io_seconds
    with_libraries = any(procedure.library_seconds > 0 for procedure in trace.procedures)
    header = ["procedure", "source file", "lines", "count", "payload", "file bytes", "seconds", "%"]
    header += ["libraries"] * with_libraries

    def cells(found: Procedure) -> Row:
        share = f"{100 * found.seconds / total:.0f}" if total > 0 else "-"
        moved = compact(found.bytes_written + found.bytes_read)
        return [
            found.name or "(not known)",
            PurePath(found.file).name,
            *(str(len(found.lines)), compact(found.statements), compact(found.payload_bytes), moved),
            *(seconds(found.seconds), share),
            *([seconds(found.library_seconds)] * with_libraries),
        ]

    lines = grid(header, [cells(found) for found in trace.procedures[:_PROCEDURES]])
    rest = trace.procedures[_PROCEDURES:]
    if rest:
        left = seconds(sum(found.seconds for found in rest))
        lines.append(f"and {len(rest)} more procedure{'s' * (len(rest) > 1)} with {left} s (--json has them)")
    return [*lines, ""]


def _file_table(trace: Trace) -> list[str]:
    header = ["file", "opened at", "form", "opens", "written", "read", "writes", "reads", "seconds"]
    ordered = grouped([file for file in trace.files if file.seconds > 0])
    rows = []
    for group in ordered[:_FILES]:
        file = group.sums
        place = file.opened_at[0] if file.opened_at else None
        more = f" +{len(file.opened_at) - 1}" if len(file.opened_at) > 1 else ""
        words = [word for word in (file.access, file.form) if word and word != "sequential"]
        kind = "" if file.kind in ("regular", "unknown") else f" ({file.kind})"
        kind += f" ({group.count} files)" if group.count > 1 else ""
        rows.append(
            [
                f"{group.name}{kind}",
                f"{PurePath(place.file).name}:{place.line}{more}" if place else "",
                " ".join([*words, *([f"convert={file.convert}"] if file.convert else [])]),
                compact(file.opens),
                compact(file.bytes_written),
                compact(file.bytes_read),
                compact(file.write_calls),
                compact(file.read_calls),
                seconds(file.seconds),
            ]
        )
    lines = grid(header, rows, keep_end=True)
    rest = ordered[_FILES:]
    if rest:
        total = seconds(sum(group.sums.seconds for group in rest))
        count = sum(group.count for group in rest)
        lines.append(f"and {count} more file{'s' * (count > 1)} with {total} s (--json has them)")
    return [*lines, ""]


_LEFT = ("line", "statement", "file", "opened at", "form", "procedure", "source file", "is", "")
_NARROWEST = 8
_CUT_FIRST = 6


def grid(header: Row, rows: list[Row], keep_end: bool = False) -> list[str]:
    """Aligned columns; names are cut until everything fits."""
    widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    names = [i for i, name in enumerate(header) if name in _LEFT]
    while sum(widths) + len(widths) - 1 > WIDTH:
        widest = max(names, key=lambda i: widths[i] + _CUT_FIRST * (header[i] == "file"))
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    return [
        " ".join(
            (cut(cell, width, keep_end or name == "line").ljust(width) if name in _LEFT else cell.rjust(width))
            for name, cell, width in zip(header, row, widths, strict=True)
        ).rstrip()
        for row in [header, *rows]
    ]


def cut(text: str, width: int, keep_end: bool = False) -> str:
    """At most so many characters, all of them printable."""
    text = "".join(mark if mark.isprintable() else "?" for mark in text)
    if len(text) <= width:
        return text
    return "..." + text[len(text) - width + 3 :] if keep_end else text[: width - 3] + "..."


def wrapped(text: str, width: int = WIDTH) -> Sequence[str]:
    """Lines of at most so many columns."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
