"""What hdf5, netcdf and zarr cannot say of a kind is kept in attributes. Next: hdf5/datasets.py.

An array with the attribute headrace_kind = "logical32" holds int32; "real128" opaque bytes of the order that
headrace_byte_order says.
"""

import re
from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from headrace.containers.request import MACHINE
from headrace.containers.variable import Values, Variable, element, known_kind, order_of
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.marks import KIND, ORDER

_PIECE = re.compile(r"_pieces/(.+)/piece_\d+")


def is_piece(name: str, arrays: Container[str]) -> bool:
    """Whether an array is but a part of another one that `headrace describe` presents."""
    found = _PIECE.fullmatch(name)
    return found is not None and found[1] in arrays


def stored_type(kind: Kind, byte_order: str) -> "np.dtype[Any]":
    """How the elements are stored: logicals of one byte are numpy's bool."""
    return np.dtype("?") if kind.name == "logical8" else element(kind, byte_order)


def attributes_of(kind: Kind, byte_order: str) -> dict[str, str]:
    """What has to be remembered."""
    if element(kind, byte_order).kind == "V":
        return {KIND: kind.name, ORDER: byte_order}
    return {KIND: kind.name} if kind.name.startswith("logical") and kind.size > 1 else {}


def kind_and_order(dtype: "np.dtype[Any]", attributes: Mapping[str, Any], place: str) -> tuple[Kind, str]:
    """Kind and byte order of a stored array."""
    named = attributes.get(KIND)
    kind = kinds.find(_text(named)) if named is not None else None
    if kind is None:
        return known_kind(dtype, place), order_of(dtype)
    if kind.size != dtype.itemsize:
        raise HeadraceError(
            f"{place}: {KIND} says {kind.name}, the elements have {dtype.itemsize} bytes",
            f"remove the attribute {KIND}",
        )
    return kind, _text(attributes.get(ORDER, order_of(dtype)))


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def check_logicals(variable: Variable, place: object) -> None:
    """Raises HeadraceError for logicals that are neither true nor false, as checked() does, before a byte is written.

    Those of more bytes are 0, 1 or, of some compilers, all bits.
    """
    kind = variable.kind
    if not kind.name.startswith("logical"):
        return
    for _, block in variable.blocks(MACHINE):
        wrong = (block != 0) & (block != 1)
        if kind.size > 1:
            wrong &= block != -1
        if block.size and wrong.any():
            what = "of one byte that are neither 0 nor 1" if kind.size == 1 else "that are neither 0, 1 nor -1"
            raise HeadraceError(
                f"{place}: array {variable.name!r} holds logicals {what}",
                f'name their kind "int{8 * kind.size}" in the schema, or with --kind',
            )


def checked(variable: Variable, block: Values, byte_order: str, place: object) -> Values:
    """A block as it is stored. Raises HeadraceError for logicals that are neither 0 nor 1."""
    if variable.kind.name != "logical8":
        return block
    if block.size and not ((block == 0) | (block == 1)).all():
        raise HeadraceError(
            f"{place}: array {variable.name!r} holds logicals of one byte that are neither 0 nor 1",
            'name their kind "int8" in the schema, or with --kind',
        )
    return block.view("?")
