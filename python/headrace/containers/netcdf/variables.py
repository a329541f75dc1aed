"""NetCDF files through netCDF4. Next: forms.py.

Stored values are taken as they are: packed ones (scale_factor, _FillValue) are not unpacked. Names that end in .pnc or
.cdf5 are written as CDF-5, the classic format that PnetCDF writes; reading takes every NetCDF by any name.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from headrace.containers.attributes import is_piece
from headrace.containers.left_out import note_attributes, note_steps
from headrace.containers.meter import Meter
from headrace.containers.netcdf.forms import form_of, stored_kind
from headrace.containers.output import whole_file
from headrace.containers.request import MACHINE, Request
from headrace.containers.variable import Tile, Values, Variable, element
from headrace.errors import HeadraceError
from headrace.installing import extra

_CDF5 = (".pnc", ".cdf5")
_NAME = re.compile(r"[A-Za-z0-9_\u0080-\U0010ffff]([^\x00-\x1f\x7f/]*[^\x00-\x20\x7f/])?")
_PACKED = ("scale_factor", "add_offset")


def read(request: Request) -> list[Variable]:
    """All variables, of every group: x of group g is called g/x."""
    netcdf4 = extra("netCDF4", "NetCDF")
    path = request.file
    try:
        file = netcdf4.Dataset(path, "r")
    except (OSError, RuntimeError) as error:
        raise HeadraceError(f"{path}: is not a readable NetCDF file: {error}", "see headrace inspect") from error
    except UnicodeDecodeError as error:
        raise HeadraceError(
            f"{path}: has a name that netCDF4 cannot read: expected UTF-8, found {bytes(error.object)!r}",
            "a NetCDF-4 file is read with --from hdf5; else give it another name with the library that wrote it",
        ) from error
    file.set_auto_mask(False)
    file.set_auto_scale(False)
    file.set_auto_chartostring(False)
    wanted = {
        name: item
        for name, item in _all(file, "")
        if name == request.name or (request.name is None and not is_piece(name, file.variables))
    }
    variables = [_variable(request, name, item, file) for name, item in wanted.items()]
    attributes = {name: item.ncattrs() for name, item in wanted.items()}
    groups = _groups(file, "") if request.name is None else []
    note_attributes(request, attributes, lambda name: (file[name] if name else file).ncattrs(), groups=groups)
    note_steps(request, {name: item.dimensions[0] for name, item in wanted.items() if _has_steps(item)})
    return variables


def _all(group: Any, prefix: str) -> list[tuple[str, Any]]:
    found = [(prefix + name, item) for name, item in group.variables.items()]
    for name, inner in group.groups.items():
        found += _all(inner, f"{prefix}{name}/")
    return found


def _groups(group: Any, prefix: str) -> list[str]:
    below = ([prefix + name, *_groups(inner, f"{prefix}{name}/")] for name, inner in group.groups.items())
    return [name for names in below for name in names]


def _has_steps(stored: Any) -> bool:
    """Whether the slowest dimension is unlimited; what only numbers the steps has none."""
    dimensions = stored.get_dims()
    return bool(dimensions) and dimensions[0].isunlimited() and stored.dimensions != (stored.name,)


def _variable(request: Request, name: str, stored: Any, file: Any) -> Variable:
    place = f"{request.file}: array {name!r}"
    attributes = {key: stored.getncattr(key) for key in stored.ncattrs()}
    if any(key in attributes for key in _PACKED):
        request.notes.append(f"{name} holds packed values: they are kept as they are, its scale_factor is not applied")
    dtype = stored.dtype
    if not isinstance(dtype, np.dtype):
        raise HeadraceError(
            f"{place}: texts of variable length and derived types cannot be converted",
            "choose other arrays with --name",
        )
    kind, order, split = stored_kind(stored, attributes, place)
    shape, dimensions = (stored.shape[:-1], stored.dimensions[:-1]) if split else (stored.shape, stored.dimensions)
    target, form = element(kind, order), form_of(kind, order)

    def read(tile: Tile) -> Values:
        try:
            values = np.ascontiguousarray(stored[(*tile, slice(None)) if split else tile or Ellipsis])
        except (OSError, RuntimeError) as error:
            raise HeadraceError(f"{place}: cannot be read: {error}", "the file is damaged or still written") from error
        assert file  # kept open
        extents = tuple(s.stop - s.start for s in tile)
        if values.dtype.names is None:
            values = values.astype(form.dtype if split else target, copy=False)
        return np.ascontiguousarray(values).view(target).reshape(extents)

    chunks = stored.chunking()
    return Variable(
        name, kind, order, shape, read, dimensions, grain=chunks[0] if isinstance(chunks, list) and chunks else 1
    )


def check(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for a kind that NetCDF does not have, and for names that it does not allow."""
    for variable in variables:
        for name in (*variable.name.split("/"), *_names(variable)):
            if not _NAME.fullmatch(name):
                raise HeadraceError(
                    f"{request.target}: array {variable.name!r}: {name!r} is not a valid name in NetCDF",
                    "names there begin with a letter, a digit or _ (or a character beyond ASCII), have no control "
                    "characters and do not end with a blank; hdf5 and npz take others",
                )
        if "real128" in variable.kind.name:
            raise HeadraceError(
                f"{request.target}: array {variable.name!r} is {variable.kind.name}, which NetCDF does not have",
                "hdf5, zarr, meta, raw and unformatted files hold it bit for bit",
            )
    if _is_cdf5(request.target):
        _check_cdf5(request, variables)


def _is_cdf5(target: Path) -> bool:
    return target.suffix.lower() in _CDF5


def _check_cdf5(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for what NetCDF-4 can hold and the classic format cannot."""
    instead = "name the result .nc for NetCDF-4, which has it"
    if request.result.byte_order == "little":
        raise HeadraceError(f"{request.target}: CDF-5 files are big-endian, and little was asked for", instead)
    for variable in variables:
        place = f"{request.target}: array {variable.name!r}"
        if "/" in variable.name:
            raise HeadraceError(f"{place} is in a group, which CDF-5 does not have", instead)
        if 0 in variable.shape:
            raise HeadraceError(f"{place} is empty: an extent of 0 would be unlimited in CDF-5", instead)


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """A variable for each array; dimensions of one name and length are shared."""
    netcdf4 = extra("netCDF4", "NetCDF")
    with (
        whole_file(request.target) as temporary,
        netcdf4.Dataset(temporary, "w", format="NETCDF3_64BIT_DATA" if _is_cdf5(request.target) else "NETCDF4") as file,
    ):
        file.set_fill_off()
        for variable in variables:
            _write(request, variable, file, meter)


def _write(request: Request, variable: Variable, file: Any, meter: Meter) -> None:
    # netCDF4 turns round what CDF-5 stores the other way.
    order = MACHINE if _is_cdf5(request.target) else request.result.byte_order or variable.byte_order
    form = form_of(variable.kind, order)
    own = [_dimension(file, name, extent) for name, extent in zip(_names(variable), variable.shape, strict=True)]
    stored = file.createVariable(
        variable.name,
        form.dtype,
        [*own, *([_dimension(file, form.dimension, form.parts)] if form.parts else [])],
        endian="native" if form.dtype.itemsize == 1 or _is_cdf5(request.target) else order,
        fill_value=False,
    )
    stored.set_auto_maskandscale(False)
    stored.set_auto_chartostring(False)
    for key, value in form.attributes.items():
        stored.setncattr(key, value)
    for tile, block in variable.blocks(order):
        values = block.reshape(-1).view(form.dtype)
        if form.parts:
            stored[(*tile, slice(None))] = values.reshape(*block.shape, form.parts)
        else:
            stored[tile or Ellipsis] = values.reshape(block.shape)
        meter.add(block.nbytes)


def _names(variable: Variable) -> list[str]:
    base = variable.name.replace("/", "_")
    rank = len(variable.shape)
    return list(variable.dimensions or (f"{base}_{rank - d}" for d in range(rank)))


def _dimension(file: Any, name: str, extent: int) -> str:
    """A dimension of that name, or of that name and its length if the name has another one."""
    wanted = name
    while wanted in file.dimensions and len(file.dimensions[wanted]) != extent:
        wanted = f"{wanted}_{extent}"
    if wanted not in file.dimensions:
        file.createDimension(wanted, extent)
    return wanted
