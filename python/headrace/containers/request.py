"""What a conversion is to do: the two files and what is said about them. Next: formats.py."""

import functools
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace import formats
from headrace.errors import HeadraceError
from headrace.layout.kinds import Kind
from headrace.layout.left_out import LeftOut, total

if TYPE_CHECKING:
    from headrace.layout.schema import Schema

PLAIN = ("unformatted", "direct", "raw")  # the file knows bytes only
TEXTS = ("csv", "tsv", "text")
FORMATS = (*PLAIN, "npy", "npz", "meta", *TEXTS, "hdf5", "netcdf", "zarr", "parquet")
_PACKED = (".gz", ".zst")
_CALLED = {"netcdf4": "netcdf", "pnetcdf": "netcdf"}  # what the library tells apart


@functools.cache
def endings() -> dict[str, str]:
    """The format by ending: those of the library, and parquet; a .dat can be anything, inspect finds out."""
    found = {ending: _CALLED.get(name, name) for ending, name in formats.endings().items() if ending != ".dat"}
    found[".parquet"] = "parquet"
    return {ending: name for known in FORMATS for ending, name in found.items() if name == known}


@dataclass(frozen=True)
class Side:
    """One of the two files; what is None has a default or is found out."""

    format: str
    byte_order: str | None = None
    record_marker: int | None = None
    record_length: int | None = None
    edit: str | None = None
    number: str | None = None
    dialect: str | None = None
    delimiter: str | None = None
    long_records: str | None = None
    record_type: str | None = None
    missing: str | None = None
    columns: list[int] | list[str] | None = None
    level: int | None = None


@dataclass(frozen=True)
class Request:
    """A conversion; `shape` in the order that `order` says: "fortran" the first dimension is fastest, "c" the last."""

    files: list[Path]
    target: Path
    source: Side
    result: Side
    kind: Kind | None = None
    shape: tuple[int, ...] | None = None
    order: str = "fortran"
    name: str | None = None
    schema: "Schema | None" = None
    notes: list[str] = field(default_factory=list)
    selected: range | None = None  # records, from 0, that are wanted: the schema skips the others
    partial: bool = False  # what of the source does not arrive may be left out
    left_out: list[LeftOut] = field(default_factory=list)  # counted by the reader

    @property
    def file(self) -> Path:
        """The only source."""
        if len(self.files) != 1:
            raise HeadraceError(
                f"{len(self.files)} files of format {self.source.format} cannot become one",
                "pieces are joined by a schema: --schema",
            )
        return self.files[0]

    def check_left_out(self) -> None:
        """Raises LeftOutError if something would not arrive and that is not allowed: before anything is written."""
        if not self.partial:
            source = str(self.files[0]) if len(self.files) == 1 else f"{len(self.files)} files"
            total(self.left_out).refuse(source, self.target)

    @property
    def array_name(self) -> str:
        """For an array that has no name in its file."""
        stem = self.files[0].name.split(".")[0] if self.files else "array"
        return self.name or stem or "array"

    def c_shape(self) -> tuple[int, ...] | None:
        """`shape` with the last dimension fastest."""
        return self.shape if self.shape is None or self.order == "c" else self.shape[::-1]


_MEANING = {
    "record_marker": ("unformatted",),
    "long_records": ("unformatted",),
    "record_type": ("unformatted",),
    "record_length": ("direct",),
    "edit": TEXTS,
    "number": TEXTS,
    "dialect": TEXTS,
    "missing": TEXTS,
    "columns": TEXTS,
    "level": TEXTS,
}
_ORDERED = (*PLAIN, "npy", "npz", "meta", "hdf5", "netcdf")  # either byte order can be written
_UNSTATED = (*PLAIN, *TEXTS)  # the file does not say what it holds


def check_options(side: str, format: str, said: Mapping[str, Any]) -> None:
    """Raises HeadraceError for options that mean nothing to a format; `side` is "from" or "to"."""
    for name, value in said.items():
        meant = _MEANING.get(name)
        if name == "byte_order":
            little_only = side == "to" and format in ("zarr", "parquet") and value == "little"
            meant = (format,) if little_only else PLAIN if side == "from" else _ORDERED
        if value is not None and meant is not None and format not in meant:
            option = f"--{side}-{name.replace('_', '-')}"
            shown = ",".join(map(str, value)) if isinstance(value, list) else value
            raise HeadraceError(
                f"{option} {shown}: has no meaning for {format}", f"leave it out; it is for {', '.join(meant)}"
            )


def check_contents(format: str, kind: Kind | None, shape: tuple[int, ...] | None) -> None:
    """Raises HeadraceError if --kind or --shape is given for a file that says what it holds."""
    for option, value in (("--kind", kind), ("--shape", shape)):
        if value is not None and format not in _UNSTATED:
            raise HeadraceError(
                f"{option}: has no meaning for {format}, which states kinds and shapes itself",
                f"leave it out; it is for {', '.join(_UNSTATED)}",
            )


def format_of_ending(path: Path) -> str | None:
    """The format that the ending of a name means, such as x.csv.gz; None when it means none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    return endings().get(suffixes[-1]) if suffixes else None


def check_packed(side: str, format: str, path: Path) -> None:
    """Raises HeadraceError for a name that promises compression when there is none; `side` is "from" or "to"."""
    ending = path.suffix.lower()
    if ending not in _PACKED or format in TEXTS:
        return
    tool = "gzip" if ending == ".gz" else "zstd"
    raise HeadraceError(
        f"{path}: {ending} is for {', '.join(TEXTS)} alone; {format} files are not compressed",
        f"{tool} -d unpacks it first" if side == "from" else f"leave out {ending}, and run {tool} on the result",
    )


def check_source(path: Path) -> None:
    """Raises HeadraceError for a file that cannot be read."""
    try:
        if not path.is_dir():
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be read: {error.strerror}", "name a file that exists") from error
    if not path.is_file() and not path.is_dir():
        raise HeadraceError(f"{path}: is a pipe or a device and cannot be converted", "save it to a file first")


def check_plain_file(path: Path) -> None:
    """As check_source, for formats that are no directories."""
    check_source(path)
    if path.is_dir():
        raise HeadraceError(f"{path}: is a directory", "name a file in it")


MACHINE = sys.byteorder
