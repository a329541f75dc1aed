"""Readers and writers by format. Next: npy.py, plain.py."""

import importlib
from collections.abc import Callable
from typing import Any

from headrace.convert.left_out import note_restart
from headrace.convert.output import check_target
from headrace.convert.progress import Meter
from headrace.convert.request import PLAIN, TEXTS, Request, check_plain_file, check_source
from headrace.convert.variable import Variable, names_of
from headrace.convert.whole import require_whole
from headrace.errors import HeadraceError

_Check = Callable[[Request, list[Variable]], None]
_Write = Callable[[Request, list[Variable], Meter], None]
_Read = Callable[[Request], list[Variable]]

# Module and function: only the modules of the two formats are loaded, others take longer than a small file.
_CALL_BYTES_LOGICAL = ("meta", "netcdf", "parquet")

READERS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(PLAIN, ("plain", "read")),
    **dict.fromkeys(TEXTS, ("texts", "read")),
    "npy": ("npy", "read_npy"),
    "npz": ("npy", "read_npz"),
    "meta": ("pairs", "read"),
    "hdf5": ("hdf5", "read"),
    "netcdf": ("netcdf", "read"),
    "zarr": ("zarr_store", "read"),
    "parquet": ("parquet", "read"),
}

# Module, what it checks before ("": nothing), and what writes.
WRITERS: dict[str, tuple[str, str, str]] = {
    "raw": ("plain", "", "write_raw"),
    "direct": ("plain", "", "write_direct"),
    "unformatted": ("plain", "", "write_unformatted"),
    **dict.fromkeys(TEXTS, ("texts", "check", "write_text")),
    "npy": ("npy", "check_npy", "write_npy"),
    "npz": ("npy", "check", "write_npz"),
    "meta": ("pairs", "check", "write_meta"),
    "hdf5": ("hdf5", "", "write"),
    "netcdf": ("netcdf", "check", "write"),
    "zarr": ("zarr_store", "", "write"),
    "parquet": ("parquet", "check", "write"),
}


def reader(format_: str) -> _Read:
    """What reads a format."""
    module, name = READERS[format_]
    found: _Read = getattr(importlib.import_module(f"headrace.convert.{module}"), name)
    return found


def _writer(format_: str) -> tuple[_Check | None, _Write]:
    module, check, name = WRITERS[format_]
    home = importlib.import_module(f"headrace.convert.{module}")
    return getattr(home, check) if check else None, getattr(home, name)


def read(request: Request) -> list[Variable]:
    """The arrays of the source; only the one of --name where that is given."""
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
    check, put = _writer(request.result.format)
    if request.result.format != "zarr":
        check_target(request.target)
    _check_names(request, variables)
    if check is not None:
        check(request, variables)
    _check_logicals(request, variables)
    put(request, variables, meter)


def _check_logicals(request: Request, variables: list[Variable]) -> None:
    """A table has T and F, others call a byte a logical; npy, npz, hdf5 and zarr look while they write."""
    from headrace.convert.attributes import check_logicals  # loads numpy

    for variable in variables:
        one_byte = variable.kind.name == "logical8" and request.result.format in _CALL_BYTES_LOGICAL
        if one_byte or request.result.format in TEXTS:
            check_logicals(variable, request.target)


def _check_names(request: Request, variables: list[Variable]) -> None:
    names = [variable.name for variable in variables]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise HeadraceError(f"{request.files[0]}: two arrays are called {twice!r}", "rename one of them")
