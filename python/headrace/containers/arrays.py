"""Variables as whole arrays for the library's writers, which take native words. Next: variable.py."""

from ctypes import byref
from pathlib import Path
from typing import Any

import numpy as np

from headrace import native
from headrace.arrays import blank_filled
from headrace.containers.meter import Meter
from headrace.containers.output import room_for
from headrace.containers.request import MACHINE
from headrace.containers.variable import Values, Variable, element
from headrace.errors import HeadraceError
from headrace.layout.kinds import Kind
from headrace.options import file_name, members

_TYPES = {
    "int": native.INTEGER,
    "real": native.REAL,
    "complex": native.COMPLEX,
    "logical": native.LOGICAL,
    "character": native.CHARACTER,
}


def whole_array(variable: Variable, beside: Path, meter: Meter) -> Values:
    """All elements in the machine's byte order: mapped as they are, or gathered (a large array in a scratch file)."""
    mapped = variable.mapped
    if mapped is not None and (variable.byte_order == MACHINE or variable.kind.is_character):
        meter.add(variable.bytes)
        return mapped
    whole = room_for(variable.shape, element(variable.kind, MACHINE), beside)
    for tile, block in variable.blocks(MACHINE):
        whole[tile] = block
        meter.add(block.nbytes)
    return whole


def type_of(kind: Kind) -> int:
    """The hr_type of a kind; 0 for unsigned numbers, which Fortran does not have."""
    return next((number for name, number in _TYPES.items() if kind.name.startswith(name)), 0)


def native_array(variable: Variable, values: Values, order: str) -> tuple[native.Array, Values]:
    """An array for the C interface, and what it points to.

    With order "fortran" its dimensions are those that Fortran sees; "c" keeps the order that numpy shows.
    """
    number = type_of(variable.kind)
    rank = values.ndim
    if rank > native.MAX_ARRAY_RANK:
        raise HeadraceError(
            f"array {variable.name!r} has {rank} dimensions; {native.MAX_ARRAY_RANK} are the most of a Fortran array"
        )
    described = native.Array(values.ctypes.data, variable.kind.size, number or native.INTEGER, rank)
    turn = slice(None, None, -1) if order == "fortran" else slice(None)
    described.extent[:rank] = values.shape[turn]
    described.stride[:rank] = values.strides[turn]
    return described, values


def write(target: Path, beside: Path, variable: Variable, meter: Meter, order: str = "fortran", **options: Any) -> None:
    """Write one array with the library; `options` are those of headrace.write_array.

    `beside` is where a scratch file may lie. Raises HeadraceError for unsigned numbers if types are stored.
    """
    values = whole_array(variable, beside, meter)
    if options.pop("blanks", False):
        values = blank_filled(np.asarray(values))
    described, kept = native_array(variable, values, order)
    chosen = members(native.WriteOptions(), options)  # type: ignore[arg-type]
    native.call("hr_write_array", file_name(target), byref(described), byref(chosen))
    del kept


def check_fortran(variable: Variable, place: Path) -> None:
    """Raises HeadraceError for a kind that Fortran does not have."""
    if type_of(variable.kind) == 0:
        raise HeadraceError(
            f"{place}: array {variable.name!r} is {variable.kind.name}, which Fortran does not have",
            "npy, npz, hdf5, netcdf, zarr and parquet hold it; raw and unformatted files keep its bytes",
        )
