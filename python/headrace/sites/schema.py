"""What a site profile (TOML) may say. Every figure and every setting names its source, and every source has a date.

`data/sites/` has those that come with headrace; doc/reference/site_profiles.md explains how to write one.
Next: load.py.
"""

import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

Pattern = Literal["serial", "file_per_process", "file_per_node", "shared_independent", "shared_collective"]
FileSystem = Literal["lustre", "gpfs", "nfs", "beegfs", "glusterfs", "ceph", "fuse", "memory", "local", "unknown"]
MpiIo = Literal["ompio", "romio", "cray"]
Operation = Literal["write", "read"]
_PAGES = 65536  # lfs-setstripe(1): the size of a stripe
_ROUNDED = 1.01  # published figures have few digits
SCHEMA: Literal["headrace-site/1"] = "headrace-site/1"


def _plain(text: str) -> str:
    """Raises ValueError for a letter that a shell would take for something else than its author."""
    strange = next((letter for letter in text if not " " <= letter <= "~"), "")
    if strange:
        raise ValueError(f"U+{ord(strange):04X} is not printable ASCII: type quotes by hand, they are lines to paste")
    return text


Pasted = Annotated[str, AfterValidator(_plain)]


def _require_order(low: float | None, middle: float, high: float | None, names: str) -> None:
    """Raises ValueError unless they rise: one of another unit does not."""
    if not (low or middle) <= middle * _ROUNDED or not middle <= (high or middle) * _ROUNDED:
        values = ", ".join("-" if value is None else f"{value:.4g}" for value in (low, middle, high))
        raise ValueError(f"{names} must not fall, and are {values}: are all in the same unit?")


class Part(BaseModel):
    """A table of the profile: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Part):
    """Where figures come from."""

    title: str = Field(min_length=1)
    url: str = ""
    date: datetime.date = Field(description="of publication; of a page without a date, when it was read")
    machine: str = Field(min_length=1, description="on which it was measured, or for which it was written")

    @field_validator("date")
    @classmethod
    def _has_been(cls, date: datetime.date) -> datetime.date:
        if date > datetime.date.today() + datetime.timedelta(days=1):  # it may be tomorrow elsewhere
            raise ValueError("this day is still to come")
        return date


class Sourced(Part):
    """One figure of the machine."""

    value: int = Field(ge=-1)
    source: str


class Machine(Part):
    """The size of the machine."""

    cores_per_node: Sourced | None = None
    storage_targets: Sourced | None = Field(default=None, description="of one file system (OSTs)")
    stripe_count: Sourced | None = Field(default=None, description="of new files, if nobody sets it")
    stripe_bytes: Sourced | None = None


class Rate(Part):
    """Bandwidth of a pattern, as published or measured there."""

    pattern: Pattern
    operation: Operation = "write"
    storage: str = Field(default="", description="which of several, for example NVMe")
    unit: Literal["GiB/s", "GB/s", "MB/s"]
    median: float = Field(gt=0)
    lower_quartile: float | None = Field(default=None, gt=0)
    upper_quartile: float | None = Field(default=None, gt=0)
    ranks: int = Field(default=0, ge=0, description="MPI ranks; 0: not stated")
    nodes: int = Field(default=0, ge=0)
    bytes_a_rank: int = Field(default=0, ge=0)
    source: str

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "Rate":
        _require_order(self.lower_quartile, self.median, self.upper_quartile, "lower_quartile, median, upper_quartile")
        if bool(self.ranks) != bool(self.nodes) or self.nodes > self.ranks:
            raise ValueError("ranks and nodes belong together, and no node is without an MPI rank")
        return self


class Gain(Part):
    """What one change gained: the same work before and after it."""

    change: str = Field(min_length=1, description="the name of the item of `headrace advise` that it is for")
    operation: Operation | None = Field(default=None, description="absent: both together")
    before: float = Field(gt=0)
    after: float = Field(gt=0)
    unit: Literal["s", "ms", "MB/s", "GB/s", "GiB/s"] = Field(description="of a time, less is better; of a rate, more")
    low: float | None = Field(default=None, gt=0, description="of the factor, if the source has an interval")
    high: float | None = Field(default=None, gt=0)
    condition: str = Field(min_length=1)
    case: str = Field(default="", description="which of several cases, by a word of the item's own")
    source: str

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "Gain":
        _require_order(self.low, self.factor, self.high, "low, the factor of before and after, high")
        return self

    @property
    def factor(self) -> float:
        """How many times faster: above 1 if it helped."""
        return self.before / self.after if self.unit in ("s", "ms") else self.after / self.before


class Stripes(Part):
    """How new files should be striped."""

    patterns: tuple[Pattern, ...] = Field(min_length=1)
    count: int | Literal["nodes"] = Field(description="-1: all storage targets; nodes: as many as nodes write")
    bytes: int = Field(default=0, ge=0, description="of a stripe; 0: as it is")
    why: str = Field(min_length=1)
    hurts: str = Field(default="", description="when it would hurt")
    source: str

    @model_validator(mode="after")
    def _can_be_set(self) -> "Stripes":
        if isinstance(self.count, int) and self.count != -1 and self.count < 1:
            raise ValueError(f"count = {self.count}: expected a number above 0, -1 for all storage targets, or nodes")
        if self.bytes % _PAGES:
            raise ValueError(f"bytes = {self.bytes}: stripes are multiples of 64 KiB, {_PAGES} bytes")
        return self


class Hints(Part):
    """Hints for MPI-IO, in the words of one library."""

    patterns: tuple[Pattern, ...] = Field(min_length=1)
    mpi_io: MpiIo
    values: dict[Pasted, Pasted] = Field(min_length=1)
    nodes_from: int = Field(default=1, ge=1, description="on fewer nodes it is not advised")
    why: str = Field(min_length=1)
    hurts: str = ""
    source: str


class Setting(Part):
    """An environment variable, or another line to paste."""

    change: str = Field(min_length=1, description="the name of the item")
    patterns: tuple[Pattern, ...] = Field(min_length=1)
    name: Pasted = ""
    value: Pasted = ""
    lines: tuple[Pasted, ...] = Field(default=(), description="in place of a variable")
    title: str = Field(default="", description="what the lines do; needed with them")
    undo: Pasted = ""
    mpi_io: MpiIo | None = Field(default=None, description="only with this library")
    nodes_from: int = Field(default=1, ge=1)
    why: str = Field(min_length=1)
    hurts: str = ""
    source: str

    @model_validator(mode="after")
    def _has_something_to_paste(self) -> "Setting":
        if bool(self.name) == bool(self.lines) or bool(self.lines) != bool(self.title):
            raise ValueError("name and value of a variable are needed, or lines and their title; not both")
        return self


class Transfer(Part):
    """How archives are made and unpacked there."""

    tar_blocks: int = Field(ge=1, description="of 512 bytes: tar -b")
    why: str = Field(min_length=1)
    source: str


class Storage(Part):
    """A kind of storage that a pattern does better on."""

    patterns: tuple[Pattern, ...] = Field(min_length=1)
    name: str = Field(min_length=1)
    why: str = Field(min_length=1)
    source: str


class Batch(Part):
    """What job scripts need there."""

    scheduler: Literal["slurm", "pbs"]
    partition: Pasted = ""
    qos: Pasted = ""
    launch: tuple[Pasted, ...] = Field(default=(), description="words for the launcher")
    source: str


class Site(Part):
    """One profile."""

    profile: Literal["headrace-site/1"]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    title: str = Field(min_length=1)
    file_system: FileSystem | Literal["any"] = Field(description="which it is about; any: not about a file system")
    mpi_io: MpiIo | None = Field(default=None, description="whose hints its MPI heeds")
    sources: dict[str, Source] = Field(min_length=1)
    machine: Machine = Machine()
    batch: Batch | None = None
    rates: tuple[Rate, ...] = ()
    gains: tuple[Gain, ...] = ()
    stripes: tuple[Stripes, ...] = ()
    hints: tuple[Hints, ...] = ()
    settings: tuple[Setting, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    storage: tuple[Storage, ...] = ()

    def sourced(self) -> list[tuple[str, str]]:
        """Every place that names a source, and the name."""
        found = [
            (f"{member}.{number}", part.source)
            for member in ("rates", "gains", "stripes", "hints", "settings", "transfers", "storage")
            for number, part in enumerate(getattr(self, member))
        ]
        for name in type(self.machine).model_fields:
            value = getattr(self.machine, name)
            found += [(f"machine.{name}", value.source)] if value is not None else []
        return found + ([("batch", self.batch.source)] if self.batch else [])
