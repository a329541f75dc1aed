"""What one run of `headrace bench trace` found: the types and the JSON file."""

from typing import Literal

from pydantic import Field

from headrace.results.records import Record
from headrace.results.run import Results
from headrace.results.transfers import RatioFound, TransferRow


class TraceRow(TransferRow):
    """One loop of statements, with or without the tracer. A value is a statement, an item or a step."""


class TraceSettings(Record):
    """What was asked for."""

    rounds: int
    minimum_seconds: float
    time_budget: float
    seed: int


class TraceRun(Results):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    command: Literal["bench trace"] = "bench trace"
    ratios: dict[str, float] = Field(default={})
    intervals: dict[str, RatioFound] = Field(default={})
    also: dict[str, RatioFound] = Field(default={}, description="ratios that no goal names")
    absent: dict[str, str] = Field(default={}, description="ratios that are not there, with the reason")
    settings: TraceSettings
    rows: list[TraceRow] = Field(default=[])
