"""What one run of `headrace bench` found: the types, the JSON file and its schema are this one file.

Units are in the names: seconds, bytes, or MB/s where MB = 10^6 bytes of array payload.
"""

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.errors import HeadraceError, why_unreadable
from headrace.whole_files import write_whole

SCHEMA_VERSION = 1
OTHER_COMMANDS = ("bench parallel", "bench text", "bench binary")  # whose files have schemas of their own

Vendor = Literal["gnu", "llvm", "intel", "nvidia", "nag", "cray"]
Operation = Literal["write", "read"]
Condition = Literal["cached", "synced", "warm", "cold"]
Verdict = Literal["valid", "noisy", "too-short", "cache-suspect", "unverified", "unknown"]
Outcome = Literal["measured", "wrong", "refused", "failed", "timed-out", "skipped"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Compiler(_Record):
    """A Fortran compiler and the flags it was called with."""

    name: str = Field(description="as the user named it")
    path: str
    vendor: Vendor
    version: str
    identifier: str = Field(description="short name in tables, for example 'gfortran 12.2.0'")
    version_text: str = Field(description="first line of --version")
    flags: list[str]
    compiler_version: str = Field(default="", description="compiler_version() of the compiled program")
    compiler_options: str = Field(default="", description="compiler_options() of the compiled program")


class Knob(_Record):
    """One setting of a Fortran run time that changes how it does I/O."""

    name: str = Field(description="'default' for the run time as it comes")
    environment: dict[str, str] = {}
    flags: list[str] = Field(default=[], description="compiler flags added for this knob")
    source: str = Field(default="", description="where the knob is documented")
    tested: bool = Field(default=True, description="false: written from documentation, never tried by this project")


class Directory(_Record):
    """A directory that was measured."""

    path: str
    file_system: str = Field(description="type, for example ext4, tmpfs, lustre")
    device: str = ""
    mount_point: str = ""
    mount_options: str = ""
    free_bytes: int = 0
    total_bytes: int = 0
    stripe: str = Field(default="", description="what lfs getstripe says of a file made here, where lfs is there")


class Sample(_Record):
    """One timed transfer: open, transfer, close, and fsync where the condition asks for it. Seconds."""

    round: int = Field(ge=0)
    passes: int = Field(ge=1, description="transfers in this process; times are means over them")
    total: float
    open: float
    transfer: float
    close: float
    sync: float
    user: float = Field(description="processor time in user mode")
    system: float = Field(description="processor time in the kernel")
    system_calls: float = Field(description="calls that read or wrote; -1 where the kernel does not count")
    first_done: float | None = Field(default=None, description="several processes: the common start to the first end")
    last_done: float | None = Field(default=None, description="several processes: the common start to the last end")


class Statistics(_Record):
    """Of the useful bandwidth in MB/s: payload bytes / time / 10^6."""

    n: int
    median: float
    lower_quartile: float
    upper_quartile: float
    minimum: float
    maximum: float
    low: float = Field(description="lower end of the confidence interval of the median (order statistics)")
    high: float
    confidence: float = Field(description="coverage of the interval; 0.95 needs n >= 6, less is stated as it is")


class Row(_Record):
    """One mechanism, compiler, directory, knob, operation and condition."""

    compiler: str = Field(description="identifier of one of `compilers`")
    directory: str = Field(description="path of one of `directories`")
    family: str
    mechanism: str
    statement: str = Field(description="the Fortran statements that were timed")
    shape: str
    operation: Operation
    condition: Condition
    knob: str = "default"
    processes: int = 1
    file_state: Literal["fresh", "existing"] = "fresh"
    count: int = Field(default=0, description="array elements (rows of a mixed record count as one)")
    payload_bytes: int = 0
    file_bytes: int = 0
    samples: list[Sample] = []
    bandwidths: dict[int, float] = Field(default={}, description="useful MB/s by round: the pairs for ratios")
    statistics: Statistics | None = None
    ceiling_fraction: float | None = Field(default=None, description="median of round-by-round ratios to the ceiling")
    peak_memory_bytes: int | None = Field(default=None, description="memory the transfer added at its peak")
    resident_share: float | None = Field(
        default=None, description="cold reads: share of pages still cached before the read"
    )
    outcome: Outcome = "measured"
    verdict: Verdict | None = None
    message: str = Field(default="", description="of the compiler, the run time or the verification")

    @property
    def key(self) -> str:
        return f"{self.family}:{self.mechanism}"

    @property
    def median(self) -> float:
        """MB/s, 0 when nothing was measured."""
        return self.statistics.median if self.statistics else 0.0


class CostTerm(_Record):
    """One coefficient of a cost model."""

    name: str
    nanoseconds: float
    meaning: str = ""


class CostModel(_Record):
    """Processor time of a transfer as a sum of counts times coefficients, for one compiler and operation."""

    compiler: str
    operation: Operation
    vendor: Vendor = Field("gnu", description="decides how statements are lowered and records are buffered")
    directory: str = Field(default="", description="where the micro-runs wrote; other devices cost other system time")
    cache_bytes: float = Field(default=0, description="last-level cache: larger transfers come from memory")
    terms: list[CostTerm]
    formatted: dict[str, tuple[float, float]] = Field(
        default={}, description="edit descriptor: ns a statement, ns an item"
    )
    fitted_on: int = Field(default=0, description="micro-runs in the fit")
    held_out: int = Field(default=0, description="mechanisms it was tested on that were not in the fit")
    median_error: float | None = None
    ninetieth_percentile_error: float | None = None
    gain_median_error: float | None = Field(default=None, description="of predicted ratios between two mechanisms")
    gain_ninetieth_percentile_error: float | None = None
    gain_pairs: int = 0
    note: str = ""


class Check(_Record):
    """One correctness check of a compiler's own I/O."""

    compiler: str
    name: str
    question: str
    answer: Literal["right", "wrong", "refused", "skipped"]
    detail: str


class Skip(_Record):
    """Something that was not measured, and why."""

    what: str
    why: str


class Provenance(_Record):
    """The machine and the moment."""

    date: str
    headrace_version: str
    command: list[str]
    host: str
    system: str = Field(description="kernel name, release and architecture")
    distribution: str = ""
    processor: str = ""
    cores: int = 0
    memory_bytes: int = 0
    dirty_limits: dict[str, str] = {}
    load_before: list[float] = []
    load_after: list[float] = []
    variables: dict[str, str] = Field(
        default={}, description="GFORTRAN_*, FORT_*, OMP_*, OMPI_MCA_*, ROMIO_*, MPICH_* ..."
    )
    mpi: str = Field(default="", description="MPI library, where a wrapper such as mpifort was used")
    job: dict[str, str] = Field(default={}, description="scheduler's job, nodes and tasks, where there is one")


class Settings(_Record):
    """What was asked for."""

    select: list[str] = []
    size_bytes: int | None = None
    minimum_seconds: float = 0.2
    rounds: int = 3
    time_budget: float | None = None
    conditions: list[Condition] = []
    readers: list[int] = []
    seed: int = 1
    payload_distribution: str = ""
    files: str = "every write makes a new file, which is not preallocated; reads use the file just written"
    data: str = "a seeded block of 1,000,003 values repeated: incompressible, reproducible"


class Run(_Record):
    """One results file."""

    schema_version: Literal[1] = 1
    complete: bool = Field(default=True, description="false when the run was interrupted")
    elapsed_seconds: float = 0
    provenance: Provenance
    settings: Settings = Settings()
    compilers: list[Compiler] = []
    directories: list[Directory] = []
    knobs: list[Knob] = []
    rows: list[Row] = []
    cost_models: list[CostModel] = []
    checks: list[Check] = []
    skipped: list[Skip] = []
    notes: list[str] = []


def schema() -> dict[str, Any]:
    """The JSON schema of a results file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Run.model_json_schema()}


def save(run: Run, path: Path) -> None:
    """Write the results file whole or not at all."""
    write_whole(path, run.model_dump_json(indent=1))


def load(path: Path) -> Run:
    """Read a results file. Raises HeadraceError that says what is wrong and where."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise HeadraceError(
            f"{path}: cannot be read: {why_unreadable(error)}", "name a file that headrace bench wrote"
        ) from error
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise HeadraceError(
            f"{path}: no complete JSON, line {error.lineno} column {error.colno} (byte {error.pos}): {error.msg}",
            "the file is truncated or is no results file; run the benchmark again",
        ) from error
    version = data.get("schema_version") if isinstance(data, dict) else None
    if not isinstance(version, int):
        raise HeadraceError(f"{path}: no schema_version: not a results file", "name a file that headrace bench wrote")
    if version > SCHEMA_VERSION:
        raise HeadraceError(
            f"{path}: schema version {version}, this headrace reads up to {SCHEMA_VERSION}",
            "use the headrace that wrote it, or a newer one",
        )
    command = str(data.get("command", ""))
    if command in OTHER_COMMANDS:
        raise HeadraceError(
            f"{path}: results of headrace {command}", "compare, report and predict take those of headrace bench alone"
        )
    try:
        return Run.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise HeadraceError(
            f"{path}: at {place}: {first['msg']} ({error.error_count()} differences from the schema)",
            "'headrace schema' prints what is expected",
        ) from error
