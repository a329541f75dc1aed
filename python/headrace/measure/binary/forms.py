"""The files of `headrace bench binary`, made and checked by numpy alone: nothing here owes anything to headrace.

A form is the sequence of pieces that a file consists of, so that writing and comparing are the same walk and a file
of many gigabytes needs no copy in memory.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]
Pieces = Iterator[bytes | memoryview]
Order = Literal["<", ">"]

_PIECE = 1 << 22  # bytes
_RECORDS = 1 << 18  # short records of a piece
LONGEST = 2**31 - 9  # bytes of a subrecord behind markers of 4 bytes


@dataclass(frozen=True)
class Form:
    """How an array lies in a file."""

    name: str
    ending: str
    pieces: Callable[[Values], Pieces]


def raw(values: Values) -> Pieces:
    """Nothing but the elements."""
    data = _bytes(values.reshape(-1))
    yield from (data[begin : begin + _PIECE] for begin in range(0, len(data), _PIECE))


def unformatted(values: Values, order: Order = "<", marker: int = 4, records: int = 1) -> Pieces:
    """Records of equal size as gfortran writes them; order "<" or ">" for markers and elements."""
    for record in values.reshape(records, -1):
        turned = record.astype(record.dtype.newbyteorder(order)) if _is_foreign(order) else record
        yield from _record(_bytes(turned), order, marker)


def short_records(values: Values) -> Pieces:
    """A record each element, little endian, markers of 4 bytes."""
    flat = values.reshape(-1)
    size = flat.dtype.itemsize
    block = np.empty(_RECORDS, [("before", "<i4"), ("value", flat.dtype.newbyteorder("<")), ("after", "<i4")])
    block["before"] = block["after"] = size
    for first in range(0, len(flat), _RECORDS):
        part = flat[first : first + _RECORDS]
        block["value"][: len(part)] = part
        yield _bytes(block[: len(part)])


def npy(values: Values) -> Pieces:
    """A file of numpy.save(values.T): Fortran's x(columns, rows). Other headers are right too: `npy_difference`."""
    header = {"descr": np.lib.format.dtype_to_descr(values.dtype), "fortran_order": True, "shape": values.shape[::-1]}
    text = repr(header).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    yield b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text
    yield from raw(values)


def _record(data: memoryview, order: Order, marker: int) -> Pieces:
    """Lengths around the data; a long record as subrecords: the first length negative if another one follows, the
    second one if another one came before."""
    longest = LONGEST if marker == 4 else len(data)
    starts = range(0, max(1, len(data)), max(1, longest))
    for start in starts:
        part = data[start : start + longest]
        before = -len(part) if start + longest < len(data) else len(part)
        after = -len(part) if start > 0 else len(part)
        code = f"{order}{'i' if marker == 4 else 'q'}"
        yield struct.pack(code, before)
        yield from (part[begin : begin + _PIECE] for begin in range(0, len(part), _PIECE))
        yield struct.pack(code, after)


def _bytes(values: Values) -> memoryview:
    return values.view(np.uint8).data


def _is_foreign(order: Order) -> bool:
    return not np.dtype(np.int64).newbyteorder(order).isnative


FORMS = {
    form.name: form
    for form in (
        Form("raw", ".raw", raw),
        Form("unformatted", ".unf", unformatted),
        Form("big-endian", ".unf", lambda values: unformatted(values, ">")),
        Form("npy", ".npy", npy),
        Form("short records", ".unf", short_records),
        Form("records", ".unf", lambda values: unformatted(values, "<", 4, _many(values))),
        Form("records, big-endian", ".unf", lambda values: unformatted(values, ">", 4, _many(values))),
        Form("records, long markers", ".unf", lambda values: unformatted(values, "<", 8, _many(values))),
    )
}


def _many(values: Values) -> int:
    """Records of the rows of an array."""
    return len(values)


def make(path: Path, form: Form, values: Values) -> None:
    """Write the file. Raises OSError."""
    with path.open("wb", buffering=0) as stream:
        for piece in form.pieces(values):
            view = memoryview(piece)
            while len(view):
                view = view[stream.write(view) :]


def difference(path: Path, form: Form, values: Values) -> str:
    """Where a file first differs from what it must be, in words; "" when it does not."""
    if form.name == "npy":
        return npy_difference(path, values)
    with path.open("rb", buffering=0) as stream:
        return _difference(stream, form.pieces(values), 0)


def npy_difference(path: Path, values: Values) -> str:
    """The header says which order the elements have; either is right when shape and bytes agree with it."""
    with path.open("rb", buffering=0) as stream:
        try:
            version = np.lib.format.read_magic(stream)
            header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran, dtype = header(stream)
        except ValueError as error:
            return f"numpy cannot read the header: {error}"
        expected = values.shape[::-1] if is_fortran else values.shape
        if values.shape[0] == 1 and len(shape) == 1:
            expected = values.shape[1:]  # one record is a vector
        if (shape, dtype) != (expected, values.dtype):
            return f"the header says {dtype} {shape}, expected {values.dtype} {expected}"
        return _difference(stream, raw(values), stream.tell())


def _difference(stream: Any, pieces: Pieces, place: int) -> str:
    buffer = bytearray()
    for piece in pieces:
        expected = memoryview(piece)
        if len(buffer) < len(expected):
            buffer = bytearray(len(expected))
        found = memoryview(buffer)[: _fill(stream, memoryview(buffer)[: len(expected)])]
        if not _is_same(found, expected):
            return _say(place, np.frombuffer(found, np.uint8), np.frombuffer(expected, np.uint8))
        place += len(expected)
    rest = len(stream.read(4096))
    return f"bytes follow behind byte {place:,}, where the file should end" if rest else ""


def _is_same(found: memoryview, expected: memoryview) -> bool:
    """Eight bytes at a time: comparing views of memory goes byte by byte."""
    if len(found) != len(expected):
        return False
    words = len(found) // 8 * 8
    same = np.array_equal(np.frombuffer(found[:words], np.uint64), np.frombuffer(expected[:words], np.uint64))
    return same and found[words:] == expected[words:]


def _fill(stream: Any, target: memoryview) -> int:
    done = 0
    while done < len(target):
        count = stream.readinto(target[done:])
        if not count:
            break
        done += count
    return done


def _say(place: int, found: Values, expected: Values) -> str:
    unequal = np.flatnonzero(found != expected[: len(found)])
    if len(unequal):
        return f"byte {place + int(unequal[0]) + 1:,} is wrong"
    return f"the file ends at byte {place + len(found):,}, which is too early"


def disturb(path: Path) -> None:
    """Change a byte in every MiB and the last one: what is then written in place must mend them."""
    with path.open("r+b", buffering=0) as stream:
        size = stream.seek(0, 2)
        for place in {*range(0, size, 1 << 20), max(0, size - 1)}:
            stream.seek(place)
            byte = stream.read(1)
            stream.seek(place)
            stream.write(bytes([byte[0] ^ 0xFF]) if byte else b"")
