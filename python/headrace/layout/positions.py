"""Where the payload of each record of a file lies. Next: segments.py, which cuts it into arrays.

Records of an unformatted sequential file stand between markers (records.py finds them); one longer than the run time's
limit is several subrecords, so a record has one byte segment or more. Direct-access records have a fixed length; a raw
file is one record.
"""

import stat
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.layout.schema import Dialect
from headrace.record_files import records

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
    if dialect.format == "unformatted":
        return _unformatted(path, dialect)
    try:
        status = path.stat()
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be read: {error.strerror}", "name files that exist") from error
    if not stat.S_ISREG(status.st_mode):
        raise HeadraceError(f"{path}: is not an ordinary file", "only bytes of ordinary files can be described")
    size = status.st_size
    if size < dialect.offset:
        raise HeadraceError(
            f"{path}: the file has {size} bytes, the schema starts at offset {dialect.offset}",
            "correct offset in [file]",
        )
    return _fixed(path, size, dialect)


def _unformatted(path: Path, dialect: Dialect) -> Positions:
    with records(
        path,
        record_marker=dialect.record_marker,
        byte_order=dialect.byte_order,
        long_records=dialect.long_records,
        record_type=dialect.record_type,
    ) as file:
        pieces = file.pieces()
    count = int(pieces[-1, 0]) + 1 if len(pieces) else 0
    first = np.searchsorted(pieces[:, 0], np.arange(count + 1))
    return Positions(path, first, pieces[:, 1], pieces[:, 2])


def _fixed(path: Path, size: int, dialect: Dialect) -> Positions:
    rest = size - dialect.offset
    length = dialect.record_length or max(rest, 1)
    if rest % length:
        raise HeadraceError(
            f"{path}: {rest} bytes from offset {dialect.offset} are not a whole number of records of {length} bytes:"
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
