"""Where each named array of one file lies: contiguous byte segments in element order. Next: pieces.py.

The payload of all records, one behind the other, is one stream of bytes; an array is one interval of the stream, or
`repeat` of them at a time. `cut` maps intervals of the stream to segments of the file.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.left_out import LeftOut
from headrace.layout.positions import Integers, Positions, record_positions
from headrace.layout.schema import Array, Entry, Record, Schema


@dataclass(frozen=True, eq=False)
class FileArray:
    """An array in one file. `shape` is in C order, the last dimension fastest; `repeat` is in front when there is one.

    Its elements are the bytes offset[s] to offset[s] + size[s] - 1 of the file, for one segment s after the other. A
    segment may end within an element (at the limit of a subrecord).
    """

    array: Array
    repeat_dimension: str | None  # None: no repeat
    shape: tuple[int, ...]
    path: Path
    offset: Integers
    size: Integers


def file_arrays(
    schema: Schema, path: Path, piece: tuple[int, ...] | None = None, wanted: range | None = None
) -> tuple[list[FileArray], LeftOut]:
    """The named arrays of a file, and what of the file is in none of them.

    piece: the shape that "piece" stands for, in the order of the schema. wanted: the records that count (default: all).
    Raises HeadraceError that names the record and offset where file and schema differ.
    """
    positions = record_positions(path, schema.file)
    if schema.file.format == "raw":
        return _in_stream(schema, positions, piece)
    return _in_records(schema, positions, piece, range(positions.count) if wanted is None else wanted)


def own_shape(array: Array, piece: tuple[int, ...] | None) -> tuple[int, ...]:
    """The array's shape in the order of the schema."""
    if array.shape != "piece":
        return array.shape
    assert piece is not None
    return piece


def _bytes(array: Array, piece: tuple[int, ...] | None) -> int:
    """Bytes that an array takes; 0 for skip = true."""
    if array.skip is not None:
        return 0 if array.skip is True else int(array.skip)
    kind = kinds.find(array.kind or "")
    assert kind is not None
    size = kind.size
    for extent in own_shape(array, piece):
        size *= extent
    return size


def _named_bytes(record: Record, piece: tuple[int, ...] | None) -> int:
    return sum(_bytes(item, piece) for item in record.arrays() if item.name is not None)


def _in_stream(schema: Schema, positions: Positions, piece: tuple[int, ...] | None) -> tuple[list[FileArray], LeftOut]:
    """Arrays of a raw file: they stand one behind the other."""
    path, total = positions.path, int(positions.size.sum())
    found: list[FileArray] = []
    at = named = 0
    for entry in schema.record:
        items = [item for record in entry.each() for item in record.arrays()]
        sizes = [_bytes(item, piece) for item in items]
        once = sum(sizes)
        count = _repeats(entry, total - at, once, "bytes", path)
        if at + count * once > total:
            raise HeadraceError(
                f"{path}: {_called(items)} takes {count} times {once} bytes from offset {schema.file.offset + at}, the"
                f" file has {total - at} there",
                "correct the shape, kind or repeat in the schema",
            )
        for item, begin in zip(items, np.cumsum([0, *sizes]), strict=False):
            if item.name is not None:
                starts = at + int(begin) + once * np.arange(count)
                found.append(_found(entry, item, piece, positions, starts))
        named += count * sum(_named_bytes(record, piece) for record in entry.each())
        at = total if items[-1].skip is True else at + count * once
    if at != total:
        raise HeadraceError(
            f"{path}: {total - at} bytes are left at offset {schema.file.offset + at} behind the last array of the"
            " schema",
            "add what they are, or [[record]] with skip = true",
        )
    whole = schema.file.offset + total
    return found, LeftOut(bytes=whole - named, of_bytes=whole)


def _in_records(
    schema: Schema, positions: Positions, piece: tuple[int, ...] | None, wanted: range
) -> tuple[list[FileArray], LeftOut]:
    """Arrays of a file with records: each record holds what its entry says, and nothing else."""
    path = positions.path
    stream = np.concatenate(([0], np.cumsum(positions.size)))[positions.first]
    lengths = positions.lengths()
    found: list[FileArray] = []
    at = lost = named = 0
    for entry in schema.record:
        records = entry.each()
        count = _repeats(entry, positions.count - at, len(records), "records", path)
        if at + count * len(records) > positions.count:
            raise HeadraceError(
                f"{path}: the schema has at least {at + count * len(records)} records, the file has {positions.count}",
                "correct repeat in the schema; 'headrace inspect' shows the records",
            )
        for number, record in enumerate(records):
            which = at + number + len(records) * np.arange(count)
            _check_lengths(schema, record, piece, positions, which, lengths[which])
            here = lengths[which[(which >= wanted.start) & (which < wanted.stop)]]
            own = _named_bytes(record, piece)
            named += own * len(here)
            lost += 0 if own else int(np.count_nonzero(here))
            begin = 0
            for item in record.arrays():
                if item.name is not None:
                    found.append(_found(entry, item, piece, positions, stream[which] + begin))
                begin += _bytes(item, piece)
        at += count * len(records)
    if at != positions.count:
        raise HeadraceError(
            f"{path}: {positions.count - at} records are left at offset {_offset(positions, at)} behind the last one of"
            " the schema",
            'add what they are: repeat = "rest", or [[record]] with repeat = "rest" and skip = true',
        )
    whole = int(lengths[wanted.start : wanted.stop].sum()) + schema.file.offset
    return found, LeftOut(lost, len(wanted), whole - named, whole)


def _repeats(entry: Entry, left: int, once: int, unit: str, path: Path) -> int:
    if entry.repeat is None:
        return 1
    if entry.repeat != "rest":
        return entry.repeat
    if once == 0 or left % once:
        raise HeadraceError(
            f"{path}: repeat = 'rest': {left} {unit} are left, which is not a multiple of {once}",
            "the last repetition is incomplete: state the number as repeat, and what follows it",
        )
    return left // once


def _check_lengths(
    schema: Schema,
    record: Record,
    piece: tuple[int, ...] | None,
    positions: Positions,
    which: Integers,
    lengths: Integers,
) -> None:
    items = record.arrays()
    expected = sum(_bytes(item, piece) for item in items)
    open_ended = items[-1].skip is True or schema.file.format == "direct"
    wrong: NDArray[np.bool_] = lengths < expected if open_ended else lengths != expected
    if not wrong.any():
        return
    first = int(np.argmax(wrong))
    at = int(which[first])
    count = int(np.count_nonzero(wrong))
    more = f"; {count} of {len(lengths)} such records differ" if len(lengths) > 1 else ""
    raise HeadraceError(
        f"{positions.path}: record {at + 1} at offset {_offset(positions, at)}: expected {expected} bytes for"
        f" {_called(items)}, found {int(lengths[first])}{more}",
        "all records of one name must have the same length; correct kind, shape or order of the records in the schema",
    )


def _called(items: "tuple[Array, ...] | list[Array]") -> str:
    return ", ".join(repr(item.name) if item.name else "skip" for item in items)


def _offset(positions: Positions, record: int) -> int:
    """Where the payload of a record begins."""
    return int(positions.offset[positions.first[record]]) if positions.first[record] < len(positions.offset) else 0


def _found(
    entry: Entry, item: Array, piece: tuple[int, ...] | None, positions: Positions, starts: Integers
) -> FileArray:
    shape = own_shape(item, piece)
    shape = shape[::-1] if item.order == "fortran" else shape
    dimension = None
    if entry.repeat is not None:
        shape = (len(starts), *shape)
        first = next(i.name for record in entry.each() for i in record.arrays() if i.name is not None)
        dimension = entry.repeat_dimension or f"{first}_repeat"  # one for all that is repeated together
    offset, size = cut(positions.offset, positions.size, starts, _bytes(item, piece))
    return FileArray(item, dimension, shape, positions.path, offset, size)


def cut(offset: Integers, size: Integers, starts: Integers, length: int) -> tuple[Integers, Integers]:
    """The segments of the file that hold the intervals of `length` bytes from `starts`.

    `starts` count the bytes of the stream that the segments `offset`, `size` make.
    """
    if length == 0 or len(starts) == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    held = size > 0  # records of length zero hold nothing
    offset, size = offset[held], size[held]
    edges = np.concatenate(([0], np.cumsum(size)))
    first = np.searchsorted(edges, starts, "right") - 1
    last = np.searchsorted(edges, starts + length, "left") - 1
    counts = last - first + 1
    interval = np.repeat(np.arange(len(starts)), counts)
    segment = np.arange(len(interval)) - np.repeat(np.cumsum(counts) - counts, counts) + first[interval]
    low = np.maximum(starts[interval], edges[segment])
    high = np.minimum(starts[interval] + length, edges[segment + 1])
    return _joined(offset[segment] + low - edges[segment], high - low)


def _joined(offset: Integers, size: Integers) -> tuple[Integers, Integers]:
    """Neighbours that touch become one segment."""
    begins = np.concatenate(([True], offset[1:] != offset[:-1] + size[:-1]))
    return offset[begins], np.add.reduceat(size, np.flatnonzero(begins))
