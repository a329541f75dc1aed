"""Files of arrays as new numpy arrays: `load`. Next: arrays.py."""

import os
from ctypes import byref
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from typing_extensions import Unpack

from headrace import native
from headrace.arrays import read_array, read_text
from headrace.errors import HeadraceError
from headrace.options import FileName, ReadOptions, file_name, is_text, members

Order = Literal["C", "F"]


def load(
    file: FileName,
    *,
    dtype: DTypeLike | None = None,
    shape: int | tuple[int, ...] | None = None,
    order: Order = "C",
    mmap: bool = True,
    **options: Unpack[ReadOptions],
) -> NDArray[Any]:
    """Give the array that a file holds.

    npy, npz and meta files say what it is. Raw, unformatted and direct files do not: `dtype` does, and `shape` if it
    is to have more than one dimension; one extent may be -1. `order` "F" means that the shape is Fortran's: the first
    index varies fastest. A text gives two dimensions, of float64 unless `dtype` says otherwise.

    Where the bytes lie in one piece they are mapped, not read: a file larger than the memory can be used at once, and
    changes of the array do not reach the file (mmap=False reads). A mapped array has the byte order of the file. What
    is mapped is not compared with a checksum; checksum="crc32c" (meta) reads and compares.

    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    if is_text(file_name(file), options):
        if shape is not None:
            raise HeadraceError("the shape of a text is that of its rows and columns", "use reshape")
        return read_text(file, np.float64 if dtype is None else dtype, **options)
    given = members(native.ReadOptions(), options)
    info = native.ArrayInfo()
    native.call("hr_describe_array", file_name(file), byref(given), byref(info))
    element = _element(info, file, dtype)
    extents = _extents(info, element, file, shape)
    kept: Order = ("C" if info.last_index_fastest else "F") if info.type else order
    if 0 in extents:
        return np.empty(extents, element, order=kept)
    if mmap and info.data_offset >= 0 and not options.get("checksum"):
        return np.memmap(os.fsdecode(info.data_file), element, "c", info.data_offset, extents, kept)
    array = np.empty(extents, element.newbyteorder("="), order=kept)
    # Bytes without a shape follow in the order of the array; other files know where their elements belong.
    read_array(file, array if info.type or kept == "C" else array.T, **options)
    return array


def _element(info: native.ArrayInfo, file: FileName, dtype: DTypeLike | None) -> np.dtype[Any]:
    """The type of the elements, in the byte order of the file."""
    if not info.type:
        if dtype is None:
            raise HeadraceError(
                f"{_shown(file)} does not say what type its {info.bytes} bytes have",
                'give dtype=, for example dtype="float64"; `headrace inspect` finds out what is probable',
            )
        element = np.dtype(dtype)
    else:
        code = {native.INTEGER: "i", native.REAL: "f", native.COMPLEX: "c", native.CHARACTER: "S"}.get(info.type)
        if info.type == native.LOGICAL:
            code = "?" if info.elem_len == 1 else "i"  # numpy's bool has one byte only
        element = np.dtype("?") if code == "?" else np.dtype(f"{code}{info.elem_len}")
        if dtype is not None and np.dtype(dtype).newbyteorder("=") != element:
            raise HeadraceError(f"{_shown(file)} holds {element}, not {np.dtype(dtype)}", "leave dtype= out")
    return element.newbyteorder(">" if info.big_endian else "<")


def _extents(
    info: native.ArrayInfo, element: np.dtype[Any], file: FileName, shape: int | tuple[int, ...] | None
) -> tuple[int, ...]:
    """The shape, which must account for every byte."""
    if info.type:
        found = tuple(info.extent[: info.array_rank])
        if shape is not None and tuple(np.atleast_1d(shape)) != found:
            raise HeadraceError(f"{_shown(file)} has the shape {found}, not {shape}", "leave shape= out, or reshape")
        return found
    wanted = (-1,) if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    known = element.itemsize
    for extent in wanted:
        known *= 1 if extent == -1 else extent
    if wanted.count(-1) == 1 and known > 0 and info.bytes % known == 0:
        return tuple(info.bytes // known if extent == -1 else extent for extent in wanted)
    if wanted.count(-1) == 0 and known == info.bytes and min(wanted, default=0) >= 0:
        return wanted
    raise HeadraceError(
        f"{_shown(file)} has {info.bytes} bytes, which are no {element} of shape {wanted}",
        "check dtype= and shape=",
    )


def _shown(file: FileName) -> str:
    return os.fsdecode(file)
