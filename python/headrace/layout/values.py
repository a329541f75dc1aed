"""The values of arrays that a schema names, joined from their pieces.

arrays = global_arrays(load_schema(Path("run.toml")), files)
u = read_global(arrays[0])                              # in memory
for block in arrays[0].blocks:                          # or a piece at a time
    out[within(block)] = read_block(arrays[0], block)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.layout.pieces import Block, GlobalArray


def within(block: Block) -> tuple[slice, ...]:
    """Where a block lies in the global array."""
    return tuple(slice(start, start + extent) for start, extent in zip(block.start, block.shape, strict=True))


def read_block(array: GlobalArray, block: Block) -> NDArray[Any]:
    """The elements of one block, of its shape, in the byte order of the file (array.dtype).

    One contiguous segment is memory-mapped and not read before it is used. Raises HeadraceError when the file has
    become shorter than its segments.
    """
    if len(block.offset) == 1:
        return _mapped(block, int(block.offset[0]), int(block.size[0])).view(array.dtype).reshape(block.shape)
    buffer = np.empty(int(block.size.sum()), np.uint8)
    at = 0
    with block.path.open("rb", buffering=0 if block.size.max(initial=0) > 65536 else -1) as file:
        for offset, size in zip(block.offset.tolist(), block.size.tolist(), strict=True):
            file.seek(offset)
            at += _fill(file, buffer[at : at + size], block, offset)
    return buffer.view(array.dtype).reshape(block.shape)


def read_global(array: GlobalArray, out: "NDArray[Any] | None" = None) -> NDArray[Any]:
    """All blocks in one array in C order (Fortran's first dimension last); gaps hold `fill`.

    out: an array of the global shape, of any byte order, such as a numpy.memmap; default: a new one of array.dtype.
    """
    if out is None:
        out = np.empty(array.shape, array.dtype)
    elif out.shape != array.shape:
        raise HeadraceError(f"array {array.name!r}: expected an array of shape {array.shape}, found {out.shape}")
    if array.fill is not None:
        out[...] = array.fill
    for block in array.blocks:
        if 0 not in block.shape:
            out[within(block)] = read_block(array, block)
    return out


def _mapped(block: Block, offset: int, size: int) -> NDArray[Any]:
    if block.path.stat().st_size < offset + size:
        raise _shorter(block, offset, size)
    return np.memmap(block.path, np.uint8, "r", offset, (size,))


def _fill(file: Any, part: NDArray[Any], block: Block, offset: int) -> int:
    view = part.data
    done = 0
    while done < len(view):
        count = file.readinto(view[done:])
        if not count:
            raise _shorter(block, offset, len(view))
        done += count
    return done


def _shorter(block: Block, offset: int, size: int) -> HeadraceError:
    return HeadraceError(
        f"{block.path}: the file has become shorter: expected {size} bytes at offset {offset}",
        "it is still being written, or was written anew: try again",
    )
