"""What one run of `headrace bench text` found: the types and the JSON file."""

from typing import Literal

from pydantic import Field

from headrace.results.records import Record
from headrace.results.run import Results
from headrace.results.transfers import RatioFound, TransferRow


class TextRow(TransferRow):
    """One tool writing or reading one form of one array as text."""


class TextCase(Record):
    """One array of the run."""

    name: str
    title: str
    kind: str
    rows: int
    columns: int
    payload_bytes: int
    input_bytes: dict[str, int] = Field(default={}, description="of the files that are read, by name")


class TextSettings(Record):
    """What was asked for."""

    values: int
    hex_table: int = Field(description="n of the n x n table of hexadecimal cells; 0: none")
    threads: int
    rounds: int
    minimum_seconds: float
    time_budget: float
    everything: bool
    seed: int


class TextRun(Results):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    command: Literal["bench text"] = "bench text"
    ratios: dict[str, float] = Field(default={})
    intervals: dict[str, RatioFound] = Field(default={})
    also: dict[str, RatioFound] = Field(default={}, description="ratios that no goal names")
    absent: dict[str, str] = Field(default={}, description="tools and ratios that are not there, with the reason")
    settings: TextSettings
    cases: list[TextCase] = Field(default=[])
    rows: list[TextRow] = Field(default=[])
