"""Chunks of a Zarr store that are plain bytes in the order that is wanted are mapped: a part is read, not the whole.

headrace_mpi makes the block of an MPI rank one chunk, which may be larger than memory.
"""

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from headrace.containers.request import MACHINE
from headrace.containers.variable import Tile, Values
from headrace.containers.zarr.order import turned
from headrace.errors import HeadraceError
from headrace.marks import COMPLETE


def plain_chunks(stored: Any, fortran: bool, dtype: "np.dtype[Any]", place: str) -> Callable[[Tile], Values] | None:
    """A reader of tiles; None for chunks that have to be decoded."""
    root = getattr(getattr(stored, "store", None), "root", None)
    if not isinstance(root, Path) or not _is_plain(stored, fortran) or not stored.shape or not dtype.itemsize:
        return None
    chunk = turned(stored.chunks, fortran)
    bytes_of_chunk = math.prod(chunk) * dtype.itemsize
    fill, complete = stored.metadata.fill_value, bool(stored.attrs.get(COMPLETE))
    rank = len(chunk)

    def mapped(place_of_chunk: tuple[int, ...]) -> Values | None:
        key = stored.metadata.encode_chunk_key(turned(place_of_chunk, fortran))
        path = root / stored.path / key
        try:
            size = path.stat().st_size
            if size != bytes_of_chunk:
                raise HeadraceError(
                    f"{place}: chunk {path} has {size:,} bytes, expected {bytes_of_chunk:,}",
                    "the chunk is damaged: copy it again",
                )
            return np.memmap(path, dtype, "r", 0, chunk)
        except FileNotFoundError:
            if not complete:
                return None
            raise HeadraceError(
                f"{place}: chunk {path} is missing, and all chunks of this array were written",
                "copy it again from its source",
            ) from None
        except OSError as error:
            raise HeadraceError(
                f"{place}: chunk {path} cannot be read: {error.strerror}", "check its permissions"
            ) from error

    def read(tile: Tile) -> Values:
        values: Values | None = None
        cells = [range(s.start // n, (s.stop - 1) // n + 1) for s, n in zip(tile, chunk, strict=True)]
        for cell in itertools.product(*cells):
            low = [max(s.start, c * n) for s, c, n in zip(tile, cell, chunk, strict=True)]
            high = [min(s.stop, c * n + n) for s, c, n in zip(tile, cell, chunk, strict=True)]
            source = mapped(cell)
            inner = tuple(slice(low[d] - cell[d] * chunk[d], high[d] - cell[d] * chunk[d]) for d in range(rank))
            part = source[inner] if source is not None else None
            if math.prod(map(len, cells)) == 1 and part is not None:
                return np.ascontiguousarray(part)
            if values is None:
                values = np.empty(tuple(s.stop - s.start for s in tile), dtype)
            here = tuple(slice(low[d] - tile[d].start, high[d] - tile[d].start) for d in range(rank))
            values[here] = fill if part is None else part
        assert values is not None
        return values

    return read


def _is_plain(stored: Any, fortran: bool) -> bool:
    """Whether a chunk file is the elements in the machine's byte order, the dimensions in the order that is wanted."""
    metadata = stored.metadata
    if metadata.zarr_format != 3 or stored.dtype.hasobject or not hasattr(metadata, "encode_chunk_key"):
        return False
    codecs = list(metadata.codecs)
    rank = len(stored.shape)
    if fortran and rank > 1:
        if getattr(codecs[0], "order", None) != tuple(range(rank))[::-1]:
            return False
        codecs = codecs[1:]
    if len(codecs) != 1 or type(codecs[0]).__name__ != "BytesCodec":
        return False
    endian = getattr(codecs[0], "endian", None)
    return stored.dtype.isnative and (endian is None or getattr(endian, "value", endian) == MACHINE)
