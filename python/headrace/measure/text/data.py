"""A check of the text files of `headrace bench text` that owes nothing to headrace."""

import re
import zlib
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Layout = Literal["cells", "fixed", "hex", "binary"]

_PIECE = 1 << 22  # bytes
_ROWS = 20_000  # that are checked at a time


def checksum(path: Path) -> int:
    """Of the bytes of a file, with their number."""
    total, size = 0, 0
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            total = zlib.crc32(piece, total)
            size += len(piece)
    return size << 32 | total


def first_difference(left: Path, right: Path) -> int | None:
    """The position of the first byte that differs, from 0; None when the files are the same."""
    begin = 0
    with left.open("rb") as one, right.open("rb") as other:
        while True:
            a, b = one.read(_PIECE), other.read(_PIECE)
            if a != b:
                shorter = min(len(a), len(b))
                unequal = np.flatnonzero(
                    np.frombuffer(a, np.uint8, shorter) != np.frombuffer(b, np.uint8, shorter),
                )
                return begin + int(unequal[0] if len(unequal) else shorter)
            if not a:
                return None
            begin += len(a)


def wrong_values(path: Path, values: NDArray[Any], layout: Layout, tolerance: float) -> int:
    """How many values at the beginning of a text file are not those of the array, as numpy and Python read them.

    layout: "cells" between commas or blanks; "fixed" columns of one width; "hex" digits of the bits, in columns of
    one width; "binary" is not looked into (its reader compares).
    """
    if layout == "binary":
        return 0
    wrong = 0
    with path.open("rb") as stream:
        for first in range(0, len(values), _ROWS):
            expected = values[first : first + _ROWS]
            found = _READERS[layout](stream, expected)
            wrong += _count_wrong(expected, found, tolerance)
    return wrong


def _count_wrong(expected: NDArray[Any], found: NDArray[Any], tolerance: float) -> int:
    if found.shape != expected.shape:
        return int(expected.size)
    if tolerance > 0:
        return int(np.count_nonzero(~(np.abs(expected - found) <= tolerance * np.abs(expected))))
    return int(np.count_nonzero(~(expected == found)))


def _cells(stream: Any, expected: NDArray[Any]) -> NDArray[Any]:
    lines = [stream.readline().replace(b",", b" ") for _ in range(len(expected))]
    return np.loadtxt(lines, dtype=expected.dtype, ndmin=2)


def _fixed(stream: Any, expected: NDArray[Any]) -> NDArray[Any]:
    text, width = _columns(stream, expected)
    fields = text.view(f"S{width}")
    try:
        return fields.astype(expected.dtype)
    except ValueError:  # an exponent of three digits has no letter in Ew.d: 0.5-300
        spelled = [re.sub(rb"(\d)([+-])", rb"\1e\2", field) for field in fields.ravel()]
        return np.array(spelled).astype(expected.dtype).reshape(fields.shape)


def _hex(stream: Any, expected: NDArray[Any]) -> NDArray[Any]:
    """The last digits of each cell, before its delimiter."""
    text, width = _columns(stream, expected, delimited=True)
    size = expected.dtype.itemsize
    digits = text.reshape(-1, width)[:, -2 * size :]
    value = np.where(digits > ord("9"), (digits | 32) - ord("a") + 10, digits - ord("0"))
    high, low = value[:, 0::2], value[:, 1::2]
    big_endian = np.ascontiguousarray(high * 16 + low, dtype=np.uint8)
    return big_endian.view(np.dtype(f">u{size}")).astype(f"u{size}").view(expected.dtype).reshape(expected.shape)


def _columns(stream: Any, expected: NDArray[Any], delimited: bool = False) -> tuple[NDArray[np.uint8], int]:
    """The bytes of rows of one length without their line ends (and delimiters), and the width of a cell."""
    rows, columns = expected.shape
    line = stream.readline()
    rest = stream.read((rows - 1) * len(line))
    text = np.frombuffer(line + rest, np.uint8)
    if len(text) != rows * len(line) or len(line) % columns not in ((0, 1) if delimited else (1,)):
        return np.zeros((rows, columns), np.uint8), 1
    lines = text.reshape(rows, len(line))
    width = len(line) // columns
    if delimited:
        return np.ascontiguousarray(lines.reshape(rows, columns, width)[:, :, :-1]), width - 1
    return np.ascontiguousarray(lines[:, :-1]), width


_READERS = {"cells": _cells, "fixed": _fixed, "hex": _hex}
