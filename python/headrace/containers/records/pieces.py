"""Arrays that a schema names, read tile by tile from one file or from the pieces of many.

Next: ../../layout/pieces.py.
"""

import functools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.containers.request import Side
from headrace.containers.variable import Stored, Tile, Values, Variable, element, part
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.layout.left_out import LeftOut
from headrace.layout.pieces import Block, GlobalArray, whole_arrays
from headrace.layout.positions import Integers
from headrace.layout.schema import Schema

_OPEN = 64  # files that are mapped at a time
_MANY = 8  # segments that are worth a look whether they lie at equal distances


def of_schema(schema: Schema, files: list[Path], wanted: range | None = None) -> tuple[list[Variable], LeftOut]:
    """The named arrays, and what of the records `wanted` (default: all) is in none of them.

    Raises HeadraceError if the files do not fit the schema, overlap, or leave a gap.
    """
    names = {array.name: kinds.find(array.kind or "") for array in schema.arrays()}
    arrays, left = whole_arrays(_as_bytes(schema), files, wanted=wanted)
    return [_joined(array, schema, names[array.name]) for array in arrays], left


def _as_bytes(schema: Schema) -> Schema:
    """The 128-bit kinds, which have no numpy type, as so many characters."""

    def replaced(table: Any) -> Any:
        if isinstance(table, dict):
            return {key: _bytes_of(value) if key == "kind" else replaced(value) for key, value in table.items()}
        return [replaced(item) for item in table] if isinstance(table, list) else table

    plain = schema.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return Schema.model_validate(replaced(plain))


def _bytes_of(name: Any) -> Any:
    kind = kinds.find(name) if isinstance(name, str) else None
    return f"character({kind.size})" if kind is not None and kind.dtype("little") is None else name


def _joined(array: GlobalArray, schema: Schema, kind: Kind | None) -> Variable:
    assert kind is not None
    split = array.kind.is_character  # it has its length as the last dimension
    shape = array.shape[:-1] if split else array.shape
    dimensions = array.dimensions[:-1] if split else array.dimensions
    order = schema.file.byte_order
    if len(array.blocks) == 1 and array.blocks[0].shape == array.shape:
        where = segments(array.blocks[0].path, array.blocks[0].offset, array.blocks[0].size)
        return where.variable(array.name, kind, order, shape, dimensions)
    parts = [_part(block, kind, order, split) for block in array.blocks]
    dtype = element(kind, order)

    def read(tile: Tile) -> Values:
        values = np.empty(tuple(s.stop - s.start for s in tile), dtype)
        if array.fill is not None:
            values[...] = array.fill
        for start, own in parts:
            low = [max(s.start, b) for s, b in zip(tile, start, strict=True)]
            high = [min(s.stop, b + n) for s, b, n in zip(tile, start, own.shape, strict=True)]
            if all(a < b for a, b in zip(low, high, strict=True)):
                here = tuple(slice(a - s.start, b - s.start) for a, b, s in zip(low, high, tile, strict=True))
                there = tuple(slice(a - o, b - o) for a, b, o in zip(low, high, start, strict=True))
                values[here] = own.read(there)
        return values

    return Variable(array.name, kind, order, shape, read, dimensions)


def _part(block: Block, kind: Kind, order: str, split: bool) -> tuple[tuple[int, ...], Variable]:
    start, shape = (block.start[:-1], block.shape[:-1]) if split else (block.start, block.shape)
    return start, segments(block.path, block.offset, block.size).variable("", kind, order, shape)


@functools.lru_cache(maxsize=_OPEN)
def _mapped(path: Path, size: int, changed: int) -> NDArray[np.uint8]:
    return np.memmap(path, np.uint8, "r", 0, (size,)) if size else np.zeros(0, np.uint8)


@dataclass(frozen=True, eq=False)
class Segments:
    """Bytes of a file that belong together: `size[s]` at `offset[s]`, one segment behind the other."""

    path: Path
    offset: Integers
    size: Integers
    edges: Integers
    changed: tuple[int, int]  # size of the file and when it was changed

    def variable(
        self, name: str, kind: Kind, order: str, shape: tuple[int, ...], dimensions: tuple[str, ...] | None = None
    ) -> Variable:
        """The bytes as an array."""
        dtype = element(kind, order)
        if len(self.offset) == 1 and math.prod(shape) > 0:
            begin = int(self.offset[0])
            where = Stored(self.path.absolute(), Side("raw"), begin, self.changed[1])
            stored = self._file()[begin : begin + math.prod(shape) * kind.size].view(dtype).reshape(shape)
            return Variable(name, kind, order, shape, lambda tile: part(stored, tile), dimensions, stored, stored=where)
        return Variable(name, kind, order, shape, lambda tile: self._tile(tile, shape, dtype), dimensions)

    def _tile(self, tile: Tile, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Values:
        extents = tuple(s.stop - s.start for s in tile)
        first = int(np.ravel_multi_index([s.start for s in tile], shape)) if shape else 0
        last = int(np.ravel_multi_index([s.stop - 1 for s in tile], shape)) if shape else 0
        if last + 1 - first == math.prod(extents):
            return self._bytes(first, last + 1, dtype).reshape(extents)
        row = math.prod(shape[1:])
        rows = self._bytes(tile[0].start * row, tile[0].stop * row, dtype).reshape(extents[0], *shape[1:])
        return rows[(slice(None), *tile[1:])]

    def _bytes(self, first: int, behind: int, dtype: "np.dtype[Any]") -> Values:
        """Elements from `first` to before `behind`."""
        low, high = first * dtype.itemsize, behind * dtype.itemsize
        result = np.empty(high - low, np.uint8)
        file = self._file()
        one = int(np.searchsorted(self.edges, low, "right")) - 1
        end = int(np.searchsorted(self.edges, high, "left"))
        equal = self._equal(one, end)
        for s in range(one, end) if not equal else (one, end - 1):
            a, b = max(low, int(self.edges[s])), min(high, int(self.edges[s + 1]))
            at = int(self.offset[s]) + a - int(self.edges[s])
            result[a - low : b - low] = file[at : at + b - a]
        if equal:
            size, count = int(self.size[one + 1]), end - one - 2
            step = int(self.offset[one + 2] - self.offset[one + 1])
            begin, to = int(self.offset[one + 1]), int(self.edges[one + 1]) - low
            rows = np.lib.stride_tricks.as_strided(file[begin:], (count, size), (step, 1), writeable=False)
            result[to : to + count * size] = rows.reshape(-1)
        return result.view(dtype)

    def _equal(self, one: int, end: int) -> bool:
        """Whether the segments between the first and the last have one size and distance."""
        if end - one < _MANY:
            return False
        size, offset = self.size[one + 1 : end - 1], self.offset[one + 1 : end - 1]
        apart = np.diff(offset)
        return bool((size == size[0]).all() and (apart == apart[0]).all())

    def _file(self) -> NDArray[np.uint8]:
        about = self.path.stat()
        if (about.st_size, about.st_mtime_ns) != self.changed:
            raise HeadraceError(
                f"{self.path}: the file has changed while it was read", "convert it when nothing writes to it"
            )
        return _mapped(self.path.absolute(), *self.changed)


def segments(path: Path, offset: Integers, size: Integers) -> Segments:
    """The segments of a file, those without bytes left out."""
    about = path.stat()
    held = size > 0
    offset, size = offset[held], size[held]
    edges = np.concatenate(([0], np.cumsum(size, dtype=np.int64)))
    if len(offset) and int((offset + size).max()) > about.st_size:
        raise HeadraceError(f"{path}: the file has become shorter", "convert it when nothing writes to it")
    return Segments(path, offset, size, edges, (about.st_size, about.st_mtime_ns))
