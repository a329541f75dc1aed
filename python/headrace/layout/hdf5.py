"""An HDF5 file that presents bytes of existing files as arrays. Next: output.py.

A dataset with external storage is a list of byte segments of other files. It can say everything about one contiguous
block; if blocks make an array only together, each is such a dataset in the group _pieces, and the array is a virtual
dataset over them. The group is also needed when a list grows beyond what an HDF5 object header holds.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from headrace.errors import HeadraceError
from headrace.installing import extra
from headrace.layout.output import name_from, whole
from headrace.layout.pieces import Block, GlobalArray
from headrace.layout.placeholders import add_placeholder
from headrace.layout.segments import cut

LIST_LIMIT = 2000  # segments of one dataset; an object header (64 KiB) holds about 2,700
SEGMENT_LIMIT = 1_000_000  # of a file: 40 MB of HDF5


def write_hdf5(
    out: Path, arrays: list[GlobalArray], absolute: bool, step: Callable[[str], None] = lambda name: None
) -> None:
    """Write the description, whole or not at all; `step` is called with the name of each array.

    absolute: name the data files from the root instead of relative to `out`. Raises HeadraceError for what cannot be
    described.
    """
    h5py = check_hdf5(arrays)
    dimensions = check_dimensions(arrays)
    with whole(out) as temporary:
        try:
            with h5py.File(temporary, "w", track_order=True) as file:
                for array in arrays:
                    step(array.name)
                    _Dataset(h5py, file, array, out, absolute).write()
                _name_dimensions(file, arrays, dimensions)
        except RuntimeError as error:  # how HDF5 tells that a disk is full
            reason = str(error).splitlines()[-1]
            raise HeadraceError(f"{out}: cannot be written: {reason}", "what was there before is untouched") from error


def check_hdf5(arrays: list[GlobalArray]) -> Any:
    """The module h5py, if it is there and can describe the arrays. Raises HeadraceError."""
    h5py = extra("h5py", "an HDF5 description", "describe", "name the output x.json, or ")
    for array in arrays:
        count = sum(len(block.offset) for block in array.blocks)
        if count > SEGMENT_LIMIT:
            raise HeadraceError(
                f"array {array.name!r} lies in {count} byte segments; a description holds at most {SEGMENT_LIMIT}",
                "rewrite it as one array with 'headrace convert'",
            )
    return h5py


def check_dimensions(arrays: list[GlobalArray]) -> dict[str, int]:
    """The extent of each named dimension, in the order of the arrays."""
    extents: dict[str, tuple[int, str]] = {}
    for array in arrays:
        if len(set(array.dimensions)) != len(array.dimensions):
            raise HeadraceError(f"array {array.name!r}: two of its dimensions have one name: {array.dimensions}")
        for name, extent in zip(array.dimensions, array.shape, strict=True):
            known, first = extents.setdefault(name, (extent, array.name))
            if known != extent:
                raise HeadraceError(
                    f"the dimension {name!r} has {known} elements in array {first!r} and {extent} in {array.name!r}",
                    "give them different names under dimensions or repeat_dimension",
                )
    for array in arrays:
        if array.name in extents and array.dimensions != (array.name,):
            raise HeadraceError(
                f"array {array.name!r} has the name of a dimension, but is not an array over that dimension alone",
                "give the dimension another name",
            )
    return {name: extent for name, (extent, _) in extents.items()}


class _Dataset:
    """Writes one array."""

    def __init__(self, h5py: Any, file: Any, array: GlobalArray, out: Path, absolute: bool) -> None:
        self.h5py, self.file, self.array, self.out, self.absolute = h5py, file, array, out, absolute
        self.type = self._type()

    def write(self) -> None:
        array = self.array
        if 0 in array.shape:
            self._create(array.name, array.shape, self._creation())
            return
        blocks = sorted(array.blocks, key=lambda block: block.start)
        one_list = sum(len(block.offset) for block in blocks) <= LIST_LIMIT
        if one_list and array.fill is None and all(_is_contiguous(block, array.shape) for block in blocks):
            self._external(array.name, array.shape, blocks)
        else:
            self._virtual(blocks)

    def _type(self) -> Any:
        """netCDF knows compound types only by name."""
        if self.array.dtype.kind != "c":
            return self.array.dtype
        name = "_" + self.array.kind.name.replace("(", "_").rstrip(")")
        if name not in self.file:
            self.file[name] = self.array.dtype
        return self.file[name]

    def _external(self, path: str, shape: tuple[int, ...], blocks: list[Block]) -> None:
        """A dataset that is the segments of the blocks, one behind the other.

        The low level of h5py: its create_dataset ignores the segments of a scalar, which would read as 0.
        """
        creation = self._creation()
        for block in blocks:
            name = os.fsencode(name_from(self.out, block.path, self.absolute))
            for offset, size in zip(block.offset.tolist(), block.size.tolist(), strict=True):
                creation.set_external(name, offset, size)
        self._create(path, shape, creation)

    def _creation(self) -> Any:
        return self.h5py.h5p.create(self.h5py.h5p.DATASET_CREATE)

    def _create(self, path: str, shape: tuple[int, ...], creation: Any) -> None:
        h5py = self.h5py
        space = h5py.h5s.create_simple(shape) if shape else h5py.h5s.create(h5py.h5s.SCALAR)
        kind = self.type.id if self.array.dtype.kind == "c" else h5py.h5t.py_create(self.array.dtype)
        links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
        links.set_create_intermediate_group(True)
        links.set_char_encoding(h5py.h5t.CSET_UTF8)
        h5py.h5d.create(self.file.id, path.encode(), kind, space, creation, links)

    def _virtual(self, blocks: list[Block]) -> None:
        h5py, array = self.h5py, self.array
        creation = self._creation()
        if array.fill is not None:
            creation.set_fill_value(np.array(array.fill, array.dtype))
        space = h5py.h5s.create_simple(array.shape)
        pieces = [piece for block in blocks for piece in _halves(block, array.dtype.itemsize)]
        for number, piece in enumerate(pieces, 1):
            path = f"_pieces/{array.name}/piece_{number:0{len(str(len(pieces)))}d}"
            self._external(path, piece.shape, [piece])
            space.select_hyperslab(piece.start, piece.shape)
            creation.set_virtual(space, b".", f"/{path}".encode(), h5py.h5s.create_simple(piece.shape))
        self._create(array.name, array.shape, creation)


def _is_contiguous(block: Block, shape: tuple[int, ...]) -> bool:
    """The block's elements are neighbours in the array: full extents behind the first dimension that is cut."""
    cut_at = next((d for d, extent in enumerate(block.shape) if extent != 1), len(shape))
    return block.shape[cut_at + 1 :] == shape[cut_at + 1 :]


def _halves(block: Block, itemsize: int) -> Iterator[Block]:
    """The block, cut along its slowest dimensions until each part has few enough segments."""
    if len(block.offset) <= LIST_LIMIT:
        yield block
        return
    d = next((d for d, extent in enumerate(block.shape) if extent > 1), None)
    if d is None:
        raise HeadraceError(
            f"{block.path}: an element lies in {len(block.offset)} byte segments", "rewrite it with 'headrace convert'"
        )
    middle = block.shape[d] // 2
    begin = 0
    for extent in (middle, block.shape[d] - middle):
        shape = (*block.shape[:d], extent, *block.shape[d + 1 :])
        length = int(np.prod(shape, dtype=np.int64)) * itemsize
        start = (*block.start[:d], block.start[d] + (middle if begin else 0), *block.start[d + 1 :])
        offset, size = cut(block.offset, block.size, np.array([begin]), length)
        yield from _halves(Block(start, shape, block.path, offset, size), itemsize)
        begin += length


def _name_dimensions(file: Any, arrays: list[GlobalArray], dimensions: dict[str, int]) -> None:
    """Dimension scales as netCDF-4 has them: an array over itself is a coordinate, else a placeholder."""
    for name, extent in dimensions.items():
        if name in file:
            file[name].make_scale(name)
            continue
        add_placeholder(file, name, extent)
    for array in arrays:
        for d, name in enumerate(array.dimensions):
            if name != array.name:
                file[array.name].dims[d].attach_scale(file[name])
