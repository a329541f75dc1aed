"""What one run of `headrace bench binary` found: the types and the JSON file."""

from typing import Literal

from pydantic import Field

from headrace.results.records import Record, Verdict
from headrace.results.run import Results
from headrace.results.transfers import RatioFound, TransferRow


class BinaryRow(TransferRow):
    """One tool writing or reading one file, or a part of it."""

    share: int = Field(default=1, description="the first 1/share of the array was read; ratios compare rates")

    @property
    def work(self) -> int:
        """Values: ways may have transferred different parts of the array."""
        return self.values


class BinaryCase(Record):
    """One array or file of the run."""

    name: str
    title: str
    payload_bytes: int
    values: int


class FigureFound(Record):
    """A figure with a unit, beside its goal."""

    meaning: str
    unit: str
    median: float
    low: float = Field(description="lower end of the interval of the median")
    high: float
    confidence: float
    n: int
    goal: float
    at_least: bool = Field(description="false: the goal is a bound from above")
    processor: float | None = Field(
        default=None, description="median of the same from processor time, which a busy machine changes less"
    )
    verdict: Verdict

    @property
    def too_small(self) -> bool:
        """No goal of these is for larger arrays than were measured."""
        return False


class BinarySettings(Record):
    """What was asked for."""

    values: int
    records: int
    convert_bytes: int
    inspect_bytes: int = Field(description="0: not measured")
    only: list[str]
    rounds: int
    minimum_seconds: float
    time_budget: float
    seed: int


class BinaryRun(Results):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    command: Literal["bench binary"] = "bench binary"
    ratios: dict[str, float] = Field(default={}, description="name to number: medians")
    intervals: dict[str, RatioFound] = Field(default={}, description="interval, rounds, goal and verdict of each ratio")
    figures: dict[str, FigureFound] = Field(default={}, description="figures with a unit")
    also: dict[str, RatioFound] = Field(default={}, description="ratios that no goal names")
    absent: dict[str, str] = Field(default={}, description="tools, ratios and figures not there, with the reason")
    settings: BinarySettings
    cases: list[BinaryCase] = Field(default=[])
    rows: list[BinaryRow] = Field(default=[])
