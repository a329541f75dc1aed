"""What one run of `headrace bench text` found: the types and the JSON file."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from headrace.measure.results import (
    Compiler,
    Directory,
    Operation,
    Outcome,
    Provenance,
    Statistics,
    Verdict,
    write_whole,
)

TEXT_SCHEMA_VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TextSample(_Record):
    """The transfers of one round: means over its passes. Seconds and bytes."""

    round: int
    passes: int
    wall: float
    user: float = Field(description="processor time in user mode, all threads")
    system: float = Field(description="processor time in the kernel, all threads")
    peak: int = Field(description="resident memory that the transfer added, at its highest")
    phases: list[float] = Field(default=[], description="seconds of the parts of a way that has parts")


class TextRow(_Record):
    """One tool writing or reading one form of one array."""

    case: str
    tool: str
    title: str = Field(description="of the tool")
    version: str = ""
    operation: Operation
    way: str = Field(description="the form of the text, and how")
    note: str = ""
    payload_bytes: int = Field(description="of the array")
    file_bytes: int = 0
    values: int
    file_state: str = Field(default="fresh", description="of a written file: 'fresh' or 'in place'")
    samples: list[TextSample] = []
    statistics: Statistics | None = Field(default=None, description="of the useful MB/s: payload / time / 10^6")
    peak_memory_bytes: int | None = Field(
        default=None, description="the largest of all transfers, a first one without a sample too"
    )
    outcome: Outcome = "measured"
    verdict: Verdict | None = None
    message: str = ""

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.way}:{self.operation}"

    def seconds(self) -> dict[int, float]:
        """Wall time by round."""
        return {sample.round: sample.wall for sample in self.samples}


class TextCase(_Record):
    """One array of the run."""

    name: str
    title: str
    kind: str
    rows: int
    columns: int
    payload_bytes: int
    input_bytes: dict[str, int] = Field(default={}, description="of the files that are read, by name")


class RatioFound(_Record):
    """A ratio of times, round by round, beside its goal."""

    meaning: str = Field(description="whose time is divided by ours; 'ours, of': whose time ours is divided by")
    median: float
    low: float = Field(description="lower end of the interval of the median")
    high: float
    confidence: float
    n: int
    goal: float | None = None
    at_least: bool = Field(default=True, description="false: the goal is a bound from above")
    peer: str = Field(default="", description="where it was chosen: the fastest")

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, or fewer than 3 rounds."""
        if self.goal is None or self.n < 3:
            return None
        return self.median >= self.goal if self.at_least else self.median <= self.goal


class TextSettings(_Record):
    """What was asked for."""

    values: int
    hex_table: int = Field(description="n of the n x n table of hexadecimal cells; 0: none")
    threads: int
    rounds: int
    minimum_seconds: float
    time_budget: float
    everything: bool
    seed: int


class TextRun(_Record):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    schema_version: int = TEXT_SCHEMA_VERSION
    command: str = "bench text"
    ratios: dict[str, float] = {}
    intervals: dict[str, RatioFound] = {}
    also: dict[str, RatioFound] = Field(default={}, description="ratios that no goal names")
    absent: dict[str, str] = Field(default={}, description="tools and ratios that are not there, with the reason")
    provenance: Provenance
    settings: TextSettings
    compilers: list[Compiler]
    directory: Directory
    cases: list[TextCase] = []
    rows: list[TextRow] = []
    notes: list[str] = []
    complete: bool = True
    elapsed_seconds: float = 0.0


def save(run: TextRun, path: Path) -> None:
    """Write the JSON file, whole or not at all."""
    write_whole(path, run.model_dump_json(indent=1) + "\n")
