"""What one run of `headrace bench` found, and what the results of every benchmark have in common.

Units are in the names: seconds, bytes, or MB/s where MB = 10^6 bytes of array payload. Rows and samples are in
records.py; files.py reads and writes the files.
"""

from typing import Literal

from pydantic import Field

from headrace.results.records import Condition, MeasuredRow, Operation, Record

SCHEMA_VERSION: Literal[2] = 2

Vendor = Literal["gnu", "llvm", "intel", "nvidia", "nag", "cray"]


class Compiler(Record):
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


class Knob(Record):
    """One setting of a Fortran run time that changes how it does I/O."""

    name: str = Field(description="'default' for the run time as it comes")
    environment: dict[str, str] = Field(default={})
    flags: list[str] = Field(default=[], description="compiler flags added for this knob")
    source: str = Field(default="", description="where the knob is documented")
    tested: bool = Field(default=True, description="false: written from documentation, never tried by this project")


class Directory(Record):
    """A directory that was measured."""

    path: str
    file_system: str = Field(description="type, for example ext4, tmpfs, lustre")
    device: str = ""
    mount_point: str = ""
    mount_options: str = ""
    free_bytes: int = 0
    total_bytes: int = 0
    stripe: str = Field(default="", description="what lfs getstripe says of a file made here, where lfs is there")


class Row(MeasuredRow):
    """One mechanism, compiler, directory, knob, operation and condition."""

    compiler: str = Field(description="identifier of one of `compilers`")
    directory: str = Field(description="path of one of `directories`")
    family: str
    mechanism: str
    statement: str = Field(description="the Fortran statements that were timed")
    shape: str
    condition: Condition
    knob: str = "default"
    processes: int = 1
    file_state: Literal["fresh", "existing"] = "fresh"
    count: int = Field(default=0, description="array elements (rows of a mixed record count as one)")
    bandwidths: dict[int, float] = Field(default={}, description="useful MB/s by round: the pairs for ratios")
    ceiling_fraction: float | None = Field(default=None, description="median of round-by-round ratios to the ceiling")
    resident_share: float | None = Field(
        default=None, description="cold reads: share of pages still cached before the read"
    )
    first_touch_share: float | None = Field(
        default=None,
        description="share of the time that goes into memory which is touched for the first time: page faults of the "
        "transfer times what one costs here, in the same run",
    )

    def speeds(self) -> dict[int, float]:
        """As the run stored them: files of version 1 kept the slowest of several processes as the sample."""
        return self.bandwidths or super().speeds()

    @property
    def key(self) -> str:
        return f"{self.family}:{self.mechanism}"

    @property
    def identity(self) -> str:
        processes = f", {self.processes} processes" if self.processes > 1 else ""
        knob = f", {self.knob}" if self.knob != "default" else ""
        place = f"{self.compiler}, {self.directory}, {self.condition}"
        return f"{self.operation} {self.key}, {place}{knob}{processes}"

    @property
    def is_reference(self) -> bool:
        return self.family in ("c_library", "memory")

    @property
    def data_type(self) -> str:
        """Of the array elements, for example real64."""
        return self.shape.partition(" ")[0]


class CostTerm(Record):
    """One coefficient of a cost model."""

    name: str
    nanoseconds: float
    meaning: str = ""


class CostModel(Record):
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


class Check(Record):
    """One correctness check of a compiler's own I/O."""

    compiler: str
    name: str
    question: str
    answer: Literal["right", "wrong", "refused", "skipped"]
    detail: str


class Skip(Record):
    """Something that was not measured, and why."""

    what: str
    why: str


class Provenance(Record):
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
    dirty_limits: dict[str, str] = Field(default={})
    load_before: list[float] = Field(default=[])
    load_after: list[float] = Field(default=[])
    variables: dict[str, str] = Field(
        default={}, description="GFORTRAN_*, FORT_*, OMP_*, OMPI_MCA_*, ROMIO_*, MPICH_* ..."
    )
    mpi: str = Field(default="", description="MPI library, where a wrapper such as mpifort was used")
    job: dict[str, str] = Field(default={}, description="scheduler's job, nodes and tasks, where there is one")


class Settings(Record):
    """What was asked for."""

    select: list[str] = Field(default=[])
    size_bytes: int | None = None
    minimum_seconds: float = 0.2
    rounds: int = 3
    time_budget: float | None = None
    conditions: list[Condition] = Field(default=[])
    readers: list[int] = Field(default=[])
    seed: int = 1
    payload_distribution: str = ""
    files: str = "every write makes a new file, which is not preallocated; reads use the file just written"
    data: str = "a seeded block of 1,000,003 values repeated: incompressible, reproducible"


class Results(Record):
    """What the results files of all benchmarks have in common; `command` tells them apart."""

    schema_version: Literal[2] = SCHEMA_VERSION
    complete: bool = Field(default=True, description="false when the run was interrupted")
    elapsed_seconds: float = 0
    provenance: Provenance
    compilers: list[Compiler] = Field(default=[])
    directories: list[Directory] = Field(default=[])
    notes: list[str] = Field(default=[])


class Run(Results):
    """One results file of `headrace bench`."""

    command: Literal["bench"] = "bench"
    settings: Settings = Settings()
    knobs: list[Knob] = Field(default=[])
    rows: list[Row] = Field(default=[])
    cost_models: list[CostModel] = Field(default=[])
    checks: list[Check] = Field(default=[])
    skipped: list[Skip] = Field(default=[])
    said: list[str] = Field(
        default=[], description="conclusions that were drawn elsewhere, instead of those of the rows"
    )
