"""What one run of `headrace bench run` found: the types and the JSON file."""

from typing import Literal

from pydantic import Field

from headrace.results.records import Record
from headrace.results.run import Results
from headrace.results.transfers import RatioFound, TransferRow

LIBRARY = "-run"  # behind the key of the compiler, for rows with the library of headrace run


class TakenOverRow(TransferRow):
    """One loop of statements, with or without `headrace run`. A value is a statement; all times are processor times."""

    statements_taken_over: int = Field(default=0, description="of one run with the library, in all threads")
    statements_left: int = Field(default=0, description="that the run time did itself")
    why_left: list[str] = Field(default=[], description="what the library says of them")

    @property
    def is_with_library(self) -> bool:
        return self.tool.endswith(LIBRARY)

    @property
    def nanoseconds(self) -> float:
        """Of a statement, in the median; 0 if it was not measured."""
        return 1e3 * self.payload_bytes / self.median / self.values if self.median else 0.0

    def seconds(self) -> dict[int, float]:
        """Of the processor: what other processes of the machine do changes it least."""
        return self.processor_seconds()

    def speeds(self) -> dict[int, float]:
        """Useful MB per second of processor time, by round."""
        return {n: self.payload_bytes / used / 1e6 for n, used in self.seconds().items() if used > 0}


class TakenOverSettings(Record):
    """What was asked for."""

    rounds: int
    minimum_seconds: float
    time_budget: float
    seed: int
    only: list[str] = Field(default=[])


class TakenOverRun(Results):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    command: Literal["bench run"] = "bench run"
    ratios: dict[str, float] = Field(default={})
    intervals: dict[str, RatioFound] = Field(default={}, description="time without / with; start-up in milliseconds")
    absent: dict[str, str] = Field(default={}, description="ratios that are not there, with the reason")
    settings: TakenOverSettings
    rows: list[TakenOverRow] = Field(default=[])
