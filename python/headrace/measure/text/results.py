"""What one run of `headrace bench text` found: the types and the JSON file."""

from pathlib import Path

from pydantic import Field

from headrace.measure.results import Compiler, Directory, Provenance
from headrace.measure.transfers import RatioFound, Record, TransferRow
from headrace.whole_files import write_whole

TEXT_SCHEMA_VERSION = 1


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


class TextRun(Record):
    """Everything that a run found. `ratios` is for scripts; `intervals` has the same keys with more to each."""

    schema_version: int = TEXT_SCHEMA_VERSION
    command: str = "bench text"
    ratios: dict[str, float] = Field(default={})
    intervals: dict[str, RatioFound] = Field(default={})
    also: dict[str, RatioFound] = Field(default={}, description="ratios that no goal names")
    absent: dict[str, str] = Field(default={}, description="tools and ratios that are not there, with the reason")
    provenance: Provenance
    settings: TextSettings
    compilers: list[Compiler]
    directory: Directory
    cases: list[TextCase] = Field(default=[])
    rows: list[TextRow] = Field(default=[])
    notes: list[str] = Field(default=[])
    complete: bool = True
    elapsed_seconds: float = 0.0


def save(run: TextRun, path: Path) -> None:
    """Write the JSON file, whole or not at all."""
    write_whole(path, run.model_dump_json(indent=1) + "\n")
