"""Options of reading and writing arrays as the C interface takes them, and the format they mean. First: arrays.py."""

import operator
import os
from collections.abc import Sequence
from ctypes import Structure, c_char_p, c_int
from typing import Any, TypedDict, TypeVar

import numpy as np

from headrace import formats, native
from headrace.errors import HeadraceError

FileName = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_LARGE_NUMBERS = ("record_length", "record")
# To the library 0 means that an option was not given: nobody who says record=0 means that.
_FROM_ONE = {
    "record": "a number from 1 on",
    "record_length": "bytes from 1 on",
    "record_marker": "4 or 8 (bytes)",
    "level": "a number from 1 on",
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
    byte_order: str
    record_marker: int
    record_length: int
    record: int
    checksum: str
    name: str
    compression: str
    dialect: str
    level: int


class ReadOptions(TypedDict, total=False):
    """What the members of hr_read_options in headrace.h say; columns are names, or numbers that count from 1."""

    format: str
    threads: int
    edit: str
    number: str
    delimiter: str
    decimal: str
    header: str
    comment: str
    skip_rows: int
    columns: int | str | Sequence[int] | Sequence[str]
    missing: str
    byte_order: str
    record_marker: int
    record_length: int
    record: int
    checksum: str
    name: str
    dialect: str


def file_name(file: FileName) -> bytes:
    """The name as the C interface takes it."""
    name = os.fsencode(file)
    if b"\0" in name:
        raise HeadraceError(f"the file name {name!r} holds a NUL character")
    return name


Options = TypeVar("Options", WriteOptions, ReadOptions)


def format_of(name: bytes, options: WriteOptions | ReadOptions) -> str:
    """The format that the library will choose; "" when it knows none."""
    given = options.get("format")
    if given is not None:
        text_of("format", given)
    if given:
        return given.lower()
    dot = name.rfind(b".")
    if dot > 0 and name[dot - 1] not in b"/.":  # a name before the dot, as most files have
        plain = formats.plain_endings().get(name[dot:])
        if plain is not None:
            return plain
    return formats.chosen_by(name)


def is_text(name: bytes, options: WriteOptions | ReadOptions) -> bool:
    """Whether the file holds cells or edited numbers."""
    return format_of(name, options) in formats.texts()


_Members = TypeVar("_Members", bound=Structure)


def members(target: _Members, options: WriteOptions | ReadOptions) -> _Members:
    """Fill the structure of options; ctypes keeps alive what its members point to."""
    if not options:
        return target
    known = {name for name, *_ in target._fields_}
    for name, value in options.items():
        if name not in known or name in ("type", "column_names") or name.endswith("_count"):
            raise TypeError(f"there is no option {name}=")
        if value is None:
            continue
        if name in _FROM_ONE and number_of(name, value, "an int", 64) == 0:
            raise _unfit(name, value, _FROM_ONE[name])
        if name == "columns" or (name == "header" and isinstance(target, native.WriteOptions)):
            _set_list(target, name, value)
        elif name in _LARGE_NUMBERS:
            setattr(target, name, number_of(name, value, "an int", 64))
        elif name in ("threads", "skip_rows", "record_marker", "level"):
            setattr(target, name, number_of(name, value, "an int"))
        elif name == "append" and isinstance(value, bool):
            target.append = (b"no", b"yes")[value]
        else:
            setattr(target, name, text_of(name, value, "True or False" if name == "append" else "a str"))
    return target


def _set_list(target: Structure, name: str, values: Any) -> None:
    items: Any
    given = sequence_of(values)
    if name == "columns" and given and all(isinstance(value, str) for value in given):
        texts = [text_of(name, str(value)) for value in given]
        setattr(target, "column_names", (c_char_p * len(texts))(*texts))  # noqa: B010
        setattr(target, "column_name_count", len(texts))  # noqa: B010
        return
    if name == "columns":
        expected = "an int or a str, or a sequence of either"
        numbers = [number_of(name, value, expected) for value in given]
        items, count = (c_int * len(numbers))(*numbers), "column_count"
    else:
        expected = "a str or a sequence of str"
        texts = [text_of(name, value, expected) for value in given]
        items, count = (c_char_p * len(texts))(*texts), "header_count"
    setattr(target, name, items)
    setattr(target, count, len(items))


def sequence_of(values: Any) -> Sequence[Any]:
    """One value, or several, as several."""
    if isinstance(values, np.ndarray):
        return list(values) if values.ndim > 0 else [values[()]]
    return list(values) if isinstance(values, Sequence) and not isinstance(values, str | bytes) else [values]


def number_of(option: str, value: Any, expected: str, bits: int = 32) -> int:
    """A whole number that fits into an integer of C's, which would wrap without a word."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _unfit(option, value, expected) from None
    if isinstance(value, bool | np.bool_):
        raise _unfit(option, value, expected)
    if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise _unfit(option, value, f"a number of {bits} bits")
    return number


def text_of(option: str, value: Any, expected: str = "a str") -> bytes:
    """A text as C takes it."""
    if not isinstance(value, str):
        raise _unfit(option, value, expected)
    if "\0" in value:
        raise _unfit(option, value, "a text without a NUL character")
    return value.encode(errors="surrogateescape")


def _unfit(option: str, value: Any, expected: str) -> HeadraceError:
    return HeadraceError(f"{option}= expects {expected}, found {value!r} ({type(value).__name__})")
