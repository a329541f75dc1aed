"""Arrays from one file to another: read, checked, written. Next: ../containers/formats.py.

Damaged containers are refused before a library opens them, by what ../inspect finds. NetCDF reads what a cut classic
file lacks as zeros, and what the libraries say of others helps nobody.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.containers.attributes import check_logicals
from headrace.containers.formats import reader, writer
from headrace.containers.left_out import note_restart
from headrace.containers.meter import Meter, Show, nobody
from headrace.containers.output import check_target
from headrace.containers.request import TEXTS, Request, check_plain_file, check_source
from headrace.containers.variable import Variable, names_of
from headrace.containers.zarr.metadata import is_store
from headrace.convert.guesses import refuse_damage
from headrace.errors import HeadraceError
from headrace.later import later

if TYPE_CHECKING:
    from headrace import inspect
    from headrace.inspect import directories
else:
    inspect, directories = later("headrace.inspect"), later("headrace.inspect.directories")

_CHECKED = ("hdf5", "netcdf")
_CALL_BYTES_LOGICAL = ("meta", "netcdf", "parquet")


def convert_arrays(request: Request, show: Show = nobody) -> list[Variable]:
    """Read and write all arrays that are wanted; returns them."""
    variables = read(request)
    request.check_left_out()
    write(request, variables, Meter(sum(variable.bytes for variable in variables), show))
    return variables


def read(request: Request) -> list[Variable]:
    """The arrays of the source; only the one of --name if that is given."""
    for file in request.files:
        (check_source if request.source.format == "zarr" else check_plain_file)(file)
        require_whole(file, request.source.format)
    found = reader(request.source.format)(request)
    note_restart(request)
    chosen = [v for v in found if request.name in (None, v.name)]
    if not chosen:
        raise _missing(request, found)
    return chosen


def _missing(request: Request, found: list[Variable]) -> HeadraceError:
    place = request.files[0]
    if request.name is None:
        return HeadraceError(f"{place}: holds no array", "see headrace inspect")
    if not found:  # the readers leave out what is not wanted
        found = reader(request.source.format)(_without_name(request))
    return HeadraceError(f"{place}: has no array {request.name!r}", f"it has {names_of(found) or 'none'}")


def _without_name(request: Request) -> Request:
    fields: dict[str, Any] = {**request.__dict__, "name": None}
    return Request(**fields)


def write(request: Request, variables: list[Variable], meter: Meter) -> None:
    """Write all arrays. What the format cannot hold is refused before a byte is written."""
    check, put = writer(request.result.format)
    if request.result.format != "zarr":
        check_target(request.target)
    _check_names(request, variables)
    if check is not None:
        check(request, variables)
    _check_logicals(request, variables)
    put(request, variables, meter)


def _check_logicals(request: Request, variables: list[Variable]) -> None:
    """A table has T and F, others call a byte a logical; npy, npz, hdf5 and zarr look while they write."""
    for variable in variables:
        one_byte = variable.kind.name == "logical8" and request.result.format in _CALL_BYTES_LOGICAL
        if one_byte or request.result.format in TEXTS:
            check_logicals(variable, request.target)


def _check_names(request: Request, variables: list[Variable]) -> None:
    names = [variable.name for variable in variables]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise HeadraceError(f"{request.files[0]}: two arrays are called {twice!r}", "rename one of them")


def require_whole(file: Path, format_: str) -> None:
    """Raises HeadraceError for a file of HDF5 or NetCDF that is cut off, and for damaged metadata of a Zarr store."""
    if format_ in _CHECKED:
        best = inspect.inspect_file(file).verdict
        if best.format in _CHECKED:
            refuse_damage(file, best)
    elif format_ == "zarr" and is_store(file):
        refuse_damage(
            file, directories.directory(file, chunks=False)
        )  # those that are wanted are looked at when they are read
