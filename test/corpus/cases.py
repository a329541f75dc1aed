"""What the corpus knows about each of its files: the truth that `headrace inspect` is measured against."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

ByteOrder = Literal["little", "big"]

# Every class of file, by the number that the list in `headrace inspect --help` and in the documentation gives it.
CLASSES: dict[str, int] = {
    "record4-little": 1,
    "record4-big": 1,
    "record8-little": 1,
    "record8-big": 1,
    "record4-subrecords": 2,
    "record4-pgi-high-bit": 3,
    "record4-flang-unsigned": 4,
    "zero-length-records": 5,
    "intel-segmented": 6,
    "direct": 7,
    "direct-word-recl": 7,
    "raw": 8,
    "text": 9,
    "text-list-directed": 9,
    "text-formatted": 9,
    "text-delimited": 9,
    "npy": 10,
    "npz": 10,
    "hdf5": 10,
    "netcdf": 10,
    "zarr": 10,
    "gzip": 10,
    "bzip2": 10,
    "xz": 10,
    "zstd": 10,
    "tar": 10,
    "zip": 10,
    "sqlite": 10,
    "fits": 10,
    "matlab": 10,
    "parquet": 10,
    "png": 10,
    "record4-truncated": 11,
    "record4-trailing": 11,
    "record8-truncated": 11,
    "record8-trailing": 11,
    "mixed-byte-order": 11,
}

TEXTS = ("text", "text-list-directed", "text-formatted", "text-delimited")


@dataclass(frozen=True)
class Pattern:
    """The record lengths of a file, in bytes: some at its start, then `lengths` again and again."""

    times: int
    lengths: list[int]
    start: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """One file and the truth about it; what does not apply is None."""

    file: str  # relative to the directory of the corpus
    kind: str  # one of CLASSES; "class" in the JSON
    writer: str  # a compiler, such as "gfortran 12.2.0", or "generator"
    size: int = 0  # bytes
    accept: list[str] = field(default_factory=list)  # other classes that are right as well: the bytes cannot tell
    tie_is_right: bool = False  # and an honest "I cannot tell" is the best answer
    marker_bytes: int | None = None
    byte_order: ByteOrder | None = None
    records: int | None = None  # Fortran's records, not their subrecords
    pattern: Pattern | None = None  # of stream access: of what each WRITE statement wrote
    record_types: list[list[str]] = field(default_factory=list)  # of the pattern's records: ["int32 2", "real64 9"]
    shape: list[int] | None = None
    record_length: int | None = None  # of direct access, in bytes
    layout: str | None = None  # a text's format or delimiter; anything else that a reader must know
    damage_offset: int | None = None  # where the first damaged record, or what is left over, begins
    note: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in (self.kind, *self.accept) if name not in CLASSES]
        if unknown:
            raise ValueError(f"{self.file}: no such class: {', '.join(unknown)}; see CLASSES in {__file__}")

    def as_json(self) -> dict[str, Any]:
        """As truth.json has it."""
        entry = asdict(self)
        return {"file": entry.pop("file"), "class": entry.pop("kind"), **entry}


def write_truth(cases: Iterable[Case], directory: Path) -> Path:
    """truth.json of a corpus in `directory`."""
    path = directory / "truth.json"
    path.write_text(json.dumps([case.as_json() for case in cases], indent=1) + "\n")
    return path


def read_truth(directory: Path) -> list[Case]:
    """The cases of `directory`/truth.json."""
    names = {one.name for one in fields(Case)}
    cases = []
    for entry in json.loads((directory / "truth.json").read_text()):
        entry["kind"] = entry.pop("class")
        if entry["pattern"]:
            entry["pattern"] = Pattern(**entry["pattern"])
        cases.append(Case(**{key: value for key, value in entry.items() if key in names}))
    return cases


def find_pattern(lengths: Sequence[int], longest: int = 8) -> Pattern | None:
    """The shortest group of records that repeats to the end of the file, after at most `longest` others.

    None when nothing repeats at least twice, or when that is less than half of the file.
    """
    best: Pattern | None = None
    for skipped in range(min(longest, len(lengths)) + 1):
        rest = list(lengths[skipped:])
        for period in range(1, min(longest, len(rest) // 2) + 1):
            if len(rest) % period or len(rest) < skipped:
                continue
            if rest == rest[:period] * (len(rest) // period):
                if best is None or skipped + period < len(best.start) + len(best.lengths):
                    best = Pattern(len(rest) // period, rest[:period], list(lengths[:skipped]))
                break
    return best
