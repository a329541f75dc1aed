"""Whole numpy arrays to files and back: `write_array`, `read_array`, `write_text`, `read_text`. Next: options.py.

    import headrace, numpy

    x = numpy.random.default_rng(1).normal(size=(1_000_000, 10))
    headrace.write_array("x.csv", x)                    # shortest decimals that give the same values
    y = headrace.read_text("x.csv")                     # a new array
    headrace.write_array("x.dat", x, edit="(10e15.5)")  # byte for byte what Fortran's WRITE writes

Row i of a text file with delimiters holds x[i, :]; an array of one dimension is one column, or a row if header= or
the file that is appended to has as many columns as it has elements. npy, npz and meta files keep the indices: x[i, j]
is x(i + 1, j + 1) to Fortran. With `edit=`, in raw, unformatted and direct files, and for texts of three dimensions and
more the elements follow in the order of x.ravel(): to Fortran the dimensions are reversed. `load` (loading.py) makes a
new array, `records` (record_files.py) reads files of many records.
"""

import re
from ctypes import byref, c_int64, c_longlong, string_at
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from typing_extensions import Unpack

from headrace import native
from headrace.errors import HeadraceError
from headrace.formats import keep_indices, take_unsigned, texts
from headrace.options import (
    FileName,
    Options,
    ReadOptions,
    WriteOptions,
    file_name,
    format_of,
    is_text,
    members,
)

_TYPES = {
    "i": native.INTEGER,
    "f": native.REAL,
    "c": native.COMPLEX,
    "b": native.LOGICAL,
    "S": native.CHARACTER,
    "u": native.UNSIGNED,
}
_BITS = {"b", "o", "z", "x", "t", "tl", "tr", "bn", "bz", "s", "sp", "ss"}  # edit descriptors; the rest place and fill


def write_array(file: FileName, array: Any, **options: Unpack[WriteOptions]) -> None:
    """Write all elements of an array (strided, Fortran-ordered, of any number of dimensions) to a file.

    The file's ending or `format` chooses the form; `number`, `delimiter`, `decimal` and `header` shape a text,
    `edit` is a Fortran format such as "(10e15.5)", written as the gfortran of `dialect` writes it ("gfortran12";
    default: the newest that is known). `level` is that of compression (.gz, .zst, npz with compression="deflate").
    The file appears under its name only when it is complete.

    Unsigned integers and float16 keep their type in npy and npz files, their bytes in raw, unformatted and direct
    ones. In texts they are written exactly, but for uint64 from 2**63 on, which is refused unless number="hex" or an
    `edit` of B, O and Z alone writes its bits; meta files refuse both.

    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    name = file_name(file)
    chosen = byref(members(native.WriteOptions(), options)) if options else None
    form = format_of(name, options)
    values = np.asarray(array)
    if form in texts():
        values = blank_filled(values)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    values = _for_format(values, form, options)
    described = _described(values, form, options)
    native.call("hr_write_array", name, byref(described), chosen)


def column_names(file: FileName, **options: Unpack[ReadOptions]) -> list[str]:
    """Give the names in the header of a text file of numbers, of the columns that are read; none if it has no header.

    Options as for read_text, which makes the array of the same file. A mark in front that other programs skip
    ("# time mass") is not part of the names.
    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    given = members(native.ReadOptions(), _as_text(file, options))
    text, count = native.Text(), c_int64()
    native.call("hr_column_names", file_name(file), byref(given), byref(text), byref(count))
    try:
        names = string_at(text.bytes, text.length).split(b"\0")[: count.value]
    finally:
        native.library().hr_text_free(byref(text))
    return [name.decode(errors="surrogateescape") for name in names]


def new_array(
    extents: tuple[int, ...], element: np.dtype[Any], order: Literal["C", "F"] = "C", *, blank: bool = False
) -> NDArray[Any]:
    """Room for these elements; files can claim more of them than any machine holds."""
    try:
        return (np.zeros if blank else np.empty)(extents, element, order=order)
    except (MemoryError, ValueError, OverflowError) as error:
        raise HeadraceError(
            f"there is no room for an array of {element} of shape {extents}: {error}",
            "map the file (mmap=True), or read it in parts",
        ) from None


def element_of(dtype: DTypeLike) -> np.dtype[Any]:
    """The type of elements whose bytes can come from a file."""
    try:
        element = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError, OverflowError) as error:
        raise HeadraceError(f"dtype= expects a numpy type, found {dtype!r}: {error}") from None
    if element.hasobject:
        raise HeadraceError(
            f"the bytes of a file cannot be {element}: its elements are references to Python objects",
            "give a type whose elements have a fixed size",
        )
    if element.itemsize == 0:
        raise HeadraceError(f"the type {element.kind!r} has no length", f"give one, such as '{element.kind}20'")
    return element


def signed(array: NDArray[Any]) -> NDArray[Any]:
    """The same bytes as a type that Fortran has: it knows no unsigned integers."""
    return array.view(f"i{array.dtype.itemsize}") if array.dtype.kind == "u" else array


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

    Blanks at the end of characters become numpy's padding if the file is a text.
    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        raise HeadraceError("read_array needs a numpy array that can be written", "read_text makes a new one")
    if not array.dtype.isnative:
        raise HeadraceError(f"the array has the other byte order ({array.dtype.str})", "give it the machine's own")
    name = file_name(file)
    chosen = byref(members(native.ReadOptions(), options)) if options else None
    form = format_of(name, options)
    into, is_new = _to_fill(array, form, options)
    described = _described(into, form, options)
    native.call("hr_read_array", name, byref(described), chosen)
    if is_new and _has_bits(array.dtype, options):
        _check_signs(file, into, options)
        array[...] = into.view(array.dtype)
    elif is_new:
        _narrow(into, array, name)
    if form in texts():
        strip_blanks(array)


def write_text(file: FileName, array: Any, **options: Unpack[WriteOptions]) -> None:
    """As write_array; a name without an ending of its own is a text with blanks between the cells."""
    write_array(file, array, **_as_text(file, options))


def read_text(file: FileName, dtype: DTypeLike = np.float64, **options: Unpack[ReadOptions]) -> NDArray[Any]:
    """Read a text file into a new array of shape (rows, columns).

    A first line of names above numbers is a header; header="yes" or "no" decides otherwise. For characters only
    header="yes" makes the first line a header; number= and missing= are refused.
    Raises HeadraceError; for a system call that failed it is an OSError as well.
    """
    chosen: ReadOptions = _as_text(file, options)
    rows, columns = c_longlong(), c_longlong()
    given = members(native.ReadOptions(), chosen)
    if chosen.get("edit"):
        raise HeadraceError(
            "read_text cannot find the shape of a file that is read with edit=",
            "make an array of its shape and call read_array",
        )
    element = element_of(dtype)
    given.type = _TYPES["i"] if element.kind == "u" else _type(element)
    native.call("hr_text_shape", file_name(file), byref(given), byref(rows), byref(columns))
    array = new_array((rows.value, columns.value), element)
    read_array(file, array, **chosen)
    return array


def _is_unknown(dtype: np.dtype[Any]) -> bool:
    """Whether only numpy and C have the type."""
    return dtype.kind == "u" or (dtype.kind == "f" and dtype.itemsize == 2)


def _wider(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A type of Fortran's that holds all values of an unsigned type, but for uint64, or of float16."""
    return np.dtype("f4") if dtype.kind == "f" else np.dtype(f"i{min(8, 2 * dtype.itemsize)}")


def _for_format(values: NDArray[Any], form: str, options: WriteOptions) -> NDArray[Any]:
    """The same numbers as a type that the format has."""
    if not _is_unknown(values.dtype) or form in take_unsigned() or not form:
        return values
    if form not in texts():
        raise HeadraceError(f"{form} files have no {values.dtype}", f"convert it with astype: {_wider(values.dtype)}")
    if _has_bits(values.dtype, options):
        return signed(values)
    if options.get("number") == "hex":
        raise HeadraceError('number="hex" cannot write float16', "convert it with astype: float32")
    if values.dtype.itemsize == 8 and values.size > 0 and values.max() > np.iinfo("i8").max:
        raise HeadraceError(
            f"{values.max()} is more than an integer of 8 bytes holds, in Fortran and in texts",
            "write an .npy file, or texts: array.astype('S20')",
        )
    return values.astype(_wider(values.dtype))


def _to_fill(array: NDArray[Any], form: str, options: ReadOptions) -> tuple[NDArray[Any], bool]:
    """What the library can read such a file into: this array, or a new one, whose numbers have to be moved."""
    if not _is_unknown(array.dtype) or form in take_unsigned() or not form:
        return array, False
    if form not in texts():
        raise HeadraceError(f"{form} files have no {array.dtype}", f"read into an array of {_wider(array.dtype)}")
    if array.dtype.kind == "f":
        raise HeadraceError(
            "a text cannot be read as float16 without rounding twice", "read float64, and round it: astype('f2')"
        )
    if options.get("number") == "hex":
        return signed(array), False
    return np.empty(array.shape, _wider(array.dtype)), True


def _has_bits(dtype: np.dtype[Any], options: ReadOptions | WriteOptions) -> bool:
    """Whether the digits in a text are those of the bits of unsigned integers.

    B, O and Z edit descriptors have those of a wider type as well, but for uint64, which has none.
    """
    if options.get("number") == "hex":
        return dtype.kind == "u"
    return dtype == np.uint64 and _has_only_bits(options.get("edit") or "")


def _has_only_bits(edit: str) -> bool:
    """Whether a Fortran format has B, O and Z edit descriptors for numbers, and no others."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", ",", edit.lower().replace(" ", ""))
    found = set(re.findall("[a-z]+", plain))
    return bool(found & {"b", "o", "z"}) and found <= _BITS


def _check_signs(file: FileName, bits: NDArray[Any], options: ReadOptions) -> None:
    """Raises HeadraceError if a highest bit comes from a minus sign, which Fortran reads with B, O and Z as well."""
    if not (bits < 0).any():
        return
    edit = (options.get("edit") or "").lower().replace(" ", "")
    widths = [int(width) for width in re.findall(r"[boz](\d+)", edit)]
    cells = np.empty(bits.shape, f"S{max(widths, default=1)}")
    read_array(file, cells, **{**options, "edit": re.sub(r"[boz](\d+)(\.\d+)?", r"a\1", edit)})  # type: ignore[arg-type]
    signs = np.char.find(cells, b"-") >= 0
    if signs.any():
        where = tuple(int(i) for i in np.argwhere(signs)[0])
        raise HeadraceError(
            f"{file_name(file).decode(errors='replace')}: element {where} is {bits[where]}, which uint64 does not have",
            "read into an array of int64",
        )


def _narrow(wide: NDArray[Any], array: NDArray[Any], name: bytes) -> None:
    """Move numbers to an unsigned array if it has them all."""
    bad = (wide < 0) | (wide > min(np.iinfo(array.dtype).max, np.iinfo(wide.dtype).max))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise HeadraceError(
            f"{name.decode(errors='replace')}: element {where} is {wide[where]}, which {array.dtype} does not have",
            "read into an array of int64",
        )
    array[...] = wide


def _as_text(file: FileName, options: Options) -> Options:
    if not is_text(file_name(file), options) and not options.get("format"):
        options["format"] = "text"
    return options


def _described(array: NDArray[Any], form: str, options: WriteOptions | ReadOptions) -> native.Array:
    if form in keep_indices():
        return described_as(array, array.shape, array.strides)
    return describe(array, bool(options.get("edit")) or (form not in texts() and bool(form)))


def describe(array: NDArray[Any], element_order: bool) -> native.Array:
    """An array for the C interface: in numpy's element order, or with rows as they look in two dimensions."""
    if element_order or array.ndim > 2:
        return described_as(array, array.shape[::-1], array.strides[::-1])
    return described_as(array, array.shape, array.strides)


def described_as(
    array: NDArray[Any], extents: tuple[int, ...], strides: tuple[int, ...], kind: int = 0
) -> native.Array:
    """An array for the C interface with these dimensions, in Fortran's order; `kind` of Fortran's if not numpy's."""
    kind = kind or _type(array.dtype)
    if array.ndim > native.MAX_ARRAY_RANK:
        raise HeadraceError(f"the array has {array.ndim} dimensions; {native.MAX_ARRAY_RANK} are the most")
    return native.array(array.ctypes.data, array.dtype.itemsize, kind, extents, strides)


def _type(dtype: np.dtype[Any]) -> int:
    kind = _TYPES.get(dtype.kind)
    if dtype.kind == "S" and dtype.itemsize == 0:
        raise HeadraceError("the type 'S' has no length", "give one, such as 'S20'")
    if kind is None or dtype.itemsize == 0:
        raise HeadraceError(
            f"an array of {dtype} has no type in Fortran",
            "convert it with astype: whole numbers to int64, text to 'S'",
        )
    return kind
