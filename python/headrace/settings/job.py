"""The job that is advised on: from the command line, or from a file (job_of_file.py). First: advise.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from headrace.errors import HeadraceError
from headrace.results.advised import JobFacts
from headrace.results.parallel import ParallelRun
from headrace.results.run import Run
from headrace.sites.schema import Operation, Pattern
from headrace.trace.reopened import Way

Format = Literal["", "text", "unformatted", "stream", "direct", "npy", "zarr", "hdf5", "netcdf4", "pnetcdf", "adios2"]
Statements = Literal["", "element", "array"]
Transfer = Literal["", "pack", "unpack", "copy"]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
FORMATS: tuple[Format, ...] = tuple(name for name in get_args(Format) if name)
FORTRAN: tuple[Format, ...] = ("text", "unformatted", "stream", "direct")  # by a run time's statements
FEW_PIECES = 4  # of a call of MPI-IO
MANY_FILES = 1000  # that a directory and a metadata server notice


@dataclass(frozen=True)
class Saving:
    """What `headrace trace` predicts of source lines that have one cause: seconds before and after, in an interval."""

    before: float
    after: float
    low: float
    high: float
    source: str  # where the costs are from


@dataclass(frozen=True)
class Moved:
    """System calls that wrote, and the seconds that they took."""

    calls: int = 0
    bytes: int = 0
    seconds: float = 0.0  # in the system

    @property
    def mean(self) -> float:
        """Bytes of a call."""
        return self.bytes / self.calls if self.calls else 0.0


@dataclass(frozen=True)
class Files:
    """Files of one sort, and what was done with them."""

    count: int = 0
    opens: int = 0
    seconds: float = 0.0  # of all statements that went to them
    moved: Moved = Moved()
    folder: str = ""  # of the first


@dataclass(frozen=True)
class Observed:
    """What a trace saw of the program: seconds of all processes, counts."""

    source: str  # the name of the file
    host: str = ""
    date: str = ""
    ranks: int = 1  # MPI ranks that were traced
    wall: float = 0.0  # of the run; 0: not known
    seconds: float = 0.0  # in Fortran's I/O, and in calls of I/O libraries
    system_seconds: float = 0.0
    writes: int = 0  # system calls
    reads: int = 0
    bytes_written: int = 0
    bytes_read: int = 0
    payload_bytes: int = 0  # of the items, in memory
    write_statements: int = 0
    read_statements: int = 0
    elements_a_statement: float = 0.0
    text_seconds: float = 0.0
    text_write_seconds: float = 0.0  # of them in WRITE, beside the system
    text_read_seconds: float = 0.0  # likewise in READ
    text_file_seconds: float = 0.0  # likewise, without terminals and namelists
    element_seconds: float = 0.0  # in READ and WRITE of few elements each, to files and not to numbered records
    flush_seconds: float = 0.0
    flushes: int = 0
    open_seconds: float = 0.0  # in OPEN and CLOSE
    opens: int = 0
    opens_again: int = 0  # of files that had been open before
    reopened: Way | None = None  # how a file that is opened again could stay open; None: not known
    may_wait: bool = True  # what is written may stay in a buffer until CLOSE
    files: int = 0
    text: Moved = Moved()  # of WRITE to text files, through a buffer
    binary: Moved = Moved()  # likewise, unformatted
    flushed: Moved = Moved()  # of FLUSH
    closed: Moved = Moved()  # of CLOSE
    scratch: Files = Files()  # STATUS='SCRATCH'
    single: Files = Files()  # opened once, written, and small
    hdf5_opens: int = 0
    hdf5_open_seconds: float = 0.0
    mpi_io: Moved = Moved()  # of MPI_File_write...
    mpi_io_calls: int = 0  # MPI_File_write... of all MPI ranks
    mpi_open_seconds: float = 0.0  # in MPI_File_open
    savings: Mapping[str, Saving] = field(default_factory=dict)  # by the name of an item

    @property
    def statements(self) -> int:
        """And calls, of whatever moves data."""
        return self.write_statements + self.read_statements + self.mpi_io_calls + self.hdf5_opens

    @property
    def in_pieces(self) -> bool:
        """Whether MPI-IO makes many system calls of one that writes: the pieces are short, or lie between others."""
        return self.mpi_io.calls > FEW_PIECES * max(1, self.mpi_io_calls)


@dataclass(frozen=True)
class Job:
    """Sizes in bytes; "" and 0 are: not said."""

    ranks: int = 1
    nodes: int = 1
    bytes_a_rank: int = 0
    pattern: Pattern | None = None
    format: Format = ""
    operations: tuple[Operation, ...] = ("write", "read")
    statements: Statements = ""
    skip: Literal["", "scalar", "array"] = ""  # how readers of a part pass over the rest of a record
    flush: bool = False  # after each record
    reopen: bool = False  # an OPEN and a CLOSE for each record
    files: int = 0  # small ones, to be moved
    transfer: Transfer = ""
    forbidden: frozenset[str] = frozenset()  # changes that the user rules out
    observed: Observed | None = None
    measured: ParallelRun | None = None
    statements_measured: Run | None = None
    said: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check(self)

    @property
    def bytes(self) -> int:
        return self.bytes_a_rank * self.ranks

    @property
    def is_shared(self) -> bool:
        return self.pattern in ("shared_collective", "shared_independent")

    @property
    def is_fortran(self) -> bool:
        """Whether the statements of a Fortran run time move the data."""
        return self.format in FORTRAN or bool(self.statements or self.skip or self.flush or self.reopen)

    @property
    def written_files(self) -> int:
        """At one time."""
        return {"file_per_process": self.ranks, "file_per_node": self.nodes}.get(self.pattern or "", 1)

    def facts(self) -> JobFacts:
        """For the output."""
        return JobFacts(
            ranks=self.ranks,
            nodes=self.nodes,
            bytes_a_rank=self.bytes_a_rank,
            pattern=self.pattern or "",
            format=self.format,
            operation=" and ".join(self.operations),
            said=list(self.said),
        )


def pattern_of(word: str) -> Pattern | None:
    """Of the word of --pattern; "shared" alone is with collective calls."""
    if word == "shared":
        return "shared_collective"
    return next((known for known in PATTERNS if known == word), None)


def _check(job: Job) -> None:
    """Raises HeadraceError for a description that contradicts itself."""
    for what, found, expected in _contradictions(job):
        if found:
            raise HeadraceError(what, expected)


def _contradictions(job: Job) -> list[tuple[str, bool, str]]:
    """What is wrong, whether it is, and what to do."""
    is_alone = job.ranks == 1
    own = job.format in FORTRAN
    ranks = f"{job.ranks} MPI rank{'s' * (job.ranks > 1)}"
    return [
        (f"--nodes {job.nodes} with {ranks}: some nodes would have none", job.nodes > job.ranks, "give more --ranks"),
        (
            f"the pattern {job.pattern} with one MPI rank: nobody shares the file",
            is_alone and job.is_shared,
            "give --ranks, or leave --pattern out",
        ),
        (
            f"the pattern {job.pattern} and the format {job.format} contradict each other: statements of Fortran "
            "write a file of one process",
            job.is_shared and own and "read" not in job.operations,
            "choose --pattern serial or file_per_process, or the format of a library: npy, hdf5, netcdf4, pnetcdf",
        ),
        (
            f"the pattern {job.pattern} and the format adios2 contradict each other: ADIOS2 writes a directory",
            job.is_shared and job.format == "adios2",
            "choose --pattern file_per_process or file_per_node",
        ),
        ("--transfer needs --files", bool(job.transfer) and not job.files, "say how many files: --files 100000"),
        ("--files needs --transfer", bool(job.files) and not job.transfer, "say pack, unpack or copy"),
        (
            "--skip is about reading a part of a record, and this job reads nothing",
            bool(job.skip) and "read" not in job.operations,
            "leave --skip out",
        ),
        (
            "--flush is about writing, and this job writes nothing",
            job.flush and "write" not in job.operations,
            "leave --flush out",
        ),
        (
            f"--format {job.format} has no statements of Fortran, which --statements and --skip are about",
            bool(job.format) and not own and bool(job.statements or job.skip),
            f"choose --format {', '.join(FORTRAN)}, or leave them out",
        ),
    ]
