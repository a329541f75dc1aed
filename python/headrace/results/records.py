"""What every results file stores of a measurement: samples, statistics, rows. Next: verdicts.py.

Seconds, bytes, and MB/s where MB = 10^6 bytes of array payload.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Operation = Literal["write", "read"]
Condition = Literal["cached", "synced", "warm", "cold"]
Verdict = Literal["valid", "noisy", "too-short", "cache-suspect", "unverified", "unknown"]
Outcome = Literal["measured", "wrong", "refused", "failed", "timed-out", "skipped"]

NOT_REACHED = "the time budget ended before it ran"
INTERRUPTED = "the run was interrupted before it ran"


class Record(BaseModel):
    """A part of a results file; unknown members are refused."""

    model_config = ConfigDict(extra="forbid")


class Sample(Record):
    """What one round found of one row: means over its passes, whose number was fixed beforehand. Seconds, bytes."""

    round: int = Field(ge=0)
    passes: int = Field(ge=1, description="transfers of this round; times are means over them")
    total: float = Field(description="of one transfer: open, transfer, close, and fsync if the condition asks for it")
    open: float = 0.0
    transfer: float = Field(
        default=0.0, description="0, as open, close and sync, for tools that do not tell them apart"
    )
    close: float = 0.0
    sync: float = 0.0
    user: float = Field(description="processor time in user mode, all threads")
    system: float = Field(description="processor time in the kernel, all threads")
    system_calls: float = Field(default=-1, description="calls that read or wrote; -1 if nobody has counted")
    page_faults: float = Field(default=-1, description="pages of memory touched for the first time; -1: not counted")
    peak: int = Field(default=0, description="resident memory that the transfer added, at its highest")
    phases: list[float] = Field(default=[], description="seconds of the parts of a way that has parts")
    first_done: float | None = Field(default=None, description="several processes: the common start to the first end")
    last_done: float | None = Field(default=None, description="several processes: the common start to the last end")


class Statistics(Record):
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


class MeasuredRow(Record):
    """What the rows of every benchmark have in common."""

    operation: Operation
    payload_bytes: int = Field(default=0, description="of the array")
    file_bytes: int = 0
    samples: list[Sample] = []
    statistics: Statistics | None = Field(default=None, description="of the useful MB/s: payload / time / 10^6")
    peak_memory_bytes: int | None = Field(
        default=None, description="memory that a transfer added at its peak, the largest of all transfers"
    )
    outcome: Outcome = "measured"
    verdict: Verdict | None = None
    message: str = Field(default="", description="of the compiler, the run time, the verification or the verdict")

    @property
    def identity(self) -> str:
        """What the row is about, in words: rows of two files with the same words are compared."""
        raise NotImplementedError

    @property
    def is_reference(self) -> bool:
        """Whether no tool that is compared takes part in it: what such a row shows is the machine."""
        raise NotImplementedError

    @property
    def median(self) -> float:
        """MB/s, 0 when nothing was measured."""
        return self.statistics.median if self.statistics else 0.0

    def speeds(self) -> dict[int, float]:
        """Useful MB/s by round."""
        return {sample.round: self.payload_bytes / sample.total / 1e6 for sample in self.samples if sample.total > 0}


def of_bytes(value: float) -> str:
    """For example 8 bytes, 1.2 kB."""
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} byte{'s' * (value != 1)}"
