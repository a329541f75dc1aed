"""Files of many records, as Fortran's unformatted sequential WRITE makes them: `records`. Next: native.py.

for record in headrace.records("run.unf"):     # arrays of bytes
    ...
with headrace.records("run.unf", dtype="float64") as file:
    last = file[-1]                            # one scan of the markers, then any record
"""

from collections.abc import Iterator
from ctypes import byref, c_int64, c_longlong, c_size_t
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from headrace import native
from headrace.arrays import describe, element_of, new_array, signed
from headrace.errors import HeadraceError, StatusError
from headrace.options import FileName, file_name, number_of, text_of

_PIECES = 4096
_LAST_NUMBER = 2**63 - 1  # long long


def records(
    file: FileName,
    dtype: DTypeLike = np.uint8,
    *,
    record_marker: int = 0,
    byte_order: str = "auto",
    long_records: str = "subrecords",
    record_type: str = "variable",
) -> "Records":
    """Open a file of records, to be iterated: each record is an array of one dimension of `dtype`.

    - record_marker: bytes of the length around a record, 4 or 8; 0 finds out
    - byte_order: "native", "little", "big"; "auto" finds out from the first records
    - long_records: how records over 2 GiB are marked: "subrecords" (gfortran, Intel), "high_bit" (PGI) or "unsigned"
      (LLVM flang)
    - record_type: "variable", or "segmented" (Intel)

    Values come in the machine's byte order. Raises HeadraceError: a damaged or cut file with the byte offset.
    """
    options = native.RecordOptions(
        action=b"read",
        record_marker=number_of("record_marker", record_marker, "an int"),
        byte_order=text_of("byte_order", byte_order),
        long_records=text_of("long_records", long_records),
        record_type=text_of("record_type", record_type),
    )
    return Records(file, element_of(dtype), options)


class Records:
    """An open file of records, made by `records`. The number of a record counts from 0."""

    def __init__(self, file: FileName, dtype: np.dtype[Any], options: native.RecordOptions) -> None:
        self._handle = c_int64(0)
        self.dtype = dtype.newbyteorder("=")
        native.call("hr_open_records", file_name(file), byref(options), byref(self._handle))

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """The records from where the file stands."""
        while (length := self.next_length()) is not None:
            yield self._read(length)

    def __len__(self) -> int:
        """Number of records; the first call scans the markers once."""
        count, after = c_longlong(), c_longlong()
        native.call("hr_count_records", self._handle, byref(count), byref(after))
        return count.value

    def __getitem__(self, number: int) -> NDArray[Any]:
        """Record `number`, from 0; negative numbers count from the end."""
        number = number_of("number", number, "an int", 64)
        count = len(self)
        if not -count <= number < count:
            raise IndexError(f"there is no record {number}: the file has {count}")
        self.seek(number % count)
        return self.read()

    def next_length(self) -> int | None:
        """Bytes of the next record, which is not read; None at the end."""
        length = c_longlong()
        try:
            native.call("hr_next_record", self._handle, byref(length))
        except StatusError as error:
            if error.name == "end_of_file":
                return None
            raise
        return length.value

    def read(self, dtype: DTypeLike | None = None) -> NDArray[Any]:
        """Read the next record, as `dtype` or that of the file; EOFError at the end."""
        length = self.next_length()
        if length is None:
            raise EOFError("there are no more records")
        return self._read(length, self.dtype if dtype is None else element_of(dtype).newbyteorder("="))

    def read_many(self, count: int, dtype: DTypeLike | None = None) -> NDArray[Any]:
        """Read `count` records of equal length as one array of shape (count, elements of a record): fast."""
        element = self.dtype if dtype is None else element_of(dtype).newbyteorder("=")
        if number_of("count", count, "an int", 64) < 0:
            raise HeadraceError(f"count= expects a number from 0 on, found {count}")
        length = self.next_length() if count > 0 else None
        array = new_array((count, self._elements(length or 0, element)), element)
        if count > 0:
            described = describe(signed(array), True)
            native.call("hr_read_records", self._handle, byref(described))
        return array

    def skip(self, count: int = 1) -> None:
        """Go forward by `count` records, or back when it is negative."""
        native.call("hr_skip_records", self._handle, c_longlong(number_of("count", count, "an int", 64)))

    def seek(self, number: int) -> None:
        """Go before record `number`, from 0; the first call scans the markers once."""
        wanted = min(number_of("number", number, "an int", 64), _LAST_NUMBER - 1)
        native.call("hr_go_to_record", self._handle, c_longlong(wanted + 1))

    def pieces(self) -> NDArray[np.int64]:
        """Where the data of all records lie: rows of (number of the record from 0, byte offset, bytes)."""
        blocks: list[NDArray[np.int64]] = []
        first = 1
        while len(block := self._pieces(first)) > 0:
            # A record may go on in the next block: it comes again, whole.
            whole = block if len(block) < _PIECES else block[block[:, 0] < block[-1, 0]]
            if len(whole) == 0:
                raise HeadraceError(f"record {first} has more than {_PIECES} pieces")
            blocks.append(whole)
            first = int(whole[-1, 0]) + 2
        return np.concatenate(blocks) if blocks else np.empty((0, 3), np.int64)

    def _pieces(self, first: int) -> NDArray[np.int64]:
        number, offset, length = ((c_longlong * _PIECES)() for _ in range(3))
        count = c_size_t()
        arguments = (c_longlong(first), c_size_t(_PIECES), number, offset, length, byref(count))
        native.call("hr_locate_records", self._handle, *arguments)
        columns = [np.array(column[: count.value], np.int64) for column in (number, offset, length)]
        columns[0] -= 1
        return np.stack(columns, axis=1)

    def _read(self, length: int, element: np.dtype[Any] | None = None) -> NDArray[Any]:
        element = element or self.dtype
        array = new_array((self._elements(length, element),), element)
        described = describe(signed(array), True)
        native.call("hr_read_record", self._handle, byref(described))
        return array

    @staticmethod
    def _elements(length: int, element: np.dtype[Any]) -> int:
        if length % element.itemsize:
            raise HeadraceError(
                f"the record has {length} bytes, not a whole number of {element}",
                "read it with another dtype; `headrace inspect` finds out what is probable",
            )
        return length // element.itemsize

    def close(self) -> None:
        """Close the file; twice is no error."""
        if self._handle.value:
            native.call("hr_close_records", byref(self._handle))
            self._handle.value = 0

    def __enter__(self) -> "Records":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and self._handle.value:
            self.close()
