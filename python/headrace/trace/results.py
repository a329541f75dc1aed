"""What a trace says, as the schema headrace-trace/1: `headrace trace --json` writes it.

Seconds are seconds of wall time. If several processes or threads did the same, their seconds and counts are added.
Lists refer to each other by `id`.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from headrace.rules.rule import Effect

Statement = Literal[
    "write",
    "read",
    "open",
    "close",
    "inquire",
    "flush",
    "rewind",
    "backspace",
    "endfile",
    "wait",
    "iolength",
    "library call",
    "run time",
    "not Fortran",
]
Form = Literal["", "formatted", "list-directed", "namelist", "unformatted"]
FileKind = Literal["unknown", "regular", "terminal", "pipe", "other"]


class Part(BaseModel):
    """A member of the schema: nothing else may stand in it."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Process(Part):
    """One traced process. A process that starts another program in its place (exec) is two."""

    program: str
    host: str
    process: int = Field(description="the number that the system gave it")
    parent: int
    mpi_rank: int | None = Field(description="null: not known")
    forked: bool
    families: list[str] = Field(description="the run times that were met")
    threads: int = Field(description="threads with Fortran I/O")
    begun: float = Field(description="seconds since 1970, at its first event")
    seconds: float = Field(description="from its first event to the last that is known")
    io_seconds: float = Field(description="in Fortran I/O, of all its threads")
    ending: Literal["exit", "_exit", "exec", "none"] = Field(description="none: it was killed, or it still runs")
    in_progress: list[int] = Field(description="the lines whose statement had not ended, by id")
    last_line: int | None = Field(description="the line whose statement ended last, by id")
    bytes_read: int = Field(description="by the whole process, whoever read; of the last moment that was noted")
    bytes_written: int


class Place(Part):
    """Where a statement stands."""

    file: str
    line: int
    source: str = Field(default="", description="the text of the line; empty: not found")


class File(Part):
    """One file that Fortran statements used, under the path that the run time opened."""

    id: int
    path: str
    opened_at: list[Place]
    form: str
    access: str
    action: str
    convert: str
    unit: int | None = Field(default=None, description="null: another one each time")
    status: str = Field(default="", description="as OPEN had it; various: another one each time")
    position: str = Field(default="", description="likewise")
    record_length: int = Field(description="RECL=; 0: not given")
    kind: FileKind
    opens: int
    closes: int
    write_calls: int
    read_calls: int
    seek_calls: int
    bytes_written: int
    bytes_read: int
    seconds: float = Field(description="of all statements that went to it, without statements inside of them")
    processes: int = Field(description="how many used it")


class Calls(Part):
    """System calls that were made for a line."""

    write: int
    read: int
    seek: int
    other: int


class Line(Part):
    """One source line, or for what has none a place in a program or library."""

    id: int
    place: str = Field(description="how the table calls it, for example slow.f90:17")
    file: str
    line: int
    source: str = Field(default="", description="the text of the line; empty: not found")
    procedure: str = Field(
        default="",
        description="in which it stands, with its module: io::save; empty: not known (the program is stripped)",
    )
    statement: Statement
    form: Form
    traits: list[str]
    internal: bool = Field(description="the file is a character variable")
    name: str = Field(description="of a library's function")
    formats: list[str] = Field(description="format specifications, at most four")
    files: list[int] = Field(description="what it went to, the one with the most seconds first")
    opened_at: list[Place] = Field(description="the OPEN statements of those, in the same order, at most eight")
    processes: int
    statements: int
    items: int = Field(description="of the I/O lists, as the compiler passed them: a whole array is one")
    elements: int
    payload_bytes: int = Field(description="of the items, in memory")
    payload_smallest: int
    payload_largest: int = Field(description="of one statement")
    seconds: float = Field(description="with statements inside of the I/O list")
    seconds_exclusive: float = Field(description="without them")
    seconds_in_system: float
    longest_seconds: float = Field(description="of one statement")
    largest_of_a_rank: float | None = Field(description="the largest seconds_exclusive of an MPI rank")
    largest_rank: int | None = Field(description="which MPI rank that is")
    imbalance: float | None = Field(description="the largest divided by the mean of all MPI ranks: 1 is even")
    calls: Calls
    bytes_written: int = Field(description="to the file, by the statement that filled the buffer")
    bytes_read: int
    errors: int
    ends: int = Field(description="ends of file and of record")


def is_fortran(line: Line) -> bool:
    """Whether its seconds are those of Fortran I/O."""
    return line.statement not in ("not Fortran", "library call")


class TimeLine(Part):
    """When one process was at work at one source line. Bins that are empty are left out."""

    process: int = Field(description="which of `processes`, from 0 on")
    line: int = Field(description="by id")
    begins: float = Field(description="seconds from the first event of all processes to the begin of bin 0")
    width: float = Field(description="seconds of a bin; bins double in width as the run goes on")
    bins: list[int] = Field(description="numbers of the bins that are not empty, ascending")
    seconds: list[float] = Field(description="of each: at work in it, all threads added")
    payload_bytes: list[int] = Field(description="of each")


class Estimate(Part):
    """Seconds that are predicted, and between what they are expected."""

    seconds: float
    low: float
    high: float = Field(description="what may be promised: the change is not expected to take longer")


class Advice(Part):
    """What to change, by a rule of the catalogue."""

    rule: str = Field(description="its code, for example HR101")
    name: str
    place: str = Field(description="where, as the table calls it")
    lines: list[int] = Field(description="the lines that the change concerns, by id; the first is the place")
    finds: str = Field(description="what the program does there, with its counts")
    instead: str
    reason: str
    now: str = Field(description="the statement as it is; empty: its source was not found")
    better: str = Field(description="what to write instead; generic if the source was not found")
    effect: Effect = Field(
        description="on the file: the same bytes; other bytes, so that what reads it must change; less on disk after a "
        "crash; none"
    )
    effect_words: str
    before: float = Field(description="seconds_exclusive of the lines")
    after: Estimate | None = Field(description="seconds of these lines after the change; null: not predicted")
    why_no_estimate: str = ""
    evidence: dict[str, float] = Field(description="the figures by which the rule was chosen")


class Procedure(Part):
    """All lines of one procedure in one source file."""

    name: str = Field(description="with its module: io::save; empty: not known")
    file: str = Field(description="the source file; empty: not known")
    lines: list[int] = Field(description="by id, the one with the most seconds first")
    statements: int = Field(description="of Fortran, as the following")
    payload_bytes: int
    bytes_written: int
    bytes_read: int
    seconds: float = Field(description="without statements inside of them")
    library_calls: int
    library_seconds: float = Field(description="without calls inside of them")


class Totals(Part):
    """Of all Fortran I/O in the trace; what is not Fortran is in lines of its own."""

    io_seconds: float
    io_seconds_internal: float
    io_seconds_in_system: float
    at_once: int = Field(description="the most processes and threads with Fortran I/O that ran at the same time")
    share: float | None = Field(description="io_seconds divided by at_once times the wall time; null: no wall time")
    bytes_written: int
    bytes_read: int


class Trace(Part):
    """A run of a program, or what `show` was asked for of it."""

    schema_: Literal["headrace-trace/1"] = Field("headrace-trace/1", alias="schema")
    tool_version: str
    command: list[str] = Field(description="empty: the profiles were read from a directory")
    date: str = Field(description="when it began; ISO 8601, UTC")
    host: str
    wall: float = Field(
        description="seconds, from its start to its end; of a directory: from the first event to the last"
    )
    exit_code: int | None
    signal: str = Field(description="what killed the program, for example SIGSEGV; empty: none did")
    mpi_ranks: int = Field(description="how many left a profile")
    totals: Totals
    processes: list[Process]
    files: list[File]
    lines: list[Line] = Field(description="the one with the most seconds first")
    procedures: list[Procedure] = Field(default=[], description="likewise; together they have every line of Fortran")
    time_lines: list[TimeLine] = Field(
        default=[], description="of lines that took a millisecond or more; empty unless they were asked for"
    )
    notes: list[str]
    advice: list[Advice] = Field(default=[], description="the largest saving first; what has no estimate comes last")
    predicted_from: str = Field(default="", description="where the costs behind the estimates come from")


def schema() -> dict[str, Any]:
    """The JSON schema of a trace."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Trace.model_json_schema(by_alias=True)}
