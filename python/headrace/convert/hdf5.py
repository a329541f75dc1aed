"""HDF5 files through h5py. Next: attributes.py."""

from typing import Any

import numpy as np

from headrace.convert.attributes import attributes_of, checked, kind_and_order, stored_type
from headrace.convert.extras import extra
from headrace.convert.output import whole_file
from headrace.convert.progress import Meter
from headrace.convert.request import Request
from headrace.convert.variable import Tile, Values, Variable, element
from headrace.errors import HeadraceError


def read(request: Request) -> list[Variable]:
    """All datasets, of every group: x of group g is called g/x. Attributes are left behind."""
    h5py = extra("h5py", "HDF5")
    path = request.file
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise HeadraceError(f"{path}: is no HDF5 file that can be read: {error}", "see headrace inspect") from error
    found: list[Variable] = []

    def visit(name: str, item: Any) -> None:
        # What presents an array without its data, and the pieces of a description, are no arrays.
        if isinstance(item, h5py.Dataset) and not name.startswith("_pieces/") and request.name in (None, name):
            found.append(_variable(name, item, f"{path}: array {name!r}", file))

    file.visititems(visit)
    return found


def _variable(name: str, dataset: Any, place: str, file: Any) -> Variable:
    if dataset.shape is None:
        raise HeadraceError(f"{place}: has no elements and no shape", "choose other arrays with --name")
    dtype = dataset.dtype
    kind, order = kind_and_order(dtype, dataset.attrs, place)
    target = element(kind, order)

    def read(tile: Tile) -> Values:
        try:
            values = np.asarray(dataset[tile], dtype)
        except (OSError, RuntimeError) as error:
            raise HeadraceError(f"{place}: cannot be read: {error}", "the file is damaged or still written") from error
        assert file  # kept open
        return values.view(target)

    grain = dataset.chunks[0] if dataset.chunks else 1
    return Variable(name, kind, order, dataset.shape, read, _dimensions(dataset), grain=grain)


def _dimensions(dataset: Any) -> tuple[str, ...] | None:
    names = tuple(dimension.label for dimension in dataset.dims)
    return names if names and all(names) else None


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A contiguous dataset for each array, in its byte order."""
    h5py = extra("h5py", "HDF5")
    with whole_file(request.target) as temporary, h5py.File(temporary, "w", track_order=True) as file:
        for variable in variables:
            order = request.result.byte_order or variable.byte_order
            dataset = file.create_dataset(variable.name, variable.shape, stored_type(variable.kind, order))
            dataset.attrs.update(attributes_of(variable.kind, order))
            for dimension, name in zip(dataset.dims, variable.dimensions or (), strict=False):
                dimension.label = name
            for tile, block in variable.blocks(order):
                dataset[tile] = checked(variable, block, order, request.target)
                meter.add(block.nbytes)
