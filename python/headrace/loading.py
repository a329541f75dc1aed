"""Files of arrays as new numpy arrays: `load`. Next: arrays.py."""

import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray
from typing_extensions import Unpack

from headrace import native
from headrace.arrays import described_as, element_of, new_array, read_array, read_text, signed
from headrace.errors import HeadraceError, StatusError
from headrace.options import FileName, ReadOptions, file_name, is_text, members, number_of, sequence_of

Order = Literal["C", "F"]
_PATIENCE = 5.0  # seconds in which a file that a writer replaces all the time is tried again
_LONGEST = 2**31 - 1  # numpy keeps the length of characters in a C int
_CODES = {
    native.INTEGER: "i",
    native.REAL: "f",
    native.COMPLEX: "c",
    native.LOGICAL: "i",
    native.CHARACTER: "S",
    native.UNSIGNED: "u",
}
_NAMES = {
    native.INTEGER: "integers",
    native.REAL: "reals",
    native.COMPLEX: "complex numbers",
    native.LOGICAL: "logicals",
    native.UNSIGNED: "unsigned integers",
}
# Not f16: numpy's longdouble has the bits of C's, on most machines those of Fortran's real(10), not of its real128.
_KINDS = {"i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


class _Found(NamedTuple):
    """What a file holds, as numpy has it; the element in the byte order of the file."""

    info: native.ArrayInfo
    element: np.dtype[Any]
    extents: tuple[int, ...]
    order: Order


def load(
    file: FileName,
    *,
    dtype: DTypeLike | None = None,
    shape: int | Sequence[int] | None = None,
    order: Order = "C",
    mmap: bool = True,
    **options: Unpack[ReadOptions],
) -> NDArray[Any]:
    """Give the array that a file holds.

    npy, npz and meta files say what it is. Raw, unformatted and direct files do not: `dtype` does, and `shape` if it
    is to have more than one dimension; one extent may be -1. `order` "F" means that the shape is Fortran's: the first
    index varies fastest. A byte order in `dtype` (">f8") counts, and must not contradict byte_order=.
    A text gives two dimensions, of float64 unless `dtype` says otherwise.

    If the bytes lie in one piece, they are mapped, not read: a file larger than the memory can be used at once, and
    changes of the array do not reach the file (mmap=False reads). A mapped array has the byte order of the file. What
    is mapped is not compared with a checksum; checksum="crc32c" (meta) reads and compares.

    Elements that numpy has no type for, such as real128, are refused; dtype="V16" gives their bytes, in the machine's
    byte order.

    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    if order not in ("C", "F"):
        raise HeadraceError(f'order= expects "C" or "F", found {order!r}')
    if is_text(file_name(file), options):
        if shape is not None:
            raise HeadraceError("the shape of a text is given by its rows and columns", "use reshape")
        return read_text(file, np.float64 if dtype is None else element_of(dtype), **options)
    end = time.monotonic() + _PATIENCE
    while True:
        with _held(file) as held:
            try:
                found = _describe(file, dtype, shape, order, options)
                if 0 in found.extents or (found.info.type and found.info.elem_len == 0):
                    return new_array(found.extents, found.element, found.order, blank=True)
                if not mmap or options.get("checksum") or not _is_plain(found):
                    return _read(file, found, options)
                array = _mapped(found)
            except StatusError:
                if time.monotonic() > end or _is_same(held, file):
                    raise
                continue
            # A writer may have put another file in its place since it was described.
            if array is not None and _is_same(held, file):
                return array
        if time.monotonic() > end:
            raise HeadraceError(
                f"{_shown(file)} is replaced again and again while it is opened", "load it with mmap=False"
            )


def _describe(
    file: FileName, dtype: DTypeLike | None, shape: int | Sequence[int] | None, order: Order, options: ReadOptions
) -> _Found:
    given, info = members(native.ReadOptions(), options), native.ArrayInfo()
    native.call("hr_describe_array", file_name(file), byref(given), byref(info))
    element = _typed(info, file, dtype) if info.type else _untyped(info, file, dtype, options)
    if info.type:
        order = "C" if info.last_index_fastest else "F"
    return _Found(info, element, _extents(info, element, file, shape), order)


@contextmanager
def _held(file: FileName) -> Iterator[os.stat_result | None]:
    """The identity of a file, which no other file can get meanwhile; None if it is not a plain file."""
    path = Path(_shown(file))
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path.is_file() else None
    except OSError:  # the library says why
        descriptor = None
    try:
        yield None if descriptor is None else os.fstat(descriptor)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _is_same(held: os.stat_result | None, file: FileName) -> bool:
    try:
        return held is None or os.path.samestat(held, Path(_shown(file)).stat())
    except OSError:
        return False


def _is_plain(found: _Found) -> bool:
    """Whether the bytes in the file are those of the array: nothing would tell the order of bytes without a type."""
    bare = bool(found.info.type) and found.element.kind == "V"
    return found.info.data_offset >= 0 and (not bare or bool(found.info.big_endian) == (sys.byteorder == "big"))


def _mapped(found: _Found) -> NDArray[Any] | None:
    """The array in its file; None when the file has gone, or shrunk, since it was described."""
    info = found.info
    try:
        return np.memmap(os.fsdecode(info.data_file), found.element, "c", info.data_offset, found.extents, found.order)
    except (FileNotFoundError, ValueError):
        return None


def _read(file: FileName, found: _Found, options: ReadOptions) -> NDArray[Any]:
    """The elements in the machine's byte order."""
    machine = found.element.newbyteorder("=")
    if found.info.type:
        array = new_array(found.extents, machine, found.order)
        described = described_as(array, array.shape, array.strides, found.info.type)
        given = members(native.ReadOptions(), options)
        native.call("hr_read_array", file_name(file), byref(described), byref(given))
        return array
    swapped = bool(options.get("byte_order")) and machine.kind in "iufc"  # by the library, which knows words
    flat = new_array((found.info.bytes // machine.itemsize,), machine if swapped else found.element)
    read_array(file, signed(flat) if swapped else flat.view("i1"), **options)
    if not flat.dtype.isnative:
        flat = flat.astype(machine) if machine.fields else flat.byteswap(inplace=True).view(machine)
    return flat.reshape(found.extents, order=found.order)


def _untyped(info: native.ArrayInfo, file: FileName, dtype: DTypeLike | None, options: ReadOptions) -> np.dtype[Any]:
    """The type that the caller says, in the byte order that the caller says."""
    if dtype is None:
        raise HeadraceError(
            f"{_shown(file)} does not say what type its {info.bytes} bytes have",
            'give dtype=, for example dtype="float64"; `headrace inspect` finds out what is probable',
        )
    element = element_of(dtype)
    if element.subdtype is not None:
        raise HeadraceError(f"dtype= {element} has dimensions", "give them with shape=")
    if not options.get("byte_order"):
        return element
    order: Literal["<", ">"] = ">" if info.big_endian else "<"
    # numpy forgets that "<f8" stated an order if it is the machine's.
    stated: set[str] = set(_orders(element)) | (set(dtype[:1]) & {"<", ">"} if isinstance(dtype, str) else set())
    if stated - {order}:
        raise HeadraceError(
            f"dtype= {dtype!r} contradicts byte_order={options['byte_order']!r}", "leave the order out of one of them"
        )
    return element.newbyteorder(order)


def _orders(element: np.dtype[Any]) -> set[Literal["<", ">", "=", "|"]]:
    """The byte orders, "<" and ">", that a type states."""
    if element.fields:
        return {order for field in element.fields.values() for order in _orders(field[0])}
    return {element.base.byteorder} - {"=", "|"}


def _typed(info: native.ArrayInfo, file: FileName, dtype: DTypeLike | None) -> np.dtype[Any]:
    """The type that the file says, in its byte order."""
    code, length = _CODES[info.type], info.elem_len
    asked = None if dtype is None else element_of(dtype).newbyteorder("=")
    if info.type == native.LOGICAL and length == 1:
        code = "?"  # numpy's bool has one byte only
    if length not in _KINDS.get(code, (length,)):
        if asked is None or (asked != np.dtype(f"V{length}") and (asked.kind, asked.itemsize) != (code, length)):
            kept = {"f16": ', "longdouble" takes them for real(10)', "c32": ', "clongdouble" for complex(10)'}
            raise HeadraceError(
                f"{_shown(file)} holds {_NAMES[info.type]} of {length} bytes, which numpy does not have",
                f'dtype="V{length}" gives their bytes{kept.get(f"{code}{length}", "")}',
            )
        element = asked
    elif length > _LONGEST:
        raise HeadraceError(f"{_shown(file)} holds characters of {length} bytes; numpy's have {_LONGEST} at most")
    else:
        # Nor has numpy characters without a length: each is b"" there too.
        element = np.dtype("?" if code == "?" else f"{code}{max(length, 1)}")
        if asked is not None and asked != element:
            raise HeadraceError(f"{_shown(file)} holds {element}, not {asked}", "leave dtype= out")
    return element.newbyteorder(">" if info.big_endian else "<")


def _extents(
    info: native.ArrayInfo, element: np.dtype[Any], file: FileName, shape: int | Sequence[int] | None
) -> tuple[int, ...]:
    """The shape, which must account for every byte."""
    numbers = [] if shape is None else sequence_of(shape)
    wanted = tuple(number_of("shape", extent, "an int or a sequence of int", 64) for extent in numbers)
    if info.type:
        found = tuple(info.extent[: info.array_rank])
        if shape is not None and wanted != found:
            raise HeadraceError(f"{_shown(file)} has the shape {found}, not {shape}", "leave shape= out, or reshape")
        return found
    if shape is None:
        wanted = (-1,)
    if len(wanted) > native.MAX_ARRAY_RANK:
        raise HeadraceError(f"shape= has {len(wanted)} dimensions; {native.MAX_ARRAY_RANK} are the most")
    known = element.itemsize * math.prod(extent for extent in wanted if extent != -1)
    if wanted.count(-1) <= 1 and min(wanted, default=0) >= -1:
        if -1 not in wanted and known == info.bytes:
            return wanted
        if -1 in wanted and known > 0 and info.bytes % known == 0:
            return tuple(info.bytes // known if extent == -1 else extent for extent in wanted)
    raise HeadraceError(
        f"{_shown(file)} has {info.bytes} bytes, which do not fit {element} of shape {wanted}",
        "check dtype= and shape=",
    )


def _shown(file: FileName) -> str:
    return os.fsdecode(file)
