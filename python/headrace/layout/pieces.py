"""Arrays in global shape, from the arrays of one file or of one file a rank. Next: hdf5.py, kerchunk.py, values.py."""

import fnmatch
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.layout.left_out import LeftOut, total
from headrace.layout.positions import Integers
from headrace.layout.schema import Array, Piece, Schema
from headrace.layout.segments import FileArray, file_arrays

Index = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Block:
    """A part of a global array that lies in one file; `start` and `shape` in C order."""

    start: Index
    shape: Index
    path: Path
    offset: Integers
    size: Integers


@dataclass(frozen=True, eq=False)
class GlobalArray:
    """A named array in global shape, in C order: the last dimension is fastest, Fortran's first."""

    name: str
    kind: Kind
    dtype: "np.dtype[Any]"
    shape: Index
    dimensions: tuple[str, ...]
    blocks: tuple[Block, ...]
    fill: float | int | None  # None: the blocks cover the shape
    fortran: bool  # the program's indices are the other way round


def global_arrays(schema: Schema, files: list[Path]) -> list[GlobalArray]:
    """The arrays alone: see whole_arrays."""
    return whole_arrays(schema, files)[0]


def whole_arrays(
    schema: Schema, files: list[Path], step: Callable[[str], None] = lambda name: None, wanted: range | None = None
) -> tuple[list[GlobalArray], LeftOut]:
    """All named arrays of the files, and what of the files is in none of them.

    `step` is called with the name of each file; `wanted`: the records that count (default: all).
    An array with shape = "piece" gets the global shape. Of any other array each file has one: several files add a
    slowest dimension "file". Raises HeadraceError when the files do not fit the schema or each other.
    """
    _check_files(files, by_name=bool(schema.piece))
    places = _places(schema, files)
    parts: list[list[FileArray]] = []
    left: list[LeftOut] = []
    for file, place in zip(files, places, strict=True):
        step(file.name)
        found, missing = file_arrays(schema, file, place.shape if place else None, wanted)
        parts.append(found)
        left.append(missing)
    arrays = [_whole(schema, [found[number] for found in parts], places) for number in range(len(parts[0]))]
    return arrays, total(left)


def _check_files(files: list[Path], by_name: bool) -> None:
    """All are there, and in order: a shell puts rank10 before rank2, and without names in the schema order is all."""
    if not files:
        raise HeadraceError("there is no file to describe", "name the files, or list them as [[piece]] in the schema")
    missing = next((file for file in files if not file.exists()), None)
    if missing is not None:
        raise HeadraceError(
            f"{missing}: no such file", "name files that exist; a pattern that matches nothing stays as it is"
        )
    if by_name:
        return
    for before, after in itertools.pairwise(files):
        a, b = (re.split(r"(\d+)", file.name) for file in (before, after))
        if a[::2] == b[::2] and [int(n) for n in a[1::2]] >= [int(n) for n in b[1::2]]:
            raise HeadraceError(
                f"{before} stands before {after}: the order of the files is the order of the pieces",
                "give the files in the order of their numbers, for example with $(ls -v rank*.dat)",
            )


def _places(schema: Schema, files: list[Path]) -> list[Piece | None]:
    """Which piece each file holds; None without [global]."""
    whole = schema.global_
    if whole is None:
        return [None] * len(files)
    if schema.piece:
        return [_place_of(file, schema.piece) for file in _each_once(files, schema.piece)]
    cuts = whole.cuts()
    expected = int(np.prod([len(cut) for cut in cuts]))
    if expected != len(files):
        raise HeadraceError(
            f"parts in [global] makes {expected} pieces, found {len(files)} files", "name all files, or correct parts"
        )
    starts = [list(itertools.accumulate(cut, initial=0)) for cut in cuts]
    ranges = [range(len(cut)) for cut in cuts]
    fastest_last = whole.rank_order == "c"
    grid = itertools.product(*(ranges if fastest_last else ranges[::-1]))
    places: list[Piece | None] = []
    for file, at in zip(files, grid, strict=True):
        index = at if fastest_last else at[::-1]
        places.append(
            Piece(
                file=file.name,
                offset=tuple(starts[d][i] for d, i in enumerate(index)),
                shape=tuple(cuts[d][i] for d, i in enumerate(index)),
            )
        )
    return places


def _place_of(file: Path, pieces: tuple[Piece, ...]) -> Piece:
    places = [piece for piece in pieces if _matches(file, piece.file)]
    if len(places) != 1:
        names = ", ".join(repr(piece.file) for piece in places) or "none"
        raise HeadraceError(
            f"{file}: expected one [[piece]] whose file matches, found {names}", "give each file one [[piece]]"
        )
    return places[0]


def _matches(file: Path, pattern: str) -> bool:
    """A name matches the end of the path, whole names at a time."""
    depth = len(Path(pattern).parts)
    return fnmatch.fnmatchcase("/".join(file.parts[-depth:]), "/".join(Path(pattern).parts))


def _each_once(files: list[Path], pieces: tuple[Piece, ...]) -> list[Path]:
    for number, piece in enumerate(pieces, 1):
        matching = [str(file) for file in files if _matches(file, piece.file)]
        if len(matching) != 1:
            raise HeadraceError(
                f"piece {number} of the schema ({piece.file!r}): expected one file, found"
                f" {', '.join(matching[:3]) or 'none'}",
                "name the file of each piece once",
            )
    return files


def _whole(schema: Schema, found: list[FileArray], places: list[Piece | None]) -> GlobalArray:
    """One array of all files."""
    array = found[0].array
    kind = kinds.find(array.kind or "")
    assert kind is not None and array.name is not None
    dtype = kind.dtype(schema.file.byte_order)
    if dtype is None:
        raise HeadraceError(
            f"array {array.name!r}: {kind.name} has no type on which HDF5 readers and Zarr agree",
            "convert the file, or leave the array out with skip",
        )
    if schema.global_ is not None and array.shape == "piece":
        return _joined(schema, found, places, kind, dtype)
    shapes = {part.shape for part in found}
    if len(shapes) > 1:
        other = next(part for part in found if part.shape != found[0].shape)
        raise HeadraceError(
            f"array {array.name!r}: {found[0].path} has the shape {_shown(array, found[0].shape)}, {other.path}"
            f" {_shown(array, other.shape)}",
            "only files whose arrays have the same shape are stacked; describe the others separately",
        )
    shape = found[0].shape
    dimensions = _dimensions(found[0], len(array.shape))
    if len(found) == 1:
        return _global(array, kind, dtype, shape, dimensions, (_block(found[0], (0,) * len(shape), shape),), None)
    blocks = tuple(_block(part, (number, *(0,) * len(shape)), (1, *shape)) for number, part in enumerate(found))
    return _global(array, kind, dtype, (len(found), *shape), ("file", *dimensions), blocks, None)


def _joined(
    schema: Schema, found: list[FileArray], places: list[Piece | None], kind: Kind, dtype: "np.dtype[Any]"
) -> GlobalArray:
    """An array whose pieces make the global shape."""
    assert schema.global_ is not None
    array, fill = found[0].array, schema.global_.fill
    repeats = [part.shape[:1] if part.repeat_dimension else () for part in found]
    if len(set(repeats)) > 1:
        other = next(n for n, repeat in enumerate(repeats) if repeat != repeats[0])
        raise HeadraceError(
            f"array {array.name!r}: {found[0].path} has it {repeats[0][0]} times, {found[other].path}"
            f" {repeats[other][0]} times",
            "every piece of an array must repeat equally often",
        )
    shape = (*repeats[0], *_c_order(array, schema.global_.shape))
    blocks = []
    for part, place in zip(found, places, strict=True):
        assert place is not None
        start = (*(0,) * len(repeats[0]), *_c_order(array, place.offset))
        blocks.append(_block(part, start, part.shape))
    _check_tiling(array, shape, blocks, fill)
    dimensions = _dimensions(found[0], len(schema.global_.shape))
    return _global(array, kind, dtype, shape, dimensions, tuple(blocks), _fill(array, dtype, fill))


def _fill(array: Array, dtype: "np.dtype[Any]", fill: float | int | None) -> float | int | None:
    if fill is None:
        return None
    if dtype.kind == "S" or (dtype.kind in "iu" and not _is_integer(fill, dtype)):
        raise HeadraceError(
            f"array {array.name!r}: fill = {fill} is not a value of {array.kind}", "correct fill in [global]"
        )
    return int(fill) if dtype.kind in "iu" else float(fill)


def _is_integer(fill: float | int, dtype: "np.dtype[Any]") -> bool:
    limits = np.iinfo(dtype)
    return fill == fill and limits.min <= fill <= limits.max and int(fill) == fill


def _global(
    array: Array,
    kind: Kind,
    dtype: "np.dtype[Any]",
    shape: Index,
    dimensions: tuple[str, ...],
    blocks: tuple[Block, ...],
    fill: float | int | None,
) -> GlobalArray:
    """Characters get one more dimension, their length: netCDF knows single characters only."""
    assert array.name is not None
    if kind.is_character:
        blocks = tuple(Block((*b.start, 0), (*b.shape, kind.size), b.path, b.offset, b.size) for b in blocks)
        shape, dimensions, dtype = (*shape, kind.size), (*dimensions, f"{array.name}_length"), np.dtype("S1")
    return GlobalArray(array.name, kind, dtype, shape, dimensions, blocks, fill, array.order == "fortran")


def _block(part: FileArray, start: Index, shape: Index) -> Block:
    return Block(start, shape, part.path, part.offset, part.size)


def _c_order(array: Array, index: Index) -> Index:
    return index[::-1] if array.order == "fortran" else index


def _shown(array: Array, shape: Index) -> str:
    """A shape in the order of the schema."""
    return str(list(_c_order(array, shape)))


def _dimensions(part: FileArray, array_rank: int) -> tuple[str, ...]:
    names = part.array.dimensions or tuple(f"{part.array.name}_{d + 1}" for d in range(array_rank))
    return ((part.repeat_dimension,) if part.repeat_dimension else ()) + _c_names(part.array, names)


def _c_names(array: Array, names: tuple[str, ...]) -> tuple[str, ...]:
    return names[::-1] if array.order == "fortran" else names


def _check_tiling(array: Array, shape: Index, blocks: list[Block], fill: float | int | None) -> None:
    """Pieces lie in the shape, do not overlap, and leave no gap unless `fill` says what is there."""
    starts = np.array([block.start for block in blocks], np.int64)
    stops = starts + np.array([block.shape for block in blocks], np.int64)
    outside = np.flatnonzero((stops > np.array(shape)).any(axis=1))
    if len(outside):
        block = blocks[int(outside[0])]
        one_based = len(starts) and all(starts[:, d].min() >= 1 for d in range(starts.shape[1]))
        raise HeadraceError(
            f"array {array.name!r}: the piece of {block.path}, offset {_shown(array, block.start)} and shape"
            f" {_shown(array, block.shape)}, reaches beyond the global shape {_shown(array, shape)}",
            "offsets count from 0: the first piece has zeros" if one_based else "correct offset or shape of the piece",
        )
    order = np.lexsort(starts.T[::-1])
    starts, stops = starts[order], stops[order]
    for i in range(len(order) - 1):
        near = slice(i + 1, int(np.searchsorted(starts[:, 0], stops[i, 0], "left")))
        meet = ((starts[near] < stops[i]) & (stops[near] > starts[i])).all(axis=1)
        if meet.any():
            other = blocks[int(order[i + 1 + int(np.argmax(meet))])]
            raise HeadraceError(
                f"array {array.name!r}: the pieces of {blocks[int(order[i])].path} and {other.path} overlap, at offset"
                f" {_shown(array, blocks[int(order[i])].start)} and {_shown(array, other.start)}",
                "correct offset or shape of the pieces; files with halo cells cannot be described: convert them",
            )
    covered, total = int(np.prod(stops - starts, axis=1).sum()), int(np.prod(shape))
    if covered != total and fill is None:
        raise HeadraceError(
            f"array {array.name!r}: the pieces hold {covered} of the {total} elements of the global shape"
            f" {_shown(array, shape)}",
            "add the missing files, or state what is in the gaps as fill in [global]",
        )
