"""Zarr stores through zarr: version 3 is written, 2 and 3 are read. Next: order.py.

As everywhere in headrace the indices of a store are Fortran's: x(i, j, k) is x[i-1, j-1, k-1]. With --order c they are
those of a C program.
"""

import functools
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from headrace.containers.attributes import attributes_of, checked, kind_and_order, stored_type
from headrace.containers.left_out import note_attributes, note_names, note_steps
from headrace.containers.meter import Meter
from headrace.containers.output import whole_directory
from headrace.containers.regrouped import regrouped
from headrace.containers.reordered import in_c_order
from headrace.containers.request import Request
from headrace.containers.variable import Tile, Values, Variable, element
from headrace.containers.zarr.chunks import plain_chunks
from headrace.containers.zarr.metadata import is_store
from headrace.containers.zarr.order import dimension_names, has_other_order, names_of, note_on_order, turned
from headrace.errors import HeadraceError
from headrace.installing import extra
from headrace.layout.kinds import Kind
from headrace.marks import STEPS

_PASSED_OVER = re.compile(r"Object at (.+) is not recognized as a component of a Zarr hierarchy")
_THIN = 16  # elements along the dimension that is to be the fastest


def read(request: Request) -> list[Variable]:
    """All arrays, of every group: x of group g is called g/x; a store of one array has the name of its directory."""
    zarr = extra("zarr", "Zarr")
    path = request.file
    if not is_store(path):
        raise HeadraceError(f"{path}: is not a Zarr store: it has no zarr.json", "name the directory of a store")
    with warnings.catch_warnings(record=True) as unread:
        warnings.simplefilter("always")
        try:
            root = zarr.open(str(path), mode="r")
            if isinstance(root, zarr.Group):  # what is consolidated may be older than the arrays
                root = zarr.open_group(str(path), mode="r", use_consolidated=False)
            items = [(request.array_name, root)] if isinstance(root, zarr.Array) else _all(zarr, root, "")
        except Exception as error:  # zarr raises what its codecs and parsers raise
            raise HeadraceError(f"{path}: is not a readable Zarr store: {error}", "see headrace inspect") from error
        wanted = [(name, item) for name, item in items if request.name in (None, name)]
        variables = [_variable(request, name, item) for name, item in wanted]
        attributes = {name: list(item.attrs) for name, item in wanted}
        groups = root if isinstance(root, zarr.Group) else {}
        inner = _groups(zarr, root, "") if groups and request.name is None else []
        note_attributes(request, attributes, lambda name: _of_group(groups, name), (STEPS,), inner)
    note_names(request, "members that are neither array nor group", _unrecognised(unread))
    note_steps(request, {name: str(item.attrs[STEPS]) for name, item in wanted if STEPS in item.attrs})
    note_on_order(request, [name for name, item in wanted if has_other_order(item)])
    return variables


def _of_group(root: Any, name: str) -> list[str]:
    """The names of the attributes of a group, "" for the root; a store of one array has no groups."""
    if not name:
        return list(getattr(root, "attrs", ()))
    return list(root[name].attrs)


def _groups(zarr: Any, group: Any, prefix: str) -> list[str]:
    below = (
        [prefix + name, *_groups(zarr, item, f"{prefix}{name}/")]
        for name, item in sorted(group.members())
        if isinstance(item, zarr.Group)
    )
    return [name for names in below for name in names]


def _unrecognised(said: list[warnings.WarningMessage]) -> list[str]:
    """The members of a store that zarr passes over with a warning."""
    found = (_PASSED_OVER.match(str(one.message)) for one in said)
    return list(dict.fromkeys(match[1] for match in found if match))


def _all(zarr: Any, group: Any, prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, item in sorted(group.members()):
        inner = _all(zarr, item, f"{prefix}{name}/") if isinstance(item, zarr.Group) else [(prefix + name, item)]
        found += inner
    return found


def _variable(request: Request, name: str, stored: Any) -> Variable:
    place = f"{request.file}: array {name!r}"
    kind, order = kind_and_order(stored.dtype, dict(stored.attrs), place)
    fortran = request.order == "fortran"
    shape, chunks = turned(stored.shape, fortran), turned(stored.chunks, fortran)
    names = names_of(stored)
    variable = functools.partial(
        Variable, name, kind, order, shape, dimensions=turned(names, fortran) if names is not None else None
    )
    dtype = np.dtype("?") if stored.dtype.kind == "b" else element(kind, order)
    mapped = plain_chunks(stored, fortran, dtype, place)
    if mapped is not None:
        return variable(lambda tile: mapped(tile).view(element(kind, order)))
    read, grain = regrouped(_reader(stored, kind, order, fortran, place), shape, chunks, kind.size, request.target)
    return variable(lambda tile: in_c_order(read(tile)), grain=grain)


def _reader(stored: Any, kind: Kind, order: str, fortran: bool, place: str) -> Callable[[Tile], Values]:
    """Reads a tile through zarr, with Fortran's first dimension the fastest in memory, if chunks are not thin.

    zarr puts a chunk of another order into its place element by element: slow if few of them stand together.
    """
    source = stored
    if hasattr(stored, "with_config"):
        thin = has_other_order(stored) and stored.chunks[0] < _THIN
        source = stored.with_config({"order": "F" if fortran and not thin else "C"})
    target = element(kind, order)
    dtype = np.dtype("?") if stored.dtype.kind == "b" else target

    def read(tile: Tile) -> Values:
        try:
            values = np.asarray(source[turned(tile, fortran) or Ellipsis])
        except Exception as error:  # whatever a codec raises
            raise HeadraceError(f"{place}: cannot be read: {error}", "a chunk is damaged or missing") from error
        values = values.T if fortran else values
        extents = tuple(s.stop - s.start for s in tile)
        return values.astype(dtype, copy=False).view(target).reshape(extents)

    return read


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A group with an array for each variable; a chunk is what is held at a time."""
    zarr = extra("zarr", "Zarr")
    with whole_directory(request.target) as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # types, and copies of metadata, that the standard does not have yet
        root = zarr.create_group(store=str(temporary), zarr_format=3)
        extents: dict[str, int] = {}  # of the names of dimensions
        for variable in variables:
            _write(request, variable, root, extents, meter)
        zarr.consolidate_metadata(str(temporary), zarr_format=3)


def _write(request: Request, variable: Variable, root: Any, extents: dict[str, int], meter: Meter) -> None:
    """The codec `transpose` says that the first dimension is fastest: the bytes stay as they are."""
    fortran = request.order == "fortran"
    codecs = extra("zarr.codecs", "Zarr")
    order = request.result.byte_order or variable.byte_order
    tiles = list(variable.tiles())
    chunk = tuple(max(s.stop - s.start for s in axis) for axis in zip(*tiles, strict=True)) if tiles else ()
    rank = len(variable.shape)
    array = root.create_array(
        variable.name,
        shape=turned(variable.shape, fortran),
        dtype=stored_type(variable.kind, order),
        chunks=turned(chunk or tuple(max(extent, 1) for extent in variable.shape), fortran),
        filters=[codecs.TransposeCodec(order=tuple(range(rank))[::-1])] if fortran and rank > 1 else "auto",
        dimension_names=turned(dimension_names(variable, extents), fortran) or None,
        attributes=attributes_of(variable.kind, order),
        config={"write_empty_chunks": True, "order": "F" if fortran else "C"},  # zarr takes -0.0 for an empty 0.0
    )
    for tile, block in variable.blocks(order):
        values = checked(variable, block, order, request.target)
        array[turned(tile, fortran) or Ellipsis] = values.T if fortran else values
        meter.add(block.nbytes)
