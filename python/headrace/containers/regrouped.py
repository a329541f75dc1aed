"""Tiles of an array whose chunks lie across them: each chunk is read once, and what it holds waits in a scratch file.

The tiles that a file takes one after the other are layers of the slowest dimension. A store of a C program may have
chunks that are thin along another one: each layer would need all chunks.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from headrace.containers.output import room_for
from headrace.containers.reordered import copy_elements
from headrace.containers.variable import TILE, Tile, Values, tiles

_SCRATCH = 8 * TILE  # bytes that wait in memory; more wait in a file
_BLOCK = 24 << 20  # bytes of chunks that are read at a time: more would be new memory each time

Read = Callable[[Tile], Values]
Key = tuple[tuple[int, int], ...]


def regrouped(read: Read, shape: tuple[int, ...], chunks: tuple[int, ...], size: int, beside: Path) -> tuple[Read, int]:
    """A reader that decodes each chunk once, and the grain of its tiles. A scratch file may lie beside `beside`."""
    grain = chunks[0] if chunks else 1
    if 0 in shape or not shape or _fits(shape, chunks, size, grain):
        return read, grain
    return Regrouped(read, shape, chunks, size, beside), 1


def _fits(shape: tuple[int, ...], chunks: tuple[int, ...], size: int, grain: int) -> bool:
    """Whether no tile cuts a chunk, and tiles are no larger than the chunks make necessary."""
    first = next(tiles(shape, size, grain))
    extents = [s.stop - s.start for s in first]
    whole = all(n % c == 0 or n == all_ for n, c, all_ in zip(extents, chunks, shape, strict=True))
    return whole and math.prod(extents) * size <= max(4 * TILE, 2 * math.prod(chunks) * size)


class Regrouped:
    """Reads tiles from what the first call has gathered, cut as the tiles are."""

    def __init__(self, read: Read, shape: tuple[int, ...], chunks: tuple[int, ...], size: int, beside: Path) -> None:
        self._read, self._shape, self._chunks, self._size, self._beside = read, shape, chunks, size, beside
        self._pieces: list[tuple[Tile, Values]] | None = None
        self._of_tile: dict[Key, list[tuple[Tile, Values]]] = {}

    def __call__(self, tile: Tile) -> Values:
        if self._pieces is None:
            self._pieces = list(self._gathered())
        pieces = self._of_tile.get(_key(tile), self._pieces)
        values = np.empty(tuple(s.stop - s.start for s in tile), pieces[0][1].dtype)
        for box, stored in pieces:
            common = _common(box, tile)
            if common is not None:
                values[_within(common, tile)] = stored[_within(common, box)]
        return values

    def _gathered(self) -> Iterator[tuple[Tile, Values]]:
        """All elements: for each block of chunks its part of each tile, one behind the other."""
        wanted = list(tiles(self._shape, self._size))
        room: Values | None = None
        done = 0
        for block in self._blocks():
            values = self._read(block)
            if room is None:
                room = room_for((math.prod(self._shape),), values.dtype, self._beside, _SCRATCH)
            for tile in wanted:
                common = _common(block, tile)
                if common is None:
                    continue
                part = values[_within(common, block)]
                piece = room[done : done + part.size].reshape(part.shape)
                copy_elements(piece, part)
                done += part.size
                self._of_tile.setdefault(_key(tile), []).append((common, piece))
                yield common, piece

    def _blocks(self) -> Iterator[Tile]:
        """Boxes of whole chunks, as long along the fastest dimensions as fits."""
        extents = [min(c, n) for c, n in zip(self._chunks, self._shape, strict=True)]
        for axis in reversed(range(len(extents))):
            times = max(1, _BLOCK // (math.prod(extents) * self._size))
            extents[axis] = min(extents[axis] * times, self._shape[axis])
        begins = (range(0, n, e) for n, e in zip(self._shape, extents, strict=True))
        for begin in itertools.product(*begins):
            yield tuple(slice(b, min(b + e, n)) for b, e, n in zip(begin, extents, self._shape, strict=True))


def _key(tile: Tile) -> Key:
    return tuple((s.start, s.stop) for s in tile)


def _common(one: Tile, other: Tile) -> Tile | None:
    """What two boxes share."""
    found = tuple(slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(one, other, strict=True))
    return found if all(s.start < s.stop for s in found) else None


def _within(box: Tile, outer: Tile) -> Tile:
    """The place of a box in an array that begins where `outer` does."""
    return tuple(slice(s.start - o.start, s.stop - o.start) for s, o in zip(box, outer, strict=True))
