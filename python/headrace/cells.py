"""Arrays as cells of text and back, through include/headrace_tables.h. First: measure/text/python_worker.py."""

from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace import native
from headrace.arrays import blank_filled, describe, strip_blanks
from headrace.options import FileName, file_name


class _Style(Structure):
    """hr_text_style; all members zero mean the defaults."""

    _fields_ = (
        ("fmt", c_char_p),
        ("decimals", POINTER(c_int)),
        ("decimal", c_char_p),
        ("imaginary", c_char_p),
        ("missing", c_char_p),
        ("threads", c_int),
        ("since", c_char_p),
    )


class _Separators(Structure):
    """hr_separators; all members zero mean commas and line feeds."""

    _fields_ = (("column", c_char_p), ("column_length", c_size_t), ("row", c_char_p), ("row_length", c_size_t))


class Cells:
    """A table of texts in memory; `with Cells() as cells:` gives the memory back."""

    def __init__(self, threads: int = 0) -> None:
        self._handle = c_int64(0)
        self._threads = threads

    def put(self, array: Any, fmt: str = "", since: str = "") -> None:
        """Replace all cells by the elements of an array; fmt is "", "e", "f", "g", "i" or "z" (hexadecimal).

        Blanks and NULs at the end of characters are ignored. since="1970-01-01": float64 or int64 are seconds
        since then and become dates and times of ISO 8601, NaN an empty cell.
        """
        described = describe(blank_filled(np.asarray(array)), False)
        native.call("hr_cells_put", byref(self._handle), byref(described), byref(self._style(fmt, since)), 0)

    def get(self, array: NDArray[Any], fmt: str = "", since: str = "") -> None:
        """Fill an array of the cells' shape.

        since="1970-01-01": dates and times of ISO 8601 become seconds since then, in an array of float64 or int64.
        """
        described = describe(array, False)
        zero = c_int64(0)
        native.call("hr_cells_get", self._handle, byref(described), zero, zero, byref(self._style(fmt, since)))
        strip_blanks(array)

    def read(self, file: FileName) -> None:
        """Replace all cells by those of a file."""
        native.call("hr_cells_read", file_name(file), byref(self._handle), byref(_Separators()))

    def write(self, file: FileName) -> None:
        """Write the cells to a file, with commas between them."""
        native.call("hr_cells_write", file_name(file), self._handle, byref(_Separators()), 0)

    def close(self) -> None:
        """Give the memory back."""
        native.call("hr_cells_close", byref(self._handle))

    def __enter__(self) -> "Cells":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _style(self, fmt: str, since: str) -> _Style:
        return _Style(fmt=fmt.encode(), threads=self._threads, since=since.encode())
