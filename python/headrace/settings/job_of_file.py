"""A job as a trace or results show it: MPI ranks, pattern, format, and what was measured. First: job.py."""

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.results.files import load_any
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import ParallelRun
from headrace.results.run import Run
from headrace.settings.job import FORTRAN, Files, Format, Job, Moved, Observed, Saving, Statements
from headrace.sites.schema import Operation, Pattern
from headrace.trace.files import PRECONNECTED
from headrace.trace.reopened import may_wait, reopened
from headrace.trace.results import File, Line, Trace

_LIBRARY = "library call"
_OTHERS = ("run time", "not Fortran", "iolength")
_MPI_WRITES = ("MPI_File_write", "MPI_File_iwrite")
_SCRATCH = "gfortrantmp"  # how libgfortran names files with STATUS='SCRATCH'
_SHARED_BY_STATEMENTS = (
    "several MPI ranks write one file by statements of Fortran, each through a buffer of its own: nothing is said "
    "about who writes which file; MPI-IO or a library does it safely"
)
_LEFT = re.compile(r"(?<![a-z])(t|tl|en)\d", re.IGNORECASE)  # edit descriptors that stay with the run time
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_LINKED_IN = "is linked into"  # a note of a library whose calls nobody sees
SMALL_FILE = 1 << 20  # bytes
FEW_ELEMENTS = 8  # in a statement: the statement costs more than they do


@dataclass(frozen=True)
class Found:
    """The job, and what should be said about the file."""

    job: Job
    remarks: tuple[str, ...] = ()


def of_results(path: Path, given: Job) -> Found:
    """The job of results of `headrace bench` or `headrace bench parallel`. Raises HeadraceError for others."""
    run = load_any(path)
    remarks = _elsewhere(path, run.provenance.host, run.provenance.date)
    if isinstance(run, ParallelRun):
        most = max((group.ranks for group in run.groups), default=1)
        nodes = max((group.nodes for group in run.groups if group.ranks == most), default=1)
        size = max((group.payload_bytes for group in run.groups if group.ranks == most), default=0)
        said = (f"{path}: headrace bench parallel, up to {mpi_ranks(most)} on {nodes} node{'s' * (nodes > 1)}",)
        job = replace(
            given,
            ranks=given.ranks if given.ranks > 1 else most,
            nodes=given.nodes if given.nodes > 1 else nodes,
            bytes_a_rank=given.bytes_a_rank or size // max(1, most),
            measured=run,
            said=said,
        )
        return Found(job, remarks)
    if isinstance(run, Run):
        compilers = ", ".join(compiler.identifier for compiler in run.compilers)
        job = replace(given, statements_measured=run, said=(f"{path}: headrace bench with {compilers}",))
        return Found(job, remarks)
    raise HeadraceError(
        f"{path}: results of headrace {run.command}: they say nothing about settings",
        "name a trace, or results of headrace bench or headrace bench parallel",
    )


def _elsewhere(path: Path, host: str, date: str) -> tuple[str, ...]:
    """A remark if the figures are of another machine."""
    here = socket.gethostname()
    if host in ("", here):
        return ()
    return (f"{path} was measured on {host} ({date[:10]}), and this is {here}: its figures may not hold here.",)


def has_io(trace: Trace) -> bool:
    """Whether it shows a statement of Fortran or a call of an I/O library; a program may read its own way."""
    return any(line.statement not in _OTHERS for line in trace.lines)


def is_io(line: Line) -> bool:
    """Whether its seconds are those of I/O: of statements on files, and of calls of I/O libraries."""
    return not line.internal and line.statement not in _OTHERS


def without_io(given: Job) -> Found:
    """Of a run that could be traced and showed no I/O."""
    return Found(replace(given, observed=Observed("the traced run")), ("the program does no I/O: nothing to set",))


def of_trace(path: Path, trace: Trace, given: Job) -> Found:
    """The job that was traced; what the command line says comes first."""
    observed = _observed(path, trace)
    ranks = max(1, trace.mpi_ranks)
    hosts = {process.host for process in trace.processes if process.mpi_rank is not None}
    form = given.format or _format(trace)
    operations = given.operations if len(given.operations) == 1 else _operations(trace, observed)
    pattern, remark = given.pattern or (_pattern(trace) if ranks > 1 else None), ""
    if not given.pattern and pattern == "shared_independent" and form in FORTRAN:
        pattern, remark = None, _SHARED_BY_STATEMENTS
    job = replace(
        given,
        ranks=given.ranks if given.ranks > 1 else ranks,
        nodes=given.nodes if given.nodes > 1 else max(1, min(len(hosts), ranks)),
        bytes_a_rank=given.bytes_a_rank or observed.payload_bytes // ranks,
        pattern=pattern,
        format=form,
        operations=operations,
        # What the trace says of statements is about Fortran's own formats, and not about one that was asked for.
        statements=given.statements or (_statements(observed) if not form or form in FORTRAN else ""),
        flush=given.flush or ("write" in operations and observed.flushes > max(10, observed.write_statements // 100)),
        reopen=given.reopen
        or observed.opens_again > max(10, (observed.write_statements + observed.read_statements) // 10),
        observed=observed,
        said=(f"{path}: {' '.join(trace.command) or 'a trace'}, {mpi_ranks(ranks)}",),
    )
    unseen = (note for note in trace.notes if _LINKED_IN in note)
    return Found(job, (*_elsewhere(path, trace.host, trace.date), *unseen, *((remark,) if remark else ())))


# The rules of a trace that are about the same cause as an item.
_CAUSES = {
    "binary-file": ("HR201", "HR202", "HR203", "HR204"),
    "whole-arrays": ("HR101", "HR102", "HR103", "HR107"),
    "keep-open": ("HR301",),
    "flush-less": ("HR302",),
    "unset-unbuffered": ("HR303",),
}


def _savings(trace: Trace) -> dict[str, Saving]:
    """Each line once, with the advice that saves most."""
    found: dict[str, Saving] = {}
    for change, codes in _CAUSES.items():
        seen: set[int] = set()
        chosen = []
        for advice in trace.advice:  # the largest saving first
            if advice.rule in codes and advice.after is not None and not seen & set(advice.lines):
                seen |= set(advice.lines)
                chosen.append((advice.before, advice.after))
        if chosen:
            found[change] = Saving(
                sum(before for before, _ in chosen),
                sum(after.seconds for _, after in chosen),
                sum(after.low for _, after in chosen),
                sum(after.high for _, after in chosen),
                trace.predicted_from,
            )
    return found


def _fortran(lines: Sequence[Line], *statements: str) -> list[Line]:
    return [line for line in lines if line.statement in statements and not line.internal]


def _observed(path: Path, trace: Trace) -> Observed:
    writes, reads = _fortran(trace.lines, "write"), _fortran(trace.lines, "read")
    moving = [*writes, *reads]
    flushes = _fortran(trace.lines, "flush")
    opens = _fortran(trace.lines, "open", "close")
    again = [file for file in trace.files if file.opens > 1 and not _is_scratch(file)]
    ways = {reopened(trace, file) for file in again}
    # What a person reads, or edits, is neither to be unformatted nor an array.
    preconnected = {file.id for file in trace.files if file.path in PRECONNECTED.values()}
    data = [line for line in moving if line.form != "namelist" and not preconnected.issuperset(line.files or {-1})]
    in_turn = [line for line in data if not {"direct", "positioned"} & set(line.traits)]
    count = sum(line.statements for line in in_turn)
    libraries = [line for line in trace.lines if line.statement == _LIBRARY]
    written = [line for line in libraries if line.name.startswith(_MPI_WRITES)]
    hdf5 = [line for line in libraries if line.name in ("H5Fopen", "H5Fcreate")]
    # Standard output and error may be a pipe, and the costs of the directory are not theirs.
    buffered = [
        line for line in writes if "direct" not in line.traits and not preconnected.issuperset(line.files or {-1})
    ]
    return Observed(
        source=str(path),
        host=trace.host,
        date=trace.date,
        ranks=max(1, trace.mpi_ranks),
        wall=trace.wall,
        seconds=sum(line.seconds_exclusive for line in trace.lines if is_io(line)),
        system_seconds=sum(line.seconds_in_system for line in moving),
        writes=sum(line.calls.write for line in trace.lines),
        reads=sum(line.calls.read for line in reads),
        bytes_written=sum(line.bytes_written for line in trace.lines),
        bytes_read=sum(line.bytes_read for line in reads),
        payload_bytes=sum(line.payload_bytes for line in trace.lines if line in moving or line.statement == _LIBRARY),
        write_statements=sum(line.statements for line in writes),
        read_statements=sum(line.statements for line in reads),
        elements_a_statement=sum(line.elements for line in in_turn) / count if count else 0.0,
        text_seconds=_text_seconds(moving),
        text_write_seconds=_converting(trace, writes),
        text_read_seconds=_converting(trace, reads),
        text_file_seconds=_text_seconds(data),
        element_seconds=sum(
            line.seconds_exclusive for line in in_turn if line.elements <= FEW_ELEMENTS * line.statements
        ),
        flush_seconds=sum(line.seconds_exclusive for line in flushes),
        flushes=sum(line.statements for line in flushes),
        open_seconds=sum(line.seconds_exclusive for line in opens),
        opens=sum(line.statements for line in opens if line.statement == "open"),
        opens_again=sum(file.opens - 1 for file in again),
        reopened=ways.pop() if len(ways) == 1 else None,
        may_wait=all(may_wait(trace, file) for file in trace.files if file.bytes_written and file.kind == "regular"),
        files=len(trace.files),
        text=_moved([line for line in buffered if line.form != "unformatted"]),
        binary=_moved([line for line in buffered if line.form == "unformatted"]),
        flushed=_moved(flushes),
        closed=_moved([line for line in opens if line.statement == "close"]),
        scratch=_files(trace, _is_scratch),
        single=_files(trace, _is_single),
        hdf5_opens=sum(line.statements for line in hdf5),
        hdf5_open_seconds=sum(line.seconds_exclusive for line in hdf5),
        mpi_io=_moved(written),
        mpi_io_calls=sum(line.statements for line in written),
        mpi_open_seconds=sum(line.seconds_exclusive for line in libraries if line.name == "MPI_File_open"),
        savings=_savings(trace),
    )


def _text_seconds(lines: Sequence[Line]) -> float:
    return sum(line.seconds_exclusive for line in lines if line.form not in ("unformatted", ""))


def _converting(trace: Trace, lines: Sequence[Line]) -> float:
    """Seconds of the run time itself on text that `headrace run` takes over: see `headrace run --stats`."""
    left = {file.id for file in trace.files if file.access in ("direct", "stream")}
    text = [line for line in lines if line.form in ("formatted", "list-directed") and "direct" not in line.traits]
    return sum(
        max(0.0, line.seconds_exclusive - line.seconds_in_system)
        for line in text
        if not left.intersection(line.files)
        and not any(_LEFT.search(_QUOTED.sub("", written)) for written in line.formats)
    )


def _moved(lines: Sequence[Line]) -> Moved:
    calls = sum(line.calls.write for line in lines)
    return Moved(calls, sum(line.bytes_written for line in lines), sum(line.seconds_in_system for line in lines))


def _is_scratch(file: File) -> bool:
    return Path(file.path).name.startswith(_SCRATCH)


def _is_single(file: File) -> bool:
    """One of many that are made, written and left."""
    small = 0 < file.bytes_written < SMALL_FILE and not file.bytes_read
    return file.kind == "regular" and file.opens == 1 and small and not _is_scratch(file)


def _files(trace: Trace, chosen: Callable[[File], bool]) -> Files:
    """With the system calls of the lines that went to no others."""
    files = [file for file in trace.files if chosen(file)]
    if not files:
        return Files()
    numbers = {file.id for file in files}
    lines = [line for line in trace.lines if line.files and numbers.issuperset(line.files)]
    moved = Moved(
        sum(file.write_calls for file in files),
        sum(file.bytes_written for file in files),
        sum(line.seconds_in_system for line in lines),
    )
    opens, seconds = sum(file.opens for file in files), sum(file.seconds for file in files)
    whole = sum(line.seconds_exclusive for line in trace.lines if is_io(line))
    return Files(len(files), opens, min(seconds, whole), moved, str(Path(files[0].path).parent))


def _pattern(trace: Trace) -> Pattern | None:
    """Of the files that MPI ranks write, by MPI-IO or by Fortran's statements."""
    calls = [line for line in trace.lines if line.statement == _LIBRARY and line.name.startswith("MPI_File_")]
    moving = [line for line in calls if line.name.startswith(("MPI_File_write", "MPI_File_read"))]
    if moving:
        busiest = max(moving, key=lambda line: line.seconds_exclusive)
        is_collective = "_all" in busiest.name or "_ordered" in busiest.name
        return "shared_collective" if is_collective else "shared_independent"
    written = [file for file in trace.files if file.bytes_written and file.kind == "regular"]
    if not written:
        return None
    if any(file.processes > 1 for file in written):
        return "shared_independent"
    return "file_per_process" if len(written) >= trace.mpi_ranks else "serial"


def _format(trace: Trace) -> Format:
    """What takes most of the time."""
    seconds: dict[Format, float] = {}
    for line in _fortran(trace.lines, "write", "read"):
        form: Format = "unformatted" if line.form == "unformatted" else "text" if line.form else ""
        seconds[form] = seconds.get(form, 0.0) + line.seconds_exclusive
    return max(seconds, key=lambda form: seconds[form], default="")


def _operations(trace: Trace, observed: Observed) -> tuple[Operation, ...]:
    found: list[Operation] = []
    calls = [line.name for line in trace.lines if line.statement == _LIBRARY and line.payload_bytes]
    if observed.write_statements or any(re.search("write|put", name, re.IGNORECASE) for name in calls):
        found.append("write")
    if observed.read_statements or any(re.search("read|get", name, re.IGNORECASE) for name in calls):
        found.append("read")
    return tuple(found) or ("write", "read")


def _statements(observed: Observed) -> Statements:
    if not observed.elements_a_statement:
        return ""
    return "element" if observed.elements_a_statement <= FEW_ELEMENTS else "array"
