"""A named array on its way from one file to another: read tile by tile. Next: formats.py.

The shape is in C order, the last dimension fastest, as HDF5 lists it: Fortran's x(i, j, k) is [k-1, j-1, i-1].
"""

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_size_t, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace import native
from headrace.containers.request import Side
from headrace.containers.words import word_bytes
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.kinds import Kind

TILE = 32 << 20  # bytes that are held at a time

Tile = tuple[slice, ...]
Values = NDArray[Any]

_NAMES = {"i": "int", "u": "uint", "b": "logical", "f": "real"}


def element(kind: Kind, byte_order: str) -> "np.dtype[Any]":
    """The numpy type of a kind; the 128-bit reals are plain bytes to numpy."""
    return kind.dtype(byte_order) or np.dtype(f"V{kind.size}")


def kind_of(dtype: "np.dtype[Any]") -> Kind | None:
    """The kind of a numpy type; None when it has none."""
    if dtype.kind == "S" and dtype.itemsize > 0:
        return kinds.find(f"character({dtype.itemsize})")
    if dtype.kind == "c" and dtype.itemsize <= 16:
        return kinds.find(f"complex(real{dtype.itemsize * 4})")
    if dtype.kind not in _NAMES or dtype.itemsize > 8:
        return None
    return kinds.find(f"{_NAMES[dtype.kind]}{dtype.itemsize * 8}")


def order_of(dtype: "np.dtype[Any]") -> str:
    """The byte order of a numpy type: "little" or "big"."""
    return {"<": "little", ">": "big"}.get(dtype.byteorder, sys.byteorder)


@dataclass(frozen=True)
class Stored:
    """Where all elements lie, one behind the other: the records of a file, or so many bytes of it."""

    path: Path
    side: Side
    first: int = 0  # byte, in a file without records
    changed: int = 0  # when the file was changed
    record_bytes: int = 0  # of each record, if all have as many


@dataclass(frozen=True, eq=False)
class Variable:
    """A named array. `read` gives the elements of a tile as they are stored, in `byte_order`."""

    name: str
    kind: Kind
    byte_order: str
    shape: tuple[int, ...]
    read: Callable[[Tile], Values]
    dimensions: tuple[str, ...] | None = None
    mapped: Values | None = None  # all elements, if they are in memory or mapped
    grain: int = 1  # the first dimension is best read in multiples of this
    stored: Stored | None = None  # the library copies them from there

    @property
    def bytes(self) -> int:
        """Of all elements."""
        return math.prod(self.shape) * self.kind.size

    def tiles(self) -> Iterator[Tile]:
        """Parts that follow each other in memory and make the whole; none when there are no elements."""
        return tiles(self.shape, self.kind.size, self.grain)

    def blocks(self, byte_order: str) -> Iterator[tuple[Tile, Values]]:
        """Each tile with its elements, contiguous, in a byte order."""
        for tile in self.tiles():
            yield tile, in_order(self.read(tile), self.kind, self.byte_order, byte_order)


def tiles(shape: tuple[int, ...], size: int, grain: int = 1, limit: int = TILE) -> Iterator[Tile]:
    """Cut a shape of elements of `size` bytes into contiguous parts of at most `limit` bytes, if an element fits."""
    if 0 in shape:
        return
    axis = 0
    while axis < len(shape) and math.prod(shape[axis + 1 :]) * size > limit:
        axis += 1
    if axis >= len(shape):
        axis = max(len(shape) - 1, 0)
    if not shape:
        yield ()
        return
    step = max(1, limit // (math.prod(shape[axis + 1 :]) * size))
    if axis == 0 and grain > 1:
        step = max(grain, step - step % grain)
    whole = tuple(slice(0, extent) for extent in shape[axis + 1 :])
    for outer in itertools.product(*(range(extent) for extent in shape[:axis])):
        fixed = tuple(slice(i, i + 1) for i in outer)
        for begin in range(0, shape[axis], step):
            yield (*fixed, slice(begin, min(begin + step, shape[axis])), *whole)


def in_order(values: Values, kind: Kind, have: str, want: str) -> Values:
    """The elements one behind the other in a byte order; no bit of a value changes."""
    plain = values if values.flags.c_contiguous else np.ascontiguousarray(values).reshape(values.shape)
    word = word_bytes(kind)
    if have == want or word == 1:
        return plain.view(element(kind, want))
    turned = np.empty(plain.shape, element(kind, want))
    swap = native.library().hr_swap_bytes
    swap(c_void_p(turned.ctypes.data), c_void_p(plain.ctypes.data), c_size_t(plain.nbytes // word), c_size_t(word))
    return turned


def of_array(name: str, values: Values, kind: Kind, byte_order: str, **more: Any) -> Variable:
    """A variable of an array in memory, or mapped."""
    stored = values.view(element(kind, byte_order))
    return Variable(name, kind, byte_order, stored.shape, lambda tile: part(stored, tile), mapped=stored, **more)


def part(stored: Values, tile: Tile) -> Values:
    """A tile of an array; the ellipsis keeps an array without dimensions an array."""
    index: Any = (*tile, ...)
    found: Values = stored[index]
    return found


def known_kind(dtype: "np.dtype[Any]", place: str) -> Kind:
    """The kind of a numpy type. Raises HeadraceError for types that are none of Fortran's or C's numbers."""
    kind = kind_of(dtype)
    if kind is None:
        raise HeadraceError(
            f"{place}: elements of type {dtype} cannot be converted",
            "numbers, logicals and texts of fixed length can; choose other arrays with --name",
        )
    return kind


def names_of(variables: Sequence[Variable]) -> str:
    """Their names for a message, ten at most."""
    shown = ", ".join(repr(variable.name) for variable in variables[:10])
    return f"{shown} and {len(variables) - 10} more" if len(variables) > 10 else shown


def check_single(target: Path, variables: Sequence[Variable], holder: str, other: str) -> None:
    """Raises HeadraceError for several arrays if the target has room for one: "a text holds"."""
    if len(variables) != 1:
        raise HeadraceError(
            f"{target}: {holder} one array, not {len(variables)}: {names_of(variables)}",
            f"choose one with --name {variables[0].name}, or {other}",
        )
