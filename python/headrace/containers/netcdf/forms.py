"""How NetCDF holds each kind, in the convention of headrace_mpi (mpi/formats/netcdf/file.hpp). Next: ../attributes.py.

Characters have their length along one more, fastest dimension, complex numbers their two parts; what complex numbers
and logicals of one byte are is in the attribute headrace_type. Read are also the compound {r, i} of h5py, and files
that say with headrace_kind which logicals and characters they hold, as earlier ones of convert do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headrace.containers.attributes import attributes_of, kind_and_order
from headrace.containers.request import MACHINE
from headrace.containers.variable import element, known_kind, order_of
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.marks import KIND, MARK


@dataclass(frozen=True)
class Form:
    """How elements are stored: `parts` values of a type along a dimension of their own; 0: one, without that."""

    dtype: "np.dtype[Any]"
    parts: int = 0
    dimension: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


def form_of(kind: Kind, byte_order: str) -> Form:
    """How a kind is written."""
    if kind.is_character:
        return Form(np.dtype("S1"), kind.size, f"string{kind.size}")
    dtype = element(kind, byte_order)
    if dtype.kind == "c":
        part = np.dtype(f"{dtype.byteorder}f{dtype.itemsize // 2}")
        return Form(part, 2, "complex", {MARK: "complex"})
    if kind.name == "logical8":
        return Form(np.dtype("i1"), attributes={MARK: "logical"})
    return Form(dtype, attributes=attributes_of(kind, byte_order))


def stored_kind(stored: Any, attributes: Mapping[str, Any], place: str) -> tuple[Kind, str, bool]:
    """Kind and byte order of a netCDF4 variable, and whether the last dimension is that of the parts."""
    dtype = _complex_of(stored.dtype)
    mark = str(attributes.get(MARK, ""))
    length = 0 if _ends_in_steps(stored) else stored.shape[-1]
    text = kinds.find(f"character({length})") if dtype == np.dtype("S1") and length else None
    if text is not None:
        return text, MACHINE, True
    order = MACHINE if stored.endian() == "native" else order_of(dtype)
    if mark == "complex" and dtype.kind == "f" and length == 2:
        return known_kind(np.dtype(f"c{2 * dtype.itemsize}"), place), order, True
    logical = kinds.find("logical8")
    if mark == "logical" and dtype == np.dtype("i1") and logical is not None:
        return logical, order, False
    kind, named_order = kind_and_order(dtype, attributes, place)
    return kind, named_order if KIND in attributes and stored.endian() != "native" else order, False


def _ends_in_steps(stored: Any) -> bool:
    """Whether there is no dimension behind that of the steps, or none at all."""
    dimensions = stored.get_dims()
    return not dimensions or (len(dimensions) == 1 and dimensions[0].isunlimited())


def _complex_of(dtype: "np.dtype[Any]") -> "np.dtype[Any]":
    """A compound of two reals r and i is a complex number."""
    if dtype.names != ("r", "i") or dtype[0] != dtype[1] or dtype[0].kind != "f":
        return dtype
    return np.dtype(f"c{dtype.itemsize}")
