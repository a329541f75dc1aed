"""The C interface of include/headrace*.h: finds the shared library and mirrors its types. First: arrays.py."""

import ctypes
import functools
import os
import struct
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_longlong, c_size_t, c_ssize_t, c_void_p
from ctypes.util import find_library
from typing import Any

from headrace.errors import HeadraceError, status_error
from headrace.installing import how_to_reinstall
from headrace.version import VERSION, built_file

NAME = "libheadrace_core.so"
MAX_ARRAY_RANK = 15
_MESSAGE_BYTES = 2048

INTEGER, REAL, COMPLEX, LOGICAL, CHARACTER, UNSIGNED = 1, 2, 3, 4, 5, 6  # hr_type


class Array(ctypes.Structure):
    """hr_array: an array in memory, dimensions in Fortran order."""

    _fields_ = (
        ("base", c_void_p),
        ("elem_len", c_size_t),
        ("type", c_int),
        ("array_rank", c_int),
        ("extent", c_ssize_t * MAX_ARRAY_RANK),
        ("stride", c_ssize_t * MAX_ARRAY_RANK),
    )


# The members of Array with so many dimensions.
_ARRAYS = tuple(
    struct.Struct(f"@PNii{rank}n{(MAX_ARRAY_RANK - rank) * ctypes.sizeof(c_ssize_t)}x{rank}n")
    for rank in range(MAX_ARRAY_RANK + 1)
)


def array(base: int, elem_len: int, kind: int, extents: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """An Array with these members, many times as fast as setting them."""
    described = Array()
    rank = len(extents)
    _ARRAYS[rank].pack_into(described, 0, base, elem_len, kind, rank, *extents, *strides)
    return described


class Error(ctypes.Structure):
    """hr_error: what happened last."""

    _fields_ = (("status", c_int), ("message", ctypes.c_char * _MESSAGE_BYTES))


class WriteOptions(ctypes.Structure):
    """hr_write_options; all members zero mean the defaults."""

    _fields_ = (
        ("format", c_char_p),
        ("sync", c_char_p),
        ("replace", c_char_p),
        ("append", c_char_p),
        ("threads", c_int),
        ("edit", c_char_p),
        ("number", c_char_p),
        ("delimiter", c_char_p),
        ("decimal", c_char_p),
        ("header", POINTER(c_char_p)),
        ("header_count", c_int),
        ("byte_order", c_char_p),
        ("record_marker", c_int),
        ("record_length", c_longlong),
        ("record", c_longlong),
        ("checksum", c_char_p),
        ("name", c_char_p),
        ("compression", c_char_p),
        ("dialect", c_char_p),
        ("level", c_int),
    )


class ReadOptions(ctypes.Structure):
    """hr_read_options; all members zero mean the defaults."""

    _fields_ = (
        ("format", c_char_p),
        ("threads", c_int),
        ("edit", c_char_p),
        ("number", c_char_p),
        ("delimiter", c_char_p),
        ("decimal", c_char_p),
        ("header", c_char_p),
        ("comment", c_char_p),
        ("skip_rows", c_int),
        ("columns", POINTER(c_int)),
        ("column_count", c_int),
        ("missing", c_char_p),
        ("type", c_int),
        ("byte_order", c_char_p),
        ("record_marker", c_int),
        ("record_length", c_longlong),
        ("record", c_longlong),
        ("checksum", c_char_p),
        ("name", c_char_p),
        ("dialect", c_char_p),
        ("column_names", POINTER(c_char_p)),
        ("column_name_count", c_int),
    )


class Text(ctypes.Structure):
    """hr_text: a text that a function made; hr_text_free gives its memory back."""

    _fields_ = (("bytes", c_void_p), ("length", c_size_t))


class ArrayInfo(ctypes.Structure):
    """hr_array_info: what a file says about an array in it."""

    _fields_ = (
        ("type", c_int),
        ("array_rank", c_int),
        ("elem_len", c_size_t),
        ("extent", c_ssize_t * MAX_ARRAY_RANK),
        ("bytes", c_longlong),
        ("big_endian", c_int),
        ("last_index_fastest", c_int),
        ("data_offset", c_longlong),
        ("data_file", ctypes.c_char * 4096),
    )


class Format(ctypes.Structure):
    """hr_format: a file format and the endings that choose it."""

    _fields_ = (
        ("name", c_char_p),
        ("endings", c_char_p),
        ("is_text", c_int),
        ("keeps_indices", c_int),
        ("takes_unsigned", c_int),
        ("is_parallel", c_int),
    )


class Hint(ctypes.Structure):
    """hr_hint: a hint of MPI-IO, and which libraries look it up."""

    _fields_ = (
        ("name", c_char_p),
        ("words", c_char_p),
        ("least", c_longlong),
        ("most", c_longlong),
        ("ompio", c_int),
        ("romio", c_int),
        ("cray", c_int),
        ("headrace", c_int),
        ("pnetcdf", c_int),
    )


class RecordOptions(ctypes.Structure):
    """hr_record_options; all members zero mean the defaults."""

    _fields_ = (
        ("action", c_char_p),
        ("record_marker", c_int),
        ("byte_order", c_char_p),
        ("long_records", c_char_p),
        ("record_type", c_char_p),
        ("sync", c_char_p),
    )


_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "hr_write_array": (c_char_p, POINTER(Array), POINTER(WriteOptions), POINTER(Error)),
    "hr_read_array": (c_char_p, POINTER(Array), POINTER(ReadOptions), POINTER(Error)),
    "hr_describe_array": (c_char_p, POINTER(ReadOptions), POINTER(ArrayInfo), POINTER(Error)),
    "hr_reserve_temporary": (c_char_p, c_char_p, c_size_t, POINTER(c_int64), POINTER(Error)),
    "hr_release_temporary": (POINTER(c_int64), POINTER(Error)),
    "hr_text_shape": (
        c_char_p,
        POINTER(ReadOptions),
        POINTER(c_longlong),
        POINTER(c_longlong),
        POINTER(Error),
    ),
    "hr_column_names": (
        c_char_p,
        POINTER(ReadOptions),
        POINTER(Text),
        POINTER(c_int64),
        POINTER(Error),
    ),
    "hr_open_records": (c_char_p, POINTER(RecordOptions), POINTER(c_int64), POINTER(Error)),
    "hr_next_record": (c_int64, POINTER(c_longlong), POINTER(Error)),
    "hr_read_record": (c_int64, POINTER(Array), POINTER(Error)),
    "hr_read_records": (c_int64, POINTER(Array), POINTER(Error)),
    "hr_write_record": (c_int64, POINTER(Array), POINTER(Error)),
    "hr_write_records": (c_int64, POINTER(Array), POINTER(Error)),
    "hr_skip_records": (c_int64, c_longlong, POINTER(Error)),
    "hr_go_to_record": (c_int64, c_longlong, POINTER(Error)),
    "hr_count_records": (c_int64, POINTER(c_longlong), POINTER(c_longlong), POINTER(Error)),
    "hr_record_form": (c_int64, POINTER(c_int), POINTER(c_int), POINTER(Error)),
    "hr_locate_records": (
        c_int64,
        c_longlong,
        c_size_t,
        POINTER(c_longlong),
        POINTER(c_longlong),
        POINTER(c_longlong),
        POINTER(c_size_t),
        POINTER(Error),
    ),
    "hr_close_records": (POINTER(c_int64), POINTER(Error)),
    "hr_cells_put": (POINTER(c_int64), POINTER(Array), c_void_p, c_int, POINTER(Error)),
    "hr_cells_get": (c_int64, POINTER(Array), c_int64, c_int64, c_void_p, POINTER(Error)),
    "hr_cells_read": (c_char_p, POINTER(c_int64), c_void_p, POINTER(Error)),
    "hr_cells_write": (c_char_p, c_int64, c_void_p, c_int, POINTER(Error)),
    "hr_cells_close": (POINTER(c_int64), POINTER(Error)),
}
_CONSTANTS = ("hr_stat_name", "hr_format_at", "hr_format_of", "hr_hint_at")  # they cannot fail


# Errors that no call uses at the moment: making one clears two thousand bytes. Taking one out and putting it back are
# single steps to all threads.
_errors: list[Error] = []


def call(function: str, *arguments: Any) -> None:
    """Call a function of the library; a status other than 0 is raised as StatusError."""
    try:
        error = _errors.pop()
    except IndexError:
        error = Error()
    status = getattr(library(), function)(*arguments, byref(error))
    if status != 0:
        name = library().hr_stat_name(status)
        message = bytes(error.message).decode(errors="replace")
        raise status_error(status, name.decode() if name else os.strerror(status), message)
    _errors.append(error)


@functools.cache
def library() -> ctypes.CDLL:
    """The file that HEADRACE_LIBRARY names; else the library of this package; else the system's.

    Raises HeadraceError when there is none, or when it is not of the version of this package.
    """
    path = library_path()
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise HeadraceError(
            f"the library {path} cannot be loaded: {error}",
            _remedy("build it again on this machine"),
        ) from error
    _check_version(loaded, path)
    for name, types in _FUNCTIONS.items():
        getattr(loaded, name).argtypes = types
        getattr(loaded, name).restype = c_int
    loaded.hr_text_free.argtypes = (POINTER(Text),)
    loaded.hr_text_free.restype = None
    loaded.hr_stat_name.argtypes = (c_int,)
    loaded.hr_stat_name.restype = c_char_p
    loaded.hr_format_at.argtypes = (c_int,)
    loaded.hr_format_at.restype = POINTER(Format)
    loaded.hr_format_of.argtypes = (c_char_p,)
    loaded.hr_format_of.restype = POINTER(Format)
    loaded.hr_hint_at.argtypes = (c_int, POINTER(Hint))
    loaded.hr_hint_at.restype = c_int
    return loaded


def library_path() -> str:
    """Where the library is, or what the system's loader calls it."""
    named = os.environ.get("HEADRACE_LIBRARY")
    if named:
        return named
    found = built_file(NAME) or find_library("headrace_core")
    if found:
        return str(found)
    raise HeadraceError(
        "the headrace library is not there: this package was installed without it",
        f"install g++, unset HEADRACE_LIBRARY_OPTIONAL and run `{how_to_reinstall()}`; or set HEADRACE_LIBRARY to a "
        f"{NAME}",
    )


def _remedy(what: str) -> str:
    if os.environ.get("HEADRACE_LIBRARY"):
        return f"HEADRACE_LIBRARY names it: unset it, or name a {NAME} of this machine and version {VERSION}"
    return f"{what}: {how_to_reinstall()}"


def _check_version(loaded: ctypes.CDLL, path: str) -> None:
    missing = [name for name in (*_FUNCTIONS, *_CONSTANTS) if not hasattr(loaded, name)]
    version = VERSION
    if hasattr(loaded, "hr_version"):
        loaded.hr_version.argtypes = ()
        loaded.hr_version.restype = c_char_p
        version = loaded.hr_version().decode()
    if missing or version != VERSION:
        found = f"has no {', '.join(missing)}" if missing else f"is of version {version}"
        raise HeadraceError(
            f"the library {path} {found}, this package is of version {VERSION}",
            _remedy("install both from the same source"),
        )
