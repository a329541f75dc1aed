"""HDF5 files through h5py. Next: dimensions.py."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from headrace.containers.attributes import attributes_of, checked, is_piece, kind_and_order, stored_type
from headrace.containers.hdf5.dimensions import name_dimensions
from headrace.containers.hdf5.family import family_of
from headrace.containers.left_out import note_attributes, note_names, note_steps
from headrace.containers.meter import Meter
from headrace.containers.output import whole_file
from headrace.containers.request import Request
from headrace.containers.variable import Tile, Values, Variable, element
from headrace.errors import HeadraceError
from headrace.installing import extra
from headrace.layout.placeholders import ONLY_A_DIMENSION


def read(request: Request) -> list[Variable]:
    """All datasets, of every group: x of group g is called g/x."""
    h5py = extra("h5py", "HDF5")
    path = request.file
    family = family_of(path)
    if family is not None and family[1] > 0:
        first = family[0].path(0)
        raise HeadraceError(f"{path}: is member {family[1]} of a family of HDF5 files", f"name the first: {first}")
    try:
        # memb_size=0: as long as the first is
        file = h5py.File(family[0].pattern, "r", driver="family", memb_size=0) if family else h5py.File(path, "r")
    except OSError as error:
        raise HeadraceError(f"{path}: is not a readable HDF5 file: {error}", "see headrace inspect") from error
    others = _Others({"": list(file.attrs)}, [])
    wanted = {
        name: item
        for name, item in _all(h5py, file, "", set(), others)
        if name == request.name or (request.name is None and not _is_hidden(name, item, file))
    }
    variables = [_variable(name, item, f"{path}: array {name!r}", file) for name, item in wanted.items()]
    attributes = {name: item.attrs for name, item in wanted.items()}
    note_attributes(request, attributes, others.groups.__getitem__, groups=[] if request.name else others.groups)
    note_names(request, "links and second names", others.links)
    note_steps(request, {v.name: (v.dimensions or (None,))[0] for v in variables if _has_steps(wanted[v.name])})
    return variables


@dataclass(frozen=True)
class _Others:
    """What a walk through the file passes that is no array."""

    groups: dict[str, list[str]]  # with their attributes
    links: list[str]  # and further names of what has one


def _all(h5py: Any, group: Any, prefix: str, seen: set[Any], others: _Others) -> Iterator[tuple[str, Any]]:
    """Each dataset once, in the order in which they were created if the file keeps it; links are not followed."""
    for name in group:
        raw = name if isinstance(name, bytes) else name.encode()  # bytes that are not UTF-8
        name = raw.decode("utf-8", "backslashreplace")
        if group.id.links.get_info(raw).type != h5py.h5l.TYPE_HARD:
            others.links.append(prefix + name)
            continue
        item = _opened(h5py, h5py.h5o.open(group.id, raw))
        about = h5py.h5o.get_info(item.id)
        if (about.fileno, about.addr) in seen:
            others.links.append(prefix + name)
            continue
        seen.add((about.fileno, about.addr))
        if isinstance(item, h5py.Group):
            others.groups[prefix + name] = list(item.attrs)
            yield from _all(h5py, item, f"{prefix}{name}/", seen, others)
        elif isinstance(item, h5py.Dataset):
            yield prefix + name, item


def _opened(h5py: Any, found: Any) -> Any:
    """What an identifier stands for: a group, a dataset, or a named type, which nobody asks for."""
    if isinstance(found, h5py.h5g.GroupID):
        return h5py.Group(found)
    return h5py.Dataset(found) if isinstance(found, h5py.h5d.DatasetID) else h5py.Datatype(found)


def _is_hidden(name: str, dataset: Any, file: Any) -> bool:
    """What stands for a dimension without values, and a part of an array that `headrace describe` presents."""
    title = dataset.attrs.get("NAME", b"") if dataset.is_scale else b""
    if bytes(title if isinstance(title, bytes) else str(title).encode()).startswith(ONLY_A_DIMENSION.encode()):
        return True
    return is_piece(name, file) and bool(dataset.external)


def _variable(name: str, dataset: Any, place: str, file: Any) -> Variable:
    if dataset.shape is None:
        raise HeadraceError(f"{place}: has no elements and no shape", "choose other arrays with --name")
    dtype = dataset.dtype
    kind, order = kind_and_order(dtype, dataset.attrs, place)
    h5py = extra("h5py", "HDF5")
    target = element(kind, order)

    def read(tile: Tile) -> Values:
        try:
            values = _texts(h5py, dataset, tile) if dtype.kind == "S" else np.asarray(dataset[tile], dtype)
        except (OSError, RuntimeError) as error:
            raise HeadraceError(f"{place}: cannot be read: {error}", "the file is damaged or still written") from error
        assert file  # kept open
        return values.view(target)

    grain = dataset.chunks[0] if dataset.chunks else 1
    return Variable(name, kind, order, dataset.shape, read, _dimensions(dataset), grain=grain)


def _texts(h5py: Any, dataset: Any, tile: Tile) -> Values:
    """Texts of fixed length as they are stored: HDF5 would turn the blanks at the end of Fortran's into NULs."""
    values = np.empty(tuple(s.stop - s.start for s in tile), dataset.dtype)
    where, memory = dataset.id.get_space(), h5py.h5s.create(h5py.h5s.SCALAR)
    if tile:
        where.select_hyperslab(tuple(s.start for s in tile), values.shape)
        memory = h5py.h5s.create_simple(values.shape)
    dataset.id.read(memory, where, values, mtype=dataset.id.get_type())
    return values


def _has_steps(dataset: Any) -> bool:
    """Whether the slowest dimension grows; what only numbers the steps has none."""
    return bool(dataset.maxshape) and dataset.maxshape[0] is None and not dataset.is_scale


def _dimensions(dataset: Any) -> tuple[str, ...] | None:
    """Labels, or the names of dimension scales, as NetCDF-4 and headrace_mpi attach them."""
    own = dataset.name.rpartition("/")[2] if dataset.is_scale and dataset.ndim == 1 else ""
    names = tuple(dimension.label or own or _scale(dimension) for dimension in dataset.dims)
    return names if names and all(names) else None


def _scale(dimension: Any) -> str:
    """The name of the scale; nothing if there is none, or it is gone."""
    try:
        return (dimension[0].name or "").rpartition("/")[2] if len(dimension) else ""
    except (KeyError, OSError, RuntimeError, ValueError):
        return ""


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A contiguous dataset for each array, in its byte order; names of dimensions are scales, as in NetCDF-4."""
    h5py = extra("h5py", "HDF5")
    with whole_file(request.target) as temporary, h5py.File(temporary, "w", track_order=True) as file:
        for variable in variables:
            _make_groups(file, variable.name)
            order = request.result.byte_order or variable.byte_order
            dataset = file.create_dataset(variable.name, variable.shape, stored_type(variable.kind, order))
            dataset.attrs.update(attributes_of(variable.kind, order))
            for tile, block in variable.blocks(order):
                dataset[tile] = checked(variable, block, order, request.target)
                meter.add(block.nbytes)
        name_dimensions(file, variables)


def _make_groups(file: Any, name: str) -> None:
    """The groups of an array, which keep the order of what is in them."""
    parts = name.strip("/").split("/")[:-1]
    for depth in range(len(parts)):
        path = "/".join(parts[: depth + 1])
        if path and path not in file:
            file.create_group(path, track_order=True)
