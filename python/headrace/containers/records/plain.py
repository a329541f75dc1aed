"""Files that know bytes only: unformatted, direct access and raw. Next: pieces.py, which reads them by a schema."""

import os
from ctypes import byref, c_int64
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace import native
from headrace.containers.arrays import native_array, whole_array, write
from headrace.containers.meter import Meter
from headrace.containers.output import put, whole_file
from headrace.containers.records.copies import copy_elements, padding_note
from headrace.containers.records.dialects import dialect_of, schema_dialect
from headrace.containers.request import MACHINE, Request, Side
from headrace.containers.variable import Stored, Tile, Values, Variable, check_single, element
from headrace.errors import HeadraceError
from headrace.later import later
from headrace.layout.kinds import Kind
from headrace.options import file_name
from headrace.record_files import records as open_records

if TYPE_CHECKING:
    from headrace.containers.records import pieces
    from headrace.layout import positions as layout_positions
else:  # they load pydantic, which takes longer than a small file
    pieces, layout_positions = later("headrace.containers.records.pieces"), later("headrace.layout.positions")

_SUBRECORD = 2**31 - 9  # bytes at most, between markers of 4


def read(request: Request) -> list[Variable]:
    """The arrays of a schema, or the one array of --kind and --shape."""
    if request.schema is not None:
        variables, left = pieces.of_schema(request.schema, request.files, request.selected)
        if request.name is None:  # --name itself leaves out the others
            request.left_out.append(left)
        return variables
    if request.kind is None:
        raise HeadraceError(
            f"{request.file}: the file does not say what it holds",
            "name the kind of its values (--kind real64) and the shape (--shape 64,64), or a --schema;"
            " 'headrace inspect --schema' writes a first one",
        )
    dialect = dialect_of(request)
    if dialect.format == "unformatted":
        regular = _equal_records(request, dialect, request.kind)
        if regular is not None:
            return [regular]
    return [_all_bytes(request, dialect, request.kind)]


def _all_bytes(request: Request, dialect: Side, kind: Kind) -> Variable:
    """One array of all bytes of the file; direct access may have null bytes behind it, in its last record."""
    positions = layout_positions.record_positions(request.file, schema_dialect(dialect))
    held = int(positions.size.sum())
    shape = request.c_shape()
    if shape is None:
        if held % kind.size:
            raise _unfit(request, held, kind)
        shape = (held // kind.size,)
    wanted = int(np.prod(shape, dtype=object)) * kind.size
    spare = (dialect.record_length or 1) - 1 if dialect.format == "direct" else 0
    if not wanted <= held <= wanted + spare:
        raise _unfit(request, held, kind)
    changed = request.file.stat().st_mtime_ns
    where = pieces.segments(request.file, positions.offset, positions.size)
    found = where.variable(request.array_name, kind, dialect.byte_order or MACHINE, shape)
    if wanted < held and _any_byte(request.file, held - wanted):
        raise _unfit(request, held, kind)
    if found.stored is not None or wanted < held:
        return found
    return replace(found, stored=Stored(request.file.absolute(), dialect, changed=changed))


def _any_byte(path: Path, count: int) -> bool:
    """Whether the last bytes of a file are more than what fills up a record."""
    with path.open("rb") as file:
        file.seek(-count, os.SEEK_END)
        return any(file.read())


def _unfit(request: Request, held: int, kind: Kind) -> HeadraceError:
    shape = "" if request.shape is None else f" of shape {','.join(map(str, request.shape))}"
    return HeadraceError(
        f"{request.file}: the file holds {held:,} bytes of data, which do not fit {kind.name}{shape}",
        "check --kind and --shape; 'headrace inspect' shows what is probable",
    )


def _equal_records(request: Request, dialect: Side, kind: Kind) -> Variable | None:
    """Records of one length as an array whose slowest dimension counts them; None if the shape is another.

    The library reads many at a time: there may be hundreds of millions.
    """
    about = request.file.stat()
    segmented = dialect.record_type == "segmented"
    marker = 0 if segmented else dialect.record_marker or 4
    options: dict[str, Any] = {
        "byte_order": dialect.byte_order or MACHINE,
        "long_records": dialect.long_records or "subrecords",
    }
    file = open_records(
        request.file, f"S{kind.size}", record_marker=marker, record_type=dialect.record_type or "variable", **options
    )
    count, length = len(file), file.next_length() or 0
    if count < 2 or length == 0 or length % kind.size:
        return None
    own = length // kind.size
    shape = request.c_shape() or ((count, own) if own > 1 else (count,))
    if not shape or shape[0] != count or int(np.prod(shape[1:], dtype=object)) != own:
        return None

    def tile_of(tile: Tile) -> Values:
        first, behind = tile[0].start, tile[0].stop
        file.seek(first)
        try:
            values = file.read_many(behind - first)
        except HeadraceError as error:
            raise HeadraceError(
                f"{error.message}", "records of several lengths need a --schema; 'headrace inspect --schema' writes one"
            ) from error
        stored = values.view(element(kind, dialect.byte_order or MACHINE)).reshape(behind - first, *shape[1:])
        return stored[(slice(None), *tile[1:])]

    stored = None
    if not segmented and about.st_size == count * (length + _marker_bytes(length, marker, options["long_records"])):
        stored = Stored(request.file.absolute(), dialect, changed=about.st_mtime_ns, record_bytes=length)
    return Variable(request.array_name, kind, dialect.byte_order or MACHINE, shape, tile_of, stored=stored)


def _marker_bytes(length: int, marker: int, long_records: str) -> int:
    """Of all markers of a record; a long one may be several subrecords."""
    pieces = -(-length // _SUBRECORD) if marker == 4 and long_records == "subrecords" else 1
    return 2 * marker * pieces


def write_raw(request: Request, variables: list[Variable], meter: Meter) -> None:
    """The elements of all arrays, one array behind the other."""
    if len(variables) == 1 and copy_elements(variables[0], request.target, request.result, meter):
        return
    with whole_file(request.target) as temporary, temporary.open("wb", buffering=0) as file:
        for variable in variables:
            for _, block in variable.blocks(request.result.byte_order or variable.byte_order):
                put(file, block)
                meter.add(block.nbytes)


def write_direct(request: Request, variables: list[Variable], meter: Meter) -> None:
    """One array in records of the stated length."""
    check_single(request.target, variables, "direct access records of one length hold", "write an unformatted file")
    if request.result.record_length is None:
        raise HeadraceError(
            f"{request.target}: direct access needs the length of its records", "give its bytes: --to-record-length"
        )
    order = request.result.byte_order or variables[0].byte_order
    length = request.result.record_length
    if variables[0].bytes % length:
        request.notes.append(padding_note(length))
    write(request.target, request.target, variables[0], meter, byte_order=order, record_length=length, format="direct")


def write_unformatted(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A record for each array."""
    orders = {variable.byte_order for variable in variables}
    order = request.result.byte_order or (orders.pop() if len(orders) == 1 else MACHINE)
    if len(variables) == 1 and copy_elements(variables[0], request.target, request.result, meter):
        return
    options = native.RecordOptions(
        action=b"write", byte_order=order.encode(), record_marker=request.result.record_marker or 4
    )
    handle = c_int64(0)
    with whole_file(request.target) as temporary:
        native.call("hr_open_records", file_name(temporary), byref(options), byref(handle))
        try:
            for variable in variables:
                described, values = native_array(variable, whole_array(variable, request.target, meter), "fortran")
                native.call("hr_write_record", handle, byref(described))
                del values
        finally:
            native.call("hr_close_records", byref(handle))
