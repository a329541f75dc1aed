"""What `headrace advise` says, as the schema headrace-advice/1: `headrace advise --json` writes it.

A gain is a factor of time: 2 means that it takes half as long.
"""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from headrace.results.records import Operation, Record

Known = Literal["measured here", "model", "published"]
Outcome = Literal["gains", "gains nothing", "slower", "cannot tell", "failed"]


class Fact(Record):
    """One thing that was seen of the machine or the job."""

    name: str
    value: str
    how: str = Field(description="how it was seen, or why it was not")


class Citation(Record):
    """Where advice or a figure comes from."""

    title: str
    url: str = ""
    date: str = Field(description="ISO 8601; of a page without a date, when it was read")
    machine: str = Field(description="on which it was measured, or for which it was written")


class Expected(Record):
    """What an item is expected to gain."""

    factor: float = Field(gt=0)
    low: float | None = Field(default=None, description="null: the source gives no interval")
    high: float | None = None
    of: str = Field(description="what becomes faster, for example: writing")
    operation: Operation | None = None
    known: Known
    condition: str
    source: Citation


class Tried(Record):
    """What `--try` found."""

    outcome: Outcome
    factor: float | None = Field(default=None, description="median of the rounds' ratios: before / after")
    low: float | None = None
    high: float | None = None
    rounds: int = 0
    confidence: float = Field(default=0.0, description="with which all intervals of this trial hold together")
    said: str = ""


class Item(Record):
    """One piece of advice."""

    change: str = Field(description="its name, for example romio")
    title: str = Field(description="what to do")
    kind: Literal["environment", "command", "source", "build", "hints", "pattern"]
    lines: list[str] = Field(default=[], description="to paste")
    why: str
    gain: Expected | None = Field(default=None, description="the largest that is known")
    more_gains: list[Expected] = Field(default=[], description="the other operation, other figures")
    why_no_gain: str = Field(default="", description="if there is no figure")
    undo: str
    hurts: str = Field(description="when it would hurt")
    sources: list[Citation] = Field(min_length=1)
    tested: bool = Field(default=True, description="false: from documentation alone, this project could not try it")
    variables: dict[str, str] = Field(default={}, description="to set; for --env, job scripts and trials")
    unset: list[str] = Field(default=[], description="variables to remove")
    start: list[str] = Field(default=[], description="words in front of the program")
    hints: dict[str, str] = Field(default={}, description="of MPI-IO")
    stripes: int | None = Field(default=None, description="count, of a directory before its files exist; -1: all")
    tried: Tried | None = None

    @property
    def expected(self) -> float:
        """What the order goes by: without a figure nothing is promised."""
        return self.gain.factor if self.gain else 1.0

    @property
    def is_struck(self) -> bool:
        """Whether a trial has shown that it does not help."""
        return self.tried is not None and self.tried.outcome in ("gains nothing", "slower", "failed")


class JobFacts(Record):
    """The job that is advised on."""

    ranks: int
    nodes: int
    bytes_a_rank: int
    pattern: str
    format: str
    operation: str
    said: list[str] = Field(default=[], description="in words")


class Predicted(Record):
    """The scaling model at the job's number of MPI ranks, or why it says nothing."""

    method: str
    operation: Operation
    ranks: int
    median: float | None = Field(default=None, description="GB/s, 10^9")
    low: float | None = None
    high: float | None = None
    refusal: str = ""
    hint: str = ""


class Advised(Record):
    """Everything that the command found."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_: Literal["headrace-advice/1"] = Field("headrace-advice/1", alias="schema")
    tool_version: str
    command: list[str] = Field(default=[])
    date: str
    host: str
    site: str = Field(description="the profile that was used; empty: none fits")
    job: JobFacts
    facts: list[Fact]
    items: list[Item] = Field(description="the largest expected gain first")
    predicted: list[Predicted] = Field(default=[])
    remarks: list[str] = Field(default=[])


def schema() -> dict[str, Any]:
    """The JSON schema of it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Advised.model_json_schema(by_alias=True)}
