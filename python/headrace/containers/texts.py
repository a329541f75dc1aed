"""csv, tsv and text tables, list-directed and FORMAT texts, through the library's readers. Next: arrays.py.

Row i of a table holds x(i, :). With an edit format the elements follow in Fortran's order.
"""

import gzip
import math
import re
from ctypes import byref, c_longlong
from pathlib import Path
from typing import Any

import numpy as np

from headrace import native
from headrace.arrays import strip_blanks
from headrace.containers.arrays import native_array, type_of, write
from headrace.containers.meter import Meter
from headrace.containers.output import check_target, room_for
from headrace.containers.request import MACHINE, Request, Side
from headrace.containers.variable import Values, Variable, check_single, element, of_array
from headrace.errors import HeadraceError, StatusError
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.layout.left_out import LeftOutError
from headrace.options import file_name, members

_OPTIONS = ("format", "edit", "number", "dialect", "delimiter")
_READING = (*_OPTIONS, "missing", "columns")
_WRITING = (*_OPTIONS, "level")
_NOT_INTEGERS = ("bad_number", "number_out_of_range", "missing_value")
_SHAPE = re.compile(rb"#\s*shape:((?:\s+\d+)+)\s*$")
_LONGEST_SHAPE = 400
_QUIET_NAN = {4: 0x7FC00000, 8: 0x7FF8000000000000}


def read(request: Request) -> list[Variable]:
    """One array: numbers are int64 if all cells are whole numbers, else real64, unless --kind says otherwise."""
    if request.kind is not None:
        return [_read_as(request, request.kind)]
    whole, real = kinds.find("int64"), kinds.find("real64")
    assert whole is not None and real is not None
    try:
        return [_read_as(request, whole)]
    except StatusError as error:
        no_integer = request.source.missing is not None and error.name == "option_unknown"  # nan, 0.5
        if error.name not in _NOT_INTEGERS and not no_integer:
            raise
    return [_read_as(request, real)]


def _read_as(request: Request, kind: Kind) -> Variable:
    side = request.source
    given: dict[str, Any] = {name: getattr(side, name) for name in _READING}
    options = members(native.ReadOptions(), given)  # type: ignore[arg-type]
    if type_of(kind) == 0 or kind.size > 16 or kind.name == "real128":
        raise HeadraceError(f"{request.file}: a text cannot be read as {kind.name}", "choose another --kind")
    shape = request.c_shape() or _shape(request, options, kind)
    values = room_for(shape, element(kind, MACHINE), request.target)
    variable = of_array(request.array_name, values, kind, MACHINE)
    turned = _order(request, variable, side)
    described, _ = native_array(variable, values, turned)
    native.call("hr_read_array", file_name(request.file), byref(described), byref(options))
    if side.edit and _goes_on(request, variable, options):
        words = f"the values after the first {values.size:,}"
        if not request.partial:
            raise LeftOutError(
                f"{request.file}: {words} are not in {request.target}: nothing was written",
                "correct --shape; --partial writes the rest without",
            )
        request.notes.append(f"{words} are left out")
    strip_blanks(values)
    return variable


def _goes_on(request: Request, variable: Variable, options: native.ReadOptions) -> bool:
    """Whether a format finds one more value in the text; blank lines at its end read as zeros."""
    size = math.prod(variable.shape) + 1
    values = room_for((size,), element(variable.kind, MACHINE), request.target)
    described, _ = native_array(of_array("", values, variable.kind, MACHINE), values, "fortran")
    try:
        native.call("hr_read_array", file_name(request.file), byref(described), byref(options))
    except StatusError:
        return False
    return bool(values[-1].strip() if variable.kind.is_character else values[-1]) or not _ends_blank(request.file)


def _ends_blank(path: Path) -> bool:
    """Whether the last line is blank."""
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        last = b""
        for line in file:
            last = line
    return not last.strip()


def _order(request: Request, variable: Variable, side: Side) -> str:
    """Row i of a table is x[i, :] also to C; what has no rows is in element order."""
    return "c" if request.order == "c" and not side.edit and len(variable.shape) < 3 else "fortran"


def _shape(request: Request, options: native.ReadOptions, kind: Kind) -> tuple[int, ...]:
    """Rows and columns with the last dimension fastest; one column is an array of one dimension."""
    if request.source.edit:
        raise HeadraceError(
            f"{request.file}: a text that is read through a format does not tell its shape", "state it: --shape 64,64"
        )
    stated = None if request.source.columns else _stated_shape(request.file)
    if stated is not None:
        return stated
    rows, columns = c_longlong(), c_longlong()
    options.type = type_of(kind)
    native.call("hr_text_shape", file_name(request.file), byref(options), byref(rows), byref(columns))
    options.type = 0
    if columns.value == 1:
        return (rows.value,)
    return (rows.value, columns.value) if request.order == "c" else (columns.value, rows.value)


def _stated_shape(path: Path) -> tuple[int, ...] | None:
    """The shape of three dimensions and more, which the library writes as the first line; Fortran's order there."""
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            found = _SHAPE.match(file.readline(_LONGEST_SHAPE))
    except OSError:  # the library says what is wrong with the file
        return None
    shape = tuple(map(int, found[1].split())) if found else ()
    return shape[::-1] if len(shape) > 2 else None


def check(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for what a text cannot hold."""
    check_target(request.target)
    check_single(request.target, variables, "a text holds", "write an .npz file")
    kind = variables[0].kind
    if type_of(kind) == 0 or "real128" in kind.name:
        raise HeadraceError(
            f"{request.target}: a text cannot hold {kind.name}", "npy and hdf5 hold unsigned numbers, meta real128"
        )


def write_text(request: Request, variables: list[Variable], meter: Meter) -> None:
    """The array as a table, or through the edit format."""
    variable, side = variables[0], request.result
    if side.edit is None and side.number is None:
        _check_bits(request, variable)
    options: dict[str, Any] = {name: value for name in _WRITING if (value := getattr(side, name))}
    order = _order(request, variable, side)
    write(request.target, request.target, variable, meter, order, blanks=True, **options)


def _check_bits(request: Request, variable: Variable) -> None:
    """Decimals keep every bit of a number, but not those of a NaN; blanks at the end of characters are ignored."""
    for tile in variable.tiles():
        block = variable.read(tile)
        if variable.kind.name.startswith(("real", "complex")) and _has_other_nan(block):
            raise HeadraceError(
                f"{request.target}: array {variable.name!r} holds NaNs whose bits are lost in decimal numbers",
                "--to-number hex (and --from-number hex on the way back) keeps them; --to-number shortest writes NaN",
            )
        if variable.kind.is_character and _has_blank_end(block):
            raise HeadraceError(
                f"{request.target}: array {variable.name!r} holds texts that end in blanks and others that end in NULs",
                "a text does not keep both; npy, meta and hdf5 do",
            )


def _has_other_nan(block: Values) -> bool:
    parts = block.reshape(-1).view(block.real.dtype)
    found = parts[np.isnan(parts)]
    size = parts.dtype.itemsize
    bits = found.view(np.dtype(f"u{size}").newbyteorder(parts.dtype.byteorder))
    return bool((bits != _QUIET_NAN[size]).any())


def _has_blank_end(block: Values) -> bool:
    size = block.dtype.itemsize
    ends = np.ascontiguousarray(block).reshape(-1).view(np.uint8).reshape(-1, size)[:, -1]
    return bool((ends == 32).any() and (ends == 0).any())
