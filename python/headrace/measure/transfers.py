"""What `headrace bench text` and `bench binary` store of each way and each ratio. Next: pairs.py."""

from pydantic import BaseModel, ConfigDict, Field

from headrace.measure.results import Operation, Outcome, Statistics, Verdict
from headrace.measure.rows import NOISY
from headrace.measure.statistics import describe, relative_width

NOT_REACHED = "the time budget ended before it ran"
INTERRUPTED = "the run was interrupted before it ran"


class Record(BaseModel):
    """A part of a results file; unknown members are refused."""

    model_config = ConfigDict(extra="forbid")


class TransferSample(Record):
    """The transfers of one round: means over its passes. Seconds and bytes."""

    round: int
    passes: int
    wall: float
    user: float = Field(description="processor time in user mode, all threads")
    system: float = Field(description="processor time in the kernel, all threads")
    peak: int = Field(description="resident memory that the transfer added, at its highest")
    phases: list[float] = Field(default=[], description="seconds of the parts of a way that has parts")


class TransferRow(Record):
    """One tool writing or reading one form of one array."""

    case: str
    tool: str
    title: str = Field(description="of the tool")
    version: str = ""
    operation: Operation
    way: str = Field(description="the form of the file, and how")
    note: str = ""
    payload_bytes: int = Field(description="of the array")
    file_bytes: int = 0
    values: int
    file_state: str = Field(default="fresh", description="of a written file: 'fresh' or 'in place'")
    samples: list[TransferSample] = []
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

    @property
    def work(self) -> int:
        """What times are divided by before they are compared."""
        return 1

    def seconds(self) -> dict[int, float]:
        """Wall time by round."""
        return {sample.round: sample.wall / self.work for sample in self.samples}

    def processor_seconds(self) -> dict[int, float]:
        """Processor time of all threads by round."""
        return {sample.round: (sample.user + sample.system) / self.work for sample in self.samples}

    def conclude(self, peak: int, minimum_seconds: float) -> None:
        """Statistics and verdict from the samples; `peak` is the memory of all transfers."""
        if not self.samples:
            self.message = self.message or NOT_REACHED
            return
        self.statistics = describe([self.payload_bytes / sample.wall / 1e6 for sample in self.samples])
        self.peak_memory_bytes = peak
        if self.outcome == "measured":
            lasted = min(sample.wall * sample.passes for sample in self.samples)
            too_short = lasted < 0.9 * minimum_seconds
            self.verdict = "too-short" if too_short else steadiness(self.statistics)


class RatioFound(Record):
    """A ratio of times, round by round, beside its goal."""

    meaning: str = Field(description="whose time is divided by ours; 'ours, of': whose time ours is divided by")
    median: float
    low: float = Field(description="lower end of the interval of the median")
    high: float
    confidence: float
    n: int
    goal: float | None = None
    at_least: bool = Field(default=True, description="false: the goal is a bound from above")
    too_small: bool = Field(default=False, description="the goal is for larger arrays: it is not judged")
    processor: float | None = Field(
        default=None, description="median of the same ratio of processor times, which a busy machine changes less"
    )
    peer: str = Field(default="", description="where it was chosen: the fastest")
    verdict: Verdict | None = Field(default=None, description="of the interval: 'valid' or 'noisy'")


def steadiness(statistics: Statistics) -> Verdict:
    """'noisy' with fewer than 3 rounds or an interval wider than 10 % of the median."""
    return "noisy" if statistics.n < 3 or relative_width(statistics) > NOISY else "valid"
