"""Rows of tools that write and read files of one array, and ratios of their times. Next: ../measure/pairs.py."""

from pydantic import Field

from headrace.results.records import NOT_REACHED, Condition, MeasuredRow, Record, Verdict
from headrace.results.statistics import describe
from headrace.results.verdicts import Evidence, judge


class TransferRow(MeasuredRow):
    """One tool writing or reading one form of one array."""

    case: str
    tool: str
    title: str = Field(description="of the tool")
    version: str = ""
    way: str = Field(description="the form of the file, and how")
    note: str = ""
    condition: Condition = "cached"
    values: int
    file_state: str = Field(default="fresh", description="of a written file: 'fresh' or 'in place'")

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.way}:{self.operation}"

    @property
    def identity(self) -> str:
        return f"{self.operation} {self.case}, {self.title}: {self.way}"

    @property
    def is_reference(self) -> bool:
        return self.tool in ("ceiling", "system", "memory", "cp")

    @property
    def bandwidths(self) -> dict[int, float]:
        """Useful MB/s by round."""
        return self.speeds()

    @property
    def work(self) -> int:
        """What times are divided by before they are compared."""
        return 1

    def seconds(self) -> dict[int, float]:
        """Wall time by round."""
        return {sample.round: sample.total / self.work for sample in self.samples}

    def processor_seconds(self) -> dict[int, float]:
        """Processor time of all threads by round."""
        return {sample.round: (sample.user + sample.system) / self.work for sample in self.samples}

    def conclude(self, peak: int | None, minimum_seconds: float) -> None:
        """Statistics and verdict from the samples; `peak` is the memory of all transfers."""
        if not self.samples:
            self.message = self.message or NOT_REACHED
            return
        self.statistics = describe(list(self.speeds().values()))
        self.peak_memory_bytes = peak
        if self.outcome == "measured":
            self.verdict, why = judge(self.evidence(minimum_seconds))
            self.message = self.message or why

    def evidence(self, minimum_seconds: float) -> Evidence:
        """What the judge wants to know."""
        assert self.statistics is not None
        lasted = min(sample.total * sample.passes for sample in self.samples)
        return Evidence(self.statistics, lasted, minimum_seconds)


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
