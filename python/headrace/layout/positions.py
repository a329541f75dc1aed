"""Where the payload of each record of a file lies. Next: segments.py, which cuts it into arrays.

Records of an unformatted sequential file stand between markers; one longer than the run time's limit is several
subrecords, so a record has one byte segment or more. A negative marker in front says that the record continues, one
behind that it is continued. Direct-access records have a fixed length; a raw file is one record.
"""

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.layout.schema import Dialect

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Positions:
    """The records of a file; offsets and sizes in bytes, in the order of the file.

    Record r has the segments first[r] to first[r + 1] - 1; segment s is size[s] bytes at offset[s].
    """

    path: Path
    first: Integers
    offset: Integers
    size: Integers

    @property
    def count(self) -> int:
        """The number of records."""
        return len(self.first) - 1

    def lengths(self) -> Integers:
        """Payload bytes of each record."""
        ends = np.concatenate(([0], np.cumsum(self.size)))[self.first]
        return np.diff(ends)


def record_positions(path: Path, dialect: Dialect) -> Positions:
    """Find the records of a file. Raises HeadraceError that names the offset where the file is damaged."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < dialect.offset:
                raise HeadraceError(
                    f"{path}: the file has {size} bytes, the schema starts at offset {dialect.offset}",
                    "correct offset in [file]",
                )
            if dialect.format == "unformatted":
                return _unformatted(path, file.fileno(), size, dialect)
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be read: {error.strerror}", "name files that exist") from error
    return _fixed(path, size, dialect)


def _fixed(path: Path, size: int, dialect: Dialect) -> Positions:
    rest = size - dialect.offset
    length = dialect.record_length or max(rest, 1)
    if rest % length:
        raise HeadraceError(
            f"{path}: {rest} bytes from offset {dialect.offset} are no whole number of records of {length} bytes:"
            f" {rest % length} bytes are left at offset {size - rest % length}",
            "correct record_length (bytes) or offset in [file]",
        )
    count = rest // length
    return Positions(
        path,
        np.arange(count + 1),
        dialect.offset + length * np.arange(count),
        np.full(count, length, np.int64),
    )


def _unformatted(path: Path, file: int, size: int, dialect: Dialect) -> Positions:
    """Goes from marker to marker; a length from the file is compared with the file's size before it is used."""
    marker = struct.Struct(
        ("<" if dialect.byte_order == "little" else ">") + ("i" if dialect.record_marker == 4 else "q")
    )
    first, offsets, sizes = [0], [], []
    at, continued = dialect.offset, False
    with mmap.mmap(file, 0, access=mmap.ACCESS_READ) if size else _Empty() as data:
        while at < size:
            begun, length, continues = _subrecord(path, data, at, size, marker, continued)
            offsets.append(begun)
            sizes.append(length)
            at, continued = begun + length + marker.size, continues
            if not continues:
                first.append(len(offsets))
    if continued:
        raise HeadraceError(f"{path}: the file ends at offset {size} within a record of several subrecords", _HINT)
    return Positions(path, *(np.array(values, np.int64) for values in (first, offsets, sizes)))


_HINT = "the file is damaged, or [file] of the schema is not its dialect: 'headrace inspect' finds out"


class _Empty(bytes):
    """Of an empty file there is no memory map."""

    def __enter__(self) -> "_Empty":
        return self

    def __exit__(self, *error: Any) -> None:
        return None


def _subrecord(
    path: Path, data: "mmap.mmap | _Empty", at: int, size: int, marker: struct.Struct, continued: bool
) -> tuple[int, int, bool]:
    """The payload's offset and bytes of the subrecord at an offset, and whether the record continues."""
    if at + 2 * marker.size > size:
        raise HeadraceError(
            f"{path}: at offset {at}: expected a record, found {size - at} bytes, less than two markers", _HINT
        )
    front: int = marker.unpack_from(data, at)[0]
    length = abs(front)
    end = at + marker.size + length
    if end + marker.size > size:
        raise HeadraceError(
            f"{path}: at offset {at}: the marker says {length} bytes, the file has {size - at - 2 * marker.size} left"
            " for them",
            _HINT,
        )
    back: int = marker.unpack_from(data, end)[0]
    expected = -length if continued else length
    if back != expected:
        raise HeadraceError(
            f"{path}: at offset {end}: expected the marker {expected} that closes the record of offset {at},"
            f" found {back}",
            _HINT,
        )
    return at + marker.size, length, front < 0
