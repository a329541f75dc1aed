"""Zarr stores through zarr: version 3 is written, 2 and 3 are read. Next: attributes.py."""

import warnings
from typing import Any

import numpy as np

from headrace.convert.attributes import attributes_of, checked, kind_and_order, stored_type
from headrace.convert.extras import extra
from headrace.convert.output import is_store, whole_directory
from headrace.convert.progress import Meter
from headrace.convert.request import Request
from headrace.convert.variable import Tile, Values, Variable, element
from headrace.errors import HeadraceError


def read(request: Request) -> list[Variable]:
    """All arrays, of every group: x of group g is called g/x; a store of one array has the name of its directory."""
    zarr = extra("zarr", "Zarr")
    path = request.file
    if not is_store(path):
        raise HeadraceError(f"{path}: is no Zarr store: it has no zarr.json", "name the directory of a store")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            root = zarr.open(str(path), mode="r")
            items = [(request.array_name, root)] if isinstance(root, zarr.Array) else _all(zarr, root, "")
        except Exception as error:  # zarr raises what its codecs and parsers raise
            raise HeadraceError(
                f"{path}: is no Zarr store that can be read: {error}", "see headrace inspect"
            ) from error
        return [_variable(request, name, item) for name, item in items if request.name in (None, name)]


def _all(zarr: Any, group: Any, prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, item in sorted(group.members()):
        inner = _all(zarr, item, f"{prefix}{name}/") if isinstance(item, zarr.Group) else [(prefix + name, item)]
        found += inner
    return found


def _variable(request: Request, name: str, stored: Any) -> Variable:
    place = f"{request.file}: array {name!r}"
    kind, order = kind_and_order(stored.dtype, dict(stored.attrs), place)
    target = element(kind, order)
    dtype = np.dtype("?") if stored.dtype.kind == "b" else target

    def read(tile: Tile) -> Values:
        try:
            values = np.asarray(stored[tile or Ellipsis])
        except Exception as error:  # whatever a codec raises
            raise HeadraceError(f"{place}: cannot be read: {error}", "a chunk is damaged or missing") from error
        extents = tuple(s.stop - s.start for s in tile)
        return np.ascontiguousarray(values.astype(dtype, copy=False)).view(target).reshape(extents)

    names = getattr(stored.metadata, "dimension_names", None)
    dimensions = tuple(names) if names and all(names) else None
    return Variable(name, kind, order, stored.shape, read, dimensions, grain=stored.chunks[0] if stored.chunks else 1)


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A group with an array for each variable; a chunk is what is held at a time."""
    zarr = extra("zarr", "Zarr")
    with whole_directory(request.target) as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # types that the standard does not have yet
        root = zarr.create_group(store=str(temporary), zarr_format=3)
        for variable in variables:
            order = request.result.byte_order or variable.byte_order
            tiles = list(variable.tiles())
            chunk = tuple(max(s.stop - s.start for s in axis) for axis in zip(*tiles, strict=True)) if tiles else ()
            array = root.create_array(
                variable.name,
                shape=variable.shape,
                dtype=stored_type(variable.kind, order),
                chunks=chunk or tuple(max(extent, 1) for extent in variable.shape),
                dimension_names=variable.dimensions,
                attributes=attributes_of(variable.kind, order),
                config={"write_empty_chunks": True},  # zarr takes -0.0 for an empty 0.0
            )
            for tile, block in variable.blocks(order):
                array[tile or Ellipsis] = checked(variable, block, order, request.target)
                meter.add(block.nbytes)
