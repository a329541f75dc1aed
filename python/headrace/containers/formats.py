"""Readers and writers by format. Next: npy.py, records/plain.py."""

import importlib
from collections.abc import Callable

from headrace.containers.meter import Meter
from headrace.containers.request import PLAIN, TEXTS, Request
from headrace.containers.variable import Variable

Check = Callable[[Request, list[Variable]], None]
Write = Callable[[Request, list[Variable], Meter], None]
Read = Callable[[Request], list[Variable]]

# Module and function: only the modules of the two formats are loaded, others take longer than a small file.
READERS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(PLAIN, ("records.plain", "read")),
    **dict.fromkeys(TEXTS, ("texts", "read")),
    "npy": ("npy", "read_npy"),
    "npz": ("npy", "read_npz"),
    "meta": ("meta", "read"),
    "hdf5": ("hdf5.datasets", "read"),
    "netcdf": ("netcdf.variables", "read"),
    "zarr": ("zarr.store", "read"),
    "parquet": ("parquet", "read"),
}

# Module, what it checks before ("": nothing), and what writes.
WRITERS: dict[str, tuple[str, str, str]] = {
    "raw": ("records.plain", "", "write_raw"),
    "direct": ("records.plain", "", "write_direct"),
    "unformatted": ("records.plain", "", "write_unformatted"),
    **dict.fromkeys(TEXTS, ("texts", "check", "write_text")),
    "npy": ("npy", "check_npy", "write_npy"),
    "npz": ("npy", "check", "write_npz"),
    "meta": ("meta", "check", "write_meta"),
    "hdf5": ("hdf5.datasets", "", "write"),
    "netcdf": ("netcdf.variables", "check", "write"),
    "zarr": ("zarr.store", "", "write"),
    "parquet": ("parquet", "check", "write"),
}


def reader(format_: str) -> Read:
    """What reads a format."""
    module, name = READERS[format_]
    found: Read = getattr(importlib.import_module(f"headrace.containers.{module}"), name)
    return found


def writer(format_: str) -> tuple[Check | None, Write]:
    """What checks whether a format can hold arrays, and what writes them."""
    module, check, name = WRITERS[format_]
    home = importlib.import_module(f"headrace.containers.{module}")
    return getattr(home, check) if check else None, getattr(home, name)
