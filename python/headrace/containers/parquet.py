"""Parquet files through pyarrow: each array is a column. Next: attributes.py.

A row is an index of the slowest dimension; the other dimensions of an array make a list of fixed length. What pyarrow's
types do not say is in the column's metadata: kind and shape.
"""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from headrace.containers.left_out import note_attributes
from headrace.containers.meter import Meter
from headrace.containers.output import whole_file
from headrace.containers.request import MACHINE, Request
from headrace.containers.variable import Values, Variable, element, in_order, kind_of, of_array
from headrace.errors import HeadraceError
from headrace.installing import extra
from headrace.layout import kinds
from headrace.layout.kinds import Kind

_META = b"headrace"
_OWN = ("headrace", "pandas", "ARROW:schema", "PARQUET:field_id")  # what libraries need to read the columns


def check(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for arrays that are no columns of one table."""
    empty = next((v.name for v in variables if 0 in v.shape[1:]), None)
    if empty is not None:
        raise HeadraceError(f"{request.target}: array {empty!r} has rows without elements, which Parquet cannot hold")
    rows = {variable.shape[0] if variable.shape else 1 for variable in variables}
    if len(rows) > 1:
        shown = ", ".join(f"{v.name}: {v.shape[0] if v.shape else 1:,}" for v in variables[:8])
        raise HeadraceError(
            f"{request.target}: the columns of a Parquet file must all have the same length, these arrays have {shown}",
            "choose arrays with --name, or write hdf5, netcdf, zarr or npz",
        )


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """One table, a group of rows at a time."""
    pyarrow, parquet = extra("pyarrow", "Parquet"), extra("pyarrow.parquet", "Parquet")
    schema = pyarrow.schema([_field(pyarrow, variable) for variable in variables])
    count = (variables[0].shape[0] if variables[0].shape else 1) if variables else 0
    width = sum(v.bytes // max(count, 1) for v in variables)
    step = max(1, min(1 << 20, (32 << 20) // max(width, 1)))
    # A dictionary would hold one NaN for all: every bit is kept without.
    with (
        whole_file(request.target) as temporary,
        parquet.ParquetWriter(temporary, schema, use_dictionary=False) as file,
    ):
        for begin in range(0, count, step):
            rows = slice(begin, min(begin + step, count))
            columns = [_column(pyarrow, variable, rows) for variable in variables]
            file.write_table(pyarrow.table(columns, schema=schema))
            meter.add((rows.stop - rows.start) * width)


def _field(pyarrow: Any, variable: Variable) -> Any:
    said = {"kind": variable.kind.name, "shape": variable.shape}
    value, length = _value_type(pyarrow, variable.kind), _length(variable)
    stored = value if length is None else pyarrow.list_(pyarrow.field("element", value, nullable=False), length)
    return pyarrow.field(variable.name, stored, nullable=False, metadata={_META: json.dumps(said)})


def _value_type(pyarrow: Any, kind: Kind) -> Any:
    if kind.is_character or element(kind, MACHINE).kind == "V":
        return pyarrow.binary(kind.size)
    if kind.name.startswith("complex"):
        return pyarrow.from_numpy_dtype(np.dtype(f"f{kind.size // 2}"))
    return pyarrow.from_numpy_dtype(element(kind, MACHINE))


def _length(variable: Variable) -> int | None:
    """Values of a row; None: one, and no list."""
    own = int(np.prod(variable.shape[1:], dtype=object)) * (2 if variable.kind.name.startswith("complex") else 1)
    return None if own == 1 and len(variable.shape) < 2 else own


def _column(pyarrow: Any, variable: Variable, rows: slice) -> Any:
    tile = (rows, *(slice(0, extent) for extent in variable.shape[1:])) if variable.shape else ()
    block = in_order(variable.read(tile), variable.kind, variable.byte_order, MACHINE)
    type_, length = _value_type(pyarrow, variable.kind), _length(variable)
    count = block.nbytes // (type_.bit_width // 8)
    values = pyarrow.Array.from_buffers(type_, count, [None, pyarrow.py_buffer(block.tobytes())])
    if length is None:
        return values
    whole = pyarrow.list_(pyarrow.field("element", type_, nullable=False), length)
    return pyarrow.FixedSizeListArray.from_arrays(values, type=whole)


def read(request: Request) -> list[Variable]:
    """All columns, in memory."""
    parquet = extra("pyarrow.parquet", "Parquet")
    pyarrow = extra("pyarrow", "Parquet")
    path = request.file
    try:
        file = parquet.ParquetFile(path)
        names = [name for name in file.schema_arrow.names if request.name in (None, name)]
        table = file.read(columns=names)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise HeadraceError(f"{path}: is not a readable Parquet file: {error}", "see headrace inspect") from error
    fields = {name: table.schema.field(name) for name in names}
    keys = {name: _keys(field.metadata) for name, field in fields.items()}
    note_attributes(request, keys, lambda name: _keys(table.schema.metadata) if not name else (), _OWN)
    return [_variable(pyarrow, request, field, table.column(name)) for name, field in fields.items()]


def _keys(metadata: dict[bytes, bytes] | None) -> list[str]:
    return [key.decode(errors="replace") for key in metadata or ()]


def _variable(pyarrow: Any, request: Request, field: Any, column: Any) -> Variable:
    place = f"{request.file}: column {field.name!r}"
    if column.null_count:
        raise HeadraceError(f"{place}: has {column.null_count:,} nulls, which an array cannot hold", "fill them first")
    type_ = field.type
    listed = pyarrow.types.is_fixed_size_list(type_)
    inner = type_.value_type if listed else type_
    stored = _numpy_type(pyarrow, inner, place)
    values = _values(column.chunks, listed, inner, stored)
    said = json.loads((field.metadata or {}).get(_META, b"{}"))
    kind = kinds.find(str(said.get("kind", ""))) or kind_of(stored)
    if kind is None:
        raise HeadraceError(f"{place}: elements of type {inner} cannot be converted", "choose others with --name")
    shape = tuple(said.get("shape", (len(column), type_.list_size) if listed else (len(column),)))
    if int(np.prod(shape, dtype=object)) * kind.size != values.nbytes:
        raise HeadraceError(f"{place}: is no {kind.name} of shape {shape}", "its metadata were changed: remove them")
    return of_array(field.name, values.view(element(kind, MACHINE)).reshape(shape), kind, MACHINE)


def _numpy_type(pyarrow: Any, inner: Any, place: str) -> "np.dtype[Any]":
    if pyarrow.types.is_fixed_size_binary(inner):
        return np.dtype(f"S{inner.byte_width}")
    if pyarrow.types.is_boolean(inner):
        return np.dtype("?")
    if pyarrow.types.is_integer(inner) or pyarrow.types.is_float32(inner) or pyarrow.types.is_float64(inner):
        found: np.dtype[Any] = np.dtype(inner.to_pandas_dtype())
        return found
    raise HeadraceError(f"{place}: elements of type {inner} cannot be converted", "choose others with --name")


def _values(chunks: Any, listed: bool, inner: Any, stored: "np.dtype[Any]") -> Values:
    parts = list(_parts(chunks, listed, stored))
    return np.concatenate(parts) if parts else np.empty(0, stored)


def _parts(chunks: Any, listed: bool, stored: "np.dtype[Any]") -> Iterator[Values]:
    for chunk in chunks:
        plain = chunk.flatten() if listed else chunk
        if stored.kind == "b":
            yield np.asarray(plain.to_numpy(zero_copy_only=False), stored)
            continue
        data = np.frombuffer(plain.buffers()[1] or b"", np.uint8)
        begin = plain.offset * stored.itemsize
        yield data[begin : begin + len(plain) * stored.itemsize].view(stored)
