"""Whole numpy arrays to files and back: `write_array`, `read_array`, `write_text`, `read_text`. Next: native.py.

    import headrace, numpy

    x = numpy.random.default_rng(1).normal(size=(1_000_000, 10))
    headrace.write_array("x.csv", x)                    # shortest decimals that give the same values
    y = headrace.read_text("x.csv")                     # a new array
    headrace.write_array("x.dat", x, edit="(10e15.5)")  # byte for byte what Fortran's WRITE writes

Row i of a text file with delimiters holds x[i, :]; an array of one dimension is one column. With `edit=`, in raw
files, and for three dimensions and more the elements follow in the order of x.ravel(): to Fortran the dimensions
are reversed.
"""

import operator
import os
from collections.abc import Sequence
from ctypes import Structure, byref, c_char_p, c_int, c_longlong
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray
from typing_extensions import Unpack

from headrace import native
from headrace.errors import HeadraceError

FileName = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_RAW_ENDINGS = (".raw", ".bin")
_TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".text")
_PACKED_ENDINGS = (".gz", ".zst")
_TYPES = {
    "i": native.INTEGER,
    "f": native.REAL,
    "c": native.COMPLEX,
    "b": native.LOGICAL,
    "S": native.CHARACTER,
}


class WriteOptions(TypedDict, total=False):
    """What the members of hr_write_options in headrace.h say."""

    format: str
    sync: str
    replace: str
    append: bool
    threads: int
    edit: str
    number: str
    delimiter: str
    decimal: str
    header: str | Sequence[str]


class ReadOptions(TypedDict, total=False):
    """What the members of hr_read_options in headrace.h say; columns count from 1."""

    format: str
    threads: int
    edit: str
    number: str
    delimiter: str
    decimal: str
    header: str
    comment: str
    skip_rows: int
    columns: int | Sequence[int]
    missing: str


def write_array(file: FileName, array: Any, **options: Unpack[WriteOptions]) -> None:
    """Write all elements of an array (strided, Fortran-ordered, of any number of dimensions) to a file.

    The file's ending or `format` chooses the form; `number`, `delimiter`, `decimal` and `header` shape a text,
    `edit` is a Fortran format such as "(10e15.5)". The file appears under its name only when it is complete.

    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    name = file_name(file)
    members = _members(native.WriteOptions(), options)
    values = np.asarray(array) if _is_raw(name, options) else blank_filled(np.asarray(array))
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    described = describe(values, _reversed(name, options))
    native.call("hr_write_array", name, byref(described), byref(members))


def blank_filled(array: NDArray[Any]) -> NDArray[Any]:
    """Characters as Fortran has them: filled up with blanks, where numpy has NULs."""
    if array.dtype.kind != "S" or array.dtype.itemsize == 0:
        return array
    return np.char.ljust(array, array.dtype.itemsize).astype(array.dtype)


def strip_blanks(array: NDArray[Any]) -> None:
    """Make numpy's padding of the blanks at the end of characters."""
    if array.dtype.kind == "S":
        array[...] = np.char.rstrip(array, b" ")


def read_array(file: FileName, array: NDArray[Any], **options: Unpack[ReadOptions]) -> None:
    """Read a file into all elements of an array, whose shape must be that of the file.

    Blanks at the end of characters become numpy's padding, except from raw files.
    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        raise HeadraceError("read_array needs a numpy array that can be written", "read_text makes a new one")
    if not array.dtype.isnative:
        raise HeadraceError(f"the array has the other byte order ({array.dtype.str})", "give it the machine's own")
    name = file_name(file)
    members = _members(native.ReadOptions(), options)
    described = describe(array, _reversed(name, options))
    native.call("hr_read_array", name, byref(described), byref(members))
    if not _is_raw(name, options):
        strip_blanks(array)


def write_text(file: FileName, array: Any, **options: Unpack[WriteOptions]) -> None:
    """As write_array; a name without an ending of its own is a text with blanks between the cells."""
    write_array(file, array, **_as_text(file, options))


def read_text(file: FileName, dtype: DTypeLike = np.float64, **options: Unpack[ReadOptions]) -> NDArray[Any]:
    """Read a text file into a new array of shape (rows, columns).

    For characters only header="yes" makes the first line a header; number= and missing= are refused.
    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    chosen: ReadOptions = _as_text(file, options)
    rows, columns = c_longlong(), c_longlong()
    members = _members(native.ReadOptions(), chosen)
    if chosen.get("edit"):
        raise HeadraceError(
            "read_text cannot find the shape of a file that is read with edit=",
            "make an array of its shape and call read_array",
        )
    element = np.dtype(dtype)
    members.type = _type(element)
    native.call("hr_text_shape", file_name(file), byref(members), byref(rows), byref(columns))
    array = np.empty((rows.value, columns.value), element)
    read_array(file, array, **chosen)
    return array


def file_name(file: FileName) -> bytes:
    """The name as the C interface takes it."""
    name = os.fsencode(file)
    if b"\0" in name:
        raise HeadraceError(f"the file name {name!r} holds a NUL character")
    return name


def _ending(name: bytes) -> str:
    parts = Path(os.fsdecode(name.lower())).suffixes
    if parts and parts[-1] in _PACKED_ENDINGS:
        parts.pop()
    return parts[-1] if parts else ""


Options = TypeVar("Options", WriteOptions, ReadOptions)


def _as_text(file: FileName, options: Options) -> Options:
    if not options.get("format") and _ending(file_name(file)) not in _TEXT_ENDINGS:
        options["format"] = "text"
    return options


def _is_raw(name: bytes, options: WriteOptions | ReadOptions) -> bool:
    chosen = (options.get("format") or "").lower()
    return chosen == "raw" if chosen else _ending(name) in _RAW_ENDINGS


def _reversed(name: bytes, options: WriteOptions | ReadOptions) -> bool:
    """Whether the elements follow in element order, instead of standing in rows of cells."""
    return _is_raw(name, options) or bool(options.get("edit"))


def describe(array: NDArray[Any], element_order: bool) -> native.Array:
    """An array for the C interface: in numpy's element order, or with rows as they look in two dimensions."""
    kind = _type(array.dtype)
    if array.ndim > native.MAX_ARRAY_RANK:
        raise HeadraceError(f"the array has {array.ndim} dimensions; {native.MAX_ARRAY_RANK} are the most")
    shape, strides = array.shape, array.strides
    if element_order or array.ndim > 2:
        shape, strides = shape[::-1], strides[::-1]
    described = native.Array(array.ctypes.data, array.dtype.itemsize, kind, array.ndim)
    described.extent[: array.ndim] = shape
    described.stride[: array.ndim] = strides
    return described


def _type(dtype: np.dtype[Any]) -> int:
    kind = _TYPES.get(dtype.kind)
    if dtype.kind == "S" and dtype.itemsize == 0:
        raise HeadraceError("the type 'S' has no length", "give one, such as 'S20'")
    if kind is None or dtype.itemsize == 0:
        raise HeadraceError(
            f"an array of {dtype} has no type of Fortran's",
            "convert it with astype: whole numbers to int64, text to 'S'",
        )
    return kind


_Members = TypeVar("_Members", bound=Structure)


def _members(target: _Members, options: WriteOptions | ReadOptions) -> _Members:
    """Fill the structure of options; ctypes keeps alive what its members point to."""
    known = {name for name, *_ in target._fields_}
    for name, value in options.items():
        if name not in known or name == "type" or name.endswith("_count"):
            raise TypeError(f"there is no option {name}=")
        if value is None:
            continue
        if name == "columns" or (name == "header" and isinstance(target, native.WriteOptions)):
            _set_list(target, name, value)
        elif name in ("threads", "skip_rows"):
            setattr(target, name, _number(name, value, "an int"))
        elif name == "append" and isinstance(value, bool):
            target.append = (b"no", b"yes")[value]
        else:
            setattr(target, name, _text(name, value, "True or False" if name == "append" else "a str"))
    return target


def _set_list(target: Structure, name: str, values: Any) -> None:
    items: Any
    if name == "columns":
        expected = "an int or a sequence of int"
        numbers = [_number(name, value, expected) for value in _sequence(values)]
        items, count = (c_int * len(numbers))(*numbers), "column_count"
    else:
        expected = "a str or a sequence of str"
        texts = [_text(name, value, expected) for value in _sequence(values)]
        items, count = (c_char_p * len(texts))(*texts), "header_count"
    setattr(target, name, items)
    setattr(target, count, len(items))


def _sequence(values: Any) -> Sequence[Any]:
    return (
        list(values) if isinstance(values, Sequence | np.ndarray) and not isinstance(values, str | bytes) else [values]
    )


def _number(option: str, value: Any, expected: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise _unfit(option, value, expected) from None
    if isinstance(value, bool | np.bool_):
        raise _unfit(option, value, expected)
    if not -(2**31) <= number < 2**31:
        raise _unfit(option, value, "a number of 32 bits")
    return number


def _text(option: str, value: Any, expected: str) -> bytes:
    if not isinstance(value, str):
        raise _unfit(option, value, expected)
    if "\0" in value:
        raise _unfit(option, value, "a text without a NUL character")
    return value.encode(errors="surrogateescape")


def _unfit(option: str, value: Any, expected: str) -> HeadraceError:
    return HeadraceError(f"{option}= expects {expected}, found {value!r} ({type(value).__name__})")
