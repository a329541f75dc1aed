"""A kerchunk reference JSON (version 1): a Zarr version 2 hierarchy whose chunks are byte ranges of existing files.

A chunk is one byte range, and all chunks of an array have one shape. So the chunk is the largest shape that is
contiguous in every piece and divides all pieces; a few small chunks across the boundary of a subrecord are copied into
the description.

As in the stores of convert and headrace_mpi, indices are the program's: Fortran's x(i, j, k) is x[i-1, j-1, k-1].
"""

import base64
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from headrace.errors import HeadraceError
from headrace.layout.hdf5 import check_dimensions
from headrace.layout.output import name_from, whole
from headrace.layout.pieces import Block, GlobalArray
from headrace.layout.positions import Integers
from headrace.layout.segments import cut

CHUNK_LIMIT = 1_000_000  # references of a file: about 60 MB of JSON
CHUNK_MANY = 100_000  # references of an array, before a few chunks are copied instead
COPY_LIMIT = 1_048_576  # bytes of an array that may be copied into the description

Index = tuple[int, ...]
T = TypeVar("T")


def write_kerchunk(
    out: Path, arrays: list[GlobalArray], absolute: bool, step: Callable[[str], None] = lambda name: None
) -> None:
    """Write the description, whole or not at all; `step` is called with the name of each array.

    absolute: name the data files from the root instead of relative to `out`. Raises HeadraceError for what cannot be
    described.
    """
    check_dimensions(arrays)
    references: dict[str, Any] = {".zgroup": json.dumps({"zarr_format": 2}), ".zattrs": "{}"}
    for array in map(_of_texts, arrays):
        step(array.name)
        chunk = chunk_shape(array)
        references[f"{array.name}/.zarray"] = json.dumps(_metadata(array, chunk))
        references[f"{array.name}/.zattrs"] = json.dumps({"_ARRAY_DIMENSIONS": _turned(array, array.dimensions)})
        for block in array.blocks:
            name = _name(out, block.path, absolute)
            for place, reference in _chunks(array, block, chunk, name):
                key = ".".join(map(str, _turned(array, place))) or "0"
                references[f"{array.name}/{key}"] = reference
    text: dict[str, Any] = {"version": 1}
    if not absolute:
        text["templates"] = {"dir": "."}
    with whole(out) as temporary:
        temporary.write_text(json.dumps(text | {"refs": references}), encoding="utf-8")


def _name(out: Path, data: Path, absolute: bool) -> str:
    name = name_from(out, data, absolute)
    if "{" in name or "}" in name or "://" in name:
        raise HeadraceError(f"{name}: a kerchunk reference cannot hold '{{', '}}' or '://'", "rename the file")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise HeadraceError(f"{name!r}: a JSON file holds only names in UTF-8", "rename the file") from None
    return name if absolute else "{{dir}}/" + name


def _of_texts(array: GlobalArray) -> GlobalArray:
    """Characters as whole texts: the single ones of netCDF have one more dimension than the program's array."""
    if not array.kind.is_character:
        return array
    blocks = tuple(replace(block, start=block.start[:-1], shape=block.shape[:-1]) for block in array.blocks)
    dtype = np.dtype(f"S{array.kind.size}")
    return replace(array, dtype=dtype, shape=array.shape[:-1], dimensions=array.dimensions[:-1], blocks=blocks)


def _turned(array: GlobalArray, values: "tuple[T, ...]") -> "tuple[T, ...]":
    """What belongs to the dimensions, in the order of the program."""
    return values[::-1] if array.fortran else values


def _metadata(array: GlobalArray, chunk: Index) -> dict[str, Any]:
    fill: Any = array.fill
    if isinstance(fill, float) and not math.isfinite(fill):
        fill = "NaN" if math.isnan(fill) else ("Infinity" if fill > 0 else "-Infinity")
    if array.dtype.kind == "c" and fill is not None:
        fill = [fill, 0.0]
    return {
        "zarr_format": 2,
        "shape": _turned(array, array.shape),
        "chunks": _turned(array, tuple(max(extent, 1) for extent in chunk)),
        "dtype": array.dtype.str,
        "order": "F" if array.fortran else "C",
        "compressor": None,
        "filters": None,
        "fill_value": fill,
        "dimension_separator": ".",
    }


def chunk_shape(array: GlobalArray) -> Index:
    """The largest chunk that every piece holds as one byte range.

    Where there is none, or only tiny ones, the one that makes the smallest description with the chunks across the
    boundaries of segments copied, at most COPY_LIMIT bytes of them.
    """
    if 0 in array.shape or not array.shape:
        return array.shape
    common = [
        math.gcd(*(n for block in array.blocks for n in (block.start[d], block.shape[d])))
        for d in range(len(array.shape))
    ]
    bounds = [np.cumsum(block.size)[:-1] for block in array.blocks]
    elements = sum(math.prod(block.shape) for block in array.blocks)
    best: tuple[int, Index] | None = None
    for shape in _candidates(array, common):
        count = elements // math.prod(shape)
        if count > CHUNK_LIMIT:
            break
        copied = _copied(bounds, math.prod(shape) * array.dtype.itemsize)
        if copied == 0 and (count <= CHUNK_MANY or best is None):
            return shape
        bytes_described = count * 60 + copied * 4 // 3
        if copied <= COPY_LIMIT and (best is None or bytes_described < best[0]):
            best = bytes_described, shape
    if best is not None:
        return best[1]
    raise HeadraceError(
        f"array {array.name!r}: it cannot be cut into fewer than {CHUNK_LIMIT} chunks of one shape that are each one "
        f"byte range: {_why(array, bounds)}",
        "an HDF5 description (x.h5) takes pieces of any shape and subrecords; or 'headrace convert'",
    )


def _why(array: GlobalArray, bounds: list[Integers]) -> str:
    shapes = sorted({block.shape for block in array.blocks})
    if len(shapes) > 1:
        return f"there are pieces of {shapes[0]} and of {shapes[-1]} elements (last dimension fastest)"
    return f"a piece lies in {max(len(bound) + 1 for bound in bounds)} byte segments"


def _candidates(array: GlobalArray, common: list[int]) -> Iterator[Index]:
    """Chunk shapes that divide all pieces and are contiguous in them, the largest first."""
    slowest = len(common) - 1
    while slowest > 0 and all(block.shape[slowest] == common[slowest] for block in array.blocks):
        slowest -= 1
    for d in range(slowest, len(common)):
        for extent in _divisors(common[d]):
            if extent > 1 or d == len(common) - 1:
                yield (*(1,) * d, extent, *common[d + 1 :])


def _divisors(number: int) -> list[int]:
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)}, reverse=True)


def _copied(bounds: list[Integers], length: int) -> int:
    """Bytes of the chunks that lie in more than one segment."""
    return sum(len(np.unique(bound[bound % length != 0] // length)) for bound in bounds) * length


def _chunks(array: GlobalArray, block: Block, chunk: Index, name: str) -> Iterator[tuple[Index, Any]]:
    """Place in the grid and reference of each chunk of a block, in element order."""
    length = math.prod(chunk) * array.dtype.itemsize
    if length == 0:
        return
    grid = tuple(extent // step for extent, step in zip(block.shape, chunk, strict=True))
    first = tuple(start // step for start, step in zip(block.start, chunk, strict=True))
    count = math.prod(grid)
    edges = np.concatenate(([0], np.cumsum(block.size)))
    begins = length * np.arange(count)
    segment = np.searchsorted(edges, begins, "right") - 1
    offsets = block.offset[segment] + begins - edges[segment]
    split = begins + length > edges[segment + 1]
    places = np.stack(np.unravel_index(np.arange(count), grid), axis=1) + np.array(first) if grid else np.empty((1, 0))
    for number, (offset, is_split) in enumerate(zip(offsets.tolist(), split.tolist(), strict=True)):
        yield (
            tuple(places[number].tolist()),
            _copy(block, int(begins[number]), length) if is_split else [name, offset, length],
        )


def _copy(block: Block, begin: int, length: int) -> str:
    """The bytes of a chunk that lies in several segments."""
    data = b""
    with block.path.open("rb") as file:
        for offset, size in zip(*cut(block.offset, block.size, np.array([begin]), length), strict=True):
            file.seek(int(offset))
            data += file.read(int(size))
    return "base64:" + base64.b64encode(data).decode("ascii")
