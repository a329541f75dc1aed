"""The functions of include/headrace_inspect.h: records walked and values weighed by the library."""

import ctypes
import functools
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any

from headrace import native
from headrace.options import FileName, file_name

PLAIN, SUBRECORDS, HIGH_BIT, UNSIGNED, SEGMENTED = range(5)  # hr_dialect_records
WHOLE, MARKER_CUT, BEYOND_END, DIFFERS, NO_LENGTH, NOT_CONTINUED = range(6)  # hr_survey_end
NONE, UNKNOWN, OTHER_ORDER, OTHER_MARKER, RESUMES, TRUNCATED = range(6)  # hr_survey_rest

_SURVEYS, _PROBES, MOST_ITEMS = 14, 16, 64
_PERIOD = 512  # HR_SURVEY_PERIOD
_TYPES = {native.INTEGER: "int", native.REAL: "real"}
LONGEST_ROW = 8192


class _Run(ctypes.Structure):
    _fields_ = (("times", c_int64), ("count", c_int64), ("length", c_int64 * _PERIOD))


class Survey(ctypes.Structure):
    """hr_record_survey."""

    _fields_ = (
        *((name, c_int) for name in ("marker_bytes", "big_endian", "long_records", "end")),
        *((name, c_int64) for name in ("records", "pieces", "empty", "checked", "echoed", "bytes", "stopped")),
        *((name, c_int64) for name in ("leading", "trailing", "shortest", "longest", "distinct")),
        ("length", c_int64 * 16),
        ("count", c_int64 * 16),
        *((name, c_int) for name in ("lengths", "runs", "runs_complete")),
        ("run", _Run * 24),
        ("rest", c_int),
        *((name, c_int64) for name in ("changes", "resumed", "rest_records", "rest_end", "missing")),
    )

    @property
    def order(self) -> str:
        """Byte order of the markers."""
        return "big" if self.big_endian else "little"

    def pattern(self) -> list[tuple[int, list[int]]]:
        """The runs: times, lengths."""
        return [(run.times, list(run.length[: run.count])) for run in self.run[: self.runs]]

    def histogram(self) -> list[tuple[int, int]]:
        """Lengths and how often each occurs, the most frequent first."""
        return list(zip(self.length[: self.lengths], self.count[: self.lengths], strict=True))


class _Probe(ctypes.Structure):
    _fields_ = (
        ("type", c_int),
        ("elem_len", c_size_t),
        ("big_endian", c_int),
        *((name, c_int64) for name in ("values", "zeros", "not_a_number", "infinite")),
        *((name, c_double) for name in ("bits", "smallest", "largest")),
        ("first", c_double * 4),
    )


class _Item(ctypes.Structure):
    _fields_ = (("type", c_int), ("elem_len", c_size_t), ("offset", c_int64), ("values", c_int64))


@dataclass(frozen=True)
class Probe:
    """Bytes taken for values of one type: the information left in them, in bits a value."""

    type: str
    size: int
    big: bool
    values: int
    zeros: int
    not_a_number: int
    bits: float
    smallest: float
    largest: float
    first: list[float]

    @property
    def total(self) -> float:
        """Bits of all values."""
        return self.bits * self.values


@functools.cache
def _library() -> ctypes.CDLL:
    library = native.library()
    error = POINTER(native.Error)
    signatures: dict[str, tuple[Any, ...]] = {
        "hr_survey_records": (c_char_p, POINTER(Survey), c_size_t, POINTER(c_size_t), POINTER(c_int64), error),
        "hr_probe_values": (c_void_p, c_size_t, c_int, POINTER(_Probe), c_size_t, POINTER(c_size_t), error),
        "hr_split_items": (
            c_void_p, c_size_t, c_size_t, c_int, POINTER(_Item), c_size_t, POINTER(c_size_t), error,
        ),
    }  # fmt: skip
    for name, types in signatures.items():
        getattr(library, name).argtypes = types
        getattr(library, name).restype = c_int
    return library


def _name(kind: int, size: int) -> str:
    if kind == 0:
        return "zeros"
    return "character" if kind == native.CHARACTER else f"{_TYPES[kind]}{8 * size}"


def survey_records(file: FileName) -> tuple[list[Survey], int]:
    """Every dialect of records, walked from the beginning of the file; and the file's bytes.

    Raises HeadraceError: what cannot be read, pipes, a file that shrinks.
    """
    _library()
    surveys, count, size = (Survey * _SURVEYS)(), c_size_t(), c_int64()
    native.call("hr_survey_records", file_name(file), surveys, c_size_t(_SURVEYS), byref(count), byref(size))
    return list(surveys[: count.value]), size.value


def probe_values(data: bytes, order: str = "both") -> list[Probe]:
    """All types that bytes may have, the most probable first. order: "both", "little" or "big"."""
    _library()
    probes, count = (_Probe * _PROBES)(), c_size_t()
    choice = ("both", "little", "big").index(order)
    native.call("hr_probe_values", data, c_size_t(len(data)), choice, probes, c_size_t(_PROBES), byref(count))
    return [
        Probe(_name(p.type, p.elem_len), p.elem_len, bool(p.big_endian), p.values, p.zeros, p.not_a_number, p.bits,
              p.smallest, p.largest, list(p.first[: min(4, p.values)]))
        for p in probes[: count.value]
    ]  # fmt: skip


def split_items(rows: list[bytes], big: bool) -> list[tuple[str, int, int, int]]:
    """Of which items rows of equal length are made: type, bytes of a value, offset in the row, values."""
    _library()
    items, count = (_Item * MOST_ITEMS)(), c_size_t()
    native.call(
        "hr_split_items", b"".join(rows), c_size_t(len(rows)), c_size_t(len(rows[0])), int(big), items,
        c_size_t(MOST_ITEMS), byref(count),
    )  # fmt: skip
    return [(_name(i.type, i.elem_len), i.elem_len, i.offset, i.values) for i in items[: count.value]]
