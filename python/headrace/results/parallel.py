"""What one run of `headrace bench parallel` found: the types and the JSON file."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from headrace.results.records import Condition, Operation, Record
from headrace.results.run import Results
from headrace.results.transfers import RatioFound, TransferRow

PHASES = ("open", "exchange", "transfer", "sync", "close", "wait")
Event = tuple[str, float, float]  # phase, begin and end in seconds after the common start

LIMIT_NOISY = "faster than raw file per process, which was itself noisy: the cache is not accused, raw % says little"


class Message(BaseModel):
    """Members that a later worker adds are no error."""

    model_config = ConfigDict(extra="ignore")


class RankTimes(Message):
    """One MPI rank in one transfer: seconds after the common start."""

    begin: float = 0.0
    end: float = 0.0
    open: float = 0.0
    exchange: float = 0.0
    transfer: float = 0.0
    sync: float = 0.0
    close: float = 0.0
    wait: float = 0.0
    events: list[Event] = []

    def phases(self) -> dict[str, float]:
        return {phase: getattr(self, phase) for phase in PHASES}


class Counts(Message):
    """Calls of MPI-IO, summed over the MPI ranks (PMPI)."""

    independent_writes: int = 0
    collective_writes: int = 0
    independent_reads: int = 0
    collective_reads: int = 0
    opens: int = 0
    bytes_independent: int = 0
    bytes_collective: int = 0


class ParallelRow(TransferRow):
    """One method writing or reading the array on one number of MPI ranks."""

    ranks: int = Field(description="MPI ranks")
    directory: str
    condition: Condition
    method: str
    pattern: str
    backend: str
    environment: dict[str, str] = Field(default={}, description="variables of this worker alone")
    extents: tuple[int, int, int] = Field(description="of the whole array of real64, in Fortran's order")
    layout: str
    limit_fraction: float | None = Field(
        default=None, description="of raw file per process in the same round: median of the ratios"
    )
    limit_is_noisy: bool = Field(
        default=False, description="above the limit, but not in enough rounds to suspect the cache: verdict 'noisy'"
    )
    first_done: float | None = Field(default=None, description="seconds until the first MPI rank ended: median")
    last_done: float | None = Field(default=None, description="seconds until the last one ended: median")
    phases: dict[str, float] = Field(
        default={}, description="seconds of the MPI rank with the most in each phase, median of the rounds"
    )
    rank_times: list[RankTimes] = Field(
        default=[], description="phases and events of each MPI rank in the transfer nearest the median"
    )
    memory_a_rank: list[int] = Field(default=[], description="bytes beside the array, the most of each MPI rank")
    hints_asked: str = ""
    hints_in_force: str = ""
    hints_ignored: str = ""
    hints_unknown: str = Field(default="", description="asked for, and neither told to be in force nor ignored")
    counts: Counts | None = Field(default=None, description="calls of MPI-IO of one transfer, all MPI ranks")
    writers: int = 0
    redistributed: bool = Field(default=False, description="the blocks were redistributed to a chunk grid first")
    two_nodes: bool = Field(default=False, description="each half of the MPI ranks counted as a node")
    residency: str = ""

    @property
    def is_reference(self) -> bool:
        return self.method.startswith("raw:")


class Group(Record):
    """One number of MPI ranks, directory and pair of conditions: what is compared with each other."""

    case: str
    ranks: int
    nodes: int
    directory: str
    write_condition: Condition
    read_condition: Condition
    extents: tuple[int, int, int]
    payload_bytes: int
    intervals: dict[str, RatioFound] = Field(default={})
    also: dict[str, RatioFound] = Field(default={})
    absent: dict[str, str] = Field(default={})


class Started(Record):
    """One worker: what it said about itself."""

    tool: str
    ranks: int
    command: list[str]
    environment: dict[str, str]
    mpi: str
    mpi_io: str = Field(description="module of MPI-IO: ompio, romio...")
    mpi_standard: str
    compiler: str
    fortran: str
    nodes: int
    hosts: list[str]
    clock_offset: list[float] = Field(default=[], description="seconds by which each MPI rank's clock is ahead")
    formats_absent: dict[str, str] = Field(default={})


class PublishedRow(Record):
    """One line of figures."""

    what: str
    values: dict[str, float] = Field(description="by column")


class PublishedTable(Record):
    """Published figures and those of this run, in one unit."""

    title: str
    unit: str
    columns: list[str]
    rows: list[PublishedRow]


class Published(Record):
    """A preset beside its source."""

    title: str
    source: str
    differs: list[str] = Field(description="how the published measurement differs from this one")
    tables: list[PublishedTable]


class Predicted(Record):
    """An extrapolation: GB/s at a number of MPI ranks that was not measured."""

    ranks: int
    median: float
    low: float
    high: float


class ModelFound(Record):
    """The scaling model of one method, or why there is none."""

    method: str
    operation: Operation
    pattern: str
    predictions: list[Predicted] = Field(default=[])
    refusal: str = ""
    hint: str = ""


class ParallelSettings(Record):
    """What was asked for."""

    ranks: list[int]
    scaling: str
    layout: str
    bytes_a_rank: int
    preset: str = ""
    quick: bool = False
    patterns: list[str] = Field(default=[])
    backends: list[str] = Field(default=[])
    calls: str = ""
    methods: list[str] = Field(default=[])
    hints: str = ""
    vary: list[str] = Field(default=[])
    conditions: list[Condition] = Field(default=[])
    rounds: int
    minimum_seconds: float
    time_budget: float
    limit: float
    seed: int
    launcher: str = ""
    wrapper: str = ""


class ParallelRun(Results):
    """Everything that a run found. `ratios` is for scripts: number of MPI ranks, then name to median."""

    command: Literal["bench parallel"] = "bench parallel"
    ratios: dict[str, dict[str, float]] = Field(
        default={}, description="of the first directory and condition, an object for each number of MPI ranks"
    )
    intervals: dict[str, dict[str, RatioFound]] = Field(default={}, description="the same keys with more to each")
    absent: dict[str, dict[str, str]] = Field(default={}, description="ratios that are not there, with the reason")
    unavailable: dict[str, str] = Field(default={}, description="methods that are not there, with the reason")
    settings: ParallelSettings
    workers: list[Started] = Field(default=[])
    groups: list[Group] = Field(default=[])
    rows: list[ParallelRow] = Field(default=[])
    published: Published | None = None
    scaling: list[ModelFound] = Field(default=[], description="the fitted model of each method and operation")
    remarks: list[str] = Field(default=[])

    def of(self, group: Group) -> list[ParallelRow]:
        """The rows of a group."""
        return [row for row in self.rows if row.case == group.case]
